"""The commands about an exercise's body: hint, solution, reset, handback."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Annotated

import typer
from rich.markup import escape

from g2c.course.commands.exercises import ExerciseArgument, OptionalExercise, find_or_next
from g2c.course.console import out
from g2c.course.manifest import find_exercise, find_exercises
from g2c.paths import project_root

app = typer.Typer()

YesOption = Annotated[bool, typer.Option("--yes", "-y", help="Do it without asking.")]


@app.command()
def hint(
    exercise: OptionalExercise = None,
    everything: Annotated[bool, typer.Option("--all", help="Show all three.")] = False,
) -> None:
    """Show the next of an exercise's three hints, from a nudge to nearly there.

    Without EXERCISE, of the one that g2c next names.

    Example: g2c hint 19.1
    """
    from g2c.course.hints import next_hint

    found = find_or_next(exercise)
    last = len(found.hints)
    for index in range(last) if everything else [next_hint(found)]:
        which = f"{index + 1} of {last}" + (", the last" if index + 1 == last else "")
        out.print(f"[bold]{found.id} {found.title}, hint {which}[/]")
        out.print(escape(" ".join(found.hints[index].split())) + "\n")


@app.command()
def solution(exercise: ExerciseArgument, yes: YesOption = False) -> None:
    """Show the reference and why it is as it is, once your own tests pass.

    Before that it asks, because an answer that was read is not one that was found.

    Example: g2c solution 19.1
    """
    from rich.syntax import Syntax

    from g2c.course.excerpt import excerpt
    from g2c.course.progress import standing_of
    from g2c.course.running import run_tests, tests_of

    found = find_exercise(exercise)
    standing = standing_of(found, run_tests(tests_of(found)))
    question = f"Your {found.name} does not pass its tests yet. Look all the same?"
    passes = standing.run.passed and not standing.handed_back
    if not (passes or yes or typer.confirm(question)):
        raise typer.Exit(1)
    whole = (project_root() / found.solution_file).read_text("utf-8")
    text = excerpt(whole, found.function)  # the file may hold the next one's, too
    if not out.is_terminal:
        typer.echo(text, nl=False)
        return
    out.print(f"[dim]{found.solution_file}[/]")
    out.print(Syntax(text, "python", background_color="default", word_wrap=True))


@app.command()
def reset(exercise: ExerciseArgument, yes: YesOption = False) -> None:
    """Put an exercise's stub back, after a copy of your file was kept in archive/.

    Only that function changes; the rest of the file is left alone.

    Example: g2c reset 19.1
    """
    from g2c.course import stubs

    found = find_exercise(exercise)
    if not (yes or typer.confirm(f"Put the stub of {found.name} back?")):
        raise typer.Exit(1)
    archive = stubs.reset(found, datetime.now(UTC))
    out.print(f"{found.name} is a stub again. Yours: {archive.relative_to(project_root())}")


@app.command()
def handback(
    exercise: Annotated[
        str | None,
        typer.Argument(metavar="[EXERCISE]", help="Its id, or that of a module, such as 19."),
    ] = None,
    undo: Annotated[bool, typer.Option("--undo", help="Take it up again.")] = False,
) -> None:
    """Use the reference for an exercise until you take it up again; alone, list those.

    So that one that will not give way does not hold up the others, and a module can be taken
    without those before it.

    Example: g2c handback 19.1
    """
    from g2c.course.handback import hand_back, handed_back, take_up

    if exercise:
        asked = find_exercises(exercise)
        for one in asked if undo else ():
            was = one in handed_back()
            out.print(f"{one.id} {'is yours again' if was else 'was not handed back'}.")
        (take_up if undo else hand_back)(asked)
    there = handed_back()
    for found in there:
        out.print(f"{found.id} {found.name}: the reference stands in for yours.")
    if there:
        out.print(f"To take one up again: g2c handback {there[-1].id} --undo")
    else:
        out.print("Nothing is handed back: every exercise runs your own function.")
