"""Reads a student's files within a bound on their size."""

from pathlib import Path

from g2c.files import open_file
from g2c.text import printable

__all__ = ["printable", "read_at_most"]


def read_at_most(file: Path, n_bytes: int) -> bytes:
    """The file's content; at most `n_bytes` are read.

    Raises:
        ValueError: the file has more than `n_bytes`; a student may read it, so without its folder.
        OSError: the file cannot be read.
    """
    with open_file(file, "rb") as opened:
        content: bytes = opened.read(n_bytes + 1)
    if len(content) > n_bytes:
        raise ValueError(f"{file.name} is larger than {n_bytes:,} bytes, and was not read.")
    return content
