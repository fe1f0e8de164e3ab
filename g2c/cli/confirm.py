"""Questions to a person at the terminal.

A yes is the whole word, and what was typed before the question was shown does not count. So a key
that somebody leans on, or the rest of a pasted text, permits nothing.
"""

import sys
from collections.abc import Mapping
from typing import TypeVar

import typer
from rich.console import Console
from rich.markup import escape

from g2c.cli.console import out

A = TypeVar("A")

MAX_TRIES = 5
"""So many lines that are not an answer, such as from `yes`, end the command."""
YES_OR_NO: Mapping[str, bool] = {"yes": True, "no": False, "n": False, "": False}


def answer_to(question: str, answers: Mapping[str, A], console: Console = out) -> A:
    """The value in `answers` of the word that a person types after `question`.

    Raises:
        typer.Abort: no line is left, or none of `MAX_TRIES` lines is an answer.
    """
    *words, last = [word for word in answers if len(word) > 1]
    console.print(f"{escape(question)} [dim]({', '.join(words)} or {last})[/]", soft_wrap=True)
    _forget_typed()
    for _ in range(MAX_TRIES):
        console.print("> ", end="")
        try:
            said = input().strip().casefold()
        except EOFError:
            break
        if said in answers:
            return answers[said]
        console.print(f"Type {', '.join(words)} or {last}, the whole word.")
    raise typer.Abort


def confirm(question: str, console: Console = out) -> bool:
    """Whether a person says yes. An empty line is a no. Raises as `answer_to`."""
    return answer_to(question, YES_OR_NO, console)


def _forget_typed() -> None:
    """Drop text that was typed or pasted before the question was shown."""
    if not sys.stdin.isatty():
        return
    try:
        import termios
    except ImportError:  # Windows
        import msvcrt

        while msvcrt.kbhit():  # type: ignore[attr-defined]
            msvcrt.getwch()  # type: ignore[attr-defined]
    else:
        termios.tcflush(sys.stdin, termios.TCIFLUSH)
