"""What `g2c.files` promises: what it wrote is on the disk, and a crash costs at most one line."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from g2c.files import append_line, replace_text


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


@pytest.mark.parametrize("torn", ["", "one\n", '{"half', "one\ntwo"])
def test_a_line_begins_below_one_that_a_crash_tore(tmp_path: Path, torn: str) -> None:
    path = tmp_path / "log.jsonl"
    path.write_text(torn)
    append_line(path, "whole")
    assert path.read_text().splitlines() == [*torn.splitlines(), "whole"]
