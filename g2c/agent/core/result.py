"""A finished run: saved, loaded, and shown as Markdown."""

from __future__ import annotations

import json
import os
import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, Literal

from g2c.agent.core.types import Action, AgentError, AgentStep, Observation, Plan
from g2c.files import read_text
from g2c.foreign_json import load_json
from g2c.inference import ChatResult, InferenceResult
from g2c.json_files import replace_json
from g2c.text import one_line

StopReason = Literal["final_answer", "duplicate_action", "no_progress", "max_steps"]
"""Why a run ended: it answered, it was about to repeat its last action, a step had neither action
nor answer, or the steps were used up."""


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
        """How many steps were cut off, by the cause in words."""
        return Counter(step.cut_by for step in self.steps if step.is_cut)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the run to `path` as JSON; an old file is replaced in one move.

        Raises:
            TypeError: a tool's arguments or the metadata hold something that JSON cannot hold.
        """
        replace_json(path, asdict(self), indent=1)

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> AgentRunResult:
        """Read a run that `save` wrote.

        Raises:
            AgentError: the file holds no such run; the message says what is wrong.
        """
        try:
            data = load_json(read_text(path, encoding="utf-8", errors="surrogatepass"))
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
