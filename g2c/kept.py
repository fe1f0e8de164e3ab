"""Results that are kept, so that nobody waits for them twice.

The name of a kept result is a digest of everything that it was made from. So a result never stands
for something that has changed since: it is not found, and made again.
"""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

from g2c.files import replace_text


def key_of(*parts: object) -> str:
    """A short name for `parts`, JSON values or others with a `str` of their own.

    >>> key_of({"a": 1, "b": 2}) == key_of({"b": 2, "a": 1}) != key_of({"a": 1, "b": 3})
    True
    """
    text = json.dumps(parts, sort_keys=True, default=str)
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def keep(file: Path, key: str, value: object) -> None:
    """Add the JSON value `value` to `file`."""
    text = json.dumps(read_kept(file) | {key: value}, ensure_ascii=False, indent=1, sort_keys=True)
    file.parent.mkdir(parents=True, exist_ok=True)
    replace_text(file, text + "\n")


def read_kept(file: Path) -> dict[str, Any]:
    """The file's entries; none if it is missing or damaged."""
    try:
        kept = json.loads(file.read_text("utf-8"))
    except (OSError, ValueError):
        return {}
    return kept if isinstance(kept, dict) else {}
