"""`g2c demo`: the finished agent on a few questions, shown while it works."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from g2c.agent import AgentRunResult, AgentStep
    from g2c.inference import Backend
    from g2c.tools import ToolRegistry

FILES = {"meeting.txt": "The meeting is on Tuesday at 10 in room 4.\n"}


@dataclass(frozen=True)
class Question:
    """What the demo asks, why, and a word that a right answer holds."""

    text: str
    shows: str
    expected: str


QUESTIONS = (
    Question("What is 23 * 17?", "arithmetic, which the calculator does", "391"),
    Question("When is the meeting in meeting.txt?", "a file to read", "Tuesday"),
    Question("When is the meeting in diary.txt?", "a file that is not there", "Tuesday"),
)


def make_registry(folder: Path) -> ToolRegistry:
    """The demo's tools, over `folder`, into which its files are written."""
    from g2c.tools import ToolRegistry, make_calculator, make_list_files, make_read_file

    for name, text in FILES.items():
        (folder / name).write_text(text, encoding="utf-8")
    return ToolRegistry([make_list_files(folder), make_calculator(), make_read_file(folder)])


def run_demo(
    backend: Backend,
    *,
    on_question: Callable[[Question], None],
    on_step: Callable[[AgentStep], None],
    on_result: Callable[[AgentRunResult], None],
) -> int:
    """Ask the questions one after the other; return how many were answered rightly.

    The agent is the one that `g2c.agent` holds: the caller decides with `G2C_REFERENCE`, before
    anything imports it, whose functions those are.
    """
    from g2c.agent import Agent

    right = 0
    with tempfile.TemporaryDirectory(prefix="g2c-demo-") as folder:
        agent = Agent(
            backend,
            make_registry(Path(folder)),
            plan=False,
            max_new_tokens=120,
            temperature=0.0,
            on_step=on_step,
        )
        for question in QUESTIONS:
            on_question(question)
            result = agent.run(question.text)
            on_result(result)
            right += is_right(question, result)
    return right


def is_right(question: Question, result: AgentRunResult) -> bool:
    """Whether the answer holds the expected word and a tool was there to give it."""
    worked = any(step.observation and not step.observation.is_error for step in result.steps)
    return worked and question.expected in (result.final_answer or "")
