"""Writing below one folder and nowhere else: `make_write_file`.

No later check can undo a write. So the new file is made beside the old one, in a folder that was
reached without following any link, and then replaces it. A link that is put there in between is
replaced, not followed.
"""

import os
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from g2c.files import replace_in, replace_text
from g2c.inference.structured.json_forms import object_schema, text_schema
from g2c.paths import course_above
from g2c.tools.files import _as_root, _resolve, meant_path
from g2c.tools.names import plain_name
from g2c.tools.tool import Tool, ToolError, ToolExample, check_limits


def _example(question: str, path: str, text: str) -> ToolExample:
    return ToolExample(
        question=question,
        thought=f"I need to write {path}.",
        arguments={"path": path, "text": text},
        observation=f"{path} is written.",
        answer=f"{path} is written.",
        conclusion="The file is written.",
    )


_EXAMPLES = (
    _example("Write The door is green. to house.txt", "house.txt", "The door is green."),
    _example("Write Ada to car.txt", "car.txt", "Ada"),
    _example("Write 7 eggs to shop.txt", "shop.txt", "7 eggs"),
)


_PROGRAM = Path(__file__).resolve().parents[1]
_RUN = ("g2c", "tests", "notebooks", "archive", "prodlm.sh", "constraints.txt")
_RUN_AT_THE_TOP = (".py", ".toml", ".ini", ".cfg", ".sh")
"""Names in a course, and suffixes of files directly in it, that its commands run, import, read as
settings or restore."""
_PROSE = (".md", ".txt")
"""Suffixes that may be written in `docs`; other files there run, or are read, when the site is
built."""


def make_write_file(root: str | Path, *, max_bytes: int = 50_000, own: Sequence[Path] = ()) -> Tool:
    """Return the tool `write_file`, which writes UTF-8 text below `root` and nothing outside it.

    Paths are relative to `root`. Missing folders are made. An existing file is replaced in one
    move, so its other hard links, if it has any, keep the old text. Links are followed while they
    stay inside, as in `make_read_file`. A link that is put
    there after that check is refused (on Windows, the checked path is written). A name that does
    not exist means the one that looks the same.

    A model's text must not become a command by itself. So an agent's own files (`make_read_file`),
    hidden files (`.git/hooks`, `.bashrc`) and files that a course's commands run (its tests, this
    program) are not written. The tool does not know what else a person runs from `root`.

    Raises:
        ToolError: `root` is not a folder, or the limit as `check_limits`.
    """
    check_limits(max_bytes=max_bytes)
    root = _as_root(root)

    def write_file(path: str, text: str) -> str:
        try:
            _write(root, path, text, max_bytes, own)
        except OSError as error:
            raise ToolError(f"{path!r:.200} cannot be written: {error.strerror}.") from error
        return f"{path} is written."

    return Tool(
        name="write_file",
        description="Write a text file; what it held is replaced.",
        parameters=object_schema(
            path=text_schema(about="the file's name"),
            text=text_schema(about="all that the file is to hold"),
        ),
        func=write_file,
        example=_EXAMPLES[0],
        more_examples=_EXAMPLES[1:],
        meant=meant_path(root, lambda path: _target(root, path, own)),
        folder=root,
    )


def _target(root: Path, path: str, own: Sequence[Path]) -> Path:
    """The path that is really written, which may differ from the requested one."""
    target = _resolve(root, path, own)
    return target if target.exists() else _resolve(root, _plain_path(root, target), own)


def _write(root: Path, path: str, text: str, max_bytes: int, own: Sequence[Path]) -> None:
    data = text.encode("utf-8", "replace")
    if len(data) > max_bytes:
        raise ToolError(f"The text has {len(data)} bytes; write at most {max_bytes}.")
    target = _target(root, path, own)
    if target.is_dir() or path.endswith("/"):
        raise ToolError(f"{path!r} is a folder; give the name of a file.")
    if target.exists() and not target.is_file():
        raise ToolError(f"{path!r} is not a text file.")
    parts = target.relative_to(root).parts
    if any(part.startswith(".") for part in parts) or _is_run(target):
        raise ToolError(f"{path!r:.200} is hidden, or is run by itself; write another file.")
    if os.open not in os.supports_dir_fd:
        replace_text(target, data.decode())
        return
    folder = _open_folder(root, target.parent)
    try:
        replace_in(folder, target.name, data)
    finally:
        os.close(folder)


def _is_run(target: Path) -> bool:
    """Whether a course's command runs the file, or reads it as settings."""
    if target.is_relative_to(_PROGRAM):
        return True
    course = course_above(target)
    if course is None or target == course:
        return False
    first, *rest = (part.casefold() for part in target.relative_to(course).parts)
    name = rest[-1] if rest else first
    if first in _RUN or name.endswith(".ipynb"):
        return True
    if rest:
        return first == "docs" and not name.endswith(_PROSE)
    return name.endswith(_RUN_AT_THE_TOP)


def _plain_path(root: Path, target: Path) -> str:
    """The path of a new file below `root`, with the plain form of each new name."""
    names: list[str] = []
    for part in target.relative_to(root).parts:
        name = part if root.joinpath(*names, part).exists() else plain_name(part).strip()
        if name in ("", ".", "..") or (name == ascii(part) and not part.isprintable()):
            raise ToolError(f"{part!r:.200} is not a usable path.")
        names.append(name)
    return "/".join(names)


def _open_folder(root: Path, folder: Path) -> int:
    """Open `folder`, which `_resolve` found below `root`. Make missing folders, and refuse any link
    that was put there since."""
    flags = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW
    opened = os.open(root, flags)
    for part in folder.relative_to(root).parts:
        above = opened
        try:
            with suppress(FileExistsError):
                os.mkdir(part, dir_fd=above)
            opened = os.open(part, flags, dir_fd=above)
        finally:
            os.close(above)
    return opened
