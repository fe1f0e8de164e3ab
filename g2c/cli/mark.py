"""The command with which people mark written answers: mark."""

from __future__ import annotations

import getpass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.markup import escape

from g2c.cli.console import count, err, out
from g2c.cli.places import GRADES, Input

if TYPE_CHECKING:
    from g2c.classroom.answers.desk import Desk
    from g2c.classroom.answers.marking import HandIn, Question
    from g2c.classroom.answers.store import MarkStore

app = typer.Typer()


@app.command("mark")
def mark(
    submissions: Annotated[
        Path,
        typer.Argument(
            metavar="SUBMISSIONS", help="A folder with a folder or a zip for each student."
        ),
        Input(),
    ],
    grades: Annotated[
        Path,
        typer.Option(
            "--out", metavar="GRADES", help="The folder that g2c class grade --out writes."
        ),
        GRADES,
    ],
    module: Annotated[str, typer.Option(metavar="N", help="The module to mark, such as 19.")],
    question: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            help="Mark only this question, even if all its answers have marks.",
            show_default=False,
        ),
    ] = None,
    totals: Annotated[
        bool, typer.Option("--totals", help="Mark nothing; only write the points to answers.json.")
    ] = False,
    grader: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="The name of the person who marks; default: your name on this computer.",
            show_default=False,
        ),
    ] = None,
    seed: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            help="The seed for the order of the students in each question; default: the seed of "
            "the grades.",
            show_default=False,
        ),
    ] = None,
) -> None:
    """For an instructor: mark the written answers of a class, one question at a time.

    A page in the browser shows each answer without a name, beside the rubric. Each mark is stored
    at once; run the command again to go on. Several people may mark at the same time, each on a
    different question.

    Example: g2c class mark submissions --out grades --module 19
    """
    from g2c.classroom.answers.desk import Desk
    from g2c.classroom.answers.hand_ins import questions_of, read_hand_ins, rubric_of, with_limits
    from g2c.classroom.answers.store import MarkStore
    from g2c.classroom.batch import seed_of, submissions_in
    from g2c.classroom.confinement import choose
    from g2c.classroom.sandbox import Conditions

    questions = questions_of(module)
    asked = [candidate for candidate in questions if question in (None, candidate.number)]
    if not asked:
        raise ValueError(f"Module {module} has questions 1 to {len(questions)}.")
    with err.status("reading the answers"):
        read = with_limits(Conditions(sandbox=choose("auto").kind))
        hand_ins = list(read_hand_ins(submissions_in(submissions, grades), module, read))
    store = MarkStore(grades)
    if not totals:
        grader, scale = grader or getpass.getuser(), rubric_of(module).scale
        desk = Desk(
            store,
            asked,
            hand_ins,
            seed=seed if seed is not None else seed_of(grades) or 1,
            grader=grader,
            clock=lambda: datetime.now(UTC),
            again=question is not None,
        )
        with desk:
            _mark_on_a_page(desk, scale)
    _tell_totals(store, questions, hand_ins)


def _tell_totals(store: MarkStore, questions: list[Question], hand_ins: list[HandIn]) -> None:
    from g2c.classroom.answers.marking import marked_by_another
    from g2c.classroom.answers.store import TOTALS

    left = store.write_totals(questions, hand_ins)
    could_not = [hand_in for hand_in in hand_ins if hand_in.why]
    done = len(hand_ins) - len(could_not) - left
    out.print(
        f"{done} of {count(len(hand_ins), 'student')} have points, in "
        f"{escape(str(store.grades / TOTALS))}",
        soft_wrap=True,
    )
    if left:
        out.print(f"Students who lack a mark: {left}. The same command goes on where you are.")
    if numbers := marked_by_another(questions, hand_ins, store.marks()):
        out.print(
            "The rubric has changed since marks were given, question "
            f"{', '.join(map(str, numbers))}: --question NUMBER shows them again.",
            soft_wrap=True,
        )
    for hand_in in could_not:
        out.print(
            f"[red]not read: {escape(hand_in.name)}[/]: {escape(hand_in.why)}", soft_wrap=True
        )
    for hand_in in hand_ins:
        if hand_in.beside:
            out.print(
                f"[red]nothing written: {escape(hand_in.name)}[/]: {escape(hand_in.beside)}",
                soft_wrap=True,
            )


def _mark_on_a_page(desk: Desk, scale: str) -> None:
    from g2c.classroom.answers.page import Marking, serve

    if not desk.open_next():
        others = f"; others hold {', '.join(map(str, desk.with_others))}" * bool(desk.with_others)
        out.print(f"No question is left for you{others}.")
        return
    marking = Marking(desk, scale)
    with serve(marking) as address:
        out.print(f"Open {address}", soft_wrap=True)
        out.print("[dim]The address is secret. End on the page, or Ctrl-C, ends it.[/]")
        try:
            while not marking.ended.wait(1):  # without a limit, Windows ignores Ctrl-C
                pass
        except KeyboardInterrupt:
            out.print("The marks are kept.")
