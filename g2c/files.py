"""Writing a file so that a crash at any moment leaves the old one or the new one, never half."""

from __future__ import annotations

import os
from pathlib import Path


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
