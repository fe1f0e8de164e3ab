"""The written answers in a notebook: what somebody wrote between a question and the next part.

The notebook is compared with the shipped one, so a person may write in any kind of cell, below any
heading, or all answers in one cell that says their numbers. If none of its cells is a shipped one,
headings such as `### Answer 3` tell the answers.
"""

import ast
import re
import warnings
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import groupby
from pathlib import Path
from typing import Any

from g2c.course.bounded import read_at_most
from g2c.course.writeup import written
from g2c.files import read_bytes
from g2c.foreign_json import load_json
from g2c.paths import project_root
from g2c.text import named_reason
from g2c.written import text_of

MAX_NOTEBOOK_BYTES = 5 * 2**20
"""The longest notebook of the course is a thirtieth of this, outputs included."""

_HEADING = re.compile(r"#{1,6}[ \t*_]*answer[ \t]*(\d{1,3})(?!\d)(.*)", re.IGNORECASE)
_OTHER_HEADING = re.compile(
    r"^[ \t]*(?:<h\d>|\*\*|__|)answer[ \t]*(\d{1,3})[:.]?"
    r"(?:[ \t]*</h\d>|\*\*|__|[ \t]*\n[ \t]*(?:-{2,}|={2,}))[ \t]*$",
    re.IGNORECASE | re.MULTILINE,
)
"""HTML, bold, or a line that is underlined."""
_SAID = re.compile(
    r"(?:#{1,6}|[-+]|)[ \t*_(]*(?:(answer|question|experiment|[aqe])[ \t]*|)(\d{1,3})"
    r"(?:[*_]*[:.)]+[*_]*(?=[ \t]|$)|[ \t]+[-–—]+(?=[ \t])|[*_]*$)(.*)",  # noqa: RUF001
    re.IGNORECASE,
)
"""The beginning of a line that says which question it answers, such as `Question 3: It`, or `3. It`
without a word."""
_TITLE = re.compile(r"#{1,6}[ \t][^\n]*")
"""A heading alone, as above answers."""

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
    """A student's answer: `text` stands in its place. `unsure` may be a part of it, such as code,
    or a text further down."""

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

    All text between a question and the next cell of the `shipped` notebook (by default the course's
    of that name) is its answer, in any kind of cell. Text that says which
    question it answers is the answer to that one, if it has no other. Other text is an unsure part
    of the answer before it, or of all that are missing if it stands before or behind all questions.
    Sections with the same number are one answer. Text after the number in the heading belongs to
    the answer; a colon alone is not text.

    Raises:
        ValueError: the file is not a notebook, or has more than `MAX_NOTEBOOK_BYTES`.
        OSError: it cannot be read.
    """
    shipped = shipped or project_root() / "notebooks" / notebook.name
    return answers_of(read_at_most(notebook, MAX_NOTEBOOK_BYTES), str(notebook), shipped)


def answers_of(data: bytes, name: str, shipped: Path) -> dict[int, Answer]:
    """As `find_answers`, for the content of a notebook of that name."""
    cells = _cells_in(data, name)
    is_there = shipped.is_file()
    layout = _Layout(_cells_in(read_bytes(shipped), str(shipped)) if is_there else ())
    texts: dict[int, list[str]] = defaultdict(list)
    unsure: dict[int, list[str]] = defaultdict(list)
    for piece in layout.pieces(cells) or _by_headings(cells):
        texts[piece.number] += [written(piece.text)] if piece.is_sure else []
        unsure[piece.number] += [] if piece.is_sure else [written(piece.text)]
    return {
        number: Answer(*("\n\n".join(filter(None, of[number])) for of in (texts, unsure)))
        for number in texts
        if number
    }


def has_answers(data: bytes, name: str) -> bool:
    """Whether a notebook has a text below a heading of an answer, whatever its other cells are."""
    with suppress(ValueError):
        return any(answer.text for answer in answers_of(data, name, Path()).values())
    return False


def _cells_in(data: bytes, notebook: str) -> list[_Cell]:
    text = text_of(data, notebook)
    try:
        return [
            _Cell(str(cell["cell_type"]), _source(cell), str(cell.get("id", "")))
            for cell in load_json(text)["cells"]
        ]
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise ValueError(f"{notebook} is not a notebook ({named_reason(error)}).") from error


def _source(cell: Mapping[str, Any]) -> str:
    return "".join(cell["source"]).replace("\r\n", "\n").strip()


@dataclass(frozen=True)
class _Piece:
    """A piece of an answer: its number, 0 for none, and whether it surely belongs to it. An
    `elsewhere` one stands where no answer belongs; its number is that of the answer before."""

    number: int
    text: str = ""
    is_sure: bool = True
    elsewhere: bool = False


def _by_headings(cells: Sequence[_Cell]) -> list[_Piece]:
    found = [_Piece(0)]
    for cell in cells:
        if cell.kind == "markdown":
            first = cell.source.partition("\n")[0].strip()
            is_next = _NEXT.match(first) and not _HEADING.fullmatch(first)
            sections = [(0, "")] if is_next else _sections(cell.source, found[-1].number)
            found += (_Piece(number, text) for number, text in sections)
    return found


def _headed(line: str) -> tuple[int, str] | None:
    found = _HEADING.fullmatch(line.strip())
    return (int(found[1]), found[2]) if found else None  # "### Answer 3: It stopped."


def _sections(
    source: str,
    number: int,
    numbers: Collection[int] | None = None,
    heading: Callable[[str], tuple[int, str] | None] = _headed,
) -> list[tuple[int, str]]:
    """The parts of a text below headings of answers; `number` is the answer before the first. Only
    `numbers` are answers, if they are given. `heading` tells the number in a line and the text
    behind it."""
    found: list[tuple[int, list[str]]] = [(number, [])]
    without_code = _FENCED.sub(lambda code: "\n" * code[0].count("\n"), source)
    for line, prose in zip(source.split("\n"), without_code.split("\n"), strict=True):
        named = heading(prose.rstrip())
        if named and (numbers is None or named[0] in numbers):
            found.append((named[0], [named[1].lstrip(_AROUND).rstrip(" \t#*_")]))
        else:
            found[-1][1].append(line)
    sections = [(number, "\n".join(lines)) for number, lines in found]
    is_titled = not number and len(sections) > 1 and _TITLE.fullmatch(sections[0][1].strip())
    return [(number, ""), *sections[1:]] if is_titled else sections


def _said(line: str) -> tuple[int, str] | None:
    found = _SAID.fullmatch(line)
    return (int(found[2]), found[3]) if found and found[1] else None


def _counted(line: str) -> tuple[int, str] | None:
    found = _SAID.fullmatch(line)
    return (int(found[2]), found[3]) if found and not found[1] else None


def _assigned(pieces: Sequence[_Piece], numbers: Sequence[int]) -> list[_Piece]:
    """The pieces, with text that says its questions at those of them that nothing else answers."""
    *others, last = numbers
    left = [number for number in numbers if not _has_text(pieces, number)]
    found: list[_Piece] = []
    for piece in _joined(pieces):
        sections = _told_apart(piece, left, last) if piece.is_sure or piece.elsewhere else []
        if len(sections) < 2:
            found.append(piece)
            continue
        found.append(replace(piece, text=sections[0][1]))
        found += (_Piece(number, text) for number, text in sections[1:])
    left = [number for number in numbers if not _has_text(found, number)]
    placed: list[_Piece] = []
    for piece in found:
        if piece.elsewhere and piece.number in (0, last):
            placed += (replace(piece, number=number) for number in left or [piece.number or last])
            continue
        placed.append(piece)
        if left == others and piece.number == last:  # perhaps all answers, without numbers
            placed += (_Piece(number, piece.text, is_sure=False) for number in left)
    return placed


def _told_apart(piece: _Piece, left: Sequence[int], last: int) -> list[tuple[int, str]]:
    """The sections of a text that say which questions they answer. A list of reasons is counted,
    too, so numbers without words count only if they are those of missing answers."""
    before = 0 if piece.elsewhere else piece.number
    sections = _sections(piece.text, before, [*left, piece.number], _said)
    if len(sections) > 1:
        return sections
    sections = _sections(piece.text, before, None, _counted)
    counted = [number for number, _ in sections[1:]]
    is_of_missing = counted == sorted({*counted} & {*left})
    is_whole = piece.number == last and counted == [*left, last]
    return sections if len(counted) > 1 and (is_of_missing if piece.elsewhere else is_whole) else []


def _has_text(pieces: Iterable[_Piece], number: int) -> bool:
    return any(
        written(piece.text) for piece in pieces if piece.number == number and not piece.elsewhere
    )


def _joined(pieces: Iterable[_Piece]) -> Iterator[_Piece]:
    """The pieces, with neighbours of one kind as one."""
    for first, own in groupby(pieces, lambda piece: replace(piece, text="")):
        yield replace(first, text="\n\n".join(filter(None, (answer.text for answer in own))))


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

    def pieces(self, cells: Sequence[_Cell]) -> list[_Piece]:
        """The pieces of answers in a copy of the notebook; empty if it has no shipped cell."""
        parts = [part for cell in cells for part in self._parts(cell)]
        if all(isinstance(part, _Cell) for part in parts):
            return []
        numbers = list(self._begins.values())
        found = [_Piece(number) for number in numbers]
        number = before = 0
        for part in parts:
            if isinstance(part, int):
                number = self._begins.get(part, 0)
                continue
            number = self._answers.get(part.id, number)
            source = _OTHER_HEADING.sub(r"### Answer \1", part.source)
            for at, text in _sections(source, number, numbers):
                number, before = at, at or before
                is_prose = part.kind != "code" or not is_code(text)
                if number or is_prose:
                    sure = bool(number) and is_prose
                    found.append(_Piece(before, text, sure, elsewhere=not number))
        return _assigned(found, numbers) if numbers else found

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
