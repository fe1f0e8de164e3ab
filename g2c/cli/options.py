"""Options of several commands, and the things that they name: a model, a home, a loop, a memory."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.markup import escape

from g2c.broken import broken_files
from g2c.course.errors import import_students
from g2c.course.manifest import load_exercises
from g2c.course.stubs import is_stub
from g2c.exercise import is_requested, requested_references
from g2c.files import is_folder
from g2c.inference import BackendError
from g2c.inference.model_options import NO_OPTIONS, ModelOptions
from g2c.paths import home_options, state_dir

if TYPE_CHECKING:
    from g2c.home import AgentSettings, Home
    from g2c.inference import Backend
    from g2c.inference.model_choice import Choice
    from g2c.loop.core.folder import LoopFiles
    from g2c.memory import MemoryStore
from g2c.cli.confirm import confirm
from g2c.cli.console import err, out, tell_aside
from g2c.cli.places import Store
from g2c.text import reason_of

G2C = (sys.executable, "-P", "-c", "from g2c.cli.main import main; main()")
"""The g2c command for another process, independent of the path."""

ModelOption = Annotated[
    str | None,
    typer.Option(
        "--model",
        "-m",
        metavar="auto|embedded|embedded-plain|embedded-guided|TAG|PATH|openai:URL#MODEL",
        help="Use this model this time, instead of the one that `g2c model` chose.",
    ),
]


JudgeModelOption = Annotated[
    str | None,
    typer.Option(
        metavar="MODEL",
        help="Judge with this model; default: the same model as for everything else.",
    ),
]


HomeOption = Annotated[
    Path | None,
    typer.Option(metavar="DIR", help="The home of the agent; default: .g2c/home in the course."),
    Store(),
]


LoopNameOption = Annotated[
    str | None,
    typer.Option("--name", metavar="NAME", help="The name of the loop in the home; default: main."),
]


LoopFolderOption = Annotated[
    Path | None,
    typer.Option("--folder", metavar="FOLDER", help="The folder of a loop outside a home."),
    Store(),
]


McpOption = Annotated[
    list[str] | None,
    typer.Option(
        metavar="SERVER",
        help="The command or URL of an MCP server whose tools the agent gets; may be repeated.",
    ),
]
NativeOption = Annotated[
    bool,
    typer.Option("--native", help="Use NativeAgent, which calls tools in the model's own format."),
]


DreamOption = Annotated[
    bool,
    typer.Option(
        "--dream/--no-dream",
        help="At the end, make topics from new turns (a dream), if it is time.",
    ),
]


def load(
    choice: Choice | str | None, options: ModelOptions = NO_OPTIONS, *, exact: bool = False
) -> Backend:
    """Load the model of that choice, with a note on the screen. A command whose results are
    compared or shown on a page loads it `exact`; a chat, a loop, or a dream is faster without."""
    from g2c.inference.errors import ModelChangedError
    from g2c.inference.model_choice import load_prodlm, read_choice, write_choice

    try:
        with err.status("loading the model"):
            return load_prodlm(choice, options, exact=exact)
    except ModelChangedError as error:
        if not sys.stdin.isatty():
            raise
        if not confirm(f"{error}\nTake the other one from now on?", err):
            raise typer.Abort from None
        write_choice(replace(read_choice(), first_taken=error.found))
    return load(choice, options, exact=exact)


def load_helper(settings: AgentSettings) -> Backend:
    """The model for delegates and dreams that `agent.toml` names.

    Raises:
        BackendError: its server is away, and may come back.
        ValueError: it cannot be had.
    """
    from g2c.inference.patient import AWAY

    try:
        return load(settings.helper)
    except AWAY as error:
        error.args = (f"The helper of agent.toml, {settings.helper}: {error}",)
        raise
    except (BackendError, ValueError, OSError) as error:
        why = reason_of(error)
        raise ValueError(f"The helper of agent.toml, {settings.helper}: {why}") from error


def options_for(choice: str | None, own: ModelOptions) -> ModelOptions:
    """A home's `own` options, over those that are stored with the course's choice. The latter are
    ignored if the command names another model."""
    from g2c.inference.model_choice import read_choice

    return own if choice else own.over(read_choice().options)


def open_memory(folder: Path) -> MemoryStore:
    """Open the memory in `folder` for a session that begins now, and say which session that is.

    The session counts from its first turn.
    """
    import_students("g2c.memory")
    from g2c.memory import MemoryStore

    store = MemoryStore(not_a_home(folder))
    sessions = store.expect_session()
    out.print(f"[bold]Memory:[/] {escape(str(folder))}, session {sessions} since the last dream")
    return store


def session_memory(home: Home, folder: Path | None, remember: bool) -> MemoryStore | None:
    """The memory of the session; None if none is wanted, or module 20 is not written or cannot be
    imported."""
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
    """The home in `folder`, by default `.g2c/home` in the course.

    Raises:
        ValueError: that is a memory, such as the one in a home.
    """
    import_students("g2c.home")
    from g2c.home import Home

    if folder and _is_memory(folder):
        raise ValueError(f"{folder} is a memory; a home is the folder around it.")
    return Home(folder or state_dir() / "home")


def not_a_home(folder: Path) -> Path:
    """The folder of a memory. A second memory is not begun beside the one that a home has.

    Raises:
        ValueError: it is a home.
    """
    if _is_memory(folder / "memory") and not _is_memory(folder):
        raise ValueError(f"{folder} is a home; its memory is {folder / 'memory'}.")
    return folder


def _is_memory(folder: Path) -> bool:
    layers = (folder / name for name in ("transcripts", "topics"))
    return (folder / "MEMORY.md").exists() and any(layer.is_dir() for layer in layers)


def require_home(home: Home) -> None:
    """Raises ValueError with the command that makes the home, unless it is there."""
    if not is_folder(home.root):
        at = home_options(home.root)
        raise ValueError(f"There is no home in {home.root}; g2c home init{at} makes one.")


def find_loop(folder: Path | None, home: Path | None = None, name: str | None = None) -> LoopFiles:
    """The files of the loop in `folder`, by default of the loop `name` in that home.

    Raises:
        ValueError: a folder was given and a home or a name, too, or that is not a name for a loop.
    """
    if folder and (home or name):
        raise ValueError("--folder names a loop outside a home; leave out --home and --name.")
    if folder is None:
        opened = find_home(home)
        return opened.loop(name) if name else opened.loop()
    import_students("g2c.loop.app.setup")
    from g2c.loop.core.folder import LoopFiles

    return LoopFiles(folder)
