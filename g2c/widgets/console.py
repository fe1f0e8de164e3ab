"""A console for an agent in a notebook: ask, watch the steps as they come, stop.

The agent runs in a thread, so the kernel stays free to hear the button. A run that is stopped keeps
what it has shown.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from traceback import format_exception_only
from typing import TYPE_CHECKING

from ipywidgets import HTML, Button, HBox, Text, VBox

from g2c.widgets.trace import LiveTrace
from g2c.widgets.view import View, tag

if TYPE_CHECKING:
    from g2c.agent import AgentStep
    from g2c.agent.core.run import BaseAgent


CONSOLE = "The console stands here where there is a kernel: run the cell."


class Stopped(Exception):
    """Somebody pressed Stop. It ends a run from within `on_step`."""


class WithoutKernel(VBox):  # type: ignore[misc]  # ipywidgets has no types
    """Widgets below each other; if they cannot be shown, the text `instead`."""

    def __init__(self, children: Sequence[object], instead: str) -> None:
        self._instead = instead
        super().__init__(children)

    def _repr_mimebundle_(self, **asked: object) -> dict[str, object]:
        shown: dict[str, object] = super()._repr_mimebundle_(**asked)
        return shown | {"text/plain": self._instead, "text/html": tag("em", self._instead)}


class AgentConsole(WithoutKernel):
    """A question, buttons to run and to stop, and the steps of the run.

    `make_agent` gets a function of a step and gives an agent that calls it: its `on_step`. A run
    stops after its current step, because a call to the model cannot be cancelled.
    """

    def __init__(
        self, make_agent: Callable[[Callable[[AgentStep], None]], BaseAgent], question: str = ""
    ) -> None:
        self._make_agent = make_agent
        self._thread = threading.Thread()
        self._is_stopping = threading.Event()
        self.question = Text(question, placeholder="A question", layout={"width": "36em"})
        self.run_button = Button(description="Run", button_style="primary")
        self.stop_button = Button(description="Stop", disabled=True)
        self.status = HTML()
        self.steps = VBox()
        self.run_button.on_click(lambda _: self.run())
        self.stop_button.on_click(lambda _: self.stop())
        row = HBox([self.question, self.run_button, self.stop_button])
        super().__init__([row, self.status, self.steps], CONSOLE)

    def run(self) -> None:
        """Begin a run of the question that stands in the field."""
        self._is_stopping.clear()
        self.run_button.disabled, self.stop_button.disabled = True, False
        self.steps.children = ()
        self._thread = threading.Thread(target=self._run, args=(self.question.value,), daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """Have the run end after its current step."""
        self._is_stopping.set()
        self.status.value = "It stops when this step is over."

    def wait(self) -> None:
        """Return when nothing runs any more."""
        self._thread.join()

    def _run(self, question: str) -> None:
        trace = LiveTrace(question, to=self._add)
        steps: list[AgentStep] = []

        def on_step(step: AgentStep) -> None:
            steps.append(step)
            trace(step)
            self.status.value = _cost_of(steps)
            if self._is_stopping.is_set():
                raise Stopped

        self.status.value = "The model reads the prompt."
        try:
            trace.done(self._make_agent(on_step).run(question))
        except Stopped:
            self.status.value = f"Stopped. {_cost_of(steps)}"
        # The person at the notebook must read any error; a thread would drop SystemExit silently.
        except BaseException as error:
            said = format_exception_only(error)[-1].strip()
            self._add(View(tag("pre", said), said))
            self.status.value = "The run broke off."
        finally:
            self.run_button.disabled, self.stop_button.disabled = False, True

    def _add(self, view: View) -> None:
        self.steps.children = (*self.steps.children, HTML(view.html))


def _cost_of(steps: list[AgentStep]) -> str:
    """The cost of the steps, as far as the backend reports it."""
    calls = [step.inference for step in steps if step.inference]
    seconds = sum(call.latency_ms for call in calls) / 1000
    counts = [call.completion_tokens for call in calls]
    written = "?" if None in counts else sum(filter(None, counts))
    return f"steps: {len(steps)}, seconds: {seconds:.1f}, tokens written: {written}"
