"""The written answers in a notebook: what somebody wrote between a question and the next part.

The notebook is compared with the shipped one, so a person may write in any kind of cell, below any
heading. If none of its cells is a shipped one, headings such as `### Answer 3` tell the answers.
"""

from __future__ import annotations

import ast
import re
import warnings
from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from g2c.course.bounded import read_at_most
from g2c.course.writeup import written
from g2c.foreign_json import load_json
from g2c.paths import project_root
from g2c.written import text_of

MOST_NOTEBOOK_BYTES = 5 * 2**20
"""The longest notebook of the course is a thirtieth of this, outputs included."""

_HEADING = re.compile(r"#{1,6}[ \t*_]*answer[ \t]*(\d{1,3})(?!\d)(.*)", re.IGNORECASE)
_OTHER_HEADING = re.compile(
    r"^[ \t]*(?:<h\d>|\*\*|__|)answer[ \t]*(\d{1,3})[:.]?"
    r"(?:[ \t]*</h\d>|\*\*|__|[ \t]*\n[ \t]*(?:-{2,}|={2,}))[ \t]*$",
    re.IGNORECASE | re.MULTILINE,
)
"""HTML, bold, or a line that is underlined."""
_NEXT = re.compile(r"#{1,2}[ \t]|---")
"""The beginning of a cell that ends an answer, in a notebook without shipped cells."""

_FENCED = re.compile(r"^ {0,3}(```|~~~).*?^ {0,3}\1", re.DOTALL | re.MULTILINE)
"""A block of code, in which a line that begins with # is a comment."""

_AROUND = " \t#:.,;)]-–—*_"  # noqa: RUF001 - what people put behind a number

_MAGIC = re.compile(r"^[ \t]*[%!].*$", re.MULTILINE)
"""A line that Jupyter runs, and Python does not."""

_MIN_SHIPPED_CHARS = 20
"""The fewest characters by which a shipped text is found inside of a cell."""

_MAX_CODE_CHARS = 100_000
"""Longer text is not tried as Python."""


@dataclass(frozen=True)
class Answer:
    """What stands where an answer belongs: the text, and what only may be a part of it, such as
    code, or a text further down."""

    text: str
    unsure: str = ""


@dataclass(frozen=True)
class _Cell:
    kind: str
    source: str
    id: str


def read_answers(notebook: Path, shipped: Path | None = None) -> dict[int, str]:
    """The texts of `find_answers`, by their numbers."""
    return {number: answer.text for number, answer in find_answers(notebook, shipped).items()}


def find_answers(notebook: Path, shipped: Path | None = None) -> dict[int, Answer]:
    """The answers by their numbers, in the notebook's order; one that is not written yet is empty.

    What is not of the `shipped` notebook, by default the course's of that name, and stands between
    a question and the next shipped cell is its answer, whatever the cell. Other texts are unsure
    parts of the answer before them. Sections with the same number are one answer. Text after the
    number in the heading belongs to the answer; a colon alone is no text.

    Raises:
        ValueError: the file is not a notebook, or has more than `MOST_NOTEBOOK_BYTES`.
        OSError: it cannot be read.
    """
    shipped = shipped or project_root() / "notebooks" / notebook.name
    return answers_of(read_at_most(notebook, MOST_NOTEBOOK_BYTES), str(notebook), shipped)


def answers_of(data: bytes, name: str, shipped: Path) -> dict[int, Answer]:
    """As `find_answers`, for the content of a notebook of that name."""
    cells = _cells_in(data, name)
    is_there = shipped.is_file()
    layout = _Layout(_cells_in(shipped.read_bytes(), str(shipped)) if is_there else ())
    texts: dict[int, list[str]] = defaultdict(list)
    unsure: dict[int, list[str]] = defaultdict(list)
    for number, text, is_sure in layout.pieces(cells) or _by_headings(cells):
        texts[number] += [written(text)] if is_sure else []
        unsure[number] += [] if is_sure else [written(text)]
    return {
        number: Answer(*("\n\n".join(filter(None, of[number])) for of in (texts, unsure)))
        for number in texts
        if number
    }


def has_answers(data: bytes, name: str) -> bool:
    """Whether a notebook has a text below a heading of an answer, whatever its other cells are."""
    with suppress(ValueError):
        return any(one.text for one in answers_of(data, name, Path()).values())
    return False


def _cells_in(data: bytes, notebook: str) -> list[_Cell]:
    text = text_of(data, notebook)
    try:
        return [
            _Cell(str(cell["cell_type"]), _source(cell), str(cell.get("id", "")))
            for cell in load_json(text)["cells"]
        ]
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise ValueError(
            f"{notebook} is not a notebook ({type(error).__name__}: {error})."
        ) from error


def _source(cell: Mapping[str, Any]) -> str:
    return "".join(cell["source"]).replace("\r\n", "\n").strip()


_Pieces = list[tuple[int, str, bool]]
"""Pieces of answers: the number (0 for none), the text, and whether it is surely of the answer."""


def _by_headings(cells: Sequence[_Cell]) -> _Pieces:
    found: _Pieces = [(0, "", True)]
    for cell in cells:
        if cell.kind == "markdown":
            first = cell.source.partition("\n")[0].strip()
            is_next = _NEXT.match(first) and not _HEADING.fullmatch(first)
            sections = [(0, "")] if is_next else _sections(cell.source, found[-1][0])
            found += ((number, text, True) for number, text in sections)
    return found


def _sections(
    source: str, number: int, numbers: Collection[int] | None = None
) -> list[tuple[int, str]]:
    """The parts of a text below headings of answers; `number` is the answer before the first. Only
    `numbers` are answers, if they are given."""
    found: list[tuple[int, list[str]]] = [(number, [])]
    without_code = _FENCED.sub(lambda code: "\n" * code[0].count("\n"), source)
    for line, prose in zip(source.split("\n"), without_code.split("\n"), strict=True):
        heading = _HEADING.fullmatch(prose.strip())
        if heading and (numbers is None or int(heading[1]) in numbers):
            beside = heading[2].lstrip(_AROUND).rstrip(" \t#*_")  # "### Answer 3: It stopped."
            found.append((int(heading[1]), [beside]))
        else:
            found[-1][1].append(line)
    return [(number, "\n".join(lines)) for number, lines in found]


class _Layout:
    """A shipped notebook: the cells of its answers, and all others by their places."""

    def __init__(self, shipped: Sequence[_Cell]) -> None:
        self._answers: dict[str, int] = {}  # by the ids of their cells
        self._places: dict[str, int] = {}  # of other cells, by id and by source
        self._begins: dict[int, int] = {}  # the answer that begins after a place
        self._sources: list[str] = []
        for cell in shipped:
            if heading := _HEADING.fullmatch(cell.source.partition("\n")[0]):
                self._answers[cell.id] = int(heading[1])
                self._begins[len(self._sources) - 1] = int(heading[1])
                continue
            keys = filter(None, (cell.source, cell.id))
            self._places |= dict.fromkeys(keys, len(self._sources))
            self._sources.append(cell.source)

    def pieces(self, cells: Sequence[_Cell]) -> _Pieces:
        """The pieces of answers in a copy of the notebook; empty if it has no shipped cell."""
        parts = [part for cell in cells for part in self._parts(cell)]
        if all(isinstance(part, _Cell) for part in parts):
            return []
        numbers = list(self._begins.values())
        found: _Pieces = [(number, "", True) for number in numbers]
        number = before = 0
        for part in parts:
            if isinstance(part, int):
                number = self._begins.get(part, 0)
                continue
            number = self._answers.get(part.id, number)
            source = _OTHER_HEADING.sub(r"### Answer \1", part.source)
            for at, text in _sections(source, number, numbers):
                number, before = at, at or before or numbers[0]
                is_prose = part.kind != "code" or not is_code(text)
                if number or is_prose:
                    found.append((before, text, bool(number) and is_prose))
        return found

    def _parts(self, cell: _Cell) -> list[int | _Cell]:
        """The places of the shipped cells in a cell, and the rest as cells, in order."""
        place = self._places.get(cell.id, -1)
        if place >= 0 and cell.source == self._sources[place]:
            return [place]
        if (same := self._places.get(cell.source, -1)) >= 0:
            return [same]
        found = sorted(
            (at, -len(source), number)
            for number, source in enumerate(self._sources)
            if len(source) >= _MIN_SHIPPED_CHARS and (at := cell.source.find(source)) >= 0
        )
        if not found and place >= 0 and cell.source in self._sources[place]:  # it was split
            return [place]
        if not found and place >= 0:  # somebody wrote into it
            shipped = set(self._sources[place].split("\n"))
            own = (line for line in cell.source.split("\n") if line not in shipped)
            return [place, _Cell("markdown", "" if cell.kind == "code" else "\n".join(own), "")]
        parts: list[int | _Cell] = []
        end = 0
        for at, length, number in found:
            if at >= end:
                parts += [_Cell(cell.kind, cell.source[end:at], cell.id), number]
                end = at - length
        rest = cell.source[end:]
        is_split = len(rest) >= _MIN_SHIPPED_CHARS and any(
            rest in source for source in self._sources
        )
        return parts if is_split else [*parts, _Cell(cell.kind, rest, "" if parts else cell.id)]


def is_code(text: str) -> bool:
    """Whether a cell of code holds statements of Python, and not words or comments alone.

    >>> is_code("print(2)"), is_code("# It stopped."), is_code("It stopped because.")
    (True, False, False)
    """
    if len(text) > _MAX_CODE_CHARS:
        return False
    try:
        with warnings.catch_warnings(action="ignore"):
            nodes = ast.walk(ast.parse(_MAGIC.sub("pass", text)))
            return any(
                isinstance(node, ast.Call | ast.stmt) and not isinstance(node, ast.Expr)
                for node in nodes
            )
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
