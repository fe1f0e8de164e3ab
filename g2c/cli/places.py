"""The files and folders that a command's options name: whether it reads or writes each.

The parameter's annotation says so. All places are compared before the command begins. So nothing
that it reads is replaced by what it writes, and no work is lost for want of a place to write.
"""

import functools
import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ParamSpec, TypeVar, get_type_hints

import typer
from typer.core import TyperCommand
from typer.models import OptionInfo, ParameterInfo

from g2c.files import PAGE_HEAD, open_file
from g2c.text import fold

P = ParamSpec("P")
R = TypeVar("R")


_IS_EMPTY = "it is empty. Give a value, or leave it out."


@dataclass(frozen=True)
class Like:
    """A pattern of beginnings. It is compiled where a file is read, which few commands do."""

    pattern: bytes


Beginning = bytes | Like
"""How a file of a command's own begins."""


@dataclass(frozen=True)
class Place:
    """The metadata of a parameter that names a file or a folder."""


@dataclass(frozen=True)
class Input(Place):
    """A file, or a folder, which the command reads; `default` if nothing is named. `reads` says
    which names in a folder those are."""

    default: str = ""
    reads: Callable[[str], bool] = lambda name: True


@dataclass(frozen=True)
class OutputFile(Place):
    """A file that the command writes. It replaces one that begins with one of `begins`, as those do
    that it wrote, or that is empty; with None, the command itself looks at what is there. With the
    flag `unless`, it only reads the file. If another program's files begin like the command's own,
    `never` is a text that only those have, in their first lines."""

    begins: tuple[Beginning, ...] | None
    unless: str = ""
    never: bytes = b""


@dataclass(frozen=True)
class OutputFolder(Place):
    """A folder for what the command writes. Nothing that may be a hand-in may be in it, but for the
    folders `holds`, which the command makes."""

    holds: tuple[str, ...] = ()


@dataclass(frozen=True)
class Store(Place):
    """A folder that the command reads, and into which it writes, such as a home. `writes` are names
    in it that it replaces, each with how its content begins."""

    writes: Mapping[str, bytes] = field(default_factory=dict, hash=False)


OLD_PAGE = Like(
    rb'<!doctype html>(?:<html lang="en"><meta charset="utf-8"><title>Review</title>|'
    rb'\r?\n<html lang="en"><head><meta charset="utf-8"><title>[^<]*</title>\r?\n'
    rb'<meta name="viewport" content="width=device-width(?:, initial-scale=1)?">\r?\n'
    rb'<meta http-equiv="Content-Security-Policy" content="default-src \'none\'; '
    rb"style-src 'unsafe-inline'\">\r?\n<style>\r?\n:root \{ color-scheme: light dark; \}\r?\n)"
)
"""How pages of reviews, traces and feedback began that g2c wrote until November 2026."""

OWN_PAGES = (PAGE_HEAD.encode(), OLD_PAGE)
PAGE = OutputFile(OWN_PAGES)
GRADES = OutputFolder(("old", "answers"))

MAX_HEAD_BYTES = 10_000
LINES_LOOKED_AT, MAX_LINE_BYTES = 5, 100_000
"""How far a file is read to see which program made it."""

HAND_INS = (".zip", ".rar", ".7z", ".tar", ".gz", ".tgz", ".ipynb", ".py")
"""The endings of files that students hand in."""


@dataclass(frozen=True)
class Named:
    """A place on the command line: how a person writes the parameter, and the path."""

    by: str
    path: Path
    place: Place


def checked(command: Callable[P, R]) -> Callable[P, R]:
    """The command, which begins only if it can write where it is told to."""

    @functools.wraps(command)
    def wrapped(*args: P.args, **kwargs: P.kwargs) -> R:
        for name in kwargs.keys() & places_of(command).keys():
            kwargs[name] = _from_home(kwargs[name])
        named = list(_named(command, kwargs))
        if any(not isinstance(output.place, Input) for output in named):
            named += (Named(str(word), word, Input()) for word in _words(kwargs.values()))
        for output in named:
            if re.match(r"https?:/", str(output.path)) and not output.path.exists():
                why = f"{output.path} is an address. Download it first, and name the file."
                raise typer.BadParameter(why, param_hint=output.by)
            if why := trouble_with(output, named):
                raise typer.BadParameter(why, param_hint=output.by)
        return command(*args, **kwargs)

    return wrapped


def _from_home(value: Any) -> Any:
    """A path with the person's own folder in place of ~, which a shell does not put into
    `--home=~/mine`."""
    if isinstance(value, list):
        return [_from_home(path) for path in value]
    if isinstance(value, Path) and value.parts[:1] == ("~",):
        with suppress(RuntimeError):  # nobody knows where that is
            return value.expanduser()
    return value


class CheckedCommand(TyperCommand):
    """A command that does not take "" for an option's text, a file or a folder, as of a variable of
    the shell that is not set. That would be the default, or this folder."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        given, _, _ = self.make_parser(ctx).parse_args(args=list(args))
        places = places_of(self.callback) if self.callback else {}
        for parameter in self.params:
            name, value = str(parameter.name), given.get(str(parameter.name))
            is_option = parameter.param_type_name == "option" and parameter.default != ""
            is_empty = "" in (value if isinstance(value, (list, tuple)) else [value])
            if is_empty and (is_option or name in places):
                flags = (flag for flag in parameter.opts if flag.startswith("--"))
                by = places[name][0] if name in places else next(flags, name)
                raise typer.BadParameter(_IS_EMPTY, param_hint=by)
        return super().parse_args(ctx, args)


@functools.cache
def places_of(command: Callable[..., Any]) -> dict[str, tuple[str, Place]]:
    """The parameters that name places: how a person writes each, and what it is."""
    found = {}
    for name, hint in get_type_hints(command, include_extras=True).items():
        said = getattr(hint, "__metadata__", ())
        info = next((part for part in said if isinstance(part, ParameterInfo)), None)
        for place in (part for part in said if isinstance(part, Place)):
            found[name] = (_written_as(name, info), place)
    return found


def _written_as(name: str, info: ParameterInfo | None) -> str:
    if not isinstance(info, OptionInfo):
        return (str(info.metavar or "") if info else "").strip("[]") or name.upper()
    # In an annotation, typer keeps the first name of an option as its default.
    names = [name for name in (info.default, *(info.param_decls or ())) if isinstance(name, str)]
    return next((flag for flag in names if flag.startswith("--")), f"--{name.replace('_', '-')}")


def _named(command: Callable[..., Any], values: Mapping[str, Any]) -> Iterator[Named]:
    for name, (by, place) in places_of(command).items():
        default = place.default if isinstance(place, Input) else ""
        if isinstance(place, OutputFile) and values.get(place.unless):
            place = Input()
        value = values.get(name) or default
        for path in value if isinstance(value, list) else [value] if value else []:
            yield Named(by, Path(path), place)


def _words(values: Iterable[Any]) -> Iterator[Path]:
    """The files in other words, such as `mine.py` in `embedded,19.1=mine.py`."""
    for value in values:
        for text in value if isinstance(value, list) else [value]:
            for word in {text, *re.split("[,=+]", text)} if type(text) is str else ():
                with suppress(OSError):  # too long for a name
                    yield from filter(Path.is_file, [Path(word)])


def trouble_with(one: Named, named: Sequence[Named]) -> str:
    """Why the command may not write there, as a sentence; empty if it may, or only reads it.

    Raises:
        OSError: nothing can be written there.
    """
    try:
        return "" if isinstance(one.place, Input) else next(_troubles(one, named), "")
    except OSError as error:
        error.filename = str(one.path)  # and not the temporary one
        raise


def _troubles(one: Named, named: Sequence[Named]) -> Iterator[str]:
    another = "Name another place for what is written."
    path, place = one.path, one.place
    for other in named:
        if other is one:
            continue
        if is_same(path, other.path):
            yield f"{path} is what {other.by} names, too. {another}"
        for name in place.writes if isinstance(place, Store) else ():
            if is_same(path / name, other.path):
                yield f"{path / name} is replaced by each run, and {other.by} names it. Move it."
        inside = isinstance(place, OutputFile) and _name_inside(path, other.path)
        if inside and (not isinstance(other.place, Input) or other.place.reads(inside)):
            yield f"{path} is in the folder that {other.by} names. {another}"
    if isinstance(place, OutputFile):
        with suppress(FileNotFoundError):
            path.stat()  # a loop of links is neither there nor missing
        if path.exists():
            if not path.is_file():
                yield f"{path} exists, and g2c did not make it, and it is not a file. Name a file."
            with open_file(path, "r+b"):  # os.access does not notice a disk that is read-only
                pass
            is_own = place.begins is None or begins_with(path, *place.begins)
            if not is_own or (place.never and place.never in _first_lines(path)):
                yield f"{path} exists, and g2c did not make it. Name another file."
        # A link may lead to a file that is not there yet, in a folder that cannot be written.
        _try_to_write(Path(os.path.realpath(path)).parent)
    elif path.exists() and not path.is_dir():
        yield f"{path} is not a folder. Name a folder."
    elif isinstance(place, OutputFolder):
        yield from (
            f"{path} has {name}, so it is not for what this command writes. Name a new folder."
            for name in _hand_ins(path, place.holds)
        )
        _try_to_write(path.absolute())
    elif isinstance(place, Store):
        yield from (
            f"{path / name} exists, and g2c did not make it, and would replace it. Move it."
            for name, begins in place.writes.items()
            if not begins_with(path / name, begins)
        )


def begins_with(file: Path, *begins: Beginning) -> bool:
    """Whether the file begins so, in one of these ways. One that is missing or empty loses
    nothing."""
    if not file.exists():
        return True
    with open_file(file, "rb") as opened:
        content = opened.read(MAX_HEAD_BYTES)
    return not content or any(
        content.startswith(begin) if isinstance(begin, bytes) else re.match(begin.pattern, content)
        for begin in begins
    )


def _first_lines(file: Path) -> bytes:
    with open_file(file, "rb") as opened:
        return b"".join(opened.readline(MAX_LINE_BYTES) for _ in range(LINES_LOOKED_AT))


def _hand_ins(folder: Path, own: Sequence[str]) -> Iterator[str]:
    """The names in a folder that may be hand-ins. A system's own begin with a dot."""
    for entry in sorted(folder.iterdir()) if folder.exists() else ():
        is_like_one = entry.is_dir() or entry.suffix.lower() in HAND_INS
        if is_like_one and entry.name not in own and not entry.name.startswith((".", "__MACOSX")):
            yield entry.name


def _try_to_write(folder: Path) -> None:
    """Write nothing into the folder, or into the one in which it would be made.

    Raises:
        OSError: it cannot be written.
    """
    import tempfile  # few commands write

    while not folder.exists():
        folder = folder.parent
    with tempfile.TemporaryFile(dir=folder):
        pass


def is_same(one: Path, other: Path) -> bool:
    """Whether both are one file or folder, by links and in any case of letters. If neither exists,
    whether they would be."""
    with suppress(OSError):
        return one.samefile(other)
    if one.exists() or other.exists() or fold(one.name) != fold(other.name):
        return False
    return os.path.realpath(one.parent) == os.path.realpath(other.parent)


def _name_inside(path: Path, folder: Path) -> str:
    """The name of `path` in `folder`, by links; empty if it is not in it."""
    whole = Path(os.path.realpath(path))
    parent = next((at for at in whole.parents if folder.is_dir() and is_same(at, folder)), None)
    return whole.relative_to(parent).as_posix() if parent else ""
