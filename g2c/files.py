"""Writing a file so that a crash at any moment leaves the old one or the new one, never half."""

from __future__ import annotations

import os
from pathlib import Path


def replace_text(path: str | os.PathLike[str], text: str) -> None:
    """Replace the content of `path` with `text`: written beside it, flushed to disk, renamed.

    Lone surrogates, which a model's JSON may hold, are kept (`surrogatepass`).
    """
    import tempfile  # slow to import, and most programs that import this write nothing

    path = Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, beside = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
    try:
        with os.fdopen(handle, "w", encoding="utf-8", errors="surrogatepass", newline="\n") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        Path(beside).replace(path)
    except BaseException:
        Path(beside).unlink(missing_ok=True)
        raise
