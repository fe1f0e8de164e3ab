"""One grader's work: the question that the grader has locked, and the action of each key or
button."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import ExitStack
from datetime import datetime

from g2c.classroom.answers import marking
from g2c.classroom.answers.marking import HandIn, Mark, Question, Sheet
from g2c.classroom.answers.store import MarkStore


class Desk:
    """Locks one question at a time; at the end of the `with` it is released. `sheet` is that
    question, or None."""

    def __init__(
        self,
        store: MarkStore,
        questions: Sequence[Question],
        hand_ins: Sequence[HandIn],
        *,
        seed: int,
        grader: str,
        clock: Callable[[], datetime],
        again: bool = False,
    ) -> None:
        """With `again`, a question is opened even if all its answers have marks."""
        self.store = store
        self.questions = tuple(questions)
        self.hand_ins = tuple(hand_ins)
        self.sheet: Sheet | None = None
        self.with_others: list[int] = []
        self._seed, self._grader, self._clock, self._again = seed, grader, clock, again
        self._waiting = list(questions)
        self._held = ExitStack()

    def __enter__(self) -> Desk:
        return self

    def __exit__(self, *_: object) -> None:
        self.release()

    @property
    def later(self) -> int:
        """How many questions come after this one, including finished ones and those locked by
        others."""
        return len(self._waiting)

    def release(self) -> None:
        """Release the question, so that somebody else may mark it."""
        self._held.close()
        self.sheet = None

    def open_next(self) -> Sheet | None:
        """Lock the next question that has unmarked answers and is not locked. None if there is
        none; `with_others` then has the numbers of those that others have locked."""
        self.release()
        while self._waiting:
            question = self._waiting.pop(0)
            try:
                self._held.enter_context(self.store.hold(question))
            except BlockingIOError:
                self.with_others.append(question.number)
                continue
            # Read the answers only now, with the marks of others.
            answers = marking.answers_to(question, self.hand_ins, self._seed)
            sheet = marking.begin(question, answers, self.store.marks())
            if sheet.left or (self._again and sheet.answers):
                self.sheet = sheet
                return sheet
            self._held.close()
        return None

    def mark(self, answer: str, marks: int, comment: str = "") -> None:
        """Mark an answer of the question, store the mark at once, and go on.

        Raises:
            ValueError: the answer does not belong to the locked question, or the marks are not
                valid.
            OSError: the mark cannot be stored.
        """
        sheet = self._own()
        own = Mark(
            *(sheet.question.module, sheet.question.number, answer, marks),
            *(marking.clean_comment(comment), self._grader, f"{self._clock():%Y-%m-%dT%H:%M:%S%z}"),
            sheet.question.key,
        )
        marked = marking.with_mark(sheet, own)  # refuses an answer that is not among them
        self.store.add(own)
        self.sheet = marked

    def skip(self) -> None:
        self.sheet = marking.skipped(self._own())

    def back(self) -> None:
        self.sheet = marking.back(self._own())

    def comments(self) -> list[str]:
        """All comments on the question so far."""
        return marking.comments_on(self._own().question, self.store.marks())

    def comment(self) -> str:
        """The existing comment on the shown answer."""
        sheet = self._own()
        mark = sheet.marks.get(sheet.shown.id) if sheet.shown else None
        return mark.comment if mark else ""

    def _own(self) -> Sheet:
        if not self.sheet:
            raise ValueError("No question is open.")
        return self.sheet
