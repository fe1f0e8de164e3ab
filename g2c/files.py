"""Files that survive a crash and several writers: appended, replaced, locked, compared.

A crash costs at most what was being written. One process at a time holds a lock, and the kernel
lets go of it when the process dies, however it dies. A file whose mere existence means "locked" is
still there after a crash.
"""

import errno
import os
import re
import stat
import sys
import time
import warnings
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from g2c.processes import here, is_running, own_mark, process_is_alive

MAX_START_BYTES = 180
OWN_INPUTS = ("/dev/stdin", "/dev/fd/", "/proc/self/fd/")
"""Files that a person's shell opened for the command: its input, or `<(another command)`."""
LEFT_OVER_S = 24 * 3600.0
PAGE_HEAD = """<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="generator" content="g2c">
"""
"""How a page begins that g2c writes, and no other: g2c replaces its own alone."""

if sys.platform == "win32":
    import msvcrt

    def _lock(handle: int, wait: bool) -> None:
        while True:  # gives up with an OSError after ten seconds
            try:
                return msvcrt.locking(handle, msvcrt.LK_LOCK if wait else msvcrt.LK_NBLCK, 1)
            except OSError as error:
                if not wait:
                    raise BlockingIOError(str(error)) from error

    def _unlock(handle: int) -> None:
        msvcrt.locking(handle, msvcrt.LK_UNLCK, 1)

else:
    import fcntl

    def _lock(handle: int, wait: bool) -> None:
        fcntl.flock(handle, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))

    def _unlock(handle: int) -> None:
        fcntl.flock(handle, fcntl.LOCK_UN)


def open_file(path: str | os.PathLike[str], mode: str = "r", **form: Any) -> Any:
    """As `open`, for a file on a disk. In its place may be a named pipe, on which `open` waits for
    ever, or a device without an end.

    Raises:
        OSError: it cannot be opened, or is not a file on a disk.
    """
    return open(path, mode, opener=_opened, **form)


def read_bytes(path: str | os.PathLike[str]) -> bytes:
    """The content of a file; see `open_file`."""
    with open_file(path, "rb") as file:
        content: bytes = file.read()
    return content


def read_text(path: str | os.PathLike[str], encoding: str = "utf-8", errors: str = "strict") -> str:
    """The text of a file; see `open_file`."""
    with open_file(path, encoding=encoding, errors=errors) as file:
        text: str = file.read()
    return text


def _opened(path: str, flags: int) -> int:
    if path.startswith(OWN_INPUTS):
        return os.open(path, flags)
    if not flags & os.O_CREAT and Path(path).is_symlink() and not Path(path).exists():
        # Not a FileNotFoundError: there are rules or notes, on a disk that is not there, say.
        raise OSError(errno.EINVAL, "Is a link that leads nowhere", path)
    not_a_file = OSError(errno.EINVAL, "Is not a file on a disk", str(path))
    try:
        handle = os.open(path, flags | getattr(os, "O_NONBLOCK", 0), 0o666)
    except OSError as error:
        if error.errno != errno.ENXIO:  # a socket, or a pipe
            raise
        raise not_a_file from None
    kind = stat.S_IFMT(os.fstat(handle).st_mode)
    if kind not in (stat.S_IFREG, stat.S_IFDIR):  # `open` itself refuses a folder
        os.close(handle)
        raise not_a_file
    return handle


def is_there(path: str | os.PathLike[str]) -> bool:
    """Whether something has that name, even a link that leads nowhere: what a person keeps on
    another disk is not to be taken for missing. Reading it is an error that says so."""
    return os.path.lexists(path)


def is_folder(path: Path) -> bool:
    """Whether a folder has that name.

    Raises:
        OSError: it is a file, or a link that leads nowhere, as to a disk that is not there. What is
            on that disk is not to be begun anew.
    """
    if path.exists() and not path.is_dir():
        raise NotADirectoryError(errno.ENOTDIR, "Is not a folder", str(path))
    if path.is_symlink() and not path.exists():
        raise OSError(errno.EINVAL, "Is a link that leads nowhere", str(path))
    return path.is_dir()


def append_line(path: str | os.PathLike[str], line: str) -> None:
    """Add `line` at the end of `path`, and wait until it is on the disk.

    A last line that a crash tore stays; the new one begins below it. Characters that UTF-8 cannot
    hold are written as `\\udc80`.
    """
    path = Path(path)
    _make_folder(path.parent)
    data = line.encode("utf-8", "backslashreplace") + b"\n"
    with open_file(path, "a+b") as file:
        if file.seek(0, os.SEEK_END):
            file.seek(-1, os.SEEK_END)
            data = data if file.read(1) == b"\n" else b"\n" + data
        file.write(data)
        file.flush()
        os.fsync(file.fileno())


def replace_text(path: str | os.PathLike[str], text: str) -> None:
    """Replace the content of `path` with `text` in UTF-8, as `replace_bytes` does.

    Lone surrogates, which a model's JSON may hold, are kept (`surrogatepass`).
    """
    replace_bytes(path, text.encode("utf-8", "surrogatepass"))


def create_text(path: str | os.PathLike[str], text: str) -> None:
    """As `replace_text`, for a file that nobody has made yet: of two processes, one makes it.

    Raises:
        FileExistsError: there is one.
    """
    path = Path(path)
    _make_folder(path.parent)
    replace_in(path.parent, path.name, text.encode("utf-8", "surrogatepass"), new=True)


@contextmanager
def if_possible(what: str) -> Iterator[None]:
    """Write a record inside this `with` that the work can do without. If it cannot be written, as
    on a full disk, warn once that `what` is not kept, and go on."""
    try:
        yield
    except OSError as error:
        warnings.warn(f"Not kept: {what} ({error.strerror or error}).", stacklevel=1)


def keep_text(path: Path, text: str) -> None:
    """As `replace_text`, for what can be made again; see `if_possible`."""
    with if_possible(str(path)):
        replace_text(path, text)


def replace_bytes(path: str | os.PathLike[str], data: bytes) -> None:
    """Replace the content of `path`: written beside it, flushed to disk, renamed. Missing folders
    are made.

    The new file may be read and written by those who might the old one. A link stays a link. Other
    hard links of the file keep the old content, since a name is moved and no file is written over.
    """
    path = Path(path)
    try:
        path = path.resolve() if path.is_symlink() else path
        _make_folder(path.parent)
        replace_in(path.parent, path.name, data)
    except NotADirectoryError:
        raise
    except OSError as error:
        error.filename = str(path)  # a full disk names none, and other errors the one beside
        raise


def _make_folder(folder: Path) -> None:
    """Make a folder where it is missing. The error names what is there in its place: a file that
    could not be written because of it does not exist."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except FileExistsError:
        raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR), str(folder)) from None


def replace_in(folder: Path | int, name: str, data: bytes, *, new: bool = False) -> None:
    """Replace the file `name` in `folder`, a path or an open folder, as `replace_bytes` does. A
    link is replaced, not followed. If `new`, a file that is there is an error."""
    at = folder if isinstance(folder, int) else None
    place = "" if isinstance(folder, int) else f"{folder}{os.sep}"
    # The name of a file has at most 255 bytes.
    start = os.fsencode(name)[:MAX_START_BYTES].decode("utf-8", "ignore")
    beside = f"{place}.{start}.{os.getpid()}-{own_mark()}-{os.urandom(4).hex()}"
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
    handle = os.open(beside, flags, 0o666, dir_fd=at)
    try:
        with os.fdopen(handle, "wb") as file:
            with suppress(FileNotFoundError):
                mode = os.stat(place + name, dir_fd=at, follow_symlinks=False).st_mode
                if not stat.S_ISLNK(mode):
                    os.chmod(beside, mode & 0o777, dir_fd=at)
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        if new:
            os.link(beside, place + name, src_dir_fd=at, dst_dir_fd=at)
            os.unlink(beside, dir_fd=at)
        else:
            os.replace(beside, place + name, src_dir_fd=at, dst_dir_fd=at)
    except BaseException:
        with suppress(OSError):  # the disk can only be read
            os.unlink(beside, dir_fd=at)
        raise


def files_in(folder: Path, pattern: str) -> list[Path]:
    """The files in `folder` whose names match, sorted. A folder, a pipe, or a link that leads
    nowhere is none, whatever its name.

    >>> files_in(Path("no-such-folder"), "*.md")
    []
    """
    return sorted(file for file in folder.glob(pattern) if file.is_file())


def leftovers(folder: Path) -> list[Path]:
    """The files in `folder` that `replace_text` began in a process that is dead by now. One of
    another computer, or from before a restart, counts after a day.

    >>> leftovers(Path("no-such-folder"))
    []
    """
    return sorted(file for file in folder.glob(".*") if _is_left_over(file))


def _is_left_over(file: Path) -> bool:
    found = re.fullmatch(r"\..*\.(\d+)-(?:([0-9a-f]{16})-)?[0-9a-f]{8}", file.name)
    if not found:
        return False
    pid, mark = int(found[1]), found[2]
    if mark is None:
        return not process_is_alive(pid)
    if mark.startswith(here()):
        return not is_running(pid, mark)
    with suppress(OSError):
        return abs(time.time() - file.stat().st_mtime) > LEFT_OVER_S
    return False


@contextmanager
def locked(path: str | os.PathLike[str], *, wait: bool = True) -> Iterator[None]:
    """Hold the lock on the file `path` inside a `with`; wait until nobody else holds it.

    The file is made where it is missing, with its folders, and stays as it is: only the kernel
    knows who holds it. It binds those who ask for it, threads and processes alike. A second request
    inside the `with` waits for ever.

    The library `filelock` asks again every 50 ms in place of waiting. So one of two processes that
    append by turns can wait for seconds, and here it waits for its turn.

    Raises:
        BlockingIOError: somebody else holds it; only without `wait`.
        OSError: the file cannot be made.
    """
    path = Path(path)
    _make_folder(path.parent)
    try:
        handle = os.open(path, os.O_RDWR | os.O_CREAT, 0o666)
    except OSError:  # a lock may be held on a file that can only be read
        if not path.exists():
            raise
        handle = _opened(str(path), os.O_RDONLY)
    try:
        _lock(handle, wait)
        try:
            yield
        finally:
            # Closing alone would leave it held by a child that was forked in the meantime.
            _unlock(handle)
    finally:
        os.close(handle)


def diff_of(before: Mapping[str, str], after: Mapping[str, str]) -> str:
    """A unified diff of two states of some files, texts by their names."""
    from difflib import unified_diff  # most who write a file show no difference

    lines: list[str] = []
    for name in sorted(before.keys() | after.keys()):
        old, new = (texts.get(name, "").splitlines() for texts in (before, after))
        lines += unified_diff(old, new, f"before/{name}", f"after/{name}", lineterm="")
    return "\n".join(lines)


def stamp_of(found: os.stat_result) -> str:
    """A text that changes when a file is changed or replaced, even if its size and its time stay:
    nobody sets the time of its last change of state."""
    return f"{found.st_ino} {found.st_mtime_ns} {found.st_ctime_ns} {found.st_size}"


def sha256_of(path: Path) -> str:
    """The SHA-256 of the file in hexadecimal digits."""
    import hashlib  # as much to load as all of this module

    with open_file(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
