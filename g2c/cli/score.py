"""The command that measures an exercise with a goal: score."""

from collections.abc import Callable
from importlib import import_module
from typing import Annotated, Any

import typer
from rich.table import Table

from g2c.cli.console import err, out, say
from g2c.course.errors import import_students
from g2c.course.manifest import Exercise, find_exercise, load_exercises
from g2c.course.scored import PUBLIC_SEED, Goal, Score, goal_of
from g2c.course.scored.kept import keep_score, kept_score
from g2c.course.stubs import is_stub
from g2c.exercise import is_requested, requested_references

app = typer.Typer()

UNSHOWN_SEEDS = (7_001, 7_002, 7_003)
"""The seeds of hidden tasks."""


@app.command()
def score(
    exercise: Annotated[
        str | None,
        typer.Argument(
            metavar="[EXERCISE]",
            help="The id of the exercise; without it, the exercises that have a goal are listed.",
        ),
    ] = None,
    seed: Annotated[
        int, typer.Option(help="The seed from which the tasks are made. A grader uses other seeds.")
    ] = PUBLIC_SEED,
    compare: Annotated[
        bool, typer.Option(help="Also measure the first version and the reference.")
    ] = False,
    again: Annotated[bool, typer.Option(help="Measure again, even if a score is stored.")] = False,
    tasks: Annotated[
        bool,
        typer.Option(
            "--tasks", help="Print the tasks of the seed and the right answers, without a score."
        ),
    ] = False,
) -> None:
    """Measure your function of an exercise that has a goal, and show where it loses most.

    If you have handed the exercise back, the reference is measured.

    A score that takes minutes is stored in .g2c/scores.json. It is measured again when the function
    gives other results.

    Example: g2c score 22.8 --compare
    """
    if exercise is None:
        for other in load_exercises():
            if other.has_goal:
                out.print(f"[bold]g2c score {other.id}[/]  {other.title}")
        return
    found = find_exercise(exercise)
    goal = goal_of(found)
    if tasks:
        if not goal.tasks:
            raise ValueError(
                f"The tasks of {found.id} cannot be printed; its page says what they are."
            )
        for line in goal.tasks(seed):
            out.print(line, markup=False, highlight=False, soft_wrap=True)
        return
    is_skipped = is_requested(found.id, requested_references())
    first = "reference" if is_skipped else "yours"
    functions = {first: _own(found) if is_skipped or not is_stub(found) else None}
    if compare:
        functions["first version"] = getattr(found.part("naive"), found.function)
        functions["reference"] = getattr(found.part("solution"), found.function)
    table = Table(box=None, pad_edge=False, header_style="dim")
    table.add_column("")
    table.add_column(goal.unit, justify="right")
    scores = {
        name: _measure(goal, function, seed, name, again)
        for name, function in functions.items()
        if function
    }
    for name, measured in scores.items():
        table.add_row(name, str(measured))
    table.add_row("target", f"{goal.target:g}")
    out.print(f"[bold]{found.id} {found.title}[/]")
    out.print(table)
    if is_skipped:
        out.print(f"The reference stands in for it; yours: g2c skip {found.id} --undo")
    own = scores.get(first)
    if own is None:
        say(f"Not started: write {found.function} in {found.file}.")
        raise typer.Exit(1)
    if own.lost:
        out.print(f"\nWhere {'the reference' if is_skipped else 'yours'} loses most:")
    for line in own.lost:
        out.print(f"  {line}", markup=False)
    if own.points < goal.target:
        raise typer.Exit(1)


def passes_elsewhere(exercise: Exercise) -> bool:
    """Measure the student's function on hidden tasks, as a grader does, and print the result.
    Return whether the mean reaches the target."""
    goal = goal_of(exercise)
    function = _own(exercise)
    points = [
        _measure(goal, function, seed, "on other tasks", again=False).points
        for seed in UNSHOWN_SEEDS
    ]
    enough = sum(points) / len(points) >= goal.target
    told = ", ".join(f"{point:g}" for point in points)
    out.print(
        f"On {len(points)} other sets of tasks, which are not shown, it scores {told}. Their mean "
        f"has to reach {goal.target:g}."
    )
    if not enough:
        say("It knows the tasks that are shown. A grader measures on others.")
    return enough


def _measure(goal: Goal, function: Callable[..., Any], seed: int, name: str, again: bool) -> Score:
    from rich.progress import Progress

    facts = goal.facts(function, seed) if goal.facts else ""
    if facts and not again and (kept := kept_score(facts)):
        return kept
    with Progress(console=err, transient=True) as progress:
        task = progress.add_task(f"measuring {name}")

        def tell(done: float, of: float) -> None:
            progress.update(task, completed=done, total=of)

        score = goal.measure(function, seed, tell)
    if facts:
        keep_score(facts, score)
    return score


def _own(exercise: Exercise) -> Callable[..., Any]:
    module = exercise.import_name
    import_students(module)
    function: Callable[..., Any] = getattr(import_module(module), exercise.function)
    return function
