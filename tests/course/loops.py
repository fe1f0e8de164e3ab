"""For the tests of loops: agents that do what a test says, and the references they run over."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from importlib import import_module
from typing import Any

import pytest

from g2c.agent import AgentRunResult, AgentStep
from g2c.loop.runner import LoopRunner
from g2c.memory.index import MemoryIndex
from g2c.solutions.loop import checkpoint, invariants, prompt, runner, status, summary
from g2c.solutions.memory import index, scoring
from g2c.tools import Tool

Act = Callable[[str, Mapping[str, Callable[..., Any]]], str | None]
"""What an agent does in a tick: from its prompt and its tools' functions to its answer."""


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


@contextmanager
def references() -> Iterator[None]:
    """The references wherever a loop uses an exercise, and a disk that need not be waited for."""
    closing = import_module("g2c.loop.closing")
    module = import_module("g2c.loop.runner")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(LoopRunner, "run", runner.run)
        patch.setattr(runner, "next_status", status.next_status)
        patch.setattr(module, "build_tick_prompt", prompt.build_tick_prompt)
        patch.setattr(module, "checkpoint_due", checkpoint.checkpoint_due)
        patch.setattr(closing, "summarize", summary.summarize)
        patch.setattr(MemoryIndex, "upsert", index.upsert)
        patch.setattr("g2c.memory.corpus.score", scoring.score)
        patch.setattr("g2c.loop.evolution.check_invariants", invariants.check_invariants)
        patch.setattr("os.fsync", lambda handle: None)
        yield
