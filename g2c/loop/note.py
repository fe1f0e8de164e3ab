"""A healer's note to the next tick, as a file.

The idea to take away: that the note was shown is part of the state, and is committed with it. The
file is only removed afterwards; so it is shown to one tick, wherever a crash comes in between.
"""

from __future__ import annotations

import json
from datetime import datetime
from pathlib import Path

from g2c.files import replace_text
from g2c.loop.base import HealerNote, LoopState


def write_note(file: Path, note: HealerNote) -> None:
    """Replace `file` by the note."""
    data = {"id": note.id, "ts": note.ts.isoformat(), "text": note.text}
    replace_text(file, json.dumps(data, ensure_ascii=False, indent=1) + "\n")


def read_note(file: Path) -> HealerNote | None:
    """The note in `file`; None where there is none that can be read."""
    try:
        data = json.loads(file.read_bytes())
        return HealerNote(str(data["id"]), datetime.fromisoformat(data["ts"]), str(data["text"]))
    except (FileNotFoundError, ValueError, TypeError, KeyError, RecursionError):
        return None


def note_for(file: Path, state: LoopState) -> HealerNote | None:
    """The note that the tick after `state` is to be shown, if there is one."""
    note = read_note(file)
    return note if note and note.id != state.note_seen else None


def remove_if_shown(file: Path, state: LoopState) -> None:
    """Remove the note in `file` where `state` says that a tick was shown it."""
    note = read_note(file)
    if note and note.id == state.note_seen:
        file.unlink(missing_ok=True)
