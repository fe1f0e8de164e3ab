"""The tasks of the evaluation: one class for each way in which the course asks a model.

A task carries a proof that it can be solved: `solution`, calls that lead to the answer. A test
plays them.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

Call = tuple[str, Mapping[str, Any]]
"""A tool's name and its arguments."""


@dataclass(frozen=True)
class SuiteTask:
    """One task: the question, and what a right answer contains. Its suite gives it its `family` and
    its `id`. Without `examples`, the prompt has none of the tools' worked examples."""

    family: str = field(default="", kw_only=True)
    id: str = field(default="", kw_only=True)
    question: str
    expected: str
    # Left out of the fingerprint, since the id shows it, too.
    examples: bool = field(default=True, repr=False, kw_only=True)


@dataclass(frozen=True)
class AgentTask(SuiteTask):
    """A question for an agent with `tools`, and with `files`, texts by their names.

    An empty `solution` means that no tool is needed, an empty `expected` that the answer cannot be
    found. An answer that contains one of `wrong` is wrong, whatever else it contains.
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
    """A draft to be judged; `question` is the draft's task, `expected` the right verdict."""

    draft: str = ""


@dataclass(frozen=True)
class ConsolidationTask(SuiteTask):
    """Turns to be made into topics; `expected` is what must be kept. `topic` is the name and the
    body of an older topic. With `free`, the model's output is not constrained to the plan's JSON
    schema, so it has to know the form.
    """

    topic: tuple[str, str] | None = None
    free: bool = False


@dataclass(frozen=True)
class RerankTask(SuiteTask):
    """Notes; the one that answers the question is `expected`."""

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
    """A question from outside the course. `made` are its own tools: `name`, `description`,
    `parameters`, and the `result` of each call. With `any_way`, only the answer counts, with tools
    or without."""

    made: tuple[Mapping[str, Any], ...] = ()
    any_way: bool = True


@dataclass(frozen=True)
class HomeTask(AgentTask):
    """A question in a chat of an agent's home, which has a conversation and a memory.

    Args:
        earlier: The user's earlier messages in this chat, each with the agent's answer.
        topics: The memory's topics: name, description and body of each.
        said: What the user said in an earlier session.
        keeps: Whether `expected` must be in the memory afterwards, instead of in the answer.
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
    """A request for one call of the function `expected`, or for no call if that is empty.

    `functions` are their definitions: `name`, `description` and `parameters`, a JSON schema.
    `arguments` has all right values for each of its parameters; None among them means that it may
    be left out.
    """

    functions: tuple[Mapping[str, Any], ...] = ()
    arguments: Mapping[str, tuple[Any, ...]] = field(default_factory=dict)
    channel: Channel = "text"


@dataclass(frozen=True)
class CheckTask(SuiteTask):
    """A draft to be judged by running it, or a goal by reading `files`; `expected` is the verdict.
    `solution` is a model's answer that names the right thing to check."""

    draft: str = ""
    files: Mapping[str, str] = field(default_factory=dict)
    solution: str = ""
