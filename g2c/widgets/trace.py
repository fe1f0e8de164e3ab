"""A run on the screen while it happens.

Each step is shown once, when it is over, and never changed again. So a notebook stores exactly what
a person saw.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from g2c.widgets.tables import MEANINGS, costs
from g2c.widgets.view import Html, View, block, page, show, tag

if TYPE_CHECKING:
    from g2c.agent import AgentRunResult, AgentStep

LONG = 600
"""Characters above which a text is folded behind its first line. The whole text stays available."""


@dataclass(frozen=True)
class Part:
    """A piece of a run: its name, its text, and its kind, which gives it a colour."""

    kind: str
    name: str
    text: str


class LiveTrace:
    """Shows each step of a run as soon as it is over: `Agent(..., on_step=trace)`.

    `done` adds how the run ended; a step after that begins a new run. A notebook shows HTML below
    the cell that runs, any other program prints. The value of a trace is all that it has shown of
    the last run. With `seconds`, it shows the time spent, which differs from run to run. `to` gets
    each piece that is shown.

    >>> from g2c.agent import AgentStep
    >>> trace = LiveTrace("What is 6 * 7?")
    >>> trace(AgentStep("", thought="I know this.", final_answer="42"))
    What is 6 * 7?
    Step 1
      Thought              I know this.
      Final answer         42
    """

    def __init__(
        self, title: str = "", *, seconds: bool = False, to: Callable[[View], None] = show
    ) -> None:
        self._title = title
        self._to = to
        self._seconds = seconds
        self._shown: list[View] = []
        self._ended = False

    def __call__(self, step: AgentStep) -> None:
        """Show `step` as the next one of the run."""
        if self._ended:
            self._shown, self._ended = [], False
        self._show(f"Step {len(self._shown) + 1}", step_parts(step))

    def done(self, result: AgentRunResult) -> None:
        """Show how the run ended, after any of its steps that have not been shown."""
        already = 0 if self._ended else len(self._shown)
        for step in result.steps[already:]:
            self(step)
        self._show("End", end_parts(result, seconds=self._seconds))
        self._ended = True

    def _show(self, head: str, parts: list[Part]) -> None:
        html = [tag("div", head, class_="g2c-head"), *map(_part_html, parts)]
        lines = [head, *map(_part_text, parts)]
        # The outputs of a cell come and go together, so the style of the first serves all.
        first = not self._shown
        if first and self._title:
            html.insert(0, tag("div", self._title, class_="g2c-title"))
            lines.insert(0, self._title)
        view = View((page if first else block)(*html), "\n".join(lines))
        self._shown.append(view)
        self._to(view)

    def _repr_html_(self) -> str:
        return "".join(view.html for view in self._shown)

    def __repr__(self) -> str:
        return "\n".join(map(repr, self._shown)) or "LiveTrace: no step yet"


def step_parts(step: AgentStep) -> list[Part]:
    """The visible parts of a step, in the order in which they happened."""
    parts = []
    if step.thinking:
        parts.append(Part("thought", "Thinking, which no prompt has", step.thinking))
    if step.thought:
        parts.append(Part("thought", "Thought", step.thought))
    if step.action:
        arguments = json.dumps(step.action.arguments, ensure_ascii=False)
        parts.append(Part("action", "Action", f"{step.action.tool} {arguments}"))
        if step.observation is None:
            parts.append(Part("error", "Not carried out", "No tool was called for this action."))
    if step.observation:
        failed = step.observation.is_error
        kind, name = ("error", "Observation (error)") if failed else ("observation", "Observation")
        parts.append(Part(kind, name, step.observation.output))
    if step.parse_error:
        parts.append(Part("error", "Could not read", step.parse_error))
        parts.append(Part("thought", "Model wrote", step.completion))
    if step.final_answer is not None:
        parts.append(Part("answer", "Final answer", step.final_answer))
    return parts


def end_parts(result: AgentRunResult, *, seconds: bool = False) -> list[Part]:
    """How a run ended, what it cost, and its plan."""
    spent = ", ".join(f"{name}: {count}" for name, count in costs(result, seconds=seconds).items())
    reason = result.stopped_reason
    parts = [Part("end", "Stopped", f"{reason}. {MEANINGS[reason]}"), Part("end", "Cost", spent)]
    if result.plan:
        steps = (f"{number}. {step}" for number, step in enumerate(result.plan.steps, 1))
        parts.append(Part("end", "Its plan was", "\n".join([result.plan.goal, *steps])))
    return parts


def _part_html(part: Part) -> Html:
    text = tag("pre", part.text, class_="g2c-pre")
    if len(part.text) > LONG:
        start = _beginning(part.text.strip().partition("\n")[0])
        text = tag("details", tag("summary", f"{start} … {len(part.text):,} characters"), text)
    return tag("div", tag("b", part.name), text, class_=f"g2c-part g2c-{part.kind}")


def _beginning(line: str, most: int = 80) -> str:
    """The line up to the last word that ends within `most` characters; one long word is cut."""
    if len(line) <= most:
        return line
    return line[: most + 1].rpartition(" ")[0] or line[:most]


def _part_text(part: Part) -> str:
    lines = part.text.strip().splitlines() or [""]
    names = [part.name, *[""] * len(lines)]
    return "\n".join(f"  {name:21}{line}" for name, line in zip(names, lines, strict=False))
