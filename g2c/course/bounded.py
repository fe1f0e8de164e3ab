"""Text and files from a student, before anything reads or shows them."""

from __future__ import annotations

import re
from pathlib import Path

_CONTROLS = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff]")
"""What can steer a terminal (C0 and C1, without tab and newline), and what UTF-8 cannot hold."""


def at_most(file: Path, n_bytes: int) -> Path:
    """The file itself. Whoever reads it reads no more than `n_bytes`.

    Raises:
        ValueError: it is larger.
        OSError: it cannot be looked at.
    """
    if file.stat().st_size > n_bytes:
        raise ValueError(f"{file} is larger than {n_bytes:,} bytes, and was not read.")
    return file


def printable(text: str) -> str:
    r"""The text without characters that steer a terminal, and without halves of surrogate pairs.

    >>> printable("\x1b[31mred\x1b[0m\r\n\tend")
    '[31mred[0m\n\tend'
    """
    return _CONTROLS.sub("", text)
