"""The rows of first versions that ask the model in the box: a recording, and those of this machine.

On another processor the model may write something else, and the failure may not show. So
`python -m maintain.author.breaks` records the rows of `show` beside the first versions. The rows of
this machine are stored, so that each of these first versions runs only once.
"""

import hashlib
import inspect
from pathlib import Path
from types import ModuleType

from g2c.json_files import read_object
from g2c.kept import keep, key_of
from g2c.paths import project_root

RECORDED = Path(__file__).with_name("recorded_breaks.json")

Rows = tuple[tuple[str, str], ...]


def kept_file() -> Path:
    """The file with the rows of this machine."""
    return project_root() / ".g2c" / "breaks.json"


def read_rows(file: Path, first: ModuleType, *made_from: str) -> Rows:
    """Return a first version's rows from `file`; none if they are missing or damaged, or if the
    first version, or what else they were made from, has changed since."""
    found = read_object(file).get(first.__name__, {})
    try:
        rows = tuple((str(label), str(text)) for label, text in found["rows"])
        return rows if found["of"] == _digest(first, *made_from) else ()
    except (KeyError, TypeError, ValueError):
        return ()


def write_rows(file: Path, first: ModuleType, rows: Rows, *made_from: str) -> None:
    """Put a first version's rows into `file`, beside those of others."""
    keep(file, first.__name__, {"of": _digest(first, *made_from), "rows": rows})


def _digest(first: ModuleType, *made_from: str) -> str:
    source = inspect.getsource(first)
    if not made_from:  # what the course ships was recorded by this name
        return hashlib.sha256(source.encode()).hexdigest()
    return key_of(source, *made_from)
