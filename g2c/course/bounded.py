"""Text and files from a student, before anything reads or shows them."""

from __future__ import annotations

from pathlib import Path

from g2c.text import printable

__all__ = ["at_most", "printable"]


def at_most(file: Path, n_bytes: int) -> Path:
    """The file itself. Whoever reads it reads no more than `n_bytes`.

    Raises:
        ValueError: it is larger.
        OSError: it cannot be looked at.
    """
    if file.stat().st_size > n_bytes:
        raise ValueError(f"{file} is larger than {n_bytes:,} bytes, and was not read.")
    return file
