"""Text as others need it."""

from __future__ import annotations

import codecs
import os
import re
import unicodedata
from contextlib import suppress
from pathlib import Path
from typing import Literal

MAX_MARKS = 30
"""Combining marks in a row that count. No language needs more (Unicode Standard Annex #15, section
12.1), and the normal form of a longer run takes quadratic time."""

MAX_HOST = 253
"""The characters of a host's name (RFC 1035); a longer one is nobody's."""

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


_UNSEEN = re.compile(
    r"[\u034f\u115f\u1160\u2800\u3164\uffa0\u180b-\u180f\ufe00-\ufe0f\U000e0100-\U000e01ef]"
)
"""Characters that are not shown and are not format characters: fillers, blanks, selectors."""
_HOST = re.compile(r"(?<=://)[^\s/?#\"\\]+|(?<=[\w.+-]@)[^\s/?#\"\\,;>]+")
_NAME = re.compile(
    r"(?<![\w.-])(?<![^:/\\][/\\])([\w-]+(?:[.\u3002\uff0e\uff61][\w-]+)*"
    r"[.\u3002\uff0e\uff61]([^\W\d_]{2,}))(?![\w-])(/|:\d)?"
)
"""A possible host without `://`, its last part, and a `/` or port, which only follow a host. The
name of a file in a folder is not one."""
_FILE_ENDING = re.compile(
    r"csv|gif|html?|ipynb|jpe?g|jsonl?|log|md|pdf|png|py|svg|toml|txt|xml|ya?ml|zip", re.IGNORECASE
)
_LOOKS_LATIN = (
    *("CYRILLIC", "GREEK", "ARMENIAN", "CHEROKEE", "COPTIC", "LISU"),
    *("LATIN LETTER SMALL CAPITAL", "LATIN SMALL LETTER SCRIPT", "LATIN SMALL LETTER ALPHA"),
)
_LATIN = re.compile(r"[A-Za-z]")
_SLASHES = "\u2044\u2215\u29f8"


def visible(text: str) -> str:
    r"""The text as a person has to see it who decides about it. A character that is invisible, or
    looks like a Latin letter among them, is shown as its escape, and a host as in DNS.

    >>> print(visible("a\u200bb p\u0430y https://b\u0430nk.example/"))
    a\u200bb p\u0430y https://xn--bnk-6cd.example/
    """
    text = _HOST.sub(lambda found: _visible_host(found[0]), text)
    text = _NAME.sub(_visible_name, text)
    text = re.sub(r"\w+", lambda found: _visible_word(found[0]), text)
    text = re.sub(r'[^\s"]+', lambda found: _visible_signs(found[0]), text)
    return "".join(_escape(char) if is_unseen(char) else char for char in text)


def _visible_host(host: str) -> str:
    odd = any(is_unseen(char) or unicodedata.normalize("NFKC", char) != char for char in host)
    if odd:
        return _ascii(host)
    user, at, rest = host.rpartition("@")
    name, colon, port = rest.partition(":")
    return _ascii(user) + at + (name if name.isascii() else ascii_host(name)) + colon + _ascii(port)


def _visible_name(found: re.Match[str]) -> str:
    name, last, follows = found[1], found[2], found[3] or ""
    is_file = not follows and _FILE_ENDING.fullmatch(last)
    begins_a_sentence = not last.isascii() and last[:1].isupper() and not last.isupper()
    is_odd = any(unicodedata.normalize("NFKC", char) != char for char in name)
    is_odd |= any(_visible_word(word) != word for word in re.findall(r"\w+", name))  # shown as such
    if is_file or begins_a_sentence or is_odd or name.isascii():
        return found[0]
    return ascii_host(name) + follows


def _ascii(text: str) -> str:
    return "".join(char if char.isascii() else _escape(char) for char in text)


def _visible_word(word: str) -> str:
    if not _LATIN.search(word):
        return word
    return "".join(
        _escape(char) if unicodedata.name(char, "").startswith(_LOOKS_LATIN) else char
        for char in word
    )


def _visible_signs(word: str) -> str:
    if not _LATIN.search(word):
        return word
    return "".join(_escape(char) if _is_ascii_in_disguise(char) else char for char in word)


def _is_ascii_in_disguise(char: str) -> bool:
    """Whether it is another form of an ASCII character: wide, round, bold, a slash of fractions.
    One that stands higher or lower, as in 10\xb2, is seen to be another."""
    plain = unicodedata.normalize("NFKC", char)
    is_moved = unicodedata.decomposition(char).startswith(("<super>", "<sub>"))
    is_form = plain != char and len(plain) == 1 and plain.isascii() and not is_moved
    return is_form or char in _SLASHES


def is_unseen(char: str) -> bool:
    """Whether nothing of it is seen, or only where what follows goes."""
    if char in "\n\t ":
        return False
    kind = unicodedata.category(char)
    return kind[0] in "CZ" or bool(_UNSEEN.match(char))


def _escape(char: str) -> str:
    return f"\\u{ord(char):04x}" if ord(char) < 0x10000 else f"\\U{ord(char):08x}"


def ascii_host(host: str) -> str:
    """A host's name as DNS has it: small letters, and the punycode of others, as a page's reader
    asks for it (IDNA 2008; what that does not allow is in IDNA 2003's form).

    >>> ascii_host("Stra\u00dfe.example"), ascii_host("b\u0430nk.example")
    ('xn--strae-oqa.example', 'xn--bnk-6cd.example')
    """
    if host.isascii() or len(host) > MAX_HOST:
        return host.lower()
    import httpx  # only for a host that is not in ASCII: it takes long

    with suppress(httpx.InvalidURL):
        return httpx.URL(host=unicodedata.normalize("NFKC", host)).raw_host.decode("ascii")
    try:
        return host.encode("idna").decode("ascii").lower()
    except UnicodeError:  # an empty label, or one that is too long
        return host.lower()


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
