"""The commands about an exercise: next, progress, check, watch, hint, solution, reset, skip."""

from datetime import UTC, datetime
from typing import Annotated

import typer
from rich.markup import escape

from g2c.cli.confirm import confirm
from g2c.cli.console import out
from g2c.course.manifest import Exercise, find_exercise, find_exercises, load_exercises
from g2c.files import read_text
from g2c.foreign_json import load_json
from g2c.json_files import keep_json
from g2c.paths import project_root, state_dir

app = typer.Typer()

MAX_FAILURES = 3
"""The most failures shown at once; nobody reads more."""

ExerciseArgument = Annotated[
    str, typer.Argument(metavar="EXERCISE", help="The id of the exercise, such as 19.1.")
]
OrModule = Annotated[
    str,
    typer.Argument(
        metavar="EXERCISE", help="The id of an exercise, such as 19.1, or of a module, such as 19."
    ),
]
OptionalExercise = Annotated[
    str | None,
    typer.Argument(
        metavar="[EXERCISE]",
        help="The id of the exercise; default: the exercise that g2c next shows.",
    ),
]
OptionalOrModule = Annotated[
    str | None,
    typer.Argument(
        metavar="[EXERCISE]",
        help="The id of an exercise, or of a module, such as 19; default: the exercise that "
        "g2c next shows.",
    ),
]
YesOption = Annotated[bool, typer.Option("--yes", "-y", help="Do it without asking.")]


def find_or_next(name: str | None) -> Exercise:
    """The exercise with that id; for a module, or without a name, the first that is not done.

    Raises:
        ValueError: there is no such exercise or module, or none is left.
    """
    found = find_exercises(name) if name else load_exercises()
    if len(found) == 1:
        return found[0]
    from g2c.course.check.progress import next_standing, standings_to_next

    with out.status("running the tests"):
        standing = next_standing(standings_to_next(found))
    if standing is None:
        raise ValueError(
            f"Every exercise {f'of module {name} ' if name else ''}is done; name one, such as 19.1."
        )
    return standing.exercise


@app.command("next")
def next_(
    exercise: Annotated[
        str | None,
        typer.Argument(metavar="[EXERCISE]", help="Show this exercise instead, such as 19.1."),
    ] = None,
) -> None:
    """Show what to do now: the next exercise that is not green, its file, lesson and tests.

    Example: g2c next 20.1
    """
    from g2c.cli.display import show_exercise, show_next
    from g2c.course.check.progress import standing_of, standings_to_next

    if exercise:
        from g2c.course.check.worker import run_tests

        found = find_or_next(exercise)
        with out.status("running the tests"):
            standing = standing_of(found, run_tests(found.test_ids))
        show_exercise(standing)
        return
    with out.status("running the tests"):
        standings = standings_to_next(load_exercises())
    show_next(standings)


@app.command()
def progress() -> None:
    """Run the tests, and show the state of each exercise.

    Example: g2c progress
    """
    from g2c.cli.display import show_progress
    from g2c.course.check.progress import current_standings

    with out.status("running the tests"):
        standings = current_standings(load_exercises())
    show_progress(standings)


@app.command()
def check(
    exercise: OptionalOrModule = None,
    everything: Annotated[
        bool, typer.Option("--all", help="Show every failure, not only the first few.")
    ] = False,
    why: Annotated[
        bool,
        typer.Option(
            "--why", help="Explain each failure, even one that is shown for the first time."
        ),
    ] = False,
) -> None:
    """Run the tests of an exercise, or of a module's exercises, and show what failed.

    Example: g2c check 19.1
    """
    from g2c.cli.display import show_standing
    from g2c.cli.score import passes_elsewhere
    from g2c.course.check.progress import standings_up_to, tests_up_to
    from g2c.course.check.worker import run_tests
    from g2c.course.scored import is_by_model

    found = find_exercises(exercise) if exercise else (find_or_next(None),)
    with out.status("running the tests"):
        standings = standings_up_to(found[-1], run_tests(tests_up_to(found[-1])))
    first = len(standings) - len(found)
    for number, standing in enumerate(standings[first:], first):
        show_standing(standing, standings[:number], None if everything else MAX_FAILURES, why)
    passed = [standing for standing in standings[first:] if standing.run.passed]
    own = [standing.exercise for standing in passed if not standing.is_skipped]
    elsewhere = [passes_elsewhere(item) for item in own if item.has_goal and not is_by_model(item)]
    if len(passed) < len(found) or not all(elsewhere):
        raise typer.Exit(1)


@app.command()
def watch(exercise: OptionalExercise = None) -> None:
    """Run an exercise's tests at every save, and go on to the next exercise when they pass.

    If you name an exercise, the command stays with that exercise.

    If it does not notice your saves, as on some network drives, set WATCHFILES_FORCE_POLLING=1 in
    the environment.

    Example: g2c watch
    """
    from g2c.cli.display import show_standing
    from g2c.course.check.watch import watch

    may_clear = True
    for *before, standing in watch(find_or_next(exercise), stay=exercise is not None):
        if may_clear:
            out.clear()
        # On a small screen, the first failure, the one to fix, must not scroll away.
        limit = MAX_FAILURES if not out.is_terminal or out.height > 50 else 1
        show_standing(standing, before, limit)
        may_clear = exercise is not None or not standing.is_done  # a pass stays on the screen
        if may_clear:
            out.print(f"\n[dim]{datetime.now():%H:%M:%S} watching; Ctrl-C ends it[/]")
    out.print("[green]That was the last one.[/] g2c next")


@app.command()
def hint(
    exercise: OptionalOrModule = None,
    everything: Annotated[bool, typer.Option("--all", help="Show all three hints.")] = False,
) -> None:
    """Show the next of an exercise's three hints, from a nudge to nearly there.

    For a module, show a hint for its first exercise that is not done.

    Example: g2c hint 19.1
    """
    found = find_or_next(exercise)
    last = len(found.hints)
    for index in range(last) if everything else [_next_hint(found)]:
        which = f"{index + 1} of {last}" + (", the last" if index + 1 == last else "")
        out.print(f"[bold]{found.id} {found.title}, hint {which}[/]")
        out.print(escape(" ".join(found.hints[index].split())) + "\n")


def _next_hint(exercise: Exercise) -> int:
    """Return the index of the hint to show, and store it as shown. After the last hint, the last
    again."""
    file = state_dir() / "hints.json"
    try:
        shown = load_json(read_text(file))
        number = int(shown.get(exercise.id, 0))
    except (OSError, ValueError, TypeError, AttributeError):
        shown, number = {}, 0  # only the position is lost: the first hint is shown again
    index = min(max(number, 0), len(exercise.hints) - 1)
    keep_json(file, {**shown, exercise.id: index + 1})
    return index


@app.command()
def solution(exercise: OrModule, yes: YesOption = False) -> None:
    """Show the reference, your function beside it, and other good solutions.

    If your function does not pass its tests yet, the command asks first: you learn more from an
    answer that you find yourself.

    Example: g2c solution 19.1
    """
    from g2c.cli.display import show_solution
    from g2c.course.check.progress import standing_of
    from g2c.course.check.worker import run_tests

    found = find_exercises(exercise)
    with out.status("running the tests"):
        run = run_tests(test for item in found for test in item.test_ids)
    for item in found:
        standing = standing_of(item, run)
        question = f"Your {item.function} does not pass its tests yet. Look all the same?"
        passes = standing.run.passed and not standing.is_skipped
        if not (passes or yes or confirm(question)):
            raise typer.Exit(1)
        show_solution(item)


@app.command()
def reset(
    exercise: ExerciseArgument,
    yes: YesOption = False,
    undo: Annotated[
        bool, typer.Option("--undo", help="Bring back the file that the last reset replaced.")
    ] = False,
) -> None:
    """Put an exercise's file back as it was shipped. A copy of yours is stored in archive/.

    Example: g2c reset 19.1
    """
    from g2c.course import stubs

    found = find_exercise(exercise)
    what = "your last version" if undo else "the stub"
    if not (yes or confirm(f"Put {what} of {found.file} back?")):
        raise typer.Exit(1)
    if undo:
        taken = stubs.undo_reset(found, datetime.now(UTC))
        out.print(
            f"{found.file} is as in {taken.relative_to(project_root())} again.", soft_wrap=True
        )
        return
    archive = stubs.reset(found, datetime.now(UTC))
    out.print(f"{found.file} is as shipped again.", soft_wrap=True)
    if archive:
        out.print(
            f"Yours: {archive.relative_to(project_root())}; g2c reset {found.id} --undo brings it "
            "back.",
            soft_wrap=True,
        )


@app.command()
def skip(
    exercises: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[EXERCISE]...", help="The ids of exercises or of modules, such as 19 20.3."
        ),
    ] = None,
    undo: Annotated[bool, typer.Option("--undo", help="Use your own functions again.")] = False,
) -> None:
    """Use the reference in place of your functions; without EXERCISE, list where it is used.

    So an exercise that you cannot solve does not block the others, and you can take a module
    without those before it. In a module, exercises that pass stay yours.

    Example: g2c skip 19 20.3
    """
    from g2c.course.skips import skip_these, skipped_exercises, unskip

    if exercises:
        named = tuple(exercise for name in exercises for exercise in find_exercises(name))
        if not undo:
            named = tuple(own for own in named if own.id in exercises or not _stays(own))
        for taken in named if undo else ():
            was = taken in skipped_exercises()
            out.print(f"{taken.id} {'is yours again' if was else 'was not skipped'}.")
        (unskip if undo else skip_these)(named)
    skipped = skipped_exercises()
    for found in skipped:
        out.print(f"{found.id} {found.function}: the reference stands in for yours.")
    if skipped:
        out.print(f"To use your own again: g2c skip {skipped[-1].id} --undo")
    else:
        out.print("Nothing is skipped: every exercise runs your own function.")


def _stays(exercise: Exercise) -> bool:
    """Whether a student's function passes, and so is not replaced with its whole module."""
    from g2c.course.check.progress import current_standings
    from g2c.course.stubs import is_stub

    if is_stub(exercise):
        return False
    with out.status("running the tests"):
        (standing,) = current_standings([exercise])
    if stays := standing.run.passed and not standing.is_skipped:
        out.print(f"{exercise.id} passes and stays yours; g2c skip {exercise.id} replaces it.")
    return stays
