"""A view with controls that call a function again with their values.

A stored picture shows what a function returned when the cell ran. With a kernel and a person, a
control calls the function again, so an edited function changes the picture. The picture stays plain
HTML, and a saved notebook keeps its last state.
"""

import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any
from uuid import uuid4

from g2c.text import named_reason
from g2c.widgets.view import Html, View, is_watched, page, tag

CONTROLS = "Controls stand here where there is a kernel: run the cell."


@dataclass(frozen=True)
class Control:
    """A control: its label, the texts and values to choose from, and the first value."""

    label: str
    options: Sequence[tuple[str, object]]
    start: object


@dataclass(frozen=True, repr=False)
class LiveView(View):
    """A view that a program stores unchanged. A person gets `controls` instead, and below them the
    result of `at` for their values."""

    controls: tuple[Control, ...] = field(default=(), compare=False)
    at: Callable[..., View] = field(default=lambda: View("", ""), compare=False)

    def _ipython_display_(self) -> None:
        if not is_watched():
            raise NotImplementedError  # IPython then shows the view, as it shows any other
        from ipywidgets import HTML

        from g2c.widgets.console import WithoutKernel

        display: Any = sys.modules["IPython"].display.display
        sliders = [_slider(control) for control in self.controls]
        kept_in = f"g2c-kept-{uuid4()}"
        alive = HTML()

        def ask(_: object = None) -> View:
            view = self._ask(sliders)
            # After a reload, only a widget can be changed. Without one (no kernel, or a page that
            # does not trust the notebook), the copy that was kept below is shown.
            hide = tag("style", Html(f"#{kept_in} {{ display: none }}"))
            alive.value = hide + view.html
            return View(tag("div", Html(view.html), id=kept_in), view.text)

        first = ask()
        display(WithoutKernel([*sliders, alive], CONTROLS))
        kept = display(first, display_id=True)
        for slider in sliders:
            slider.observe(lambda change: kept.update(ask(change)), "index")

    def _ask(self, sliders: Sequence[Any]) -> View:
        _reload_edited()
        try:
            values = zip(self.controls, sliders, strict=True)
            return self.at(*(control.options[slider.index][1] for control, slider in values))
        except Exception as error:  # a student's function may raise anything
            said = named_reason(error)
            return View(page(tag("pre", said, class_="g2c-pre")), said)


def _slider(control: Control) -> Any:
    from ipywidgets import SelectionSlider

    # The slider's value is the number of an option, since it cannot be None.
    values = [value for _, value in control.options]
    return SelectionSlider(
        options=[(text, number) for number, (text, _) in enumerate(control.options)],
        value=values.index(control.start),
        description=control.label,
        style={"description_width": "14em"},
        layout={"width": "34em", "max_width": "100%"},
    )


def _reload_edited() -> None:
    """Reload edited code, as the notebook does before each cell; moving a slider runs no cell."""
    ipython = sys.modules["IPython"].get_ipython()
    with suppress(Exception):  # a convenience; it prints itself what it could not load
        if "autoreload" in ipython.magics_manager.magics["line"]:
            ipython.run_line_magic("autoreload", "now")
