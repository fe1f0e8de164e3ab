"""The output of the subcommands: the screen, and lines beside an answer."""

import signal
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any

from rich.console import Console, ConsoleOptions, RenderableType
from rich.markup import escape
from rich.segment import Segment
from rich.text import Text

from g2c.text import printable


class CleanConsole(Console):
    """The only way to the terminal. No text, from a model, a tool or a file, can send control
    codes; only rich's own colours pass."""

    def __init__(self, **options: Any) -> None:
        # Our texts use no emoji codes, and in others' texts ":ab:" must not become a picture.
        super().__init__(highlight=False, emoji=False, **options)

    def render(
        self, renderable: RenderableType, options: ConsoleOptions | None = None
    ) -> Iterable[Segment]:
        for piece in super().render(renderable, options):
            yield piece if piece.control else piece._replace(text=printable(piece.text))


out = CleanConsole()


err = CleanConsole(stderr=True)


def say(text: str, console: Console = out) -> None:
    """Print prose. A terminal gets lines that end between words; a program, lines as they are."""
    console.print(text, soft_wrap=not console.is_terminal)


@contextmanager
def time_limit(seconds: float, sentence: str) -> Iterator[None]:
    """End the `with` after `seconds`, also inside a regular expression. Windows has no such limit.

    Raises:
        ValueError: it took longer; the message is `sentence`.
    """
    if not hasattr(signal, "SIGALRM"):
        yield
        return

    def stop(number: int, frame: FrameType | None) -> None:
        raise ValueError(sentence)

    before = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def tell_aside(sentence: str) -> None:
    """Print a sentence beside the output, for a person."""
    err.print(f"[dim]{escape(sentence)}[/]", soft_wrap=True)


def count(number: int, what: str) -> str:
    """
    >>> count(1, "step"), count(2, "step")
    ('1 step', '2 steps')
    """
    return f"{number} {what}" if number == 1 else f"{number} {what}s"


def show(name: str, text: str, style: str) -> None:
    """Print `text` beside its name, line by line."""
    lines = text.strip().splitlines() or [""]
    for label, line in zip([name, *[""] * len(lines)], lines, strict=False):
        # Not as markup: `escape` doubles a backslash at the end.
        out.print(Text.assemble((f"{label:13}", style), f" {line}"), soft_wrap=True)


def show_diff(diff: str) -> None:
    """Print a unified diff as a person has to see it who decides about it: with what is invisible,
    or looks like something else."""
    from rich.syntax import Syntax

    from g2c.visible import visible

    out.print(Syntax(visible(diff), "diff", background_color="default", word_wrap=True))
