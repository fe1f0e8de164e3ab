"""The command that sums up the results of a class: gradebook."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from rich.markup import escape

from g2c.cli.console import err, out

app = typer.Typer()


@app.command("gradebook")
def gradebook(
    grades: Annotated[Path, typer.Argument(metavar="GRADES", help="What g2c grade --out wrote.")],
    submissions: Annotated[
        Path | None,
        typer.Option(
            metavar="FOLDER",
            help="The submissions, to list those that are alike.",
            show_default=False,
        ),
    ] = None,
) -> None:
    """For an instructor: a gradebook, and what a class stumbles on.

    It writes gradebook.csv, stumbles.md and stumbles.png into GRADES.

    Example: g2c gradebook grades --submissions submissions
    """
    from g2c.course.bounded import printable
    from g2c.files import replace_text
    from g2c.grade import gradebook as books
    from g2c.grade.batch import submissions_in
    from g2c.grade.similar_submissions import alike_in

    everybody = books.read_results(grades)
    if submissions:
        everybody += books.not_come_to(submissions_in(submissions, grades), grades)
    results = books.graded(everybody)
    without = [one for one in everybody if one not in results]
    ids = [one["id"] for one in results[0]["exercises"]] if results else []
    alike = alike_in(submissions, ids) if submissions else None
    replace_text(grades / "gradebook.csv", books.as_csv(everybody))
    replace_text(grades / "stumbles.md", books.as_page(results, alike, without))
    try:
        books.draw(results, grades / "stumbles.png")
    except ImportError:
        err.print("There is no picture: it needs matplotlib, which is in g2c's extra course.")
    for one in without:
        why = escape(printable(f"{one['name']}: {one['not_graded']}"))
        out.print(f"[red]not graded[/] {why}", soft_wrap=True)
    out.print(f"{len(results)} results, in {escape(str(grades))}: gradebook.csv, stumbles.md")
    for belief in books.beliefs(results)[:5]:
        out.print(f"{belief.students:4} saw in {belief.exercise}: {escape(belief.example)}")
