"""Finished runs side by side: how each ended, and what it cost.

One run proves little. To see what a change to an agent did, compare runs that differ in nothing
else.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from g2c.widgets.view import View, html_table, page, text_table

if TYPE_CHECKING:
    from g2c.agent import AgentRunResult, StopReason

MEANINGS: Mapping[StopReason, str] = {
    "final_answer": "A step had an answer. The model thinks that it is done.",
    "duplicate_action": "The model asked for the action that it had just taken. It is stuck.",
    "no_progress": "A step had neither action nor answer, and the agent was told to halt there.",
    "max_steps": "The steps were used up. Nothing else had ended the run.",
}


def stop_table(runs: Mapping[str, AgentRunResult]) -> View:
    """The ways in which a run ends, what each means, and which of `runs` (by label) ended so."""
    head = ["stopped_reason", "what it means", "runs that ended so"]
    rows = [
        [reason, meaning, "\n".join(_ended_by(reason, runs)) or "none of these"]
        for reason, meaning in MEANINGS.items()
    ]
    return View(page(html_table(head, rows)), text_table(head, rows))


def runs_table(runs: Mapping[str, AgentRunResult], *, seconds: bool = False) -> View:
    """A row a run: what it cost, how it ended, what it answered.

    Seconds are those spent in calls to the model. They differ from run to run, so they are left
    out unless asked for, and a stored notebook can be compared with a new one.
    """
    head = ["run", *COSTS, *(["seconds"] if seconds else []), "stopped", "answer"]
    rows = [
        [label, *costs(run, seconds=seconds).values(), run.stopped_reason, run.final_answer or "-"]
        for label, run in runs.items()
    ]
    numbers = [*COSTS, "seconds"]
    return View(page(html_table(head, rows, numbers)), text_table(head, rows, numbers))


COSTS: Mapping[str, str] = {
    "steps": "n_steps",
    "tool calls": "n_tool_calls",
    "prompt tokens": "prompt_tokens",
    "cached": "cached_tokens",
}
"""The costs of a run, and their keys in its metadata."""


def costs(run: AgentRunResult, *, seconds: bool = False) -> dict[str, str]:
    """The costs of `run`, by name; "not told" if the backend did not report one."""
    counts = {name: run.metadata.get(key) for name, key in COSTS.items()}
    told = {name: "not told" if n is None else f"{n:,}" for name, n in counts.items()}
    if seconds:
        spent = sum(step.inference.latency_ms for step in run.steps if step.inference)
        told["seconds"] = f"{spent / 1000:.1f}"
    return told


def _ended_by(reason: str, runs: Mapping[str, AgentRunResult]) -> list[str]:
    return [
        f"{label} (after {len(run.steps)} {'step' if len(run.steps) == 1 else 'steps'})"
        for label, run in runs.items()
        if run.stopped_reason == reason
    ]
