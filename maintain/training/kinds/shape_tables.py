"""Read the functions of `data/shapes/`.

A function is a header, a result, its arguments and some requests:

    # get|fetch current_weather :: Get the current weather for a place.
    ? oneof sunny|rainy :: The weather is {}.
    - location|city* city :: The city
    - unit=celsius enum celsius=Celsius,centigrade; kelvin :: Unit of the temperature
    > What is the weather in {location}[ in {unit}]?

`|` separates alternative names. A star marks a required argument, and `=` gives the default of an
optional one. Its kind (see `shape_values`) and its description follow. `--` begins a field of the
object above. The result is drawn from a kind (`?`) or is a Python expression (`=`). A part of a
request in brackets is used only if its arguments are.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache

from maintain.training.kinds.shape_values import KIND_NAMES
from maintain.training.vocabulary import DATA

FRAGMENT = re.compile(r"\[([^\[\]]*)\]")
FIELD = re.compile(r"\{([\w.]+)\}")
_ARGUMENT = re.compile(
    rf"(-+) ([\w|]+)(\*|=.*?|) ({'|'.join(sorted(KIND_NAMES, key=len, reverse=True))})( .*)?"
)


@dataclass(frozen=True)
class Argument:
    """One argument; `default` is as in the table, empty if there is none."""

    names: tuple[str, ...]
    required: bool
    default: str
    kind: str
    details: str
    about: str
    fields: tuple[Argument, ...] = ()


@dataclass(frozen=True)
class Function:
    """One function. `result` is an expression if it is `computed`, else a kind with its details;
    `answer` and the requests are templates."""

    domain: str
    verbs: tuple[str, ...]
    stem: str
    about: str
    computed: bool
    result: str
    answer: str
    arguments: tuple[Argument, ...]
    requests: tuple[str, ...]


@cache
def load_functions() -> tuple[Function, ...]:
    """All functions of the tables.

    Raises:
        ValueError: a line has another form.
    """
    found: list[Function] = []
    for file in sorted((DATA / "shapes").glob("*.txt")):
        domain = ""
        for line, *block in _blocks(file.read_text("utf-8")):
            if line.startswith("## "):
                domain = line[3:]
            else:
                found.append(_read(domain, line, block))
    return tuple(found)


def _blocks(text: str) -> Iterator[list[str]]:
    """The lines in groups that begin with a `#`."""
    group: list[str] = []
    for line in filter(None, text.splitlines()):
        if line.startswith("#") and group:
            yield group
            group = []
        group.append(line)
    yield group


def _read(domain: str, header: str, lines: Sequence[str]) -> Function:
    names, about = header.removeprefix("# ").split(" :: ")
    verbs, stem = names.split(" ")
    result, answer = lines[0][2:].split(" :: ")
    return Function(
        domain,
        tuple(verbs.split("|")),
        stem,
        about,
        lines[0].startswith("="),
        result,
        answer,
        _arguments([line for line in lines if line.startswith("-")]),
        tuple(line[2:] for line in lines if line.startswith(">")),
    )


def _arguments(lines: Sequence[str]) -> tuple[Argument, ...]:
    found: list[Argument] = []
    for number, line in enumerate(lines):
        if line.startswith("--"):
            continue
        following = [not other.startswith("--") for other in lines[number + 1 :]]
        end = number + 1 + (following.index(True) if True in following else len(following))
        fields = [other[1:] for other in lines[number + 1 : end]]
        text, about = line.split(" :: ")
        match = _ARGUMENT.fullmatch(text)
        if match is None:
            raise ValueError(f"not an argument: {line!r}")
        _, names, mark, kind, details = match.groups()
        found.append(
            Argument(
                tuple(names.split("|")),
                mark == "*",
                mark[1:],
                kind,
                (details or "").strip(),
                about,
                _arguments(fields),
            )
        )
    return tuple(found)
