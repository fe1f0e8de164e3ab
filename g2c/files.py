"""Writing a file so that a crash costs at most what was being written, and telling what changed."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path


def append_line(path: str | os.PathLike[str], line: str) -> None:
    """Add `line` at the end of `path`, and wait until it is on the disk.

    A last line that a crash tore stays; the new one begins below it. What UTF-8 cannot hold is
    written as `\\udc80`.
    """
    path = Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    data = line.encode("utf-8", "backslashreplace") + b"\n"
    with path.open("a+b") as file:
        if file.seek(0, os.SEEK_END):
            file.seek(-1, os.SEEK_END)
            data = data if file.read(1) == b"\n" else b"\n" + data
        file.write(data)
        file.flush()
        os.fsync(file.fileno())


def replace_text(path: str | os.PathLike[str], text: str) -> None:
    """Replace the content of `path` with `text`: written beside it, flushed to disk, renamed.

    The new file may be read and written by those who might the old one. Lone surrogates, which a
    model's JSON may hold, are kept (`surrogatepass`).
    """
    path = Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    beside = path.with_name(f".{path.name}.{os.getpid()}-{os.urandom(4).hex()}")
    try:
        with beside.open("x", encoding="utf-8", errors="surrogatepass", newline="\n") as file:
            if path.exists():
                beside.chmod(path.stat().st_mode & 0o777)
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        beside.replace(path)
    except BaseException:
        beside.unlink(missing_ok=True)
        raise


def diff_of(before: Mapping[str, str], after: Mapping[str, str]) -> str:
    """What differs between two states of some files, texts by their names, as a unified diff."""
    from difflib import unified_diff  # most who write a file show no difference

    lines: list[str] = []
    for name in sorted(before.keys() | after.keys()):
        old, new = (texts.get(name, "").splitlines() for texts in (before, after))
        lines += unified_diff(old, new, f"before/{name}", f"after/{name}", lineterm="")
    return "\n".join(lines)
