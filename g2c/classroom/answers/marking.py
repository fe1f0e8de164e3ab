"""Marking written answers: the state of a grader's work, and the totals of the marks.

All here is data and functions on it. Equal answers are one answer, so they get the same mark. A
student is a number, drawn anew for each question, so a student's first answer does not influence
the mark of the second.
"""

import hashlib
import random
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from g2c.kept import key_of
from g2c.text import fold, one_line, printable

FULL = 2
"""The most marks of an answer; the fewest are 0. The rubrics say what they mean."""

MAX_COMMENT_CHARS = 1000


@dataclass(frozen=True)
class Question:
    """A question of a module, with its row of the rubric, and what the rubric's marks mean, in
    Markdown."""

    module: str
    number: int
    title: str
    expects: str
    scale: str = ""

    @property
    def key(self) -> str:
        """A short name for the text by which it is marked."""
        return key_of(self.title, self.expects, self.scale)


@dataclass(frozen=True)
class HandIn:
    """A student's answers of a module by their numbers; one that is not written is missing or
    empty. `why` says why they could not be read; it is empty otherwise. `beside` is a sentence with
    notebooks that were not read, if nothing is written in the one that was."""

    name: str
    answers: Mapping[int, str]
    why: str = ""
    beside: str = ""


@dataclass(frozen=True)
class Answer:
    """One answer, and the numbers of the students who gave it. `id` is a hash of its normalized
    text, so a mark belongs to the answer that was read, and not to a later version."""

    id: str
    text: str
    students: tuple[int, ...]


@dataclass(frozen=True)
class Mark:
    """A grader's mark of an answer: `marks`, from 0 to `FULL`, and perhaps a comment. `time` is in
    ISO 8601. `rubric` is the question's key when it was given; "" in a mark of an
    older version."""

    module: str
    question: int
    answer: str
    marks: int
    comment: str
    grader: str
    time: str
    rubric: str = field(default="", compare=False)

    def __post_init__(self) -> None:
        if self.marks not in range(FULL + 1) or isinstance(self.marks, bool):
            raise ValueError(f"An answer has 0 to {FULL} marks, not {self.marks!r}.")


@dataclass(frozen=True)
class Sheet:
    """A question that is being marked: its answers in the order in which they are shown, the newest
    mark of each by its id, and the index of the shown answer; past the end, none is shown.
    """

    question: Question
    answers: tuple[Answer, ...]
    marks: Mapping[str, Mark]
    at: int = 0

    @property
    def shown(self) -> Answer | None:
        return self.answers[self.at] if self.at < len(self.answers) else None

    @property
    def left(self) -> int:
        """How many answers have no mark."""
        return sum(answer.id not in self.marks for answer in self.answers)


def id_of(text: str) -> str:
    """The hash of an answer; white space, case and equivalent letters do not count.

    >>> id_of("It  stopped.\\n") == id_of("it stopped.")
    True
    """
    folded = one_line(fold(printable(text)))
    return hashlib.sha256(folded.encode("utf-8", "backslashreplace")).hexdigest()[:16]


def clean_comment(text: str) -> str:
    """A comment in its stored form: on one line, at most `MAX_COMMENT_CHARS` long."""
    return one_line(printable(text))[:MAX_COMMENT_CHARS]


def answers_to(question: Question, hand_ins: Iterable[HandIn], seed: int) -> tuple[Answer, ...]:
    """The different written answers to a question, in an order drawn from `seed`."""
    students = sorted(
        (hand_in for hand_in in hand_ins if not hand_in.why), key=lambda hand_in: hand_in.name
    )
    random.Random(f"{seed} {question.module} {question.number}").shuffle(students)
    found: dict[str, Answer] = {}
    for number, student in enumerate(students, 1):
        if not (text := student.answers.get(question.number, "")):
            continue
        answer = found.setdefault(id_of(text), Answer(id_of(text), printable(text), ()))
        found[answer.id] = replace(answer, students=(*answer.students, number))
    return tuple(found.values())


def newest(question: Question, marks: Iterable[Mark]) -> dict[str, Mark]:
    """The last mark of each answer to a question, by the answer's id."""
    own = (question.module, question.number)
    return {mark.answer: mark for mark in marks if (mark.module, mark.question) == own}


def begin(question: Question, answers: Sequence[Answer], marks: Iterable[Mark]) -> Sheet:
    """A sheet that shows the first answer without a mark; if all have one, the first answer."""
    sheet = Sheet(question, tuple(answers), newest(question, marks))
    return replace(sheet, at=_next_left(sheet, 0) if sheet.left else 0)


def with_mark(sheet: Sheet, mark: Mark) -> Sheet:
    """The sheet with this mark, at the next later answer without one."""
    places = [place for place, answer in enumerate(sheet.answers) if answer.id == mark.answer]
    if not places:
        raise ValueError("This answer is not among those of the question.")
    marked = replace(sheet, marks={**sheet.marks, mark.answer: mark})
    return replace(marked, at=_next_left(marked, places[0] + 1))


def _next_left(sheet: Sheet, start: int) -> int:
    places = range(start, len(sheet.answers))
    left = (place for place in places if sheet.answers[place].id not in sheet.marks)
    return next(left, len(sheet.answers))


def skipped(sheet: Sheet) -> Sheet:
    """The sheet at the next answer, whether it has a mark or not."""
    return replace(sheet, at=min(sheet.at + 1, len(sheet.answers)))


def back(sheet: Sheet) -> Sheet:
    """The sheet at the answer before; the first one stays."""
    return replace(sheet, at=max(sheet.at - 1, 0))


def place_of(sheet: Sheet) -> str:
    """The grader's position, in words."""
    answer = sheet.shown
    if not answer:
        return ""
    numbers = ", ".join(map(str, answer.students[:10]))
    if (n := len(answer.students)) > 10:
        numbers += ", ..."
    who = f"student {numbers}" if n == 1 else f"students {numbers}: {n} have this answer"
    mark = sheet.marks.get(answer.id)
    by = ", by another text of the rubric" if mark and is_by_another(mark, sheet.question) else ""
    has = f" It has {mark.marks}{by}." if mark else ""
    return f"Answer {sheet.at + 1} of {len(sheet.answers)}, {sheet.left} left; {who}.{has}"


def is_by_another(mark: Mark, question: Question) -> bool:
    """Whether the rubric has changed since the mark was given, as far as it is known."""
    return mark.rubric not in ("", question.key)


def marked_by_another(
    questions: Iterable[Question], hand_ins: Iterable[HandIn], marks: Sequence[Mark]
) -> list[int]:
    """The numbers of the questions with an answer whose mark was given by another rubric."""
    students = list(hand_ins)
    return [
        question.number
        for question in questions
        for own in [newest(question, marks)]
        for ids in [{ids_of([question], student)[question.number] for student in students}]
        if any(is_by_another(mark, question) for id_, mark in own.items() if id_ in ids)
    ]


def comments_on(question: Question, marks: Iterable[Mark]) -> list[str]:
    """The comments on a question so far, the first one first."""
    own = (question.module, question.number)
    said = (mark.comment for mark in marks if (mark.module, mark.question) == own)
    return list(dict.fromkeys(filter(None, said)))


@dataclass(frozen=True)
class Total:
    """A student's total for a module: `points` of `of`, with `left` answers that have no mark yet.
    An unwritten answer has no points."""

    points: int
    of: int
    left: int


def totals(
    questions: Sequence[Question], hand_ins: Iterable[HandIn], marks: Sequence[Mark]
) -> dict[str, Total]:
    """Each student's total, by name, without those whose answers could not be read."""
    by_question = {question.number: newest(question, marks) for question in questions}
    found = {}
    for student in hand_ins:
        if student.why:
            continue
        ids = ids_of(questions, student)
        given = [by_question[number].get(id_) for number, id_ in ids.items() if id_]
        points = sum(mark.marks for mark in given if mark)
        found[student.name] = Total(points, FULL * len(questions), given.count(None))
    return found


def ids_of(questions: Iterable[Question], student: HandIn) -> dict[int, str]:
    """The hashes of a student's answers by their numbers; "" for one that is not written."""
    texts = {question.number: student.answers.get(question.number, "") for question in questions}
    return {number: id_of(text) if text else "" for number, text in texts.items()}
