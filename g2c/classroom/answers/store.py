"""The store of the marks: one file to which each mark is added at once; a lock for each question.

All of it is in the folder of the grades. Only the totals have names beside marks; no file has the
text of an answer.
"""

from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import asdict
from pathlib import Path
from typing import Any

from g2c.classroom.answers.marking import HandIn, Mark, Question, ids_of, totals
from g2c.files import locked, read_text
from g2c.foreign_json import load_json
from g2c.json_files import append_json, objects_in, record_from, replace_json

TOTALS = "answers.json"
"""The points for the gradebook, by name and module."""


class MarkStore:
    """The marks of a class. Several processes may use one folder at a time."""

    def __init__(self, grades: Path) -> None:
        """`grades` is the folder of `g2c class grade --out`; it is made if it is missing."""
        self.grades = grades
        self._folder = grades / "answers"
        self._marks = self._folder / "marks.jsonl"

    def marks(self) -> list[Mark]:
        """All marks, oldest first. A torn line is skipped.

        Raises:
            OSError: the file cannot be read.
        """
        found = (record_from(line, Mark) for line in objects_in(self._marks))
        return [mark for mark in found if mark]

    def add(self, mark: Mark) -> None:
        """Add a mark; it is on the disk when this returns.

        Raises:
            OSError: it cannot be written.
        """
        with locked(self._marks.with_suffix(".lock")):
            append_json(self._marks, asdict(mark))

    def hold(self, question: Question) -> AbstractContextManager[None]:
        """Lock a question inside a `with`, so that nobody else marks it.

        Raises:
            BlockingIOError: on entering, somebody else has the lock.
        """
        name = f"{question.module}-{question.number}.lock"
        return locked(self._folder / name, wait=False)

    def write_totals(self, questions: Sequence[Question], hand_ins: Sequence[HandIn]) -> int:
        """Write each student's total for these questions' module, and which answers are whose;
        other modules stay as they are. Return how many students lack a mark. They get no points in
        the file, because partial points would look complete.

        Raises:
            OSError: a file cannot be written.
        """
        module = questions[0].module
        with locked(self._folder / "totals.lock"):
            points = _read(self.grades / TOTALS)
            whose = _read(self._folder / "whose.json")
            for kept in (points, whose):
                for name in list(kept):
                    kept[name].pop(module, None)
            found = totals(questions, hand_ins, self.marks())
            for student in hand_ins:
                if total := found.get(student.name):
                    ids = {str(number): id_ for number, id_ in ids_of(questions, student).items()}
                    whose.setdefault(student.name, {})[module] = ids
                    if not total.left:
                        own = points.setdefault(student.name, {})
                        own[module] = {"points": total.points, "of": total.of}
            for file, kept in (
                (self.grades / TOTALS, points),
                (self._folder / "whose.json", whose),
            ):
                full = {name: kept[name] for name in sorted(kept) if kept[name]}
                replace_json(file, full, indent=1)
        return sum(total.left > 0 for total in found.values())

    def answer_hashes(self) -> Mapping[str, Mapping[str, Mapping[str, str]]]:
        """The hash of each answer when the totals were last written, by name, module and number; ""
        for an unwritten one."""
        return _read(self._folder / "whose.json")


def _read(file: Path) -> dict[str, dict[str, Any]]:
    """Raises:
    ValueError: the file has something else.
    """
    try:
        kept = load_json(read_text(file))
    except FileNotFoundError:
        return {}
    except ValueError as error:
        raise ValueError(f"{file} cannot be read: {error}.") from error
    if not isinstance(kept, dict) or not all(isinstance(value, dict) for value in kept.values()):
        raise ValueError(f"{file} is not what g2c class mark writes. Move it away, and try again.")
    return kept
