"""Results that are kept, so that nobody waits for them twice.

The name of a kept result is a digest of everything that it was made from. So a result never stands
for something that has changed since: it is not found, and made again.
"""

import ast
import hashlib
import json
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from g2c.files import read_bytes, sha256_of
from g2c.json_files import keep_json, read_object

MAX_NAME = 200
_COURSE = Path(__file__).resolve().parent
_BY_NAME = re.compile(
    r"\b(?:__import__|import_module|run_module|run_path|spec_from_file_location|exec)\b"
)
"""Calls that run code by a name in a string. Each string of such a file may be or begin a name."""
_EXERCISE = re.compile(rb"^@exercise\(", re.MULTILINE)


def key_of(*parts: object) -> str:
    """A short name for `parts`, JSON values or others with a `str` of their own.

    >>> key_of({"a": 1, "b": 2}) == key_of({"b": 2, "a": 1}) != key_of({"a": 1, "b": 3})
    True
    """
    text = json.dumps(parts, sort_keys=True, default=str)
    return hashlib.sha256(text.encode()).hexdigest()[:16]


Known = dict[Path, tuple[str, list[Path]]]
"""The digest of a file, and the files that it imports."""


def key_of_code(*code: Path | Callable[..., Any], known: Known | None = None) -> str:
    """A short name for Python files, or those of functions, and for all that they import from files
    of a person's own: those of other exercises, and those beside the course. The rest of the course
    has a version, and a digest of its own. A data file counts if the code has its path, relative to
    its own folder or to this one, as one string. Calls that share `known` read each file once.

    Raises:
        OSError: one of these files cannot be read.
    """
    left = [item if isinstance(item, Path) else _file_of(item) for item in code]
    left, known = [file.resolve() for file in left], {} if known is None else known
    found: dict[Path, str] = {}
    while left:
        file = left.pop()
        if file not in found:
            if file not in known:
                known[file] = _looked_at(file)
            found[file], imports = known[file]
            left += imports
    return key_of(sorted(found.values()))


def _looked_at(file: Path) -> tuple[str, list[Path]]:
    if file.suffix != ".py":
        return sha256_of(file), []
    content = read_bytes(file)
    imports: set[Path] = set()
    with suppress(SyntaxError, ValueError):  # whoever imports it says so
        imports.update(other.resolve() for other in _imported_by(file, ast.parse(content)))
    return hashlib.sha256(content).hexdigest(), sorted(imports)


def _file_of(function: Callable[..., Any]) -> Path:
    return Path(str(sys.modules[function.__module__].__file__))


def _imported_by(file: Path, tree: ast.Module) -> Iterator[Path]:
    """The files of a person's own that the code in `file` imports, and the data that it names."""
    installed = (sys.prefix, sys.base_prefix)
    roots = [Path.cwd(), *(Path(item) for item in sys.path if not item.startswith(installed))]
    nodes = list(ast.walk(tree))
    words = (word for node in nodes for word in vars(node).values())
    is_by_name = any(isinstance(w, str | bytes) and _BY_NAME.search(str(w)) for w in words)
    for node in nodes:
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield from _data_named(node.value, (file.parent, Path.cwd()))
            if is_by_name:
                yield from _named(node.value, file, roots)
            continue
        if isinstance(node, ast.Import):
            starts, names = roots, [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            starts = [file.parents[node.level - 1]] if node.level else roots
            names = [f"{node.module or ''}.{alias.name}" for alias in node.names]
        else:
            continue
        for name in names:
            yield from _of_module(name, starts)


def _named(text: str, file: Path, roots: Sequence[Path]) -> Iterator[Path]:
    """The files that a text in `file` may name: a path, a module, or the modules of a package."""
    if text.endswith(".py"):
        with suppress(ValueError, OSError):  # not a name, or too long for one
            yield from filter(_is_own, (Path(text), file.parent / text))
    if not re.fullmatch(r"[\w.]*\w[\w.]*", text) or len(text) > MAX_NAME:
        return
    starts = [file.parent] if text.startswith(".") else roots
    yield from _of_module(text, starts)
    package = Path(*filter(None, text.split(".")))
    for start in starts:
        yield from filter(_is_own, sorted((start / package).glob("*.py")))


def _data_named(text: str, folders: Sequence[Path]) -> Iterator[Path]:
    """The files in these folders whose relative path is `text`. A path from the root may be one of
    the system's, with another content at each look."""
    if 0 < len(text) <= MAX_NAME and not text.endswith(".py") and not Path(text).is_absolute():
        for folder in folders:
            with suppress(ValueError, OSError):  # not a name
                found = (folder / text).resolve()
                if found.is_file() and found.is_relative_to(folder):
                    yield found


def _of_module(name: str, starts: Sequence[Path]) -> Iterator[Path]:
    parts = [part for part in name.split(".") if part]
    at = next((start for start in starts if _is_module(start / parts[0])), starts[0])
    for part in parts:
        at /= part
        yield from filter(_is_own, (at.with_name(f"{part}.py"), at / "__init__.py"))


def _is_module(path: Path) -> bool:
    return path.is_dir() or path.with_name(f"{path.name}.py").is_file()


def _is_own(file: Path) -> bool:
    if not file.is_file():
        return False
    is_of_course = file.resolve().is_relative_to(_COURSE)
    return not is_of_course or bool(_EXERCISE.search(read_bytes(file)))


def keep(file: Path, key: str, value: object) -> None:
    """Add the JSON value `value` to `file`, if that can be written."""
    keep_json(file, dict(sorted((read_object(file) | {key: value}).items())), indent=1)
