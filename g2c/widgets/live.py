"""A picture that asks anew: controls that call a function at the position where they stand.

A stored picture shows what a function said when the cell ran. Where there is a kernel, and a person
before it, a control calls the function again, so an edited one changes what is seen. The picture
stays plain HTML, and a notebook that is saved keeps it as it was seen last.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from g2c.widgets.view import View, is_watched, page, tag


@dataclass(frozen=True)
class Control:
    """What a person may set: a label, the texts and values to choose from, and the first value."""

    label: str
    options: Sequence[tuple[str, object]]
    start: object


@dataclass(frozen=True, repr=False)
class LiveView(View):
    """A view that a program stores as it is. A person gets `controls` instead, and below them what
    `at` makes of their values."""

    controls: tuple[Control, ...] = field(default=(), compare=False)
    at: Callable[..., View] = field(default=lambda: View("", ""), compare=False)

    def _ipython_display_(self) -> None:
        if not is_watched():
            raise NotImplementedError  # IPython then shows the view, as it shows any other
        from ipywidgets import VBox

        display: Any = sys.modules["IPython"].display.display
        sliders = [_slider(control) for control in self.controls]
        display(VBox(sliders))
        picture = display(self._ask(sliders), display_id=True)

        def ask(_: object) -> None:
            picture.update(self._ask(sliders))

        for slider in sliders:
            slider.observe(ask, "value")

    def _ask(self, sliders: Sequence[Any]) -> View:
        _reload_edited()
        try:
            return self.at(*(slider.value for slider in sliders))
        except Exception as error:  # the student's function may do anything, and is to be mended
            said = f"{type(error).__name__}: {error}"
            return View(page(tag("pre", said, class_="g2c-pre")), said)


def _slider(control: Control) -> Any:
    from ipywidgets import SelectionSlider

    return SelectionSlider(
        options=list(control.options),
        value=control.start,
        description=control.label,
        style={"description_width": "14em"},
        layout={"width": "34em", "max_width": "100%"},
    )


def _reload_edited() -> None:
    """Take up what was edited, if the notebook does so before a cell: a slider is no cell."""
    ipython = sys.modules["IPython"].get_ipython()
    with suppress(Exception):  # it is a convenience, and says itself what it could not load
        if "autoreload" in ipython.magics_manager.magics["line"]:
            ipython.run_line_magic("autoreload", "now")
