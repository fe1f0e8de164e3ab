"""The types of an agent: actions, observations, plans and steps.

All of it is frozen data. A step never changes, so the next prompt, the trace on the screen and the
file on disk show the same thing.
"""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from g2c.inference import ChatResult, InferenceResult
from g2c.text import fold, without_citations
from g2c.tools.tool import ERROR_MARK


class Memory(Protocol):
    """An agent's interface to a memory; `g2c.memory.MemoryStore` is one."""

    def context(self) -> str:
        """The text that follows the system prompt in every prompt; may be empty."""

    def log_turn(self, role: str, content: str) -> None:
        """Keep one turn. The roles are `user`, `assistant`, `action`, and `tool` (its result)."""


class AgentError(Exception):
    """The agent was set up or used wrongly. A model or a tool never causes an AgentError."""


@dataclass(frozen=True)
class Action:
    """One tool call that the model asks for: the tool's name, and its arguments by name."""

    tool: str
    arguments: Mapping[str, Any]


@dataclass(frozen=True)
class Observation:
    """The result of an action."""

    output: str
    is_error: bool = False

    @property
    def text(self) -> str:
        """The text that the model reads: an error starts with `[error] `.

        >>> Observation("no", is_error=True).text
        '[error] no'
        """
        return ERROR_MARK + self.output if self.is_error else self.output


@dataclass(frozen=True)
class Plan:
    """A goal and the steps towards it, which the model proposes before its first action.

    Raises:
        AgentError: the goal or a step is empty or no string, or there are no steps.
    """

    goal: str
    steps: tuple[str, ...]

    def __post_init__(self) -> None:
        if not _is_text(self.goal):
            raise AgentError(f"A plan's goal must be a non-empty string, got {self.goal!r}.")
        if isinstance(self.steps, str) or not self.steps:
            raise AgentError(f"A plan needs a sequence of one or more steps, got {self.steps!r}.")
        for step in self.steps:
            if not _is_text(step):
                raise AgentError(f"A plan's step must be a non-empty string, got {step!r}.")
        object.__setattr__(self, "steps", tuple(self.steps))


@dataclass(frozen=True)
class ParsedStep:
    """A parsed completion: exactly one of `action`, `final_answer`, `parse_error` is set."""

    thought: str = ""
    action: Action | None = None
    final_answer: str | None = None
    parse_error: str | None = None


@dataclass(frozen=True)
class AgentStep:
    """One pass of the loop: the model's text, what was read from it, and the observation.

    `observation` is None if nothing was done: after a final answer, after a parse error, or if the
    action repeated the last one and so ended the run. `inference` is the call to the model.
    """

    completion: str
    thought: str = ""
    action: Action | None = None
    observation: Observation | None = None
    final_answer: str | None = None
    parse_error: str | None = None
    inference: InferenceResult | ChatResult | None = None

    @property
    def cut_by(self) -> str:
        """The reason why the model's text was cut off, in words; "" if nothing."""
        return self.inference.cut_by if self.inference else ""

    @property
    def is_cut(self) -> bool:
        """Whether something else than the model ended its text."""
        return bool(self.cut_by)

    @property
    def thinking(self) -> str:
        """The model's thinking beside its text; it is in no later prompt."""
        return (self.inference.metadata.get("thinking") or "") if self.inference else ""

    def as_turns(self) -> list[tuple[str, str]]:
        """The step as turns of a transcript: (role, content).

        >>> AgentStep("...", "hm", Action("add", {"n": 1}), Observation("no", True)).as_turns()
        [('action', 'hm\\nadd {"n": 1}'), ('tool', '[error] no')]
        """
        if self.final_answer is not None:
            return [("assistant", self.final_answer)]
        if self.action is None:
            return [("assistant", self.completion)]
        arguments = json.dumps(self.action.arguments, ensure_ascii=False)
        turns = [("action", f"{self.thought}\n{self.action.tool} {arguments}".strip())]
        if self.observation is not None:
            turns.append(("tool", self.observation.text))
        return turns


def is_echo(answer: str, message: str) -> bool:
    """Whether `answer` only repeats the words of `message`, with or without a place that recall
    gave.

    >>> is_echo("my cat is Otto (2026-04-21.jsonl:3)", "My cat is Otto.")
    True
    >>> is_echo("Your cat is Otto.", "My cat is Otto.")
    False
    """
    return _words(without_citations(answer)) == _words(message)


def _words(text: str) -> list[str]:
    return re.findall(r"\w+", fold(text))


def _is_text(value: object) -> bool:
    return isinstance(value, str) and bool(value.strip())


MAX_PLAN_STEPS = 5
