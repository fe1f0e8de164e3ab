"""What came of a first version that asks the model in the box: where the course was made, and here.

On another processor the model may write something else, and then the failure is not to be seen. So
the rows of `show` are recorded beside the first versions, by `python -m maintain.author.breaks`.
What came of it here is kept, so that it takes its seconds only once.
"""

from __future__ import annotations

import hashlib
import inspect
from pathlib import Path
from types import ModuleType

from g2c.course.scored.kept import keep, read_kept
from g2c.paths import project_root

RECORDED = Path(__file__).with_name("recorded.json")

Rows = tuple[tuple[str, str], ...]


def kept_file() -> Path:
    """Where it is kept what came of them here."""
    return project_root() / ".g2c" / "breaks.json"


def read_rows(file: Path, first: ModuleType) -> Rows:
    """What `file` has of a first version as it is now; nothing if that is none, or damaged."""
    found = read_kept(file).get(first.__name__, {})
    try:
        rows = tuple((str(label), str(text)) for label, text in found["rows"])
        return rows if found["of"] == _digest(first) else ()
    except (KeyError, TypeError, ValueError):
        return ()


def write_rows(file: Path, first: ModuleType, rows: Rows) -> None:
    """Put what came of a first version into `file`, beside the others that it has."""
    keep(file, first.__name__, {"of": _digest(first), "rows": rows})


def _digest(first: ModuleType) -> str:
    return hashlib.sha256(inspect.getsource(first).encode()).hexdigest()
