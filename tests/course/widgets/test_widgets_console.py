"""The agent's console: it asks, shows the steps as they come, and stops between two of them."""

from dataclasses import replace

import pytest

from g2c.agent import Agent, AgentStep
from g2c.inference import InferenceResult, ScriptedBackend
from g2c.tools import ToolRegistry, make_calculator, tool
from g2c.widgets.console import AgentConsole, _cost_of

CALL = ' I need it.\nAction: calculator\nAction Input: {"expression": "6 * 7"}'
ANSWER = " I know it.\nFinal Answer: 42"


def console_on(backend: ScriptedBackend) -> AgentConsole:
    tools = ToolRegistry([make_calculator()])
    return AgentConsole(
        lambda on_step: Agent(backend, tools, plan=False, on_step=on_step), "What is 6 * 7?"
    )


def shown(console: AgentConsole) -> str:
    return "\n".join(child.value for child in console.steps.children)


def test_a_click_runs_the_question_and_shows_each_step() -> None:
    console = console_on(ScriptedBackend([CALL, ANSWER]))
    console.run_button.click()
    console.wait()
    assert "What is 6 * 7?" in shown(console) and "Final answer" in shown(console)
    assert console.status.value.startswith("steps: 2, seconds: ")
    assert not console.run_button.disabled and console.stop_button.disabled


def test_a_run_that_is_stopped_keeps_what_it_has_shown() -> None:
    @tool
    def press() -> str:
        """Press the button that stops this very run."""
        console.stop_button.click()
        return "pressed"

    backend = ScriptedBackend([" Now.\nAction: press\nAction Input: {}", ANSWER])
    console = AgentConsole(
        lambda on_step: Agent(backend, ToolRegistry([press]), plan=False, on_step=on_step), "Stop."
    )
    console.run()
    console.wait()
    assert "pressed" in shown(console) and "Final answer" not in shown(console)
    assert console.status.value.startswith("Stopped. steps: 1")


@pytest.mark.parametrize("question", ["", "What?"])
def test_errors_are_sentences(question: str) -> None:
    console = console_on(ScriptedBackend([]))
    console.question.value = question
    console.run()
    console.wait()
    assert console.status.value == "The run broke off."
    assert "Error: " in shown(console)


class Unsayable(Exception):
    def __str__(self) -> str:
        raise LookupError


@pytest.mark.parametrize("error", [SystemExit(3), KeyboardInterrupt(), Unsayable()])
def test_a_silent_end_of_a_thread_is_reported(error: BaseException) -> None:
    def make_agent(on_step: object) -> Agent:
        raise error

    console = AgentConsole(make_agent, "Why?")
    console.run()
    console.wait()
    assert console.status.value == "The run broke off."
    assert type(error).__name__ in shown(console)


def test_tokens_that_a_server_does_not_count_are_not_zero() -> None:
    call = InferenceResult("p", "c", None, None, 500.0, "server")
    counted = AgentStep("", "", inference=replace(call, completion_tokens=7))
    assert _cost_of([counted]).endswith("tokens written: 7")
    assert _cost_of([counted, AgentStep("", "", inference=call)]).endswith("tokens written: ?")
