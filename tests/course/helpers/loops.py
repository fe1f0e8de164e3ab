"""For the tests of loops: agents that do what a test says."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from g2c.agent import AgentRunResult, AgentStep
from g2c.tools import Tool

Act = Callable[[str, Mapping[str, Callable[..., Any]]], str | None]
"""An agent's work in a tick: from its prompt and its tools' functions to its answer."""


class ActingAgent:
    """An agent whose run is a function of the test's."""

    def __init__(self, act: Act, tools: Sequence[Tool]) -> None:
        self.act = act
        self.tools = {tool.name: tool.func for tool in tools}
        self.on_step: Callable[[AgentStep], None] | None = None

    def run(self, user_message: str) -> AgentRunResult:
        answer = self.act(user_message, self.tools)
        return AgentRunResult(user_message, None, answer, (), "final_answer")


def acting(act: Act) -> Callable[[Sequence[Tool]], Any]:
    """A factory of such agents, for a `LoopRunner`."""
    return lambda tools: ActingAgent(act, tools)
