"""What an agent is made of: actions, observations, steps, and the record of a run.

All of it is frozen data. Nobody changes a step afterwards, so the next prompt, the trace on the
screen and the file on disk show the same thing.
"""

from __future__ import annotations

import json
import os
import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Literal, Protocol

from g2c.files import replace_text
from g2c.foreign_json import load_json
from g2c.inference import ChatResult, InferenceResult
from g2c.text import fold, one_line, without_citations
from g2c.tools.tool import ERROR_MARK

StopReason = Literal["final_answer", "duplicate_action", "no_progress", "max_steps"]
"""Why a run ended: it answered, it was about to repeat its last action, a step had neither action
nor answer, or the steps were used up."""


class Memory(Protocol):
    """What an agent needs of a memory; `g2c.memory.MemoryStore` is one."""

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
    """What a completion says: exactly one of `action`, `final_answer`, `parse_error` is set."""

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
        """What ended the model's text before the model did, in words; "" if nothing."""
        return self.inference.cut_by if self.inference else ""

    @property
    def is_cut(self) -> bool:
        """Whether something else than the model ended its text."""
        return bool(self.cut_by)

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
    """Whether `answer` only repeats the words of `message`, with or without recall's place.

    >>> is_echo("my cat is Otto (2026-04-21.jsonl:3)", "My cat is Otto.")
    True
    >>> is_echo("Your cat is Otto.", "My cat is Otto.")
    False
    """
    return _words(without_citations(answer)) == _words(message)


def _words(text: str) -> list[str]:
    return re.findall(r"\w+", fold(text))


@dataclass(frozen=True)
class AgentRunResult:
    """A finished run, from the question to the reason for stopping."""

    user_message: str
    plan: Plan | None
    final_answer: str | None
    steps: tuple[AgentStep, ...]
    stopped_reason: StopReason
    metadata: Mapping[str, Any] = field(default_factory=dict)

    @property
    def n_cut(self) -> int:
        """How many steps were cut off."""
        return sum(self.cuts.values())

    @property
    def cuts(self) -> Mapping[str, int]:
        """How many steps were cut off, by what did it, in words."""
        return Counter(step.cut_by for step in self.steps if step.is_cut)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the run to `path` as JSON; an old file is replaced in one move.

        Raises:
            TypeError: a tool's arguments or the metadata hold something that JSON cannot hold.
        """
        replace_text(path, json.dumps(asdict(self), ensure_ascii=False, indent=1) + "\n")

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> AgentRunResult:
        """Read a run that `save` wrote.

        Raises:
            AgentError: the file holds no such run; the message says what is wrong.
        """
        try:
            data = load_json(Path(path).read_text(encoding="utf-8", errors="surrogatepass"))
            return cls(
                user_message=data["user_message"],
                plan=Plan(**data["plan"]) if data["plan"] else None,
                final_answer=data["final_answer"],
                steps=tuple(_step_from(step) for step in data["steps"]),
                stopped_reason=data["stopped_reason"],
                metadata=data["metadata"],
            )
        except (ValueError, TypeError, KeyError, AttributeError) as error:
            raise AgentError(
                f"{path} is not a run that AgentRunResult.save wrote ({type(error).__name__}: "
                f"{error})."
            ) from error

    def to_markdown(self) -> str:
        """The run as a page in Markdown: question, plan, steps, and why it stopped."""
        lines = [f"# {one_line(self.user_message)}", ""]
        if self.plan:
            lines += [f"**Plan.** {self.plan.goal}", ""]
            lines += [f"{i}. {step}" for i, step in enumerate(self.plan.steps, 1)] + [""]
        for number, step in enumerate(self.steps, 1):
            lines += [f"## Step {number}", ""]
            if step.thought:
                lines += [f"**Thought.** {step.thought}", ""]
            if step.action:
                arguments = json.dumps(step.action.arguments, ensure_ascii=False)
                lines += [f"**Action.** `{step.action.tool}`", "", *_fenced(arguments, "json")]
            if step.observation:
                title = "Observation (error)" if step.observation.is_error else "Observation"
                lines += [f"**{title}.**", "", *_fenced(step.observation.output)]
            if step.parse_error:
                lines += [f"**Could not be read.** {step.parse_error}", ""]
                lines += _fenced(step.completion)
        lines += [f"**Final answer.** {self.final_answer}", ""] if self.final_answer else []
        for what, n_cut in self.cuts.items():
            lines += [f"Cut off by {what}: {n_cut} of {len(self.steps)} steps.", ""]
        counts = ", ".join(f"{key}: {value}" for key, value in self.metadata.items())
        lines += [f"Stopped: `{self.stopped_reason}`. {counts}".rstrip()]
        return "\n".join(lines) + "\n"


def _is_text(value: object) -> bool:
    return isinstance(value, str) and bool(value.strip())


def _fenced(text: str, language: str = "") -> list[str]:
    """A code block whose fence is longer than any run of backticks in the text."""
    longest = max(map(len, re.findall("`+", text)), default=0)
    fence = "`" * max(3, longest + 1)
    return [f"{fence}{language}", text, fence, ""]


def _step_from(data: dict[str, Any]) -> AgentStep:
    action, observation = data["action"], data["observation"]
    return AgentStep(
        **{
            **data,
            "action": Action(**action) if action else None,
            "observation": Observation(**observation) if observation else None,
            "inference": _inference_from(data["inference"]),
        }
    )


def _inference_from(data: dict[str, Any] | None) -> InferenceResult | ChatResult | None:
    if data is None:
        return None
    if "tool_calls" in data:
        return ChatResult(**{**data, "tool_calls": tuple(data["tool_calls"])})
    return InferenceResult(**data)


MAX_PLAN_STEPS = 5
