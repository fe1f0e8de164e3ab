"""What an agent is made of: a thought, an action, an observation, and the record of a run.

All of it is frozen data. The idea to take away: a run is a list of steps that nobody changes
afterwards, so the next prompt, the trace on the screen and the file on disk are three views of
one thing.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Literal, Protocol

from g2c.files import replace_text
from g2c.inference import ChatResult, InferenceResult

StopReason = Literal["final_answer", "duplicate_action", "no_progress", "max_steps"]
"""Why a run ended: it answered; it was about to repeat its last action; a step had neither action
nor answer; it used up its steps."""


class Memory(Protocol):
    """What an agent needs of a memory; `g2c.memory.MemoryStore` is one."""

    def context(self) -> str:
        """What every prompt begins with, after the system prompt; empty for nothing."""

    def log_turn(self, role: str, content: str) -> None:
        """Keep one thing that was said or done: by `user` or `assistant`, an `action`, or what a
        `tool` gave."""


class AgentError(Exception):
    """The agent was set up or used wrongly. What a model or a tool does is never an AgentError."""


@dataclass(frozen=True)
class Action:
    """One tool call that the model asks for: the tool's name, and its arguments by name."""

    tool: str
    arguments: Mapping[str, Any]


@dataclass(frozen=True)
class Observation:
    """What came back from an action, as the model will read it."""

    output: str
    is_error: bool = False


@dataclass(frozen=True)
class Plan:
    """A goal and the steps towards it, as the model proposed them before its first action.

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
    """One completion, read. Of `action`, `final_answer` and `parse_error` exactly one is set."""

    thought: str = ""
    action: Action | None = None
    final_answer: str | None = None
    parse_error: str | None = None


@dataclass(frozen=True)
class AgentStep:
    """One turn of the loop: what the model wrote, how it was read, and what came of it.

    `observation` is None where nothing was done: after a final answer, a parse error, or an
    action that ended the run because it repeated the one before. `inference` is the call to the
    model behind the step.
    """

    completion: str
    thought: str = ""
    action: Action | None = None
    observation: Observation | None = None
    final_answer: str | None = None
    parse_error: str | None = None
    inference: InferenceResult | ChatResult | None = None

    def as_turns(self) -> list[tuple[str, str]]:
        """What was said in this step, as (role, content).

        >>> AgentStep("...", "hm", Action("add", {"n": 1}), Observation("no", True)).as_turns()
        [('action', 'hm\\nadd {"n": 1}'), ('tool', '[error] no')]
        """
        if self.final_answer is not None:
            return [("assistant", self.final_answer)]
        if self.action is None:
            return [("assistant", self.completion)]
        arguments = json.dumps(self.action.arguments, ensure_ascii=False)
        said = f"{self.thought}\n{self.action.tool} {arguments}".strip()
        if self.observation is None:
            return [("action", said)]
        mark = "[error] " if self.observation.is_error else ""
        return [("action", said), ("tool", mark + self.observation.output)]


@dataclass(frozen=True)
class AgentRunResult:
    """A finished run, from the question to the reason for stopping."""

    user_message: str
    plan: Plan | None
    final_answer: str | None
    steps: tuple[AgentStep, ...]
    stopped_reason: StopReason
    metadata: Mapping[str, Any] = field(default_factory=dict)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the run to `path` as JSON; a file that was there is replaced in one move.

        Raises:
            TypeError: a tool's arguments or the metadata hold something that JSON cannot.
        """
        replace_text(path, json.dumps(asdict(self), ensure_ascii=False, indent=1) + "\n")

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> AgentRunResult:
        """Read a run that `save` wrote.

        Raises:
            AgentError: the file is not such a run; the message says what is wrong with it.
        """
        try:
            data = json.loads(Path(path).read_text(encoding="utf-8", errors="surrogatepass"))
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
        """The run as a page to read: question, plan, each step, and how it ended."""
        lines = [f"# {_one_line(self.user_message)}", ""]
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
        counts = ", ".join(f"{key}: {value}" for key, value in self.metadata.items())
        lines += [f"Stopped: `{self.stopped_reason}`. {counts}".rstrip()]
        return "\n".join(lines) + "\n"


def _is_text(value: object) -> bool:
    return isinstance(value, str) and bool(value.strip())


def _one_line(text: str) -> str:
    return " ".join(text.split())


def _fenced(text: str, language: str = "") -> list[str]:
    """A code block whose fence is longer than any run of backticks in the text."""
    fence = "```"
    while fence in text:
        fence += "`"
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
