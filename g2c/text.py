"""Text as others need it."""

import codecs
import os
import re
import unicodedata
from pathlib import Path
from typing import Literal

MAX_MARKS = 30
"""Combining marks in a row that count. No language needs more (Unicode Standard Annex #15, section
12.1), and the normal form of a longer run takes quadratic time."""

_CONTROLS = re.compile(
    r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff"
    r"\U000e0000-\U000e007f]"
)
"""Characters that steer a terminal (C0 and C1, without tab and newline), that turn the direction
of the text, that UTF-8 cannot hold, and that a model reads and nobody sees (tags)."""


def printable(text: str) -> str:
    r"""The text without characters that steer a terminal, and without halves of surrogate pairs.

    >>> printable("\x1b[31mred\x1b[0m\r\n\tend\U000e0041")
    '[31mred[0m\n\tend'
    """
    return _CONTROLS.sub("", text)


def reason_of(error: BaseException) -> str:
    """The message of an error for a person, without the number that the system's errors begin with.

    >>> reason_of(OSError(28, "No space left on device", "a.toml")), reason_of(ValueError("No."))
    ('a.toml: No space left on device.', 'No.')
    >>> reason_of(OSError(21, "Is a directory", "a.toml"))
    'a.toml is a folder, and a file is needed there. Move it away, or name another place.'
    """
    if isinstance(error, OSError) and (way := _in_the_way(error)):
        return f"{way}. Move it away, or name another place."
    is_of_system = isinstance(error, OSError) and error.strerror
    return f"{short_reason(error)}." if is_of_system else short_reason(error)


def _in_the_way(error: OSError) -> str:
    """Which folder stands in a file's place, or which file in a folder's; empty if none does."""
    if isinstance(error, IsADirectoryError) and error.filename:
        return f"{error.filename} is a folder, and a file is needed there"
    if isinstance(error, NotADirectoryError | FileExistsError) and error.filename:
        path = Path(os.fsdecode(error.filename))
        for place in (path, *path.parents):
            if os.path.lexists(place):
                is_folder = place.is_dir()
                return "" if is_folder else f"{place} is not a folder, and one is needed there"
    return ""


_NUMBER = re.compile(r"^\[(?:Errno|WinError) -?\d+\] ")
"""How the text of a library's error begins that has the system's error in it."""


def short_reason(error: BaseException) -> str:
    """As `reason_of`, for the middle of a sentence. An error without a text has its type's name.

    >>> short_reason(OSError(21, "Is a directory", "a.toml")), short_reason(ValueError("No."))
    ('a.toml: Is a directory', 'No.')
    """
    if isinstance(error, OSError) and error.strerror:
        return f"{error.filename}: {error.strerror}" if error.filename else error.strerror
    try:
        text = str(error)
    except Exception:  # of a person's own
        text = ""
    return _NUMBER.sub("", text) or type(error).__name__


def named_reason(error: BaseException) -> str:
    """An error of unknown origin, with its type.

    >>> named_reason(KeyError("a")), named_reason(OSError(21, "Is a directory", "a.toml"))
    ("KeyError: 'a'", 'IsADirectoryError: a.toml: Is a directory')
    """
    name, reason = type(error).__name__, short_reason(error)
    return name if reason == name else f"{name}: {reason}"


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


def as_utf8(data: bytes) -> bytes:
    """The bytes of a text file in UTF-8, with its byte order mark. Windows' own programs write
    UTF-16."""
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return codecs.BOM_UTF8 + data.decode("utf-16", "replace").encode("utf-8", "replace")
    return data


def one_line(text: str) -> str:
    r"""`text` on one line: every run of white space in it is one space.

    >>> one_line(" Buy milk.\n\n  And tea. ")
    'Buy milk. And tea.'
    """
    return " ".join(text.split())


def within(text: str, most: int) -> str:
    """`text` on one line of at most `most` characters. Instead of its end, a longer one has a
    digest of the whole, so that no two texts become one name.

    >>> within("What is 2 + 2?", 20), within("What is 2 + 2, and what is 3 + 3?", 20)
    ('What is 2 + 2?', 'What is 2 +-c8c3cbec')
    """
    text = one_line(text)
    if len(text) <= most:
        return text
    import hashlib

    digest = hashlib.sha256(text.encode("utf-8", "backslashreplace")).hexdigest()[:8]
    return f"{text[: most - 9]}-{digest}"


def common_start(one: str, other: str) -> int:
    """How many letters both begin with.

    >>> common_start("alike", "alive")
    3
    """
    pairs = enumerate(zip(one, other, strict=False))
    return next((i for i, (a, b) in pairs if a != b), min(len(one), len(other)))


def fold(text: str) -> str:
    r"""`text` without differences of case and of equivalent letters (NFC, then case-folding). Texts
    that look different to a reader stay different.

    The time is linear. In a run of more than `MAX_MARKS` combining marks the rest is dropped.

    >>> fold("CAFE\u0301") == fold("caf\xe9"), fold("10\xb2") == fold("102")
    (True, False)
    """
    return _folded("NFC", text)


def search_fold(text: str) -> str:
    r"""`text` as `fold` has it, also without differences of width, position and font (NFKC): what a
    search finds, and what is never taken for the same.

    >>> search_fold("\uff21da") == search_fold("ADA") == "ada"
    True
    """
    return _folded("NFKC", text)


def _folded(form: Literal["NFC", "NFKC"], text: str) -> str:
    if text.isascii():
        return text.casefold()
    kept, marks = [], 0
    for char in text:
        marks = marks + 1 if unicodedata.combining(char) else 0
        if marks <= MAX_MARKS:
            kept.append(char)
    return unicodedata.normalize(form, "".join(kept)).casefold()
