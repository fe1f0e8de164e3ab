"""Arithmetic stories that people wrote, in the format of GSM8K, taken apart.

Each number of a sum comes from one place: the question, a sum before it, or a word such as "half".
Where that place is known, the story can be told with other numbers, and several sums can be put
into one. Where it is not, the story stays as it is.
"""

from __future__ import annotations

import ast
import json
import re
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

from maintain.training.kinds.sums import (
    Constant,
    FromQuestion,
    FromSum,
    Node,
    Sum,
    leaves,
    simple,
    value_of,
    write,
)
from maintain.training.scenario import calculate
from maintain.training.vocabulary import has_held_out_number, has_held_out_word, is_held_out

MOST_SUMS = 3
MOST_LETTERS = 110
"""Of a sentence that becomes a part of a thought."""
VALIDATION = 40
"""One story of so many with one sum or two is kept for validation."""

WORDS = "two three four five six seven eight nine ten eleven twelve thirteen fifteen twenty thirty"
NUMBER_WORDS = dict(zip(WORDS.split(), (*range(2, 14), 15, 20, 30), strict=True))
NUMBER = re.compile(
    rf"(?<![\w.])(?:\d{{1,3}}(?:,\d{{3}})+(?!\d)|\d+)(?:\.\d+)?|(?<![\w.])\.\d+"
    rf"|\b(?:{'|'.join(NUMBER_WORDS)})\b",
    re.IGNORECASE,
)
CUES = (
    (r"half|halves|twice|doubl\w+|both|pairs?|couple", ("1", "2", "0.5")),
    (r"thirds?|tripl\w+|thrice", ("1", "3")),
    (r"quarters?|fourths?", ("1", "4", "0.25")),
    (r"fifths?", ("1", "5")),
    (r"dozens?", ("12",)),
    (r"weeks?|weekly|weekdays?", ("7",)),
    (r"hours?|hourly|minutes?", ("60",)),
    (r"years?|yearly|months?|monthly|annual\w*", ("12",)),
    (r"percent\w*|[\d.]+%", ("100", "0.01")),
)
"""Words that bring numbers into a sum that no digit gives."""

_MARK = re.compile(r"<<([^<>=]+)=([^<>=]+)>>\s*\$?([\d.,]*\d)?")
_TERM = r"[($]*(?:\d[\d,]*)?\.?\d+\)?%?\)?(?:\s*[A-Za-z'’]+(?:/[a-z]+)?){0,6}"  # noqa: RUF001
_SAID_SUM = re.compile(rf"{_TERM}(?:\s*[-–+*/x×÷]\s*{_TERM})*\s*=\s*\$?\s*$")  # noqa: RUF001
_OPENERS = re.compile(
    r"^(?:so|then|therefore|thus|hence|that means|this means|and|but|finally|now)\b,? *(?:that )?",
    re.IGNORECASE,
)
_SIGNS = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/"}


@dataclass(frozen=True)
class Step:
    """A sum, and what its result means: a sentence with a gap `{here}`, or an empty text."""

    sum: Node
    meaning: str


@dataclass(frozen=True)
class Told:
    """A story: `question` with gaps `{p0}`, `{p1}` and so on for its `numbers`, and its sums.

    A meaning has gaps for numbers of the question, too, and `{r0}` for the first sum's result.
    `fixed` are the places of numbers that have to stay; if the story `moves`, the others can
    change. `stays` is whether it may be told with its own numbers.
    """

    question: str
    numbers: tuple[str, ...]
    steps: tuple[Step, ...]
    fixed: frozenset[int]
    moves: bool
    stays: bool

    def ask(self, numbers: Sequence[str]) -> str:
        """The question with other numbers."""
        return self.question.format(**{f"p{i}": n for i, n in enumerate(numbers)})


@dataclass(frozen=True)
class Raw:
    """A story as the file has it, and its answer's value."""

    question: str
    lines: tuple[str, ...]
    value: str
    sums: int

    @property
    def is_kept_back(self) -> bool:
        """Whether it is for validation and in no trace. The text alone decides."""
        return self.sums < MOST_SUMS and zlib.crc32(self.question.encode()) % VALIDATION == 0


def read_raw(file: Path) -> list[Raw]:
    """All stories of a file with one to `MOST_SUMS` sums, in its order.

    Raises:
        OSError: there is no such file.
        ValueError: a line is not a JSON object with a question and an answer.
    """
    found = []
    for number, line in enumerate(file.read_text("utf-8").splitlines(), 1):
        try:
            data = json.loads(line)
            question, answer = " ".join(data["question"].split()), data["answer"]
            reasoning, mark, value = answer.rpartition("####")
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise ValueError(f"{file}, line {number}: no story in GSM8K's format") from error
        sums = answer.count("<<")
        if mark and 1 <= sums <= MOST_SUMS:
            lines = tuple(line.strip() for line in reasoning.splitlines() if line.strip())
            found.append(Raw(question, lines, value.strip().replace(",", ""), sums))
    return found


def read_stories(file: Path) -> list[Told]:
    """The stories of a file that training may use and that can be taken apart."""
    raws = (raw for raw in read_raw(file) if not raw.is_kept_back)
    return [story for raw in raws if (story := take_apart(raw)) is not None]


def take_apart(raw: Raw) -> Told | None:
    """The story in its parts, or None where its sums, its text or its numbers are not plain."""
    texts = (raw.question, *raw.lines)
    if any("{" in text or "}" in text or has_held_out_word(text) for text in texts):
        return None
    found = list(NUMBER.finditer(raw.question))
    numbers = tuple(match[0] for match in found)
    values = [number_value(number) for number in numbers]
    fixed = {i for i, match in enumerate(found) if not _is_plain(raw.question, match)}
    percents = {i for i, match in enumerate(found) if raw.question[match.end() :][:1] == "%"}
    results: list[Fraction] = []
    constants: set[Fraction] = set()
    steps: list[Step] = []
    moves = True
    for line in raw.lines:
        mark = _MARK.search(line)
        if mark is None:
            if "=" in line:  # a sum without a mark
                return None
            continue
        node = _parse(mark[1])
        if node is None or line.count("<<") > 1 or not mark[3]:
            return None
        tracer = _Tracer(values, results, _cued(raw.question), percents)
        node = simple(tracer.trace(node))
        constants |= tracer.constants
        try:
            value = value_of(node, values, results)
        except ZeroDivisionError:
            return None
        if value != number_value(mark[3]) or value != number_value(mark[2].strip(" $")):
            return None
        sentence = _meaning(line, mark, raw.question)
        meaning = tracer.gaps(sentence, value)
        results.append(value)
        fixed |= tracer.fixed
        moves = moves and tracer.is_sure and meaning is not None
        if meaning is None:  # a number of the sentence has more than one place
            meaning = sentence
        steps.append(Step(node, meaning))
    if not steps or results[-1] != number_value(raw.value) or min(results) <= 0:
        return None
    if not all(step.meaning for step in steps[:-1]) or not _all_used(steps):
        return None
    if any(is_held_out(int(n)) for n in constants if n.denominator == 1):
        return None
    fixed |= set(range(len(numbers))) - _places_of(steps)
    fixed_texts = (numbers[i] for i in fixed)
    moves = moves and not any(map(_is_kept_number, fixed_texts)) and len(fixed) < len(numbers)
    stays = not has_held_out_number(raw.question) and not any(map(_is_kept_number, numbers))
    if not moves and not stays:
        return None
    question = _with_gaps(raw.question, found)
    return Told(question, numbers, tuple(steps), frozenset(fixed), moves, stays)


def number_value(text: str) -> Fraction | None:
    """What a number's text comes to, or None if it is none.

    >>> number_value("1,200"), number_value("Ten"), number_value(".5"), number_value("1.2.3")
    (Fraction(1200, 1), Fraction(10, 1), Fraction(1, 2), None)
    """
    if text.lower() in NUMBER_WORDS:
        return Fraction(NUMBER_WORDS[text.lower()])
    try:
        return Fraction(text.replace(",", ""))
    except ValueError:
        return None


def plain_number(text: str) -> str:
    """The number as an expression has it.

    >>> plain_number("1,200"), plain_number("Ten"), plain_number(".5"), plain_number("2.50")
    ('1200', '10', '0.5', '2.50')
    """
    bare = text.lower().replace(",", "")
    return str(NUMBER_WORDS[bare]) if bare in NUMBER_WORDS else re.sub(r"^\.", "0.", bare)


def _is_kept_number(text: str) -> bool:
    """Whether a number, in digits or as a word, is one that the evaluation keeps for itself."""
    return has_held_out_number(plain_number(text))


def _is_plain(question: str, match: re.Match[str]) -> bool:
    """Whether the number can change: it is no part of a fraction, a time, a year or a word."""
    before, after = question[: match.start()], question[match.end() :]
    is_year = re.fullmatch(r"(?:19|20)\d\d", match[0]) and not before.endswith("$")
    in_word = re.match(r"[\w/:’']|-?(?:st|nd|rd|th)\b|\s?[ap]\.?m\b", after, re.IGNORECASE)  # noqa: RUF001
    joined = before.endswith(("/", ":", "-", "#")) or re.match(r"-(?:\d|[a-z]+-?th)", after)
    return not (is_year or in_word or joined or number_value(match[0]) == 1)


def _cued(question: str) -> set[Fraction]:
    """The numbers that words of the question may bring into a sum."""
    found: set[Fraction] = set()
    for words, brought in CUES:
        if re.search(rf"(?<!\w)(?:{words})(?!\w)", question, re.IGNORECASE):
            found |= set(map(Fraction, brought))
    return found


def _parse(text: str) -> Node | None:
    """The sum of a mark, or None if it is more than the four operations."""
    bare = text.replace("$", "").replace(",", "").replace("x", "*").replace("×", "*").strip()  # noqa: RUF001
    bare = re.sub(r"(\d+(?:\.\d+)?)%", r"(\1/100)", bare)
    try:
        node = _node(ast.parse(bare, mode="eval").body)
    except (SyntaxError, ValueError):
        return None
    return node if isinstance(node, Sum) and len(list(leaves(node))) <= 5 else None


def _node(node: ast.expr) -> Node:
    match node:
        case ast.Constant(value=int() | float() as value) if not isinstance(value, bool):
            return Constant(repr(value))
        case ast.BinOp(left=left, op=op, right=right) if type(op) in _SIGNS:
            return Sum(_SIGNS[type(op)], _node(left), _node(right))
    raise ValueError("not a plain sum")


@dataclass
class _Tracer:
    """Finds where the numbers of a sum come from. `is_sure` turns false where that is a guess."""

    values: Sequence[Fraction | None]
    results: Sequence[Fraction]
    cued: set[Fraction]
    percents: set[int]
    """The places of numbers that are percents."""

    def __post_init__(self) -> None:
        self.is_sure = True
        self.fixed: set[int] = set()
        self.constants: set[Fraction] = set()

    def trace(self, node: Node) -> Node:
        """The same sum, with the place of each number that has one."""
        if isinstance(node, Sum):
            return Sum(node.sign, self.trace(node.left), self.trace(node.right))
        assert isinstance(node, Constant)
        value = Fraction(node.text)
        of_sums, places = self._places(value)
        if of_sums:
            self.is_sure = self.is_sure and len(of_sums) == 1 and not places
            return FromSum(of_sums[-1])
        if len(places) == 1 and value not in self.cued:
            return FromQuestion(places[0])
        percents = self._percents(value)
        if len(percents) == 1 and not places:
            return Sum("/", FromQuestion(percents[0]), Constant("100"))
        self.fixed |= set(places)  # of one value, and all of them stay
        self.constants.add(value)
        self.is_sure = self.is_sure and (bool(places) or value in self.cued)
        return node

    def _percents(self, value: Fraction) -> list[int]:
        """The places of percents that come to `value`, a part of one."""
        return [place for place in sorted(self.percents) if self.values[place] == 100 * value]

    def _places(self, value: Fraction) -> tuple[list[int], list[int]]:
        of_sums = [i for i, result in enumerate(self.results) if result == value]
        return of_sums, [i for i, number in enumerate(self.values) if number == value]

    def gaps(self, sentence: str, result: Fraction) -> str | None:
        """The sentence with gaps for its numbers, or None where one has no certain place."""
        unsure = False

        def gap(match: re.Match[str]) -> str:
            nonlocal unsure
            value = number_value(match[0])
            assert value is not None
            of_sums, places = self._places(value)
            if len(of_sums) + len(places) == 1 and value != result and value not in self.cued:
                return f"{{r{of_sums[0]}}}" if of_sums else f"{{p{places[0]}}}"
            if of_sums or value == result or not (places or value in self.cued):
                unsure = True
            self.fixed |= set(places)
            return match[0]

        text = NUMBER.sub(gap, sentence)
        return None if unsure else text


def _meaning(line: str, mark: re.Match[str], question: str) -> str:
    """The person's sentence with a gap for the result and without the sum, or an empty text."""
    before, after = line[: mark.start()].rstrip(), line[mark.end() :]
    unit = "$" if before.endswith("$") or "$" in mark[0].partition(">>")[2] else ""
    head = _SAID_SUM.sub("", before)
    if head == before:
        head = before.rstrip("$")
    head = re.split(r"(?<=[.!?])\s+", head)[-1]
    tail = re.split(r"(?<=[.!?])\s", after)[0]
    text = f"{head.rstrip()} {unit}\0{tail}".strip()
    if told := re.fullmatch(
        rf"(.*?)(?<![\w.,]){re.escape(mark[3])}\b(.*?),? (?:because|since)", head
    ):
        text = f"{told[1]}\0{told[2]}"
    text = _OPENERS.sub("", re.sub(r"\s+", " ", text)).strip()
    is_plain = not re.search(r"[=<>*+÷×(){}]|\d\s*[-–/x]\s*\$?\d|\.\.", text)  # noqa: RUF001
    words = text.replace("\0", "").strip(" .$")
    result = number_value(mark[3])
    is_told = any(number_value(n) == result for n in NUMBER.findall(words))
    strange = set(re.findall(r"(?<=\w )[A-Z]\w+", words)) - set(re.findall(r"\w+", question))
    if not is_plain or is_told or strange or len(words.split()) < 2 or len(text) > MOST_LETTERS:
        return ""
    text = text[0].upper() + text[1:].rstrip(" .,;:")
    return f"{text}.".replace("\0", "{here}")


def _all_used(steps: Sequence[Step]) -> bool:
    """Whether each result but the last is in a later sum."""
    used = {leaf.place for step in steps for leaf in leaves(step.sum) if isinstance(leaf, FromSum)}
    return used == set(range(len(steps) - 1))


def _places_of(steps: Sequence[Step]) -> set[int]:
    """The places of those numbers of the question that are in a sum."""
    found = (leaf for step in steps for leaf in leaves(step.sum))
    return {leaf.place for leaf in found if isinstance(leaf, FromQuestion)}


def _with_gaps(question: str, found: Sequence[re.Match[str]]) -> str:
    pieces, end = [], 0
    for i, match in enumerate(found):
        pieces += [question[end : match.start()], f"{{p{i}}}"]
        end = match.end()
    return "".join([*pieces, question[end:]])


@dataclass(frozen=True)
class Version:
    """A story with certain numbers: its question, and for each sum the expression, the result as
    the calculator writes it, and the meaning with a gap `{here}`."""

    question: str
    expressions: tuple[str, ...]
    results: tuple[str, ...]
    meanings: tuple[str, ...]
    composed: str
    """All sums in one expression."""


def make_version(story: Told, numbers: Sequence[str]) -> Version | None:
    """The story with `numbers`, or None where the calculator does not agree with itself."""
    plain = [plain_number(number) for number in numbers]
    nodes: list[Node] = []
    expressions: list[str] = []
    results: list[str] = []
    meanings: list[str] = []
    for step in story.steps:
        gaps = {f"p{i}": n for i, n in enumerate(numbers)}
        gaps |= {f"r{i}": result for i, result in enumerate(results)}
        meanings.append(step.meaning.format(here="{here}", **gaps))
        expressions.append(write(step.sum, plain, [Constant(result) for result in results]))
        nodes.append(_with_sums(step.sum, nodes))
        results.append(calculate(expressions[-1]))
    composed = write(nodes[-1], plain, [])
    if calculate(composed) != results[-1]:
        return None
    return Version(
        story.ask(numbers), tuple(expressions), tuple(results), tuple(meanings), composed
    )


def _with_sums(node: Node, sums: Sequence[Node]) -> Node:
    """The sum with earlier sums in the place of their results."""
    if isinstance(node, Sum):
        return Sum(node.sign, _with_sums(node.left, sums), _with_sums(node.right, sums))
    return sums[node.place] if isinstance(node, FromSum) else node
