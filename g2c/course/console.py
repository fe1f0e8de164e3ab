"""Where the command prints, and how in every subcommand a model is chosen, a memory opened, and
a run shown."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console
from rich.markup import escape

if TYPE_CHECKING:
    from g2c.agent import AgentRunResult, AgentStep
    from g2c.inference import Backend
    from g2c.inference.prodlm import Choice
    from g2c.memory import MemoryStore

out = Console(highlight=False)
err = Console(stderr=True, highlight=False)

ModelOption = Annotated[
    str | None,
    typer.Option(
        "--model",
        "-m",
        metavar="auto|embedded|embedded-plain|TAG|PATH",
        help="Use this model for once, whatever `g2c model` chose.",
    ),
]


def load(choice: Choice | str | None) -> Backend:
    """The model of that choice, with a word on the screen for as long as it takes."""
    from g2c.inference.prodlm import load_prodlm

    with err.status("loading the model"):
        return load_prodlm(choice)


def show_model(backend: Backend) -> None:
    """Say which model answers, and what is to be known about it."""
    out.print(f"[bold]Model:[/] {escape(backend.info.model_id)} ({backend.info.name})")
    if note := backend.info.extra.get("note"):
        out.print(f"[dim]{escape(note)}[/]")


def show_step(step: AgentStep) -> None:
    """Print one step of a run."""
    if step.thought:
        show("Thought", step.thought, "cyan")
    if step.action:
        arguments = json.dumps(step.action.arguments, ensure_ascii=False)
        show("Action", f"{step.action.tool} {arguments}", "yellow")
    if step.observation:
        mark, colour = ("[error] ", "red") if step.observation.is_error else ("", "green")
        show("Observation", mark + step.observation.output, colour)
    if step.parse_error:
        show("Not read", step.parse_error, "red")
    if step.final_answer is not None:
        show("Final answer", step.final_answer, "bold")


def show_end(result: AgentRunResult) -> None:
    """How a run ended, and what it cost."""
    calls = [step.inference for step in result.steps if step.inference]
    seconds = sum(call.latency_ms for call in calls) / 1000
    parts = [f"{len(result.steps)} steps", f"{seconds:.1f} s", f"stopped: {result.stopped_reason}"]
    if result.final_answer is None:
        parts.insert(0, "no answer")
    cached, prompt = (result.metadata.get(key) for key in ("cached_tokens", "prompt_tokens"))
    if cached is not None and prompt:
        parts.append(f"{cached / prompt:.0%} of {prompt} prompt tokens from the cache")
    out.print(f"[dim]{escape(', '.join(parts))}[/]")


def show(name: str, text: str, style: str) -> None:
    """Print `text` beside its name, line under line."""
    lines = text.strip().splitlines() or [""]
    for label, line in zip([name, *[""] * len(lines)], lines, strict=False):
        out.print(f"[{style}]{label:13}[/] {escape(line)}", soft_wrap=True)


def open_memory(folder: Path) -> MemoryStore:
    """The memory in `folder`, for a session that begins now, and say which one that is."""
    from g2c.course.importing import import_students

    import_students("g2c.memory")
    from g2c.memory import MemoryStore

    store = MemoryStore(folder)
    sessions = store.start_session()
    out.print(f"[bold]Memory:[/] {escape(str(folder))}, session {sessions} since the last dream")
    return store
