"""The commands of somebody who changes the course: author mutate."""

from __future__ import annotations

import difflib
from typing import TYPE_CHECKING, Annotated

import typer
from rich import box
from rich.table import Table

from g2c.course.cli.console import err, out
from g2c.course.manifest import find_exercises, load_exercises
from g2c.paths import project_root

if TYPE_CHECKING:
    from g2c.course.author.scores import Score

app = typer.Typer()
author = typer.Typer(no_args_is_help=True)
app.add_typer(author, name="author")


@author.callback()
def about_author() -> None:
    """For somebody who changes the course; CONTRIBUTING.md says when.

    Example: g2c author mutate 19.1
    """


@author.command()
def mutate(
    exercise: Annotated[
        str | None,
        typer.Argument(metavar="[EXERCISE]", help="An id, or a module's; default: all of them."),
    ] = None,
    everything: Annotated[
        bool, typer.Option("--all", help="Show each mutant that was let pass as a diff.")
    ] = False,
) -> None:
    """Put a small mistake into a reference, thousands of times, and see whether the tests notice.

    What came of each is kept in .g2c/mutants.jsonl. The exit code is 1 if the tests of an exercise
    let more than 2 % pass that are not listed in tests/course/equivalent.toml. What has a goal is
    left out.

    Example: g2c author mutate 19.1
    """
    from g2c.course.author.scores import EQUIVALENT, GOAL
    from g2c.course.author.scores import mutate as try_all

    # What is judged by a score has no one right form, so a changed reference may be as good.
    listed = find_exercises(exercise) if exercise else load_exercises()
    found = [one for one in listed if not one.goal]
    with err.status("making mutants") as status:
        scores = try_all(found, lambda n, total: status.update(f"mutant {n} of {total}"))
    _show(scores)
    for score in scores:
        for mutant in score.outlived:
            place = f"{score.exercise.solution_file}:{mutant.line}"
            out.print(f"\n{score.exercise.id} {place}", soft_wrap=True)
            out.print(f"  {mutant.name}", markup=False, soft_wrap=True)
            if everything:
                out.print(_difference(score, mutant.source), markup=False, soft_wrap=True)
    if any(score.outlived for score in scores):
        out.print(f"\nEach needs a test, or a line with the reason in {EQUIVALENT}.")
    if any(score.share < GOAL for score in scores):
        raise typer.Exit(1)


def _show(scores: list[Score]) -> None:
    table = Table(box=box.MARKDOWN)
    for title in ("exercise", "mutants", "killed", "equivalent", "let pass", "score"):
        table.add_column(title, justify="left" if title == "exercise" else "right", no_wrap=True)
    for score in scores:
        table.add_row(
            score.exercise.id,
            *map(str, (score.mutants, score.killed, score.equivalent, len(score.outlived))),
            f"{score.share:.1%}",
        )
    out.print(table)


def _difference(score: Score, source: str) -> str:
    import ast

    text = (project_root() / score.exercise.solution_file).read_text("utf-8")
    plain = ast.unparse(ast.parse(text)).splitlines()
    lines = list(difflib.unified_diff(plain, source.splitlines(), lineterm="", n=2))
    return "\n".join(lines[2:])
