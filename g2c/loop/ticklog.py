"""The ticks, a line of JSON each: all of them in the log, the newest in the conversation.

The idea to take away: the log is written before the state, so after a crash between the two it has
a tick that did not count. That tick runs again under its number, and who reads takes the last line
of a number.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import asdict, replace
from datetime import datetime
from pathlib import Path
from typing import Any, get_args

from g2c.files import append_line, replace_text
from g2c.loop.base import TickOutcome, TickRecord


def append_tick(file: Path, record: TickRecord) -> None:
    """Add `record` at the end of `file`, as one line, and wait until it is on the disk."""
    append_line(file, json.dumps(_fields(record), ensure_ascii=False))


def read_ticks(file: Path, upto: int | None = None) -> tuple[TickRecord, ...]:
    """The ticks in `file` by their numbers, up to the number `upto`; the last line of each counts.

    Lines that hold no tick, as a crash leaves them, are passed over. No file holds no ticks.
    """
    try:
        lines = file.read_bytes().split(b"\n")
    except FileNotFoundError:
        return ()
    records = filter(None, map(_record_of, lines))
    last = {record.tick: record for record in records if upto is None or record.tick <= upto}
    return tuple(last[number] for number in sorted(last))


def read_conversation(file: Path) -> tuple[TickRecord, ...]:
    """The ticks that `write_conversation` kept; none where there is no such file, or no longer."""
    try:
        data = json.loads(file.read_bytes())
    except (FileNotFoundError, ValueError, RecursionError):
        return ()
    return tuple(filter(None, map(_record_from, data if isinstance(data, list) else [])))


def write_conversation(file: Path, ticks: Iterable[TickRecord]) -> None:
    """Replace `file` by these ticks."""
    data = [_fields(record) for record in ticks]
    replace_text(file, json.dumps(data, ensure_ascii=False, indent=1) + "\n")


def extend(
    conversation: Iterable[TickRecord], record: TickRecord, max_chars: int
) -> tuple[TickRecord, ...]:
    """The conversation with `record` at its end, and without the oldest ticks that are too much.

    Prompts, answers and errors together have at most `max_chars` characters. Where the newest tick
    alone has more, it stays, with its prompt cut at its front, where the prompts are all alike.

    >>> from datetime import UTC
    >>> now = datetime(2026, 4, 21, tzinfo=UTC)
    >>> one, two = (TickRecord(n, now, "continue", prompt="abcd", answer="e") for n in (1, 2))
    >>> [[tick.tick for tick in extend([one], two, most)] for most in (10, 9)]
    [[1, 2], [2]]
    """
    others = [tick for tick in conversation if tick.tick < record.tick]
    if (excess := _size(record) - max_chars) > 0:
        record = replace(record, prompt=record.prompt[excess:])
    while others and sum(map(_size, others)) + _size(record) > max_chars:
        others.pop(0)
    return (*others, record)


def _size(record: TickRecord) -> int:
    return len(record.prompt) + len(record.answer) + len(record.error)


def _fields(record: TickRecord) -> dict[str, Any]:
    return asdict(record) | {"ts": record.ts.isoformat()}


def _record_of(line: bytes) -> TickRecord | None:
    try:
        return _record_from(json.loads(line))
    except (ValueError, RecursionError):
        return None


def _record_from(data: Any) -> TickRecord | None:
    try:
        record = TickRecord(
            **data
            | {
                "ts": datetime.fromisoformat(data["ts"]),
                "actions": tuple(data.get("actions", ())),
                "recalled": tuple(data.get("recalled", ())),
            }
        )
    except (ValueError, TypeError, KeyError, AttributeError):
        return None
    sound = (
        type(record.tick) is int and record.ts.tzinfo and record.outcome in get_args(TickOutcome)
    )
    return record if sound else None
