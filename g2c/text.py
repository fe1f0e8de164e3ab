"""Text as others need it."""

from __future__ import annotations

import re
import unicodedata

MAX_MARKS = 30
"""Combining marks in a row that count. No language needs more (Unicode Standard Annex #15, section
12.1), and the normal form of a longer run takes quadratic time."""

_CONTROLS = re.compile(
    r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff"
    r"\U000e0000-\U000e007f]"
)
"""What can steer a terminal (C0 and C1, without tab and newline), what turns the direction of the
text that follows, what UTF-8 cannot hold, and letters that a model reads and nobody sees (tags)."""


def printable(text: str) -> str:
    r"""The text without characters that steer a terminal, and without halves of surrogate pairs.

    >>> printable("\x1b[31mred\x1b[0m\r\n\tend\U000e0041")
    '[31mred[0m\n\tend'
    """
    return _CONTROLS.sub("", text)


_CITATION = re.compile(r"\([\w-]+\.(?:md|jsonl):[1-9][0-9]*\)")


def without_citations(text: str) -> str:
    r"""`text` without the places, such as `(house.md:9)`, and the spaces at its lines' ends.

    They are what recall writes after each thing that it found. A model copies them into its answer,
    and the answer is found by the next recall. The time is linear.

    >>> without_citations("It is (very) green. (house.md:9) (2026-04-21.jsonl:12)\nAnd cold.")
    'It is (very) green.\nAnd cold.'
    """
    return "\n".join(line[: _end_of_words(line)] for line in text.split("\n"))


def _end_of_words(line: str) -> int:
    end = len(line.rstrip())
    while (start := line.rfind("(", 0, end)) >= 0 and _CITATION.fullmatch(line, start, end):
        end = start
        while end and line[end - 1].isspace():
            end -= 1
    return end


def one_line(text: str) -> str:
    r"""`text` on one line: every run of white space in it is one space.

    >>> one_line(" Buy milk.\n\n  And tea. ")
    'Buy milk. And tea.'
    """
    return " ".join(text.split())


def common_start(one: str, other: str) -> int:
    """How many letters both begin with.

    >>> common_start("alike", "alive")
    3
    """
    pairs = enumerate(zip(one, other, strict=False))
    return next((i for i, (a, b) in pairs if a != b), min(len(one), len(other)))


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
