"""One grader at work: the question that they hold, and what each key or button does."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import ExitStack
from datetime import datetime

from g2c.grade.answers import marking
from g2c.grade.answers.marking import HandIn, Mark, Question, Sheet
from g2c.grade.answers.store import MarkStore


class Desk:
    """Holds one question at a time; a `with` lets go of it at the end. `sheet` is that question,
    or None. The terminal and the page both work on a desk."""

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
        self.let_go()

    @property
    def later(self) -> int:
        """How many questions come after this one. Some of them may be done, or others hold them."""
        return len(self._waiting)

    def let_go(self) -> None:
        """Let go of the question, so that somebody else may mark it."""
        self._held.close()
        self.sheet = None

    def open_next(self) -> Sheet | None:
        """Hold the next question that has answers without marks and that nobody holds. None if
        there is none; `with_others` then has the numbers of those that others hold."""
        self.let_go()
        while self._waiting:
            question = self._waiting.pop(0)
            try:
                self._held.enter_context(self.store.hold(question))
            except BlockingIOError:
                self.with_others.append(question.number)
                continue
            # What somebody else has marked is known only now.
            answers = marking.answers_to(question, self.hand_ins, self._seed)
            sheet = marking.begin(question, answers, self.store.marks())
            if sheet.left or (self._again and sheet.answers):
                self.sheet = sheet
                return sheet
            self._held.close()
        return None

    def mark(self, answer: str, marks: int, comment: str = "") -> None:
        """Give an answer of the question its marks, which are kept at once, and go on.

        Raises:
            ValueError: the answer is not among those of the question that is held, or these are no
                marks.
            OSError: it cannot be kept.
        """
        sheet = self._own()
        own = Mark(
            *(sheet.question.module, sheet.question.number, answer, marks),
            *(marking.clean_comment(comment), self._grader, f"{self._clock():%Y-%m-%dT%H:%M:%S%z}"),
        )
        marked = marking.with_mark(sheet, own)  # refuses an answer that is not among them
        self.store.add(own)
        self.sheet = marked

    def skip(self) -> None:
        self.sheet = marking.skipped(self._own())

    def back(self) -> None:
        self.sheet = marking.back(self._own())

    def comments(self) -> list[str]:
        """The comments on the question so far, by whomever."""
        return marking.comments_on(self._own().question, self.store.marks())

    def comment(self) -> str:
        """The comment that the answer which is shown has already."""
        sheet = self._own()
        mark = sheet.marks.get(sheet.shown.id) if sheet.shown else None
        return mark.comment if mark else ""

    def _own(self) -> Sheet:
        if not self.sheet:
            raise ValueError("No question is open.")
        return self.sheet
