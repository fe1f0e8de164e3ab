"""Which subcommands `g2c` has, and in which files of this folder they are.

A subcommand is in the file of its name: `g2c loop` and `g2c loop heal` are in `loop.py` and
`heal.py`. `FILES` has the others. Only the files that a command line needs are imported.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from typing import Annotated, Any

import typer
import typer.core
from typer.models import CommandInfo

import g2c
from g2c.cli.places import CheckedCommand, checked

PANELS: Mapping[str, Sequence[str]] = {
    "Learn": (
        *("demo", "next", "progress", "check", "watch", "hint", "solution", "reset", "skip"),
        *("break", "score", "submit"),
    ),
    "Your agent": ("chat", "home", "memory", "loop", "swarm", "review", "runs", "agent"),
    "Measure": ("eval", "compare", "judge", "critics", "attack"),
    "Set up": ("model", "doctor", "notebook", "init", "update"),
    "The course itself": ("test", "docs"),
    "Teach": ("class",),
}
"""The commands that `g2c --help` lists, in order, below their titles."""

BELOW: Mapping[str, Sequence[str]] = {
    "loop": ("supervise", "heal", "evolution"),
    "runs": ("trace", "writeup"),
    "review": ("refine",),
    "class": ("grade", "mark", "gradebook", "feedback", "autograder"),
}
"""The files of the commands that are below another one."""

FILES = {
    **dict.fromkeys(
        ("next", "progress", "check", "watch", "hint", "solution", "reset", "skip"), "exercises"
    ),
    "break": "break_",  # the word is Python's, and the next one
    "class": "class_",
    "tell": "supervise",
    "init": "update",
}
"""The commands that are in a file of another name."""

NAMES = tuple(name for names in PANELS.values() for name in names)

_typers_own = getattr(typer.core, "build_runtime_param", None)


@dataclass
class LateParam:
    """How a parameter's value is read. Typer asks pydantic, even for an option that is not given,
    and importing pydantic takes longer than a short command."""

    descriptor: Any

    def coerce(self, value: Any, **place: Any) -> Any:
        if type(value) is self.descriptor.annotation is str:
            return value
        if value is None:
            return () if place["param"].multiple or place["param"].nargs == -1 else None
        return _typers_own(self.descriptor).coerce(value, **place)  # type: ignore[misc]


if _typers_own:  # from typer 0.29 on
    typer.core.build_runtime_param = LateParam  # type: ignore[assignment, attr-defined]


def app_for(words: Sequence[str] = ()) -> typer.Typer:
    """The command with what the command line `words` needs: one subcommand, and those in its file
    and below it, if the line begins with one; else all."""
    app = typer.Typer(
        no_args_is_help=True,
        pretty_exceptions_enable=False,
        rich_markup_mode="markdown",  # a docstring's lines are not the terminal's
        context_settings={"help_option_names": ["-h", "--help"]},
    )
    app.callback()(options)
    is_enough = bool(words) and words[0] in ("--version", *NAMES)
    for panel, names in PANELS.items():
        needed = [name for name in names if name == words[0]] if is_enough else names
        for file, name in {FILES.get(name, name): name for name in needed}.items():
            family = _family(file, BELOW.get(name, ()))
            for command in family.registered_commands:
                command.rich_help_panel = panel
            for group in family.registered_groups:
                group.rich_help_panel = panel
            app.add_typer(family)
    return app


@cache
def _family(file: str, below: Sequence[str] = ()) -> typer.Typer:
    """The commands of a file, whose places are checked, with those of other files below them."""
    family: typer.Typer = import_module(f"g2c.cli.{file}").app
    for command in commands_of(family):
        command.callback = command.callback and checked(command.callback)
        if not issubclass(command.cls or CheckedCommand, CheckedCommand):
            command.cls = CheckedCommand
    for other in below:
        room = family.registered_groups[0].typer_instance
        assert room, f"{file}.py has no group for {other}.py"
        room.add_typer(_family(other))
    return family


def commands_of(app: typer.Typer) -> Iterator[CommandInfo]:
    """All commands of a family, those of its groups included."""
    yield from app.registered_commands
    for group in app.registered_groups:
        if group.typer_instance:
            yield from commands_of(group.typer_instance)


def _tell_version(wanted: bool) -> None:
    if wanted:
        print(f"g2c {g2c.__version__}")
        raise typer.Exit


def options(
    version: Annotated[
        bool,
        typer.Option(
            "--version", callback=_tell_version, is_eager=True, help="Show the version, and end."
        ),
    ] = False,
) -> None:
    """Understand LLM agents by building one.

    Start with: g2c demo, then g2c next
    """
