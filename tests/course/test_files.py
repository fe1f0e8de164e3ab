"""The promises of `g2c.files`: what it wrote is on the disk; a crash costs at most one line."""

import ast
import contextlib
import errno
import hashlib
import os
import socket
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

import g2c
from g2c.cli import gradebook
from g2c.course.check.seen_failures import remember
from g2c.files import (
    append_line,
    create_text,
    leftovers,
    locked,
    open_file,
    read_bytes,
    read_text,
    replace_bytes,
    replace_in,
    replace_text,
)
from g2c.home import Home, pins
from g2c.home.settings import read_settings
from g2c.inference.embedded.weights import check_weights
from g2c.processes import here, own_mark
from g2c.tools.write_file import make_write_file


@pytest.fixture
def flushed(monkeypatch: pytest.MonkeyPatch) -> list[tuple[int, int]]:
    """The writes to the disk: the number of each file (its inode) and its size then, in bytes.

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
    rename = os.replace

    def note(source: str, target: str, **options: int | None) -> None:
        when_renamed.extend(flushed)
        rename(source, target, **options)

    monkeypatch.setattr(os, "replace", note)
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


def test_a_full_disk_loses_only_files_that_can_be_made_again(
    tmp_path: Path, full_disk: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("G2C_ROOT", str(tmp_path))
    remember(["tests/test_agent.py::a"], [])
    (tmp_path / "weights").write_bytes(b"w")
    digest = hashlib.sha256(b"w").hexdigest()
    check_weights(tmp_path / "weights", digest, tmp_path / "no-such-folder/memo", "")


def _lock(path: Path, text: str) -> None:
    with locked(path):
        pytest.fail("it is held")


@pytest.mark.parametrize("write", [append_line, replace_text, _lock])
def test_a_file_in_the_place_of_a_folder_is_named(
    tmp_path: Path, write: Callable[[Path, str], None]
) -> None:
    """It was "archive/copy.py: File exists", though there is no such file."""
    (tmp_path / "archive").write_text("mine")
    with pytest.raises(NotADirectoryError) as raised:
        write(tmp_path / "archive/copy.py", "text")
    assert raised.value.filename == str(tmp_path / "archive")


@pytest.mark.parametrize("torn", ["", "one\n", '{"half', "one\ntwo"])
def test_a_line_begins_below_one_that_a_crash_tore(tmp_path: Path, torn: str) -> None:
    path = tmp_path / "log.jsonl"
    path.write_text(torn)
    append_line(path, "whole")
    assert path.read_text().splitlines() == [*torn.splitlines(), "whole"]


@pytest.mark.skipif(os.name != "posix", reason="folders cannot be opened there")
@pytest.mark.parametrize("way", ["path", "open folder"])
@pytest.mark.parametrize("name", ["a.txt", "x" * 255, "\u00fc" * 120, ".hidden"])
@pytest.mark.parametrize("mode", [0o755, 0o600])
def test_a_file_that_is_replaced_keeps_name_and_mode(
    tmp_path: Path, way: str, name: str, mode: int
) -> None:
    (tmp_path / name).write_text("old")
    (tmp_path / name).chmod(mode)
    if way == "path":
        replace_bytes(tmp_path / name, b"new")
    else:
        folder = os.open(tmp_path, os.O_RDONLY)
        replace_in(folder, name, b"new")
        os.close(folder)
    assert (tmp_path / name).read_text() == "new"
    assert (tmp_path / name).stat().st_mode & 0o777 == mode
    assert os.listdir(tmp_path) == [name]  # noqa: PTH208


@pytest.mark.skipif(os.name != "posix", reason="links are a right there")
def test_a_linked_file_stays_a_link(tmp_path: Path) -> None:
    (tmp_path / "kept").mkdir()
    for name in ("there.md", "new.md"):
        (tmp_path / "kept/there.md").write_text("old")
        (tmp_path / name).symlink_to(f"kept/{name}")
        replace_text(tmp_path / name, "new")
        assert (tmp_path / name).is_symlink() and (tmp_path / "kept" / name).read_text() == "new"


@pytest.mark.skipif(os.name != "posix", reason="links are a right there")
def test_another_name_of_a_replaced_file_keeps_the_old_text(tmp_path: Path) -> None:
    (tmp_path / "private.txt").write_text("old")
    (tmp_path / "note.txt").hardlink_to(tmp_path / "private.txt")
    replace_text(tmp_path / "note.txt", "new")
    assert (tmp_path / "private.txt").read_text() == "old"
    assert make_write_file(tmp_path).func(path="note.txt", text="newer")
    assert (tmp_path / "private.txt").read_text() == "old"


def test_a_file_that_another_computer_writes_is_left_to_it(tmp_path: Path) -> None:
    mine, other = f"{here()}{'0' * 8}", "0" * 16
    ours = tmp_path / f".a.md.{os.getpid()}-{mine}-0123abcd"
    theirs = tmp_path / f".a.md.{2**31 - 1}-{other}-0123abcd"
    running = tmp_path / f".a.md.{os.getpid()}-{own_mark()}-0123abcd"
    for file in (ours, theirs, running):
        file.write_text("half")
    assert leftovers(tmp_path) == [ours], "another process had this number before"
    os.utime(theirs, (0, 0))
    assert leftovers(tmp_path) == sorted([ours, theirs])


DIES_WHILE_IT_MAKES_A_FILE = """
import os, sys
from g2c.files import create_text
os.unlink = lambda *place, **form: os._exit(9)
create_text(sys.argv[1], "mine")
"""


def test_a_file_is_made_once_whole_and_what_a_dead_process_leaves_is_found(tmp_path: Path) -> None:
    lock = tmp_path / "deep" / "dream.lock"
    command = [sys.executable, "-c", DIES_WHILE_IT_MAKES_A_FILE, str(lock)]
    assert subprocess.run(command).returncode == 9
    (left,) = leftovers(lock.parent)
    assert read_text(lock) == "mine"
    with pytest.raises(FileExistsError):
        create_text(lock, "another")
    assert read_text(lock) == "mine" and set(lock.parent.iterdir()) == {lock, left}


PACKAGE = Path(g2c.__file__).parent
NO_OPENERS = ("exercises", "classroom/autograder_files")
"""Folders of code that a student reads, or that runs without the course."""
OPENERS = {
    "course/folder/course_files.py": "the course itself, which may be in a zip",
    "files.py": "the one place",
    "classroom/process_supervisor.py": "the kernel's files",
    "processes.py": "the kernel's files",
    "tools/files.py": "a file below a folder, without links, and not a pipe",
    "tools/mcp_server.py": "no input for a server's tools",
    "tools/write_file.py": "folders, without links",
}
"""The modules that open files by themselves, and why."""


def test_files_are_opened_in_one_place() -> None:
    found = set()
    for file in sorted(PACKAGE.rglob("*.py")):
        name = file.relative_to(PACKAGE).as_posix()
        if name.startswith(NO_OPENERS):
            continue
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            if isinstance(node, ast.Call) and _opens(node):
                found.add(name)
    assert found == set(OPENERS), "use g2c.files.open_file, read_text or read_bytes"


def _opens(call: ast.Call) -> bool:
    """Whether a call opens a file that anybody may have put there."""
    if isinstance(call.func, ast.Name):
        return call.func.id == "open"
    if not isinstance(call.func, ast.Attribute) or "__file__" in ast.unparse(call.func.value):
        return False
    modes = [word.value for word in call.args[:1] if isinstance(word, ast.Constant)]
    is_opened = {str(mode).strip("rwab+") for mode in modes} == {""} or any(
        word.arg in ("encoding", "mode") for word in call.keywords
    )
    of_os = ast.unparse(call.func) == "os.open"
    name = call.func.attr
    return name in ("read_text", "read_bytes") or of_os or (name == "open" and is_opened)


@pytest.mark.parametrize("kind", ["pipe", "socket", "device"])
@pytest.mark.parametrize("use", [read_text, read_bytes, open_file])
def test_nothing_but_a_file_on_a_disk_is_opened(tmp_path: Path, kind: str, use: Callable) -> None:
    path = tmp_path / "agent.toml"
    with socket.socket(socket.AF_UNIX) as listening:
        if kind == "pipe":
            os.mkfifo(path)
        elif kind == "socket":
            listening.bind(str(path))
        else:
            path.symlink_to("/dev/zero")
        for mode in ("r", "ab", "a+b") if use is open_file else ("r",):
            with pytest.raises(OSError, match="Is not a file on a disk") as refused:
                use(path, mode) if use is open_file else use(path)
            assert refused.value.filename == str(path)


def test_the_input_of_a_command_is_read_though_it_is_a_pipe() -> None:
    code = "from g2c.files import read_text; print(read_text('/dev/stdin'))"
    command = [sys.executable, "-P", "-c", code]
    said = subprocess.run(command, input=b"one,two", capture_output=True, timeout=60, check=True)
    assert said.stdout == b"one,two\n"


def test_a_link_to_nowhere_is_not_a_missing_file(tmp_path: Path) -> None:
    """The rules of an agent, or a person's "no", would be gone without a word."""
    link = tmp_path / "agent.toml"
    link.symlink_to(tmp_path / "disk/agent.toml")
    with pytest.raises(OSError, match="Is a link that leads nowhere") as refused:
        read_text(link)
    assert not isinstance(refused.value, FileNotFoundError)
    with pytest.raises(OSError, match="leads nowhere"):
        read_settings(link)
    (tmp_path / "disk").mkdir()
    append_line(link, "[prices]")
    assert read_text(link) == "[prices]\n"


def _course(folder: Path) -> None:
    with contextlib.chdir(folder):
        gradebook._decisions(None)


PERSONS: dict[str, Callable[[Path], object]] = {
    "agent.toml": lambda folder: (Home(folder).create(), Home(folder).settings()),
    "agent/constitution.md": lambda folder: Home(folder).create(),
    "pinned.json": lambda folder: pins._read(folder / "pinned.json"),
    "course.toml": _course,
}


@pytest.mark.parametrize("name", PERSONS)
def test_a_persons_file_on_a_disk_that_is_away_is_neither_missing_nor_replaced(
    name: str, tmp_path: Path
) -> None:
    file, away = tmp_path / "home" / name, tmp_path / "away"
    file.parent.mkdir(parents=True)
    file.symlink_to(away)
    with pytest.raises(OSError, match="leads nowhere"):
        PERSONS[name](tmp_path / "home")
    assert not away.exists()
