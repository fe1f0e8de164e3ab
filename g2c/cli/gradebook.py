"""The command that sums up the results of a class: gradebook."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from pathlib import Path
from textwrap import shorten
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.markup import escape

from g2c.cli.console import err, out
from g2c.cli.places import Input, OutputFile, Store
from g2c.files import PAGE_HEAD, is_there, read_text
from g2c.foreign_json import load_json
from g2c.json_files import record_of

if TYPE_CHECKING:
    from g2c.classroom.classbook import Class
    from g2c.classroom.course_file import Course
    from g2c.classroom.roster import Student

app = typer.Typer()

SHOWN = 20
"""The most names in one line."""

MAX_SAID = 150
"""The most characters of a message; the page has more of it."""

WRITTEN = {
    "gradebook.csv": b"name,score,max_score,",
    "stumbles.md": b"# What ",
    "stumbles.png": b"\x89PNG",
    "students.csv": b"id,name,e-mail,login,section,",
    "class.html": PAGE_HEAD.partition("<meta name")[0].encode(),  # as older ones, too
    "counted.json": b"",  # it is read before, and an odd one is named there
}
"""The files that the command writes into GRADES, and how each begins."""


@app.command("gradebook")
def gradebook(
    grades: Annotated[
        list[Path],
        typer.Argument(
            metavar="GRADES",
            help="The folder of g2c class grade --out; several folders if you graded modules "
            "separately.",
        ),
        Store(writes=WRITTEN),
    ],
    submissions: Annotated[
        Path | None,
        typer.Option(
            metavar="FOLDER",
            help="The folder of the submissions; it is needed to list those that are alike.",
            show_default=False,
        ),
        Input(),
    ] = None,
    roster: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="A CSV file of the students in the class: your own, Canvas's or Moodle's.",
            show_default=False,
        ),
        Input(),
    ] = None,
    course: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="The file with weights, due dates and other decisions; default: course.toml, if "
            "there is one.",
            show_default=False,
        ),
        Input("course.toml"),
    ] = None,
    canvas: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Write a file for Canvas's gradebook; needs --roster.",
            show_default=False,
        ),
        # Canvas marks the sums in its own exports so.
        OutputFile((b"Student,ID,SIS User ID,SIS Login ID,Section",), never=b"(read only)"),
    ] = None,
    moodle: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Write a file for Moodle's gradebook; needs --roster.",
            show_default=False,
        ),
        OutputFile((b"Email address,", b"ID number,")),
    ] = None,
) -> None:
    """For an instructor: make a gradebook, and show what a class stumbles on.

    The command writes gradebook.csv, stumbles.md and stumbles.png into each folder of GRADES, and
    students.csv and class.html into the first.

    Example: g2c class gradebook grades --submissions submissions

    Example: g2c class gradebook grades --roster roster.csv --canvas canvas.csv --moodle moodle.csv
    """
    from g2c.classroom import classbook, exports
    from g2c.classroom.batch import COUNTED
    from g2c.classroom.class_page import as_html
    from g2c.classroom.counted import to_data
    from g2c.classroom.gradebook import beliefs, doubts, graded
    from g2c.files import replace_text

    if submissions and len(grades) > 1:
        raise ValueError("--submissions goes with one folder of grades; leave one of them.")
    if (canvas or moodle) and not roster:
        raise ValueError("--canvas and --moodle need --roster FILE, which says who is who.")
    decisions, students = _decisions(course), _students(roster)
    everybody = [_sum_up(folder, submissions) for folder in grades]
    other_settings = _print_other_settings(grades, everybody)
    found = classbook.make_class(
        [
            classbook.graded_in(results, _answers(folder))
            for folder, results in zip(grades, everybody, strict=True)
        ],
        decisions,
        students,
        other_settings,
    )
    all_results = [result for results in everybody for result in results]
    without = [result for result in all_results if "not_graded" in result]
    page = as_html(found, beliefs(graded(all_results)), without, doubts(all_results))
    files = {
        grades[0] / "students.csv": exports.students_csv(found),
        grades[0] / "class.html": page,
    }
    notes = list(found.notes)
    for file, make in ((canvas, exports.canvas_csv), (moodle, exports.moodle_csv)):
        if file:
            export = make(found, decisions)
            files[file] = export.text
            notes += export.notes
    for words in notes:
        out.print(f"[yellow]{escape(words)}[/]", soft_wrap=True)
    out.print(f"{_counted(found)}: {escape(', '.join(map(str, files)))}", soft_wrap=True)
    files |= {at / COUNTED: record_of(to_data(found), indent=1) + "\n" for at in grades}
    for file, text in files.items():
        replace_text(file, text)


def _sum_up(grades: Path, submissions: Path | None) -> list[dict[str, Any]]:
    """Write the summary of a folder's results. Return the results, and entries for `submissions`
    without one."""
    from g2c.classroom import gradebook as books
    from g2c.classroom.batch import submissions_in
    from g2c.classroom.similar_submissions import alike_in
    from g2c.course.bounded import printable
    from g2c.files import replace_bytes, replace_text

    everybody = books.read_results(grades)
    if submissions:
        everybody += books.missing_results(submissions_in(submissions, grades), grades)
    results = books.graded(everybody)
    without = [name for name in everybody if name not in results]
    ids = [exercise["id"] for exercise in results[0]["exercises"]] if results else []
    alike = alike_in(submissions, ids) if submissions else None
    for result in without:
        why = escape(printable(f"{result['name']}: {result['not_graded']}"))
        out.print(f"[red]not graded[/] {why}", soft_wrap=True)
    out.print(f"{len(results)} results, in {escape(str(grades))}: gradebook.csv, stumbles.md")
    for belief in books.beliefs(results)[:5]:
        said = shorten(belief.example, MAX_SAID, placeholder=" ...")
        out.print(f"{belief.students:4} saw in {belief.exercise}: {escape(said)}", soft_wrap=True)
    replace_text(grades / "gradebook.csv", books.as_csv(everybody))
    replace_text(grades / "stumbles.md", books.as_page(results, alike, without))
    try:
        replace_bytes(grades / "stumbles.png", books.drawn(results))
    except ImportError:
        err.print("There is no picture: it needs matplotlib, which is in g2c's extra course.")
    return everybody


def _decisions(file: Path | None) -> Course:
    """The decisions of course.toml; without one, the defaults."""
    from g2c.classroom.course_file import MAX_BYTES, NAME, Course, read_course
    from g2c.course.bounded import read_at_most

    if file is None and not is_there(NAME):
        return Course()
    content = read_at_most(file or Path(NAME), MAX_BYTES)
    try:
        return read_course(content.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        raise ValueError(f"{file or NAME} is not UTF-8; save it as UTF-8.") from error
    except ValueError as error:  # it may have another name
        raise ValueError(str(error).replace(NAME, str(file or NAME), 1)) from error


def _students(file: Path | None) -> tuple[Student, ...] | None:
    from g2c.classroom.roster import MAX_BYTES, read_roster
    from g2c.course.bounded import read_at_most

    return read_roster(read_at_most(file, MAX_BYTES)) if file else None


def _answers(grades: Path) -> Mapping[str, Mapping[str, float]]:
    """The shares of points for written answers that a person has marked."""
    from g2c.classroom.batch import ANSWERS
    from g2c.classroom.classbook import read_answers

    file = grades / ANSWERS
    try:
        data = load_json(read_text(file))
    except FileNotFoundError:
        return {}
    except ValueError as error:
        raise ValueError(f"{file} is not JSON: {error}") from error
    # In a folder of an older g2c, a submission may also have this name.
    return read_answers({} if isinstance(data, dict) and "exercises" in data else data)


def _print_other_settings(
    grades: Sequence[Path], everybody: Sequence[Sequence[Mapping[str, Any]]]
) -> list[str]:
    """Print which results were made with other settings, and the command that grades them again.
    Return their names."""
    from g2c.classroom.batch import settings_of
    from g2c.classroom.regrade import made_with_other_settings, options_of
    from g2c.course.bounded import printable

    names: list[str] = []
    for folder, results in zip(grades, everybody, strict=True):
        settings = settings_of(folder)
        found = made_with_other_settings(results, settings)
        names += found
        if not found:
            continue
        listed = [
            f"{printable(name)} ({', '.join(differs[:3])}{', ...' if len(differs) > 3 else ''})"
            for name, differs in list(found.items())[:SHOWN]
        ]
        more = f", and {len(found) - SHOWN} more" if len(found) > SHOWN else ""
        again = " ".join(f"--again {shlex.quote(name)}" for name in list(found)[:SHOWN])
        to = f"--out {shlex.quote(str(folder))}"
        command = " ".join(
            filter(None, ["g2c class grade SUBMISSIONS", options_of(settings), to, again])
        )
        words = f"graded with other settings: {', '.join(listed)}{more}; {printable(command)}"
        out.print(f"[yellow]{escape(printable(words))}[/]", soft_wrap=True)
    return names


def _counted(found: Class) -> str:
    known = [row for row in found.rows if row.is_known]
    graded = sum(row.total is not None and not row.status.startswith("missing") for row in known)
    return f"{graded} of {len(known)} students graded"
