"""Reading below one folder and nowhere else: `make_read_file` and `make_list_files`.

A model may write any path: `../`, `/etc/passwd`, a link that somebody left behind. So nothing here
judges how a path is spelled. The path is resolved with all its links, and only its target counts.
"""

import codecs
import json
import os
import stat
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Any

from g2c.inference.structured.json_forms import object_schema, text_schema
from g2c.tools.names import look_of, names_like, shown_name, shown_names
from g2c.tools.private import is_in_private
from g2c.tools.tool import ERROR_MARK, ExampleStep, Tool, ToolError, ToolExample, check_limits

SMALL_CONTEXT_BYTES = 4000
"""For `max_bytes`: more of a file would push the rest out of a small model's context."""

_MAX_PATH = 4096  # no system takes a longer one
_MAX_COMPARED = 500  # names, each by this many characters:
_COMPARED_CHARS = 60
_MAX_FOLDERS = 100
_UTF_16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)


def _found(question: str, about: str, path: str, text: str) -> ToolExample:
    return ToolExample(
        question,
        f"I need to read {path}.",
        {"path": path},
        text,
        text,
        # After the question's subject and the file's text, a small model can copy the answer.
        conclusion=f"I look for {about}. The file says: {text}",
    )


def _missed(question: str, about: str, asked: str, path: str, text: str) -> ToolExample:
    missing = f'There is no file \'{asked}\'. There is: {path}. Try {{"path": "{path}"}}'
    return replace(
        _found(question, about, path, text),
        thought=f"The file is missing. There is: {path}.",
        before=(
            ExampleStep(
                "read_file", f"I need to read {asked}.", {"path": asked}, ERROR_MARK + missing
            ),
        ),
    )


_READ_EXAMPLES = (
    _found("What colour is the door in house.txt?", "the door", "house.txt", "The door is green."),
    _found("Who is in the car in car.txt?", "the car", "car.txt", "Ada is in the car."),
    _missed(
        "When is the train in time.txt?",
        "the train",
        "time.txt",
        "train.txt",
        "The train is at noon on Monday.",
    ),
    _missed(
        "Where is the dog in pets.txt?",
        "the dog",
        "pets.txt",
        "dog.txt",
        "The dog is in the garden.",
    ),
)


def make_read_file(root: str | Path, *, max_bytes: int = 50_000, own: Sequence[Path] = ()) -> Tool:
    """Return the tool `read_file`, which reads text below `root` and nothing outside it: UTF-8, or
    UTF-16 with a byte-order mark.

    Paths are relative to `root`. Links are followed while they stay inside. The checked path is
    then opened folder by folder, following no link, so a link that was put there in between is
    refused too. (Windows cannot do that; there the checked path is opened.) A hard link to a file
    outside looks like any other file. A name that does not exist means the one that looks the same.
    An agent's own files, and the folders `own`, are not read (`g2c.tools.private`). Text past
    `max_bytes` is cut, with a note.

    Raises:
        ToolError: `root` is not a folder, or the limit as `check_limits`.
    """
    check_limits(max_bytes=max_bytes)
    root = _as_root(root)

    def read_file(path: str) -> str:
        try:
            return _read(root, path, max_bytes, own)
        except OSError as error:
            raise ToolError(f"{path!r:.200} cannot be read: {error.strerror}.") from error

    return Tool(
        name="read_file",
        description="Read a text file.",
        parameters=object_schema(path=text_schema(about="the file's name")),
        func=read_file,
        example=_READ_EXAMPLES[0],
        more_examples=_READ_EXAMPLES[1:],
        meant=meant_path(root, lambda path: _resolve(root, path, own)),
        folder=root,
    )


def make_list_files(root: str | Path, *, max_entries: int = 200, own: Sequence[Path] = ()) -> Tool:
    """Return the tool `list_files`, which names what is in a folder below `root`.

    It gives one path a line, sorted, relative to `root` as `read_file` takes it. Folders end in a
    slash. An agent's own files, and links that lead nowhere or outside `root`, are left out. If
    there are more than `max_entries`, a last line says how many. Unlike `read_file` it does not
    defend against somebody who swaps a folder for a link while it looks.

    Raises:
        ToolError: `root` is not a folder, or the limit as `check_limits`.
    """
    check_limits(max_entries=max_entries)
    root = _as_root(root)

    def list_files(path: str = ".") -> str:
        try:
            return _list(root, path, max_entries, own)
        except OSError as error:
            raise ToolError(f"{path!r:.200} cannot be listed: {error.strerror}.") from error

    return Tool(
        name="list_files",
        description="List the files in a folder.",
        parameters={
            "type": "object",
            "properties": {
                "path": {"type": "string", "description": "the folder, if not the top one"}
            },
            "additionalProperties": False,
        },
        func=list_files,
        meant=meant_path(root, lambda path: _resolve(root, path, own)),
        folder=root,
        example=ToolExample(
            question="Which files are there?",
            thought="I need to list the files.",
            arguments={},
            observation="car.txt\nhouse.txt",
            answer="There are car.txt and house.txt.",
            conclusion="The list is complete.",
        ),
    )


def _as_root(root: str | Path) -> Path:
    path = Path(root)
    if not path.is_dir():
        raise ToolError(f"{str(root)!r} is not a folder; give one that exists.")
    return path.resolve()


def _read(root: Path, path: str, max_bytes: int, own: Sequence[Path]) -> str:
    target = _resolve(root, path, own)
    if target.is_dir():
        raise ToolError(f"{path!r} is a folder. It has: {_some_names(root, target, own)}.")
    if not target.exists():
        folder = target.parent if target.parent.is_dir() else root
        names = _names(root, folder, own)
        elsewhere = _elsewhere(root, target.name, own)
        there_is = f"There is: {_some(names)}.{_suggestion(elsewhere or names, path)}"
        raise ToolError(f"There is no file {path!r}. {there_is}")
    with os.fdopen(_open_below(root, target), "rb") as file:
        is_regular = stat.S_ISREG(os.fstat(file.fileno()).st_mode)
        data = file.read(max_bytes + 1) if is_regular else b"\0"
    cut = len(data) > max_bytes
    encoding = "utf-16" if data.startswith(_UTF_16) else "utf-8-sig"
    try:
        # Incremental, since the cut may split a character.
        text = codecs.getincrementaldecoder(encoding)().decode(data[:max_bytes], not cut)
    except UnicodeDecodeError:
        text = "\0"
    if "\0" in text:
        raise ToolError(f"{path!r} is not a text file in UTF-8.")
    if cut:
        text += f"\n[cut here: the file is longer than {max_bytes} bytes]"
    return text or "(the file is empty)"


def _list(root: Path, path: str, max_entries: int, own: Sequence[Path]) -> str:
    folder = _resolve(root, path, own)
    if folder.is_file():
        raise ToolError(f"{path!r} is a file, not a folder.")
    if not folder.is_dir():
        raise ToolError(f"There is no folder {path!r}. There is: {_some_names(root, root, own)}.")
    names = _names(root, folder, own)
    lines = names[:max_entries]
    if len(names) > max_entries:
        lines.append(f"[the first {max_entries} of {len(names)}]")
    return "\n".join(lines) or "(the folder is empty)"


def _resolve(root: Path, path: str, own: Sequence[Path] = ()) -> Path:
    """Return the target of `path`, links followed. Raise if it is not below `root`, or is
    private."""
    try:
        if len(path) > _MAX_PATH:
            raise ValueError("too long")
        target = (root / path).resolve()
        if target.is_relative_to(root) and not os.path.exists(target):  # noqa: PTH110
            target = _meant(root, target).resolve()
            if "\\" in path and not target.exists():  # as Windows writes it
                return _resolve(root, path.replace("\\", "/"), own)
    except (OSError, RuntimeError, ValueError) as error:  # a name too long, a loop of links, a NUL
        raise ToolError(f"{path!r:.200} is not a usable path.") from error
    if not target.is_relative_to(root):
        raise ToolError(f"{path!r:.200} is outside the folder that this tool may use.")
    if is_in_private(root, target, own):
        raise ToolError(f"{path!r:.200} belongs to an agent itself; its tools may not use it.")
    return target


def meant_path(
    root: Path, resolve: Callable[[str], Path]
) -> Callable[[Mapping[str, Any]], Mapping[str, Any]]:
    """For `Tool.meant`: the path as it is resolved, relative to `root`."""

    def meant(arguments: Mapping[str, Any]) -> Mapping[str, Any]:
        try:
            found = _as_stored(root, resolve(str(arguments.get("path", "."))))
        except (ToolError, OSError, ValueError):
            return arguments  # the tool itself will refuse it
        return {**arguments, "path": found.relative_to(root).as_posix()}

    return meant


def _as_stored(root: Path, target: Path) -> Path:
    """The path below `root` with each name as its folder has it, where the file system finds a name
    in any case."""
    found = root
    for part in target.relative_to(root).parts:
        if all(os.path.lexists(found / name) for name in (part, part.swapcase())):
            names = os.listdir(found)  # noqa: PTH208
            alike = [name for name in names if look_of(name).casefold() == look_of(part).casefold()]
            part = part if part in names else next(iter(alike), part)
        found /= part
    return found


def _meant(root: Path, target: Path) -> Path:
    """The existing path below `root` that looks like `target`, as far as there is one."""
    found = root
    parts = target.relative_to(root).parts
    for at, part in enumerate(parts):
        names = names_like(found, part)
        if not names:
            return found.joinpath(*parts[at:])
        if len(names) > 1:
            both = " or ".join(map(ascii, names[:5]))
            raise ToolError(f"{part!r:.200} may be {both}; write it as list_files does.")
        found /= names[0]
    return found


def _open_below(root: Path, target: Path) -> int:
    """Open `target`, which `_resolve` returned. Refuse any link that was put there since."""
    flags = os.O_RDONLY
    for name in ("O_NOFOLLOW", "O_NONBLOCK", "O_BINARY"):  # O_NONBLOCK: a pipe must not be awaited
        flags |= getattr(os, name, 0)
    if os.open not in os.supports_dir_fd:
        return os.open(target, flags)
    opened = os.open(root, flags)
    for part in target.relative_to(root).parts:
        folder = opened
        try:
            opened = os.open(part, flags, dir_fd=folder)
        finally:
            os.close(folder)
    return opened


def _names(root: Path, folder: Path, own: Sequence[Path]) -> list[str]:
    depth = len(folder.relative_to(root).parts)
    way = reversed([folder, *folder.parents][:depth])
    above = "".join(f"{shown_name(parent)}/" for parent in way)
    with os.scandir(folder) as entries:
        kinds = {
            entry.name: entry.is_dir()
            for entry in entries
            if _is_usable(root, Path(entry.path), own)
        }
    return sorted(
        f"{above}{shown}/" if kinds[name] else f"{above}{shown}"
        for name, shown in shown_names(kinds).items()
    )


def _elsewhere(root: Path, name: str, own: Sequence[Path]) -> list[str]:
    """The files below `root` that have this name but for the case; of many folders, the first."""
    return [
        found
        for folder, _, files in islice(os.walk(root), _MAX_FOLDERS)
        if name.casefold() in map(str.casefold, files)
        for found in _names(root, Path(folder), own)
        if found.rpartition("/")[2].casefold() == name.casefold()
    ]


def _is_usable(root: Path, path: Path, own: Sequence[Path]) -> bool:
    """Whether `path`, or its link's target, is inside `root` and not private."""
    try:
        target = path.resolve(strict=True)
    except (OSError, RuntimeError):
        return False
    return target.is_relative_to(root) and not is_in_private(root, target, own)


def _suggestion(names: Sequence[str], path: str) -> str:
    """The likeliest correct input, as the model would write it. A small model copies the last input
    that it saw; without this, that is the one that failed.

    Comparing is slow, so only the first of many names are compared.
    """
    from difflib import SequenceMatcher

    files = [name for name in names if not name.endswith("/")]
    matcher = SequenceMatcher(b=path[:_COMPARED_CHARS])

    def likeness(name: str) -> tuple[float, str]:
        matcher.set_seq1(name[:_COMPARED_CHARS])
        return matcher.ratio(), name

    best = max(files[:_MAX_COMPARED], key=likeness, default=None)
    return f" Try {json.dumps({'path': best}, ensure_ascii=False)}" if best else ""


def _some_names(root: Path, folder: Path, own: Sequence[Path]) -> str:
    return _some(_names(root, folder, own))


def _some(names: Sequence[str]) -> str:
    more = [f"and {len(names) - 10} more"] if len(names) > 10 else []
    return ", ".join([*names[:10], *more]) or "nothing"
