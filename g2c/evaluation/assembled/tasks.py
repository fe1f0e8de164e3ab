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
    """One task: the family it counts for, what is asked, and what a right answer holds. Without
    `examples`, the prompt has none of the tools' worked examples."""

    family: str
    id: str
    question: str
    expected: str
    # Its id says it, too, so a suite's fingerprint need not.
    examples: bool = field(default=True, repr=False, kw_only=True)


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


@dataclass(frozen=True)
class OutsideTask(AgentTask):
    """A question from outside the course. `made` are tools of its own: `name`, `description`,
    `parameters`, and the `result` that each call gives. With `any_way` the answer alone counts,
    with tools or without."""

    made: tuple[Mapping[str, Any], ...] = ()
    any_way: bool = True


@dataclass(frozen=True)
class HomeTask(AgentTask):
    """A question in a chat of an agent's home, which has a conversation and a memory.

    Args:
        earlier: What was said in this chat, and what the agent answered to it.
        topics: What the memory keeps: the name, the description and the body of each topic.
        said: What the user said in an earlier session.
        keeps: Whether `expected` is to be in the memory afterwards, and not in the answer.
    """

    earlier: tuple[tuple[str, str], ...] = ()
    topics: tuple[tuple[str, str, str], ...] = ()
    said: tuple[str, ...] = ()
    keeps: bool = False


@dataclass(frozen=True)
class MessageTask(TickTask):
    """A tick with a `message` from the user in its prompt; the tick's answer must hold `answer`."""

    message: str = ""
    answer: str = ""


Channel = Literal["text", "native"]
"""How a model calls a function: in the text that it writes, or in a message's own field for it."""


@dataclass(frozen=True)
class CallTask(SuiteTask):
    """A request for one call of the function `expected`; of none if that is empty.

    `functions` are their definitions: `name`, `description` and `parameters`, a JSON schema.
    `arguments` has for each of its parameters all values that are right; None among them says that
    it may be left out.
    """

    functions: tuple[Mapping[str, Any], ...] = ()
    arguments: Mapping[str, tuple[Any, ...]] = field(default_factory=dict)
    channel: Channel = "text"


@dataclass(frozen=True)
class CheckTask(SuiteTask):
    """A draft to be judged by what is run, or a goal by what is read in `files`; `expected` is the
    verdict. `solution` is what a model writes that thinks of the right thing to look at."""

    draft: str = ""
    files: Mapping[str, str] = field(default_factory=dict)
    solution: str = ""
