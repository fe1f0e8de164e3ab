"""The command that shows how a first version of an exercise fails: break."""

import inspect
import os
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from types import ModuleType
from typing import Annotated

import typer
from rich.padding import Padding

from g2c.cli.console import out, show
from g2c.cli.exercises import find_or_next
from g2c.course.errors import import_students
from g2c.course.manifest import Exercise, find_exercises, load_exercises
from g2c.exercise import REFERENCE_VARIABLE

app = typer.Typer()


@app.command("break")
def break_(
    exercise: Annotated[
        str | None,
        typer.Argument(
            metavar="[EXERCISE]",
            help="The id of an exercise, or of a module, such as 19, to list its exercises; "
            "default: the exercise that g2c next shows.",
        ),
    ] = None,
) -> None:
    """Watch a first version of an exercise fail, before you write your own.

    The function is one that a thoughtful person might write first. It runs here, on the model in
    the box or on real files. Your own functions and files are not touched.

    Example: g2c break 19.1
    """
    if exercise in {item.module for item in load_exercises()}:
        for item in find_exercises(exercise or ""):
            out.print(f"[bold]g2c break {item.id}[/]  {item.title}")
            out.print(Padding(about(_first_version(item)), (0, 0, 0, 4)))
        return
    found = find_or_next(exercise)
    _run(found, _first_version(found))
    out.print("[dim]g2c next shows the exercise.[/]")


def about(first: ModuleType) -> str:
    """The module's first sentence: what it is about to do."""
    return " ".join((first.__doc__ or "").split())


def _first_version(exercise: Exercise) -> ModuleType:
    """The module with the first version of an exercise. It uses the references, so that it shows
    the same, whatever a student has written."""
    os.environ[REFERENCE_VARIABLE] = "all"  # before anything imports the exercises
    import_students(exercise.import_name)
    return exercise.part("naive")


def _run(exercise: Exercise, first: ModuleType) -> None:
    from rich.syntax import Syntax

    from g2c.course.breaks import RESULT, WANTED

    body = inspect.getsource(getattr(first, exercise.function))
    out.print(f"[bold]{exercise.id} {exercise.title}[/], as one might write it first:\n")
    out.print(Syntax(body, "python", background_color="default"), soft_wrap=True)
    out.print(about(first) + "\n")
    styles = {RESULT: "red", WANTED: "green"}
    with out.status("running it"):
        for label, text in _seen(first):
            show(label, text, styles.get(label, "dim"))
    out.print(f"\n[bold]{first.QUESTION}[/]")


def _seen(first: ModuleType) -> Iterator[tuple[str, str]]:
    """Run it here; if the model behaves differently here, return the recording."""
    from g2c.course.break_rows import RECORDED, kept_file, read_rows, write_rows
    from g2c.course.breaks import RESULT
    from g2c.course.sweep_workers import evaluation_state
    from g2c.inference import BackendError
    from g2c.inference.embedded.weights import ADAPTER_SHA256, SHA256

    recorded = read_rows(RECORDED, first)
    if not recorded:
        yield from _live(first)
        return
    made_from = (SHA256, ADAPTER_SHA256, evaluation_state())
    here, why = read_rows(kept_file(), first, *made_from), "the model wrote something else here"
    try:
        if not here:
            here = tuple(_live(first))
            with suppress(OSError):  # a read-only course runs it each time
                write_rows(kept_file(), first, here, *made_from)
    except BackendError as error:
        why = str(error)
    if here and dict(here).get(RESULT) == dict(recorded)[RESULT]:
        yield from here
        return
    yield "recorded", f"on another machine, since {why}"
    yield from recorded


def _live(first: ModuleType) -> Iterator[tuple[str, str]]:
    with tempfile.TemporaryDirectory(prefix="g2c-break-") as name:
        yield from first.show(Path(name))
