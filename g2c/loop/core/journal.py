"""A loop's records while it runs: the ticks, the snapshots, and the healer's note.

The log is written before the state, so after a crash between the two it has a tick that was not
committed. That tick runs again under the same number, and a reader takes a number's last line. A
snapshot is completed under another name and then renamed. A note is removed only after the state
says that a tick was shown it.
"""

import shutil
from collections.abc import Iterable
from dataclasses import asdict, replace
from functools import lru_cache
from pathlib import Path

from g2c.files import read_bytes, stamp_of
from g2c.foreign_json import load_json
from g2c.json_files import append_json, objects_in, read_object, record_from, replace_own_json
from g2c.loop.core.folder import LoopFiles
from g2c.loop.core.types import HealerNote, LoopState, TickRecord


def append_tick(file: Path, record: TickRecord) -> None:
    """Add `record` at the end of `file`, as one line, and wait until it is on the disk."""
    append_json(file, asdict(record))


def read_ticks(file: Path, upto: int | None = None) -> tuple[TickRecord, ...]:
    """The ticks in `file` by their numbers, up to the number `upto`. If a number repeats, its last
    line counts.

    Lines that hold no tick are skipped. Without a file there are no ticks.
    """
    try:
        records = _records_in(file, stamp_of(file.stat()))
    except FileNotFoundError:
        return ()
    last = {record.tick: record for record in records if upto is None or record.tick <= upto}
    return tuple(last[number] for number in sorted(last))


@lru_cache(maxsize=1)
def _records_in(file: Path, stamp: str) -> tuple[TickRecord, ...]:
    """The records in `file`, which are wanted several times a tick. With another `stamp` it is
    another file."""
    return tuple(filter(None, (record_from(line, TickRecord) for line in objects_in(file))))


def read_conversation(file: Path) -> tuple[TickRecord, ...]:
    """The ticks that `write_conversation` kept; none if the file is missing or damaged."""
    try:
        data = load_json(read_bytes(file))
    except (OSError, ValueError):
        return ()
    ticks = data if isinstance(data, list) else []
    return tuple(filter(None, (record_from(tick, TickRecord) for tick in ticks)))


def write_conversation(file: Path, ticks: Iterable[TickRecord]) -> None:
    """Replace `file` by these ticks."""
    data = [asdict(record) for record in ticks]
    replace_own_json(file, data, indent=1)


def extend(
    conversation: Iterable[TickRecord], record: TickRecord, max_chars: int
) -> tuple[TickRecord, ...]:
    """The conversation with `record` at its end, without the oldest ticks that no longer fit.

    Prompts, answers and errors together have at most `max_chars` characters. If the newest tick
    alone is longer, its prompt loses its beginning, which all prompts share.

    >>> from datetime import UTC, datetime
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


KEPT = 10


def take_snapshot(files: LoopFiles, tick: int, kept: int = KEPT) -> None:
    """Copy state and conversation to the snapshot of `tick`, and keep the `kept` newest snapshots,
    at least 1."""
    beside = files.snapshots / ".new"
    shutil.rmtree(beside, ignore_errors=True)  # a crash left it
    beside.mkdir(parents=True)
    for file in (files.state, files.conversation):
        if file.exists():
            shutil.copy2(file, beside)
    _remove(files.snapshot(tick))
    beside.rename(files.snapshot(tick))
    for number in list_snapshots(files)[:-kept]:
        _remove(files.snapshot(number))


def list_snapshots(files: LoopFiles) -> tuple[int, ...]:
    """The numbers of the ticks that have a snapshot, oldest first."""
    names = (entry.name for entry in files.snapshots.glob("[0-9]*") if entry.is_dir())
    return tuple(sorted(int(name) for name in names if name.isdecimal()))


def _remove(snapshot: Path) -> None:
    doomed = snapshot.with_name(".old")
    shutil.rmtree(doomed, ignore_errors=True)
    if snapshot.exists():
        snapshot.rename(doomed)  # first: half a snapshot must not look like a whole one
        shutil.rmtree(doomed)


def write_note(file: Path, note: HealerNote) -> None:
    """Replace `file` by the note."""
    replace_own_json(file, asdict(note), indent=1)


def read_note(file: Path) -> HealerNote | None:
    """The note in `file`; None if there is none, or it cannot be read."""
    return record_from(read_object(file), HealerNote)


def note_for(file: Path, state: LoopState) -> HealerNote | None:
    """The note to show to the tick after `state`, if there is one."""
    note = read_note(file)
    return note if note and note.id != state.note_seen else None


def remove_if_shown(file: Path, state: LoopState) -> None:
    """Remove the note in `file` if `state` says that a tick was shown it."""
    note = read_note(file)
    if note and note.id == state.note_seen:
        file.unlink(missing_ok=True)
