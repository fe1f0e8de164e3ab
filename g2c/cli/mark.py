"""The command with which people mark written answers: mark."""

from __future__ import annotations

import getpass
import sys
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Group, RenderableType
from rich.markup import escape
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from g2c.cli.console import count, err, out
from g2c.cli.places import GRADES, Input

if TYPE_CHECKING:
    from g2c.classroom.answers.desk import Desk
    from g2c.classroom.answers.marking import HandIn, Question, Sheet
    from g2c.classroom.answers.store import MarkStore

app = typer.Typer()

WIDE = 110
"""From this many columns on, the rubric is shown beside the answer instead of above it."""

KEYS = "0 1 2 marks   c comment   r an earlier comment   s skip   b back   q end"


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
    page: Annotated[bool, typer.Option("--page", help="Mark on a page in the browser.")] = False,
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

    You see each answer without a name, beside the rubric. Each mark is stored at once; run the
    command again to go on. Several people may mark at the same time, each on a different question.

    Example: g2c class mark submissions --out grades --module 19

    Example: g2c class mark submissions --out grades --module 19 --page
    """
    from g2c.classroom.answers.desk import Desk
    from g2c.classroom.answers.hand_ins import questions_of, read_hand_ins, rubric_of, with_limits
    from g2c.classroom.answers.store import MarkStore
    from g2c.classroom.batch import seed_of, submissions_in
    from g2c.classroom.confinement import choose
    from g2c.classroom.sandbox import Conditions

    questions = questions_of(module)
    asked = [item for item in questions if question in (None, item.number)]
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
            if page:
                _mark_on_a_page(desk, scale)
            else:
                mark_at_terminal(desk, _key, lambda: input("> "))
    _tell_totals(store, questions, hand_ins)


def _tell_totals(store: MarkStore, questions: list[Question], hand_ins: list[HandIn]) -> None:
    from g2c.classroom.answers.marking import marked_by_another
    from g2c.classroom.answers.store import TOTALS

    left = store.write_totals(questions, hand_ins)
    could_not = [item for item in hand_ins if item.why]
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
    for item in could_not:
        out.print(f"[red]not read: {escape(item.name)}[/]: {escape(item.why)}", soft_wrap=True)
    for item in hand_ins:
        if item.beside:
            out.print(
                f"[red]nothing written: {escape(item.name)}[/]: {escape(item.beside)}",
                soft_wrap=True,
            )


def _mark_on_a_page(desk: Desk, scale: str) -> None:
    from g2c.classroom.answers.page import Marking, serve

    desk.open_next()
    marking = Marking(desk, scale)
    with serve(marking) as address:
        out.print(f"Open {address}", soft_wrap=True)
        out.print("[dim]The address is secret. End on the page, or Ctrl-C, ends it.[/]")
        try:
            while not marking.ended.wait(1):  # without a limit, Windows ignores Ctrl-C
                pass
        except KeyboardInterrupt:
            out.print("The marks are kept.")


def _key() -> str:
    """The next key; without a terminal, the first letter of the next line. "q" at the end."""
    try:
        return typer.getchar() if sys.stdin.isatty() else (input()[:1] or " ")
    except EOFError:
        return "q"


def mark_at_terminal(desk: Desk, key: Callable[[], str], line: Callable[[], str]) -> None:
    """Mark question after question, until a key ends it or nothing is left."""
    while sheet := desk.open_next():
        later = f"; {count(desk.later, 'question')} after it" if desk.later else ""
        out.rule(f"[bold]Question {sheet.question.number}[/]{later}")
        if not _mark_a_question(desk, key, line):
            return
    if desk.with_others:
        others = ", ".join(map(str, desk.with_others))
        out.print(f"No question is left for you; others hold {others}.")


def _mark_a_question(desk: Desk, key: Callable[[], str], line: Callable[[], str]) -> bool:
    """Ask whether to go on to the next question."""
    shown, comment = -1, ""
    while sheet := desk.sheet:
        if sheet.at != shown:
            shown, comment = sheet.at, desk.comment()
            out.print(_view(sheet, comment))
            out.print(f"[dim]{KEYS}[/]" if sheet.shown else _end_words(sheet))
        pressed = key().casefold()
        if pressed in ("q", "\x03", "\x04"):
            return False
        if pressed == "b":
            desk.back()
        elif not sheet.shown:
            return True
        elif pressed in ("0", "1", "2"):
            desk.mark(sheet.shown.id, int(pressed), comment)
            out.print(f"[green]{pressed}[/] {escape(comment)}".rstrip())
        elif pressed == "s":
            desk.skip()
        elif pressed in ("c", "r"):
            comment = _comment(desk, line, earlier=pressed == "r", before=comment)
        else:
            out.print(f"[dim]{KEYS}[/]")
    return False


def _comment(desk: Desk, line: Callable[[], str], *, earlier: bool, before: str) -> str:
    """A comment that is typed, or chosen by its number; it is stored with the next mark."""
    from g2c.classroom.answers.marking import clean_comment

    if not earlier:
        out.print("Comment, kept with the mark; empty for none:")
        comment = clean_comment(_line(line))
    else:
        known = desk.comments()
        for number, one in enumerate(known, 1):
            out.print(Text(f"{number:3} {one}"), soft_wrap=True)
        if not known:
            out.print("There is no earlier comment on this question.")
            return before
        typed = _line(line).strip()
        is_one = typed.isascii() and typed.isdecimal() and 1 <= int(typed[:6]) <= len(known)
        comment = known[int(typed) - 1] if is_one else before
    out.print(Text(f"Comment: {comment}" if comment else "No comment."), soft_wrap=True)
    return comment


def _line(line: Callable[[], str]) -> str:
    try:
        return line()
    except EOFError:
        return ""


def _view(sheet: Sheet, comment: str) -> RenderableType:
    """The answer and the rubric's row. A student's text is never markup."""
    from rich.markdown import Markdown

    from g2c.classroom.answers.marking import place_of

    if not (answer := sheet.shown):
        return Text()
    about = f"{place_of(sheet)}" + (f" Comment: {comment}" if comment else "")
    rubric = Panel(Markdown(sheet.question.expects), title=Text(sheet.question.title))
    own = Panel(Text(answer.text), title="answer", border_style="cyan")
    if out.width < WIDE:
        return Group(rubric, own, Text(about))
    beside = Table.grid(expand=True)
    beside.add_column(ratio=1)
    beside.add_column(ratio=1)
    beside.add_row(own, rubric)
    return Group(beside, Text(about))


def _end_words(sheet: Sheet) -> str:
    left = f"{count(sheet.left, 'answer')} without a mark." if sheet.left else "All have marks."
    return f"{left} b goes back, q ends, any other key goes to the next question."
