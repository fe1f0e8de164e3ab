"""The commands about where the student stands: next, progress, check, watch."""

from __future__ import annotations

import time
from typing import Annotated

import typer

from g2c.course.console import out
from g2c.course.manifest import find_exercise

app = typer.Typer()

MOST_FAILURES = 3
"""That are shown at once; more are not read."""


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
    exercise: Annotated[str, typer.Argument(metavar="EXERCISE", help="Its id, such as 19.1.")],
    everything: Annotated[
        bool, typer.Option("--all", help="Show every failure, not only the first few.")
    ] = False,
) -> None:
    """Run one exercise's tests and explain each failure.

    Example: g2c check 19.1
    """
    from g2c.course.progress import standing_of
    from g2c.course.running import run_tests, tests_of
    from g2c.course.showing import show_run

    found = find_exercise(exercise)
    with out.status("running the tests"):
        standing = standing_of(found, run_tests(tests_of(found)))
    show_run(standing, most=None if everything else MOST_FAILURES)
    if not standing.run.passed:
        raise typer.Exit(1)


@app.command()
def watch(
    exercise: Annotated[
        str | None, typer.Argument(metavar="[EXERCISE]", help="Where to begin: its id.")
    ] = None,
) -> None:
    """Run an exercise's tests at every save, and go on to the next when they pass.

    Example: g2c watch
    """
    from g2c.course.progress import current_standings, next_standing
    from g2c.course.showing import show_next, show_run
    from g2c.course.watching import watch

    if exercise:
        first = find_exercise(exercise)
    elif standing := next_standing(current_standings()):
        first = standing.exercise
    else:
        show_next(None)
        return
    may_clear = True
    for standing in watch(first, time.sleep):
        if may_clear:
            out.clear()
        show_run(standing, MOST_FAILURES)
        may_clear = not standing.is_done  # what just passed stays on the screen
        if may_clear:
            out.print("\n[dim]watching; Ctrl-C ends it[/]")
    out.print("[green]That was the last one.[/] g2c next")
