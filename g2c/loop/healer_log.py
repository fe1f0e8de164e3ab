"""What a healer did, and what it tells a person: two logs, a line of JSON for each event.

The idea to take away: a limit on what is done holds only if what is about to be done is written
down first. A recovery has a line before it begins and one when it is complete; what a crash left
between the two is the same recovery when it is made again, and counts once.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any, Literal, get_args

from g2c.files import append_line

EventKind = Literal["recovery", "recovered", "panic"]


@dataclass(frozen=True)
class HealEvent:
    """A line of a log: a recovery begins, a recovery is complete, or the healer panics.

    `id` is the same in both lines of a recovery. `loop` is when the loop was started, `tick` its
    last tick at that time, and `text` what a person should know.
    """

    kind: EventKind
    id: str
    ts: datetime
    loop: str
    tick: int
    text: str = ""


def read_events(file: Path) -> tuple[HealEvent, ...]:
    """The events in `file`, oldest first. A torn line is passed over; no file has no events."""
    lines = file.read_bytes().split(b"\n") if file.exists() else []
    return tuple(event for line in lines if (event := _event_of(line)))


def append_event(file: Path, event: HealEvent) -> None:
    """Add `event` at the end of `file`, and wait until it is on the disk.

    Raises:
        OSError: it could not be written.
    """
    fields = vars(event) | {"ts": event.ts.isoformat()}
    append_line(file, json.dumps(fields, ensure_ascii=False))


def _event_of(line: bytes) -> HealEvent | None:
    try:
        fields: dict[str, Any] = json.loads(line)
        event = HealEvent(**fields | {"ts": datetime.fromisoformat(fields["ts"])})
    except (ValueError, TypeError, KeyError, RecursionError):
        return None
    return event if event.kind in get_args(EventKind) and event.ts.tzinfo else None
