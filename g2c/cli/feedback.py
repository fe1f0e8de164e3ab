"""The command that writes each student's feedback page: feedback."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.markup import escape

from g2c.cli.console import count, out
from g2c.cli.places import OWN_PAGES, Input, OutputFolder, begins_with
from g2c.files import read_text
from g2c.foreign_json import load_json

if TYPE_CHECKING:
    from g2c.classroom.counted import Counted

app = typer.Typer()


@app.command("feedback")
def feedback(
    grades: Annotated[
        Path,
        typer.Argument(metavar="GRADES", help="The folder that g2c class grade --out wrote."),
        Input(),
    ],
    to: Annotated[
        Path,
        typer.Option("--out", metavar="FOLDER", help="The folder for the pages; not GRADES."),
        OutputFolder(),
    ],
    submissions: Annotated[
        Path | None,
        typer.Option(
            metavar="FOLDER",
            help="The folder of the submissions; those without a result then get a page, too.",
            show_default=False,
        ),
        Input(),
    ] = None,
) -> None:
    """For an instructor: write a page for each student, as HTML and as Markdown.

    A page has the points, what failed and why, what is good, and the marks and comments of g2c
    class mark. It shows nothing of other students, and only the messages of the tests.

    Example: g2c class feedback grades --out feedback
    """
    from g2c.classroom import feedback as pages
    from g2c.classroom.answers.hand_ins import rubric_of
    from g2c.classroom.answers.store import MarkStore
    from g2c.classroom.batch import COUNTED, submissions_in
    from g2c.classroom.gradebook import missing_results, read_results
    from g2c.files import replace_text

    results = read_results(grades)
    if submissions:
        results += missing_results(submissions_in(submissions, grades), grades)
    results = [result for result in results if isinstance(result.get("name"), str)]
    store = MarkStore(grades)
    hashes, marks = store.answer_hashes(), store.marks()
    counted = _counted(grades / COUNTED)
    modules = {module for own in hashes.values() for module in own}
    titles = {
        module: {number: row.title for number, row in rubric_of(module).rows.items()}
        for module in modules
    }
    names = [result["name"] for result in results]
    names += [name for name in hashes if name not in set(names)]
    files = pages.file_names(names)
    for file in files.values():  # both are written together, and only the HTML says whose they are
        page, text = to / f"{file}.html", to / f"{file}.md"
        if not begins_with(page, *OWN_PAGES) or (text.exists() and not page.exists()):
            other = page if page.exists() else text
            raise ValueError(f"{other} exists, and g2c did not make it. Name another folder.")
    by_name = {result["name"]: result for result in results}
    for name in names:
        blocks = pages.feedback(
            name,
            by_name.get(name, {}),
            pages.marked_answers(hashes.get(name, {}), marks, titles),
            counted.get(name),
        )
        replace_text(to / f"{files[name]}.html", pages.to_html(blocks))
        replace_text(to / f"{files[name]}.md", pages.to_markdown(blocks))
    without = sum("exercises" not in by_name.get(name, {}) for name in names)
    out.print(f"Pages for {count(len(names), 'student')}, in {escape(str(to))}", soft_wrap=True)
    if without:
        out.print(f"{without} of them have no grade; their pages say why.")
    pages_there = (page for page in sorted(to.glob("*.html")) if begins_with(page, *OWN_PAGES))
    if old := [page.name for page in pages_there if page.stem not in files.values()]:
        gone = f"Of nobody in {grades} any more: {', '.join(old)}"
        out.print(escape(gone), soft_wrap=True)
    if not counted:
        out.print("[dim]Not what counts: g2c class gradebook says it, so run it before.[/]")
    if not hashes:
        out.print(
            "[dim]No written answers: g2c class mark --totals says whose answers are whose.[/]"
        )


def _counted(file: Path) -> dict[str, Counted]:
    """The counts of g2c class gradebook, by a submission's name; empty if it has not run."""
    from g2c.classroom.counted import from_data

    try:
        return from_data(load_json(read_text(file)))
    except FileNotFoundError:
        return {}
    except ValueError as error:
        raise ValueError(f"{file}: {error}") from error
