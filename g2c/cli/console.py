"""What the subcommands share: where they print, and how they load a model, find a memory or a loop,
and show a run."""

from __future__ import annotations

import json
import signal
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import Console, ConsoleOptions, RenderableType
from rich.markup import escape
from rich.segment import Segment
from rich.text import Text

from g2c.broken import broken_files
from g2c.course.errors import import_students
from g2c.course.manifest import load_exercises
from g2c.course.stubs import is_stub
from g2c.exercise import is_requested, requested_references
from g2c.paths import state_dir
from g2c.text import printable

if TYPE_CHECKING:
    from g2c.agent import AgentRunResult, AgentStep
    from g2c.home import Home
    from g2c.inference import Backend
    from g2c.inference.model_choice import Choice
    from g2c.loop.provided.folder import LoopFiles
    from g2c.memory import MemoryStore


class CleanConsole(Console):
    """The one way to the terminal. Whatever text comes through, a model's, a tool's or a file's,
    cannot steer the terminal: rich's own codes for colours are no text."""

    def __init__(self, **options: Any) -> None:
        # No text of ours names an emoji; in a text of others ":ab:" is no picture.
        super().__init__(highlight=False, emoji=False, **options)

    def render(
        self, renderable: RenderableType, options: ConsoleOptions | None = None
    ) -> Iterable[Segment]:
        for piece in super().render(renderable, options):
            yield piece if piece.control else piece._replace(text=printable(piece.text))


out = CleanConsole()
err = CleanConsole(stderr=True)


def say(text: str, console: Console = out) -> None:
    """Print prose. A terminal gets lines that end between words; a program, lines as they are."""
    console.print(text, soft_wrap=not console.is_terminal)


ModelOption = Annotated[
    str | None,
    typer.Option(
        "--model",
        "-m",
        metavar="auto|embedded|embedded-plain|embedded-guided|TAG|PATH|openai:URL#MODEL",
        help="Use this model this time, whatever `g2c model` chose.",
    ),
]

JudgeModelOption = Annotated[
    str | None,
    typer.Option(metavar="MODEL", help="Judge with this model; default: the one that writes."),
]

HomeOption = Annotated[
    Path | None,
    typer.Option(metavar="DIR", help="Where the agent lives; default: .g2c/home in the course."),
]

LoopNameOption = Annotated[
    str | None,
    typer.Option("--name", metavar="NAME", help="Of the loop in the home; default: main."),
]

LoopFolderOption = Annotated[
    Path | None,
    typer.Option("--folder", metavar="FOLDER", help="A loop that lies outside a home."),
]


@contextmanager
def time_limit(seconds: float, sentence: str) -> Iterator[None]:
    """End the `with` after `seconds`, also inside a regular expression. Windows has no such limit.

    Raises:
        ValueError: it took longer; the message is `sentence`.
    """
    if not hasattr(signal, "SIGALRM"):
        yield
        return

    def stop(number: int, frame: FrameType | None) -> None:
        raise ValueError(sentence)

    before = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def load(choice: Choice | str | None) -> Backend:
    """The model of that choice, with a word on the screen while it loads."""
    from g2c.inference.model_choice import load_prodlm

    with err.status("loading the model"):
        return load_prodlm(choice)


def show_model(backend: Backend) -> None:
    """Say which model answers, and what a person should know about it."""
    out.print(f"[bold]Model:[/] {escape(backend.info.model_id)} ({escape(backend.info.name)})")
    if note := backend.info.extra.get("note"):
        out.print(f"[dim]{escape(note)}[/]")


def tell_aside(sentence: str) -> None:
    """Print a sentence beside the output, for a person."""
    err.print(f"[dim]{escape(sentence)}[/]", soft_wrap=True)


def show_step(step: AgentStep) -> None:
    """Print one step of a run."""
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


def count(number: int, what: str) -> str:
    """
    >>> count(1, "step"), count(2, "step")
    ('1 step', '2 steps')
    """
    return f"{number} {what}" if number == 1 else f"{number} {what}s"


def show(name: str, text: str, style: str) -> None:
    """Print `text` beside its name, line by line."""
    lines = text.strip().splitlines() or [""]
    for label, line in zip([name, *[""] * len(lines)], lines, strict=False):
        # Not as markup: `escape` doubles a backslash at the end.
        out.print(Text.assemble((f"{label:13}", style), f" {line}"), soft_wrap=True)


def open_memory(folder: Path) -> MemoryStore:
    """Open the memory in `folder` for a session that begins now, and say which session that is."""
    import_students("g2c.memory")
    from g2c.memory import MemoryStore

    store = MemoryStore(folder)
    sessions = store.start_session()
    out.print(f"[bold]Memory:[/] {escape(str(folder))}, session {sessions} since the last dream")
    return store


def session_memory(home: Home, folder: Path | None, remember: bool) -> MemoryStore | None:
    """The memory of the session; None where there is to be none, or module 20 is not written, or
    cannot be imported."""
    if folder:
        return open_memory(folder)
    if not remember:
        return None
    for module, why in broken_files().items():
        if module.startswith("g2c.memory."):
            tell_aside(f"This session does not remember: {why}")
            return None
    references = requested_references()
    unwritten = [
        exercise
        for exercise in load_exercises()
        if exercise.module == "20"
        and is_stub(exercise)
        and not is_requested(exercise.id, references)
    ]
    return None if unwritten else open_memory(home.memory)


def find_home(folder: Path | None) -> Home:
    """The home in `folder`, which is `.g2c/home` in the course where it is None."""
    import_students("g2c.home")
    from g2c.home import Home

    return Home(folder or state_dir() / "home")


def find_loop(folder: Path | None, home: Path | None = None, name: str | None = None) -> LoopFiles:
    """The files of the loop in `folder`; where it is None, of the loop `name` in that home.

    Raises:
        ValueError: a folder was given and a home or a name, too, or that is no name for a loop.
    """
    if folder and (home or name):
        raise ValueError("--folder names a loop outside a home; leave out --home and --name.")
    if folder is None:
        opened = find_home(home)
        return opened.loop(name) if name else opened.loop()
    import_students("g2c.loop.assembled.setup")
    from g2c.loop.provided.folder import LoopFiles

    return LoopFiles(folder)
