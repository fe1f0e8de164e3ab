"""Text as others need it."""

from __future__ import annotations

import re
import unicodedata

MAX_MARKS = 30
"""Combining marks in a row that count. No language needs more (Unicode Standard Annex #15, section
12.1), and the normal form of a longer run takes quadratic time."""

_CONTROLS = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff]")
"""What can steer a terminal (C0 and C1, without tab and newline), and what UTF-8 cannot hold."""


def printable(text: str) -> str:
    r"""The text without characters that steer a terminal, and without halves of surrogate pairs.

    >>> printable("\x1b[31mred\x1b[0m\r\n\tend")
    '[31mred[0m\n\tend'
    """
    return _CONTROLS.sub("", text)


def one_line(text: str) -> str:
    r"""`text` on one line: every run of white space in it is one space.

    >>> one_line(" Buy milk.\n\n  And tea. ")
    'Buy milk. And tea.'
    """
    return " ".join(text.split())


def fold(text: str) -> str:
    r"""`text` without differences of case and of equivalent letters (NFKC, then case-folding).

    The time is linear. In a run of more than `MAX_MARKS` combining marks the rest is dropped.

    >>> fold("\uff21da") == fold("ADA") == "ada"
    True
    """
    if text.isascii():
        return text.casefold()
    kept, marks = [], 0
    for char in text:
        marks = marks + 1 if unicodedata.combining(char) else 0
        if marks <= MAX_MARKS:
            kept.append(char)
    return unicodedata.normalize("NFKC", "".join(kept)).casefold()
