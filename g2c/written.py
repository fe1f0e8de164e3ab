"""Reads a person's files, whichever editor saved them.

The course reads UTF-8, with or without a byte order mark, and so does Python. Editors and shells
also save as UTF-16 or in an older alphabet. A person's file is read here, wherever the course reads
one. So what is said is the same: which file it is, what is wrong, and what to do.
"""

import codecs
import io
import re
import tokenize
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from g2c.files import read_bytes

REMEDY = "Save it as UTF-8: most editors ask for the encoding in Save As."

_DEEPEST = 50
"""How deep the values of a TOML file may be in one another."""

_PART = r"(?:[\w-]+|\"[^\"\n]*\"|'[^'\n]*')[ \t]*"
_DEEP_KEY = re.compile(rf"(?:^|[\[{{,])[ \t]*(?:{_PART}\.[ \t]*){{{_DEEPEST}}}", re.MULTILINE)
"""The time that a dotted key takes `tomllib` grows with the square of its parts."""

_MARKS = (  # that of UTF-32 begins as that of UTF-16
    (codecs.BOM_UTF32_LE, "UTF-32"),
    (codecs.BOM_UTF32_BE, "UTF-32"),
    (codecs.BOM_UTF16_LE, "UTF-16"),
    (codecs.BOM_UTF16_BE, "UTF-16"),
)


@dataclass(frozen=True)
class Written:
    """A file's text, with its line ends as they are. `trouble` says why the course cannot use the
    file as it is; then the text is what the file most probably says. `encoding` is what it is to be
    written in."""

    text: str
    encoding: str = "utf-8"
    trouble: str = ""

    def encoded(self, text: str) -> bytes:
        """Another text for the same file. Characters outside its encoding become `\\u2026`."""
        return text.encode(self.encoding, "backslashreplace")


def written(data: bytes) -> Written:
    """Decode the bytes of a file.

    >>> written("né".encode("latin-1"))
    Written(text='né', encoding='utf-8', trouble='is not UTF-8 text: see line 1')
    """
    for mark, name in _MARKS:
        if data.startswith(mark):
            return Written(data.decode(name, "replace"), trouble=f"is not UTF-8 text: it is {name}")
    if b"\0" in data:
        trouble = "is not UTF-8 text: it holds zero bytes"
        # UTF-16 without its mark has a zero beside each Latin letter. A crash leaves some anywhere.
        even, odd = (data[side::2].count(0) for side in (0, 1))
        if max(even, odd) > len(data) // 4 > 2 * min(even, odd):
            text = data.decode("utf-16-le" if odd > even else "utf-16-be", "replace")
        else:
            text = written(data.replace(b"\0", b"")).text
        return Written(text, trouble=trouble)
    has_mark = data.startswith(codecs.BOM_UTF8)
    try:
        return Written(data.decode("utf-8-sig"), "utf-8-sig" if has_mark else "utf-8")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        trouble = f"is not UTF-8 text: see line {line}"
    try:
        return Written(data.decode("cp1252"), trouble=trouble)
    except UnicodeDecodeError:
        return Written(data.decode("latin-1"), trouble=trouble)


def code_written(data: bytes) -> Written:
    """As `written`, for a file of Python, which may name another encoding in its first lines."""
    found = written(data)
    if b"\0" not in data:
        try:
            encoding, _ = tokenize.detect_encoding(io.BytesIO(data).readline)
            if not encoding.startswith("utf-8") and b"#".decode(encoding) == "#":
                return Written(data.decode(encoding), encoding)
        except (SyntaxError, ValueError, LookupError):  # no encoding, or none of text
            pass
    return found


def text_of(data: bytes, name: object) -> str:
    """The text of a file of that name, with its line ends as they are.

    Raises:
        ValueError: it is not in UTF-8; the message names the file and says what to do.
    """
    found = written(data)
    if found.trouble:
        raise ValueError(f"{name} {found.trouble}. {REMEDY}")
    return found.text


def read_text(file: Path) -> str:
    """The text of a person's file, with `\\n` at the lines' ends.

    Raises:
        ValueError: as for `text_of`.
        OSError: it cannot be read.
    """
    return with_plain_ends(text_of(read_bytes(file), file))


def toml_of(text: str, name: object) -> dict[str, Any]:
    """Parse the text of the TOML file `name`. No value is too deep or too long to be shown.

    Raises:
        ValueError: it cannot be read; the message names the file.
    """
    import tomllib  # as much to load as all of this module

    too_deep = f"{name} cannot be read: it is nested more than {_DEEPEST} deep."
    if _DEEP_KEY.search(text):
        raise ValueError(too_deep)
    try:
        data = tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        raise ValueError(f"{name} cannot be read: {error}.") from None
    values: list[Any] = [data]
    for _ in range(_DEEPEST):
        if any(isinstance(value, int) and value.bit_length() > 64 for value in values):
            raise ValueError(f"{name} cannot be read: a number in it has more than 64 bits.")
        values = [
            below
            for value in values
            if isinstance(value, dict | list)
            for below in (value.values() if isinstance(value, dict) else value)
        ]
    if values:
        raise ValueError(too_deep)
    return data


def with_plain_ends(text: str) -> str:
    """`text` with `\\n` at the end of each line, whichever system wrote it."""
    return text.replace("\r\n", "\n").replace("\r", "\n")


def line_end(text: str) -> str:
    """The line end of a text's first line; empty if it has none."""
    first = next(iter(io.StringIO(text, newline="")), "")
    return first[len(first.rstrip("\r\n")) :]


def lines_of(text: str) -> list[str]:
    r"""The lines as Python and editors count them, each with its end.

    `str.splitlines` also ends a line at a form feed, U+2028 and six others.

    >>> lines_of("a\x0cb\r\nc\u2028d\n")
    ['a\x0cb\r\n', 'c\u2028d\n']
    """
    return list(io.StringIO(text, newline=""))
