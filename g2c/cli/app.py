"""The `g2c` command: all subcommands put together.

A subcommand is in the file of its name: `g2c loop` and `g2c loop heal` are in `loop.py` and
`heal.py`. Only those about an exercise (`next`, `progress`, `check`, `watch`, `hint`, `solution`,
`reset`, `skip`) are in `exercises.py`, `break` is in `break_.py`, `loop tell` in `supervise.py`,
and `init` in `update.py`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from types import ModuleType
from typing import Annotated

import typer
from typer.models import CommandInfo

from g2c import __version__
from g2c.cli import (
    agent,
    attack,
    autograder,
    break_,
    chat,
    compare,
    critics,
    demo,
    docs,
    doctor,
    eval,
    evolution,
    exercises,
    feedback,
    grade,
    gradebook,
    heal,
    home,
    judge,
    loop,
    mark,
    memory,
    model,
    notebook,
    refine,
    review,
    runs,
    score,
    submit,
    supervise,
    swarm,
    test,
    trace,
    update,
    writeup,
)
from g2c.cli.console import out
from g2c.cli.places import CheckedCommand, checked


def commands_of(app: typer.Typer) -> Iterator[CommandInfo]:
    """All commands of a family, those of its groups included."""
    yield from app.registered_commands
    for group in app.registered_groups:
        if group.typer_instance:
            yield from commands_of(group.typer_instance)


app = typer.Typer(
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode="markdown",  # a docstring's lines are not the terminal's
    context_settings={"help_option_names": ["-h", "--help"]},
)
class_ = typer.Typer(no_args_is_help=True)


@class_.callback()
def about_class() -> None:
    """Grade a class: its programs and written answers, the gradebook, and a page for each student.

    Example: g2c class grade submissions --module 19 --out grades
    """


BELOW: Mapping[str, tuple[typer.Typer, Sequence[ModuleType]]] = {
    "loop": (loop.loop, (supervise, heal, evolution)),
    "runs": (runs.runs, (trace, writeup)),
    "review": (review.texts, (refine,)),
    "class": (class_, (grade, mark, gradebook, feedback, autograder)),
}
"""The commands that are below another one."""

PANELS: Mapping[str, Sequence[ModuleType]] = {
    "Learn": (demo, exercises, break_, score, submit),
    "Your agent": (chat, home, memory, loop, swarm, review, runs, agent),
    "Measure": (eval, compare, judge, critics, attack),
    "Set up": (model, doctor, notebook, update),
    "The course itself": (test, docs),
}
"""The commands that `g2c --help` lists, in order, below their titles."""


def _put_together() -> None:
    for room, families in BELOW.values():
        for family in families:
            room.add_typer(family.app)
    for panel, families in PANELS.items():
        for family in families:
            for part in (*family.app.registered_commands, *family.app.registered_groups):
                part.rich_help_panel = panel
            app.add_typer(family.app)
    app.add_typer(class_, name="class", rich_help_panel="Teach")
    for command in commands_of(app):
        command.callback = command.callback and checked(command.callback)
        if not issubclass(command.cls or CheckedCommand, CheckedCommand):
            command.cls = CheckedCommand


_put_together()


def _tell_version(wanted: bool) -> None:
    if wanted:
        out.print(f"g2c {__version__}")
        raise typer.Exit


@app.callback()
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
