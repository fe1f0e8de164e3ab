"""The commands that make a student's folder and bring a newer course to it: init and update."""

from __future__ import annotations

import os
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.markup import escape

from g2c.cli.confirm import confirm
from g2c.cli.console import err, out
from g2c.cli.places import Input, Store
from g2c.paths import course_above, in_environment, in_shell

if TYPE_CHECKING:
    from g2c.course.folder.update import Change

app = typer.Typer()

Wheel = Annotated[
    Path | None,
    typer.Option(
        "--from",
        metavar="WHEEL",
        help="Take the course from this wheel; default: from the g2c that runs.",
        show_default=False,
    ),
    Input(),
]


@app.command()
def init(
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="The folder to make."), Store()],
    wheel: Wheel = None,
    install: Annotated[
        bool, typer.Option(help="Also make the course's environment, with the small model.")
    ] = True,
) -> None:
    """Make a folder with the course in it: lessons, exercises, tests and notebooks.

    The environment is in `.venv` of the folder; making it needs a network once. If g2c is not
    installed, `uvx g2c init course` does the same.

    Example: g2c init course
    """
    from g2c.course.folder.course_files import course_in
    from g2c.course.folder.init import lay_out

    course = course_in(wheel)
    lay_out(course, folder)
    out.print(f"{escape(str(folder))} has g2c {course.version}, {len(course.files)} files.")
    if install and os.name == "posix":
        code = subprocess.call(["./prodlm.sh", "doctor"], cwd=folder)
        if code:
            again = f"To install again: cd {escape(in_shell(folder))} && ./prodlm.sh doctor"
            err.print(f"The folder is there. {again}", soft_wrap=True)
            raise typer.Exit(code)
        activate = in_environment(Path(".venv"))
        begin = f"cd {escape(in_shell(folder))} && {activate} && g2c next"
        out.print(f"Begin with: {begin}", soft_wrap=True)
    else:
        out.print(f"Go on as its README.md says: cd {escape(in_shell(folder))}")


@app.command()
def update(
    folder: Annotated[
        Path | None,
        typer.Argument(
            help="A folder that g2c init made; default: the current course.", show_default=False
        ),
        Store(),
    ] = None,
    wheel: Wheel = None,
    yes: Annotated[bool, typer.Option("--yes", help="Update without asking.")] = False,
    back: Annotated[bool, typer.Option("--back", help="Go back to an older course.")] = False,
) -> None:
    """Update the course in a folder in which you work, after showing what would change.

    Lessons, tests and provided parts are replaced. Your code in an exercise moves into the newer
    file. Nothing of yours is lost: a file of yours that is replaced is copied to `archive/`. If the
    update is interrupted, run it again.

    Example: g2c update course
    """
    from packaging.version import Version

    from g2c.course.folder.course_files import course_in
    from g2c.course.folder.record import read_record
    from g2c.course.folder.update import apply, plan, reader

    root = (folder or course_above(Path.cwd()) or Path()).resolve()
    record, course = read_record(root), course_in(wheel)
    changes = plan(record, course, reader(root))
    if not changes and record.version == course.version:
        out.print(f"{escape(str(root))} has g2c {course.version} already.")
        return
    if Version(course.version) < Version(record.version) and not back:
        raise ValueError(
            f"{root} has g2c {record.version}, and {course.version} is older. Nothing was changed. "
            "With --back it goes back to that one."
        )
    out.print(f"From g2c {record.version} to {course.version} in {escape(str(root))}:")
    _show(changes)
    if not yes:
        if not sys.stdin.isatty():
            raise ValueError("Nothing was changed. With --yes it is done.")
        if not confirm(f"Bring {root} to g2c {course.version}?"):
            raise typer.Abort
    try:
        apply(root, changes, course)
    except BlockingIOError:
        raise ValueError(f"Another update is running in {root}.") from None
    out.print("Done. ./prodlm.sh installs what a newer course needs, the next time that it runs.")


_SAID = {
    "move": "yours is here now, inside the newer one; as it was: {at}",
    "merge": "yours is kept inside the newer one; as it was: {at}",
    "set aside": "replaced; yours is in {at}",
    "conflict": "yours stays; the newer one is in {at}. Put them together by hand",
}


def _show(changes: list[Change]) -> None:
    for change in changes:
        if said := _SAID.get(change.what):
            note = f" {change.note}" if change.note else ""
            line = f"{change.path}: {said.format(at=change.kept_at)}.{note}"
            out.print(f"  {escape(line)}", soft_wrap=True)
    counts = Counter(change.what for change in changes)
    told = [f"{n} to {what}" for what, n in counts.items() if what in ("add", "replace", "remove")]
    if told:
        out.print(f"  Files of the course: {', '.join(told)}.")
