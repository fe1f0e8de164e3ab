"""The commands about where the student stands: next, progress, check, watch."""

from __future__ import annotations

import time
from datetime import datetime
from typing import Annotated

import typer

from g2c.course.console import out
from g2c.course.manifest import Exercise, find_exercise

app = typer.Typer()

MOST_FAILURES = 3
"""That are shown at once; more are not read."""

ExerciseArgument = Annotated[str, typer.Argument(metavar="EXERCISE", help="Its id, such as 19.1.")]
OptionalExercise = Annotated[
    str | None, typer.Argument(metavar="[EXERCISE]", help="Its id; else the one g2c next names.")
]


def find_or_next(exercise_id: str | None) -> Exercise:
    """The exercise with that id; without one, the first that is still to be done.

    Raises:
        ValueError: there is no such exercise, or none is left.
    """
    if exercise_id:
        return find_exercise(exercise_id)
    from g2c.course.progress import current_standings, next_standing

    with out.status("running the tests"):
        standing = next_standing(current_standings())
    if standing is None:
        raise ValueError("Every exercise is done; name one, such as 19.1.")
    return standing.exercise


@app.command("next")
def next_() -> None:
    """Say what to do now: the next exercise that is not green, its file, lesson and tests.

    Example: g2c next
    """
    from g2c.course.progress import current_standings, next_standing
    from g2c.course.showing import show_next

    with out.status("running the tests"):
        standings = current_standings()
    show_next(next_standing(standings))


@app.command()
def progress() -> None:
    """Show how each exercise stands, from really running the tests.

    Example: g2c progress
    """
    from g2c.course.progress import current_standings
    from g2c.course.showing import show_progress

    with out.status("running the tests"):
        standings = current_standings()
    show_progress(standings)


@app.command()
def check(
    exercise: OptionalExercise = None,
    everything: Annotated[
        bool, typer.Option("--all", help="Show every failure, not only the first few.")
    ] = False,
) -> None:
    """Run one exercise's tests and explain each failure.

    Example: g2c check 19.1
    """
    from g2c.course.progress import standings_of
    from g2c.course.running import run_tests, tests_upto
    from g2c.course.showing import show_run

    found = find_or_next(exercise)
    with out.status("running the tests"):
        *before, standing = standings_of(found, run_tests(tests_upto(found)))
    show_run(standing, before, most=None if everything else MOST_FAILURES)
    if not standing.run.passed:
        raise typer.Exit(1)


@app.command()
def watch(exercise: OptionalExercise = None) -> None:
    """Run an exercise's tests at every save, and go on to the next when they pass.

    Example: g2c watch
    """
    from g2c.course.showing import show_run
    from g2c.course.watching import watch

    may_clear = True
    for *before, standing in watch(find_or_next(exercise), time.sleep):
        if may_clear:
            out.clear()
        # On a small screen the first failure, which is the one to mend, must not scroll away.
        most = MOST_FAILURES if not out.is_terminal or out.height > 50 else 1
        show_run(standing, before, most)
        may_clear = not standing.is_done  # what just passed stays on the screen
        if may_clear:
            out.print(f"\n[dim]{datetime.now():%H:%M:%S} watching; Ctrl-C ends it[/]")
    out.print("[green]That was the last one.[/] g2c next")
