"""A run of an agent on the screen: its model, its steps, and how it ended."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from rich.markup import escape

if TYPE_CHECKING:
    from g2c.agent import AgentRunResult, AgentStep
    from g2c.inference import Backend
from g2c.cli.console import count, out, show, tell_aside
from g2c.interrupted import PartlyMeasuredError, StoppedEarly
from g2c.paths import state_dir
from g2c.text import one_line


def show_model(backend: Backend) -> None:
    """Say which model answers, and what a person should know about it."""
    out.print(f"[bold]Model:[/] {escape(backend.info.model_id)} ({escape(backend.info.name)})")
    if note := backend.info.extra.get("note"):
        out.print(f"[dim]{escape(note)}[/]")


@contextmanager
def going_on(backend: Backend, command: str, also: str = "") -> Iterator[Backend]:
    """Show the model, and yield it for a measurement that goes on where the command was stopped,
    if it is given again, `also` with what was drawn."""
    from g2c.inference.resuming import resuming

    show_model(backend)
    with resuming(backend, state_dir() / "unfinished", command) as resumed:
        if resumed.found:
            tell_aside(f"{count(resumed.found, 'answer')} of the run that was stopped are used.")
        try:
            yield resumed
        except (StoppedEarly, PartlyMeasuredError):
            tell_aside(f"The same command{also} goes on from here.")
            raise


def show_step(step: AgentStep) -> None:
    """Print one step of a run, with only the beginning of the model's thinking."""
    if step.thinking:
        show("Thinking", f"{one_line(step.thinking)} ({len(step.thinking):,} characters)", "dim")
    if step.thought:
        show("Thought", step.thought, "cyan")
    if step.action:
        arguments = json.dumps(step.action.arguments, ensure_ascii=False)
        show("Action", f"{step.action.tool} {arguments}", "yellow")
    if step.observation:
        show("Observation", step.observation.text, "red" if step.observation.is_error else "green")
    if step.parse_error:
        show("Not read", step.parse_error, "red")
    if step.final_answer is not None:
        show("Final answer", step.final_answer, "bold")


def show_end(result: AgentRunResult) -> None:
    """How a run ended, and what it cost."""
    calls = [step.inference for step in result.steps if step.inference]
    seconds = sum(call.latency_ms for call in calls) / 1000
    parts = [
        count(len(result.steps), "step"),
        f"{seconds:.1f} s",
        f"stopped: {result.stopped_reason}",
    ]
    if result.final_answer is None:
        parts.insert(0, "no answer")
    parts += [f"{count(number, 'step')} cut off by {what}" for what, number in result.cuts.items()]
    cached, prompt = (result.metadata.get(key) for key in ("cached_tokens", "prompt_tokens"))
    if cached is not None and prompt:
        parts.append(f"{cached / prompt:.0%} of {prompt} prompt tokens from the cache")
    out.print(f"[dim]{escape(', '.join(parts))}[/]")
