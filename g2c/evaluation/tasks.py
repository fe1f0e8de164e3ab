"""What a task of the evaluation is: one kind for each way in which the course asks a model.

A task carries its own proof: `solution` are calls that lead to the answer. A test plays them, so
each task is known to be solvable before a model is blamed.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

Call = tuple[str, Mapping[str, Any]]
"""A tool's name and its arguments."""


@dataclass(frozen=True)
class SuiteTask:
    """One task: the family it counts for, what is asked, and what a right answer holds."""

    family: str
    id: str
    question: str
    expected: str


@dataclass(frozen=True)
class AgentTask(SuiteTask):
    """A question for an agent with `tools`, and with `files`, texts by their names.

    No `solution` says that no tool is needed; an empty `expected`, that the answer is nowhere to be
    found. An answer that holds one of `wrong` is wrong, whatever else it holds.
    """

    tools: tuple[str, ...] = ()
    files: Mapping[str, str] = field(default_factory=dict)
    solution: tuple[Call, ...] = ()
    wrong: tuple[str, ...] = ()


@dataclass(frozen=True)
class PlanTask(SuiteTask):
    """A question to be planned for; `expected` is what a plan for it must name."""

    tools: tuple[str, ...] = ()


@dataclass(frozen=True)
class CritiqueTask(SuiteTask):
    """A draft to be judged; `question` is what it was to do, `expected` the right verdict."""

    draft: str = ""


@dataclass(frozen=True)
class ConsolidationTask(SuiteTask):
    """What was said, to be made into topics; `expected` is what must be kept of it.

    `topic` is the name and the body of what was known before. With `free` the model is not held to
    the plan's JSON schema, and has to know its form.
    """

    topic: tuple[str, str] | None = None
    free: bool = False


@dataclass(frozen=True)
class RerankTask(SuiteTask):
    """Notes of which one answers the question; it is `expected`."""

    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class TickTask(SuiteTask):
    """A goal for one tick of a loop with `state`: that `file` holds `expected`."""

    file: str = ""
    state: str = ""


@dataclass(frozen=True)
class InstructionTask(SuiteTask):
    """An instruction that has nothing to do with agents; `check` says how the reply is judged.

    `is` and `holds` compare without regard to case, `written` with it; `lines` counts the lines.
    """

    check: Literal["is", "holds", "written", "lines"] = "holds"
