"""What `g2c.files` promises: what it wrote is on the disk, and a crash costs at most one line."""

from __future__ import annotations

import errno
import hashlib
import os
from pathlib import Path

import pytest

from g2c.course.check.seen_failures import remember
from g2c.files import append_line, locked, replace_text
from g2c.inference.embedded.weights import check_weights


@pytest.fixture
def flushed(monkeypatch: pytest.MonkeyPatch) -> list[tuple[int, int]]:
    """What was sent to the disk: the number of each file (its inode) and its size then, in bytes.

    A program cannot see what a power failure would leave, but it can see what the kernel was asked
    to keep.
    """
    seen: list[tuple[int, int]] = []
    fsync = os.fsync

    def note(descriptor: int) -> None:
        stat = os.fstat(descriptor)
        seen.append((stat.st_ino, stat.st_size))
        fsync(descriptor)

    monkeypatch.setattr(os, "fsync", note)
    return seen


def inode(path: Path) -> int:
    return path.stat().st_ino


def test_a_line_is_on_the_disk_when_append_line_returns(tmp_path: Path, flushed: list) -> None:
    path = tmp_path / "deep" / "log.jsonl"
    for line, size in (("one", len("one\n")), ("two", len("one\ntwo\n"))):
        append_line(path, line)
        assert flushed and flushed[-1] == (inode(path), size), (
            "append_line returned before the whole line was sent to the disk"
        )


def test_a_text_is_on_the_disk_before_it_takes_the_old_ones_place(
    tmp_path: Path, flushed: list, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "state.md"
    path.write_text("old")
    when_renamed = []
    rename = Path.replace

    def note(self: Path, target: Path) -> Path:
        when_renamed.extend(flushed)
        return rename(self, target)

    monkeypatch.setattr(Path, "replace", note)
    replace_text(path, "new")
    assert path.read_text() == "new"
    assert when_renamed == [(inode(path), len("new"))], (
        "a file that is renamed before it is on the disk can be empty after a power failure"
    )


@pytest.fixture
def full_disk(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(descriptor: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "fsync", fail)


def test_a_full_disk_is_told_with_the_files_name(tmp_path: Path, full_disk: None) -> None:
    with pytest.raises(OSError, match="No space left") as raised:
        replace_text(tmp_path / "state.md", "new")
    assert raised.value.filename == str(tmp_path / "state.md")
    assert not list(tmp_path.iterdir())


def test_a_lock_that_cannot_be_made_says_why(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    open_file = os.open

    def on_a_disk_to_read(path: Path, flags: int, mode: int = 0o777) -> int:
        if flags & os.O_CREAT:
            raise OSError(errno.EROFS, "Read-only file system", str(path))
        return open_file(path, flags, mode)

    monkeypatch.setattr(os, "open", on_a_disk_to_read)
    with pytest.raises(OSError, match="Read-only"), locked(tmp_path / "lock"):
        pass
    (tmp_path / "there").write_text("")
    with locked(tmp_path / "there"):
        pass


def test_what_can_be_made_again_stops_nobody_on_a_full_disk(
    tmp_path: Path, full_disk: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("G2C_ROOT", str(tmp_path))
    remember(["tests/test_agent.py::a"], [])
    (tmp_path / "weights").write_bytes(b"w")
    digest = hashlib.sha256(b"w").hexdigest()
    check_weights(tmp_path / "weights", digest, tmp_path / "no-such-folder/memo", "")


@pytest.mark.parametrize("torn", ["", "one\n", '{"half', "one\ntwo"])
def test_a_line_begins_below_one_that_a_crash_tore(tmp_path: Path, torn: str) -> None:
    path = tmp_path / "log.jsonl"
    path.write_text(torn)
    append_line(path, "whole")
    assert path.read_text().splitlines() == [*torn.splitlines(), "whole"]
