"""20.1 gone wrong."""

from __future__ import annotations

import contextlib
import io
import json
import os
from datetime import UTC
from functools import partial
from pathlib import Path
from typing import Any

from g2c.memory.base import Turn
from g2c.memory.lines import line_of
from g2c.memory.transcript import TranscriptLog

from . import wrong

wrong = partial(wrong, "20.1")


def file_of(log: TranscriptLog, turn: Turn) -> Path:
    return log.path_of(turn.ts.astimezone(UTC).date())


def begin_line(file: io.FileIO, line: bytes) -> bytes:
    """`line`, on a line of its own."""
    if file.seek(0, os.SEEK_END) == 0:
        return line
    file.seek(-1, os.SEEK_END)
    return line if file.read(1) == b"\n" else b"\n" + line


def add(file: Path, line: bytes, *, sync: bool = False) -> None:
    with file.open("ab+", buffering=0) as log:
        line = begin_line(log, line)
        while line:
            line = line[log.write(line) :]
        if sync:
            os.fsync(log.fileno())


@wrong(
    caught_by="test_a_torn_line_does_not_swallow_the_next",
    says="becomes part of a line that nobody can read",
)
def append_mode_is_enough(self: TranscriptLog, turn: Turn) -> None:
    """A file opened for appending is written at its end, and its end is the end of a line."""
    line = line_of(turn)
    with self._exclusive(), file_of(self, turn).open("ab") as log:
        log.write(line)
        log.flush()
        if self.fsync:
            os.fsync(log.fileno())


@wrong(
    caught_by="test_the_line_is_in_the_file_when_the_next_writer_may_go",
    says="two processes that append at once need `self._exclusive()` between them",
)
def the_system_appends_whole_writes(self: TranscriptLog, turn: Turn) -> None:
    """With O_APPEND the system keeps two writes apart, so no lock is needed."""
    self.folder.mkdir(parents=True, exist_ok=True)
    add(file_of(self, turn), line_of(turn), sync=self.fsync)


@wrong(
    caught_by="test_one_writer_at_a_time_looks_and_writes",
    says="while you waited to have the file, another process wrote half a line and died",
)
def only_the_write_needs_the_lock(self: TranscriptLog, turn: Turn) -> None:
    """Reading disturbs nobody: look first, and hold the lock only to write."""
    self.folder.mkdir(parents=True, exist_ok=True)
    file = file_of(self, turn)
    with file.open("ab+", buffering=0) as log:
        line = begin_line(log, line_of(turn))
        with self._exclusive():
            while line:
                line = line[log.write(line) :]
            if self.fsync:
                os.fsync(log.fileno())


@wrong(
    caught_by="test_the_line_is_in_the_file_when_the_next_writer_may_go",
    says="the next writer was let in before the line was in the file",
)
def what_is_written_is_in_the_file(self: TranscriptLog, turn: Turn) -> None:
    """After write() the line is in the file."""
    line = line_of(turn)
    self.folder.mkdir(parents=True, exist_ok=True)
    with file_of(self, turn).open("ab+") as log, self._exclusive():
        log.write(begin_line(log, line))
        if self.fsync:
            log.flush()
            os.fsync(log.fileno())


@wrong(
    caught_by="test_with_fsync_the_line_is_on_the_disk",
    says="what still waits in a buffer of Python's is not the system's to save",
)
def fsync_writes_everything(self: TranscriptLog, turn: Turn) -> None:
    """os.fsync brings all that was written to the disk."""
    line = line_of(turn)
    with self._exclusive(), file_of(self, turn).open("ab+") as log:
        log.write(begin_line(log, line))
        if self.fsync:
            os.fsync(log.fileno())


@wrong(
    caught_by="test_without_fsync_nobody_waits_for_the_disk",
    says="without self.fsync nobody asked for it",
)
def to_be_safe_is_to_sync(self: TranscriptLog, turn: Turn) -> None:
    """A line that is only in the system's cache is not written yet."""
    with self._exclusive():
        add(file_of(self, turn), line_of(turn), sync=True)


@wrong(
    caught_by="test_on_a_full_disk_the_caller_learns_that_a_part_is_missing",
    says="an unbuffered write says how much it wrote",
)
def a_write_writes_all_or_raises(self: TranscriptLog, turn: Turn) -> None:
    """If the disk is full, write() raises."""
    line = line_of(turn)
    with self._exclusive(), file_of(self, turn).open("ab+", buffering=0) as log:
        log.write(begin_line(log, line))
        if self.fsync:
            os.fsync(log.fileno())


@wrong(
    caught_by="test_a_failure_is_raised",
    says="its caller must learn of that",
)
def a_memory_must_not_stop_the_agent(self: TranscriptLog, turn: Turn) -> None:
    """A log is a convenience: if it cannot be written, the agent goes on without."""
    line = line_of(turn)
    with contextlib.suppress(OSError), self._exclusive():
        add(file_of(self, turn), line, sync=self.fsync)


@wrong(
    caught_by="test_midnight_may_pass_between_two_turns",
    says="an agent may run past midnight",
)
def a_log_has_one_file(self: TranscriptLog, turn: Turn) -> None:
    """A log finds its file at the first turn, and keeps to it."""
    line = line_of(turn)
    file = self.__dict__.setdefault("_file", file_of(self, turn))
    with self._exclusive():
        add(file, line, sync=self.fsync)


@wrong(
    caught_by="test_the_day_is_in_utc",
    says="in UTC, 22:00 in New York is the next day",
)
def the_day_is_what_the_turn_says(self: TranscriptLog, turn: Turn) -> None:
    """A turn's time has its date, which is its day."""
    line = line_of(turn)
    with self._exclusive():
        add(self.path_of(turn.ts.date()), line, sync=self.fsync)


@wrong(
    caught_by="test_turns_stand_one_below_the_other",
    says="with no blank line anywhere",
)
def a_newline_in_front_is_safe(self: TranscriptLog, turn: Turn) -> None:
    """With a newline before each line and one after it, no line can be glued to another."""
    line = b"\n" + line_of(turn)
    with self._exclusive():
        add(file_of(self, turn), line, sync=self.fsync)


@wrong(
    caught_by="test_what_was_written_stays",
    says="a log is never rewritten",
)
def half_a_line_is_rubbish(self: TranscriptLog, turn: Turn) -> None:
    """A torn line cannot be read, so it is cut off before the next is written."""
    line, file = line_of(turn), file_of(self, turn)
    with self._exclusive():
        if file.exists():
            with file.open("rb+") as log:
                end = log.seek(0, os.SEEK_END)
                while end > 0 and (log.seek(end - 1), log.read(1))[1] != b"\n":
                    end -= 1
                log.truncate(end)
        add(file, line, sync=self.fsync)


@wrong(
    caught_by="test_what_was_written_stays",
    says="the file was replaced by another one",
)
def replacing_is_safest(self: TranscriptLog, turn: Turn) -> None:
    """A file that is written beside and renamed is never seen half, so a log is best so, too."""
    line, file = line_of(turn), file_of(self, turn)
    with self._exclusive():
        before = file.read_text("utf-8", "surrogateescape") if file.exists() else ""
        if before and not before.endswith("\n"):
            before += "\n"
        file.with_suffix(".new").write_bytes(before.encode("utf-8", "surrogateescape") + line)
        file.with_suffix(".new").replace(file)
        if self.fsync:
            add(file, b"", sync=True)


@wrong(
    caught_by="test_a_line_may_be_torn_inside_a_letter",
    says="half of the two bytes of é is no UTF-8, and no reason to fail",
)
def a_transcript_is_text(self: TranscriptLog, turn: Turn) -> None:
    """A transcript is UTF-8, so its last line can be read as text to see whether it is whole."""
    line, file = line_of(turn), file_of(self, turn)
    with self._exclusive():
        last = ""
        if file.exists():
            with file.open(encoding="utf-8") as log:
                log.seek(max(0, file.stat().st_size - 100))
                last = log.read()
        if last and not last.endswith("\n"):
            line = b"\n" + line
        with file.open("ab", buffering=0) as log:
            while line:
                line = line[log.write(line) :]
            if self.fsync:
                os.fsync(log.fileno())


@wrong(
    caught_by="test_the_file_is_not_read_as_a_whole",
    says="whether the last line is whole can be seen from its last byte",
)
def reading_a_day_costs_nothing(self: TranscriptLog, turn: Turn) -> None:
    """To know how a file ends, read it; a day's transcript is small."""
    line, file = line_of(turn), file_of(self, turn)
    with self._exclusive():
        if file.exists() and not file.read_bytes().endswith(b"\n"):
            line = b"\n" + line
        with file.open("ab", buffering=0) as log:
            while line:
                line = line[log.write(line) :]
            if self.fsync:
                os.fsync(log.fileno())


@wrong(
    caught_by="test_another_writer_may_die_at_any_time",
    says="that the last line was whole after your last append says nothing about now",
)
def the_end_is_looked_at_once(self: TranscriptLog, turn: Turn) -> None:
    """A crash was before this process began, so its first append is the only one that can find a
    torn line."""
    line, file = line_of(turn), file_of(self, turn)
    seen: set[Path] = self.__dict__.setdefault("_seen", set())
    with self._exclusive():
        if file not in seen:
            seen.add(file)
            add(file, line, sync=self.fsync)
            return
        with file.open("ab", buffering=0) as log:
            while line:
                line = line[log.write(line) :]
            if self.fsync:
                os.fsync(log.fileno())


@wrong(
    caught_by="test_content_may_be_any_string",
    says="a turn is one line, whatever it says",
)
def json_is_utf_8(self: TranscriptLog, turn: Turn) -> None:
    """json.dumps and UTF-8 can say any string."""
    fields: dict[str, Any] = json.loads(line_of(turn))
    text = json.dumps(fields, ensure_ascii=False).encode("utf-8", "replace") + b"\n"
    with self._exclusive():
        add(file_of(self, turn), text, sync=self.fsync)
