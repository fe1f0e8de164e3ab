"""The command that grades a student's folder, for an instructor: grade."""

from __future__ import annotations

import os
import secrets
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.markup import escape
from rich.table import Table

from g2c.cli.console import err, out
from g2c.cli.places import GRADES, Input, OutputFile, begins_with
from g2c.json_files import replace_json

if TYPE_CHECKING:
    from g2c.classroom.grader import Grade
    from g2c.classroom.sandbox import Conditions

app = typer.Typer()


def _is_graded(name: str) -> bool:
    """Whether the grader would read a file of that name in SUBMISSION."""
    from g2c.course.submission_names import own_names

    return name.endswith(".zip") or bool(own_names([name]))


@app.command("grade")
def grade_submissions(
    tree: Annotated[
        Path,
        typer.Argument(
            metavar="[SUBMISSION]",
            help="A student's course, as a folder or a zip; with --out, a folder with one for "
            "each student.",
            show_default=False,
        ),
        Input(reads=_is_graded),
    ] = Path(),
    to_json: Annotated[
        Path | None,
        typer.Option(
            "--json",
            metavar="FILE",
            help="The file for the result of one submission.",
            show_default=False,
        ),
        OutputFile((b'{\n "format": ',)),
    ] = None,
    to_folder: Annotated[
        Path | None,
        typer.Option(
            "--out",
            metavar="FOLDER",
            help="Grade a class: the folder for the results. Submissions that have a result "
            "there are not graded again.",
            show_default=False,
        ),
        GRADES,
    ] = None,
    workers: Annotated[
        int | None,
        typer.Option(
            min=1,
            metavar="N",
            help="How many submissions to grade at the same time; default: one for each core.",
            show_default=False,
        ),
    ] = None,
    scheduler: Annotated[
        str | None,
        typer.Option(
            metavar="ADDRESS",
            help="Grade a class on the Dask cluster with this scheduler; default: on this machine.",
            show_default=False,
        ),
    ] = None,
    again: Annotated[
        list[str] | None,
        typer.Option(
            "--again",
            metavar="NAME",
            help="Grade only this submission of a class again; may be repeated. The old result "
            "is copied to FOLDER/old, and the changes are shown.",
            show_default=False,
        ),
    ] = None,
    module: Annotated[
        str | None,
        typer.Option(metavar="N", help="Grade only this module, such as 19; default: all modules."),
    ] = None,
    gradescope: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Also write a results.json for Gradescope to this file."),
        OutputFile((b'{\n "score": ', b'{"score": ')),
    ] = None,
    time_limit: Annotated[
        float,
        typer.Option(min=1, metavar="S", help="The time limit for each exercise, in seconds."),
    ] = 60,
    memory_mb: Annotated[
        int,
        typer.Option(
            "--memory-mb",
            min=256,
            metavar="N",
            help="The memory limit for each process, in mebibytes.",
        ),
    ] = 1024,
    sandbox: Annotated[
        str,
        typer.Option(
            metavar="KIND",
            help="The sandbox for a student's code: bwrap, container or none. auto is the first "
            "of these that works.",
        ),
    ] = "auto",
    seed: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            help="The seed of the tasks for exercises with a goal. Use the same one for a class; "
            "default: the seed of the results in --out, or a random one.",
            show_default=False,
        ),
    ] = None,
    model: Annotated[
        bool,
        typer.Option(
            help="Run the small model where an exercise is measured on it; it takes a minute or "
            "two for each student."
        ),
    ] = True,
) -> None:
    """For an instructor: grade a student's course, or a class, against the tests of this one.

    Run the command from a checkout of your own. It runs the student's code; docs/instructor.md
    explains what the limits do not protect you from. The exit code is 0 if grading worked, whatever
    the score.

    Example: g2c class grade ../submissions/ada --module 19 --json ada.json

    Example: g2c class grade ../submissions --module 19 --out grades

    Example: g2c class grade ../submissions --module 19 --out grades --again ada --again bob
    """
    from g2c.classroom.batch import seed_of
    from g2c.classroom.confinement import COURSE, choose
    from g2c.classroom.grader import grade_tree, prepare
    from g2c.classroom.reports import to_gradescope
    from g2c.classroom.reports import to_json as as_data
    from g2c.classroom.sandbox import Conditions
    from g2c.course.submission import as_tree

    if (to_json is None) == (to_folder is None):
        raise ValueError("Say --json FILE for one submission, or --out FOLDER for a class.")
    if again and not to_folder:
        raise ValueError("--again is for a class: name the folder of its results with --out.")
    if os.path.realpath(tree) == str(COURSE):
        err.print("[dim]This course grades itself: its tests are taken as they stand here.[/]")
    if seed is None:
        seed = (seed_of(to_folder) if to_folder else None) or 1 + secrets.randbelow(10**6)
    chosen = choose(sandbox)
    if chosen.warning:
        err.print(f"[bold white on red] WARNING [/] {escape(chosen.warning)}", soft_wrap=True)
    conditions = Conditions(time_limit, memory_mb, seed, chosen.kind)
    if to_folder:
        _grade_class(tree, to_folder, conditions, module, model, workers, scheduler, again or [])
        return
    with err.status("grading") as status, as_tree(tree) as folder:
        graded = grade_tree(folder, prepare(conditions, module, model=model), status.update)
    _show(graded)
    if to_json:
        replace_json(to_json, as_data(graded), indent=1)
    if gradescope:
        replace_json(gradescope, to_gradescope(graded), indent=1)


def _grade_class(
    folder: Path,
    to: Path,
    conditions: Conditions,
    module: str | None,
    model: bool,
    workers: int | None,
    scheduler: str | None,
    again: list[str],
) -> None:
    from g2c.classroom import batch, regrade
    from g2c.classroom.cluster import on_cluster
    from g2c.classroom.grader import prepare
    from g2c.course.bounded import printable
    from g2c.text import one_line

    grader = (
        on_cluster(scheduler)
        if scheduler
        else batch.on_this_machine(workers or os.cpu_count() or 1)
    )
    submissions = batch.submissions_in(folder, to)
    if again:
        submissions = batch.named(submissions, again)
    for submission in submissions:
        if not begins_with(file := batch.result_file(submission, to), b'{\n "name": '):
            raise ValueError(f"{file} exists, and g2c did not make it. Name another folder.")
    with err.status("running the tests on the reference") as status:
        task = prepare(conditions, module, model=model)
        before = batch.settings_of(to)
        batch.keep_settings(to, task, anew=bool(again))
        if before and before != batch.settings_of(to):
            err.print(
                "[yellow]The settings have changed; g2c class gradebook lists the older results.[/]"
            )
        left = submissions if again else batch.left_to_grade(submissions, to)
        files = {submission: batch.result_file(submission, to) for submission in left}
        kept = {
            one: regrade.archive_result(file, datetime.now(UTC))
            for one, file in files.items()
            if again
        }
        status.update(f"grading {len(left)} submissions")
        with closing(batch.grade_all(left, task, to, grader)) as done:
            for one, words in batch.with_pace(done, len(left)):
                status.update(words)
                err.print(f"[dim]{escape(one_line(printable(one.name)))}: {words}[/]")
                if old := kept.get(one):
                    _show_change(one_line(printable(one.name)), old, files[one])
    missing = batch.left_to_grade(submissions, to)
    for name, file in batch.withdrawn(folder, to).items():
        old = regrade.archive_result(file, datetime.now(UTC))
        file.unlink()
        words = f"no longer in {folder}: {one_line(printable(name))}; its result is now {old}"
        out.print(f"[dim]{escape(words)}[/]", soft_wrap=True)
    if passed_over := [path.name for path in folder.iterdir() if batch.is_system_file(path)]:
        names = escape(printable(", ".join(sorted(passed_over))))
        out.print(f"[dim]skipped, because a system put it there: {names}[/]", soft_wrap=True)
    out.print(
        f"{len(submissions) - len(missing)} of {len(submissions)} graded, in {escape(str(to))}"
    )
    for submission in missing:
        why = escape(batch.why_not_graded(submission, to))
        out.print(
            f"[red]not graded: {escape(one_line(printable(submission.name)))}[/]: {why}",
            soft_wrap=True,
        )
    if missing:
        raise typer.Exit(1)


def _show_change(name: str, old: Path, new: Path) -> None:
    from g2c.classroom.regrade import in_words
    from g2c.json_files import read_object

    before, after = read_object(old), read_object(new)
    out.print(
        f"{escape(name)}: {in_words(before, after)}; before: {escape(str(old))}", soft_wrap=True
    )


def _show(grade: Grade) -> None:
    from g2c.classroom.reports import answers_in_words, writeup_in_words

    table = Table(box=None, pad_edge=False, header_style="dim")
    for title in ("exercise", "tests", "points", "standing"):
        table.add_column(title, justify="right" if title in ("tests", "points") else "left")
    for exercise in grade.exercises:
        style = "green" if exercise.status == "passing" else "yellow"
        table.add_row(
            f"{exercise.id} {escape(exercise.title)}",
            f"{exercise.passed}/{exercise.tests}",
            f"{exercise.score:g}" if exercise.is_measured else "-",
            f"[{style}]{exercise.status}[/]",
        )
    out.print(table)
    for exercise in grade.exercises:
        for reason in exercise.look:
            out.print(f"{exercise.id}: [red]needs review[/]: {escape(reason)}", soft_wrap=True)
        if exercise.uses:
            uses = escape("; ".join(exercise.uses))
            out.print(f"{exercise.id}: a person looks at {uses}", soft_wrap=True)
        if exercise.says:
            out.print(f"{exercise.id}: {escape(exercise.says)}", soft_wrap=True)
    together = grade.together
    out.print(f"\n[bold]{grade.score:g} of {grade.max_score} points[/]")
    out.print(f"sandbox: {grade.sandbox}")
    out.print(f"together: {together.n_passed} of {len(together.collected)} tests pass")
    out.print(f"write-up: {escape(writeup_in_words(grade))}", soft_wrap=True)
    for answers in grade.answers:
        words = f"written answers of module {answers.module}: {answers_in_words(answers)}"
        out.print(f"{escape(words)} Rubric: {answers.rubric}", soft_wrap=True)
