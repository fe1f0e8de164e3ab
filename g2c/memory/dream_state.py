"""What the gates look at: when the last dream ended, and how many sessions began since.

It is one small JSON file. The idea to take away: a state file that cannot be read is an error and
not a fresh start, and whoever changes it reads it, changes it and writes it under one lock, or two
who do so at once undo each other's work.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Any

from g2c.files import replace_text
from g2c.memory.base import DreamState, MemoryStoreError
from g2c.memory.locking import locked


def read_state(file: Path) -> DreamState:
    """The state in `file`; where there is no such file, that of a store that never dreamed.

    Raises:
        MemoryStoreError: the file is not such a state; the message says what to do.
    """
    try:
        return _state_from(json.loads(file.read_text(encoding="utf-8")))
    except FileNotFoundError:
        return DreamState()
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise MemoryStoreError(
            f"{file} is not the state of a dream ({type(error).__name__}: {error}). Mend it, or "
            "delete it to start again as a store that never dreamed."
        ) from error


def update_state(file: Path, change: Callable[[DreamState], DreamState]) -> DreamState:
    """Replace the state in `file` by what `change` makes of it, and return that.

    Raises:
        MemoryStoreError: as `read_state`.
    """
    with locked(file.with_name(f".{file.name}.lock")):
        state = change(read_state(file))
        replace_text(file, _text_of(state))
    return state


def count_session(file: Path) -> DreamState:
    """Note in `file` that one more session has begun, and return the new state."""
    return update_state(file, lambda state: replace(state, session_count=state.session_count + 1))


def end_dream(file: Path, now: datetime, summary: str) -> DreamState:
    """Note in `file` that a dream has ended, and return the new state."""
    return update_state(file, lambda _: DreamState(now, 0, summary))


def _text_of(state: DreamState) -> str:
    last = state.last_dream
    data = {
        "last_dream": last and last.isoformat(),
        "session_count": state.session_count,
        "last_summary": state.last_summary,
    }
    return json.dumps(data, indent=1) + "\n"


def _state_from(data: Any) -> DreamState:
    last, count, summary = data["last_dream"], data["session_count"], data["last_summary"]
    if not isinstance(count, int) or isinstance(count, bool) or count < 0:
        raise ValueError(f"session_count is {count!r}")
    if not isinstance(summary, str):
        raise ValueError(f"last_summary is {summary!r}")
    last_dream = None if last is None else datetime.fromisoformat(last)
    if last_dream and last_dream.tzinfo is None:
        raise ValueError(f"last_dream {last} has no time zone")
    return DreamState(last_dream, count, summary)
