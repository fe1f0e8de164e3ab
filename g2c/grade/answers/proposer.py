"""A model that reads the answers while a person marks, and the rules for showing its proposals.

It is asked in another thread, so nobody waits for it: first about the sample by which it is
measured, then about the next answers. A proposal becomes a mark only by a person's key.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime

from g2c.grade.answers.agreement import SAMPLE, Agreement, agreement, marked_first
from g2c.grade.answers.marking import Answer, Mark, Sheet
from g2c.grade.answers.proposals import Proposal, ProposalStore, ask_for, hash_of, prompt_for
from g2c.inference import Backend, BackendError
from g2c.text import one_line, printable

AHEAD = 5
"""Answers that the model reads before the grader comes to them."""


@dataclass(frozen=True)
class Standing:
    """The text for a grader: `about_model` is a sentence about the model, and `proposal` is its
    proposal for the shown answer; "" if it may not be shown. `is_read` says whether the model has
    read that answer.
    """

    about_model: str
    proposal: str = ""
    is_read: bool = True


class Proposer:
    """Inside a `with`, it asks the model about the question that it last saw. A call that is
    running when the program ends is aborted, and repeated the next time.
    """

    def __init__(
        self,
        backend: Backend,
        store: ProposalStore,
        *,
        scale: str,
        grader: str,
        clock: Callable[[], datetime],
    ) -> None:
        """`scale` says what the marks mean. The proposals in `store` are read.

        Raises:
            OSError: the proposals cannot be read.
        """
        self._backend, self._store, self._scale = backend, store, scale
        self._grader, self._clock = grader, clock
        self._model = backend.info.model_id
        self._known = store.known()
        self._sheet: Sheet | None = None
        self._sample: dict[Answer, int] = {}
        self._trouble = ""
        self._has_ended = False
        self._changed = threading.Condition()

    def __enter__(self) -> Proposer:
        threading.Thread(target=self._work, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        with self._changed:
            self._has_ended = True
            self._changed.notify()

    def see(self, sheet: Sheet, marks: list[Mark]) -> Standing:
        """Note the grader's position, and return what may be shown there. `marks` are all marks,
        oldest first."""
        sample = marked_first(sheet.question, sheet.answers, marks, self._grader)
        with self._changed:
            if not self._sheet or self._sheet.question != sheet.question:
                self._trouble = ""  # the model may be there again
            self._sheet, self._sample = sheet, sample
            self._changed.notify()
            return self._standing(sheet, sample)

    def ask_next(self) -> bool:
        """Ask about one answer. False if there is none to ask about."""
        with self._changed:
            sheet, answer = self._sheet, self._next()
        if not sheet or not answer:
            return False
        try:
            found, has_replied = ask_for(
                self._backend, sheet.question, answer, self._scale, self._clock
            )
        except BackendError as error:
            with self._changed:
                self._trouble = one_line(printable(str(error)))
            return True
        with suppress(OSError):  # or it is asked again the next time
            if has_replied:
                self._store.add(found)
        with self._changed:
            self._known[found.model, found.prompt] = found
        return True

    def _work(self) -> None:
        while True:
            with self._changed:
                self._changed.wait_for(lambda: self._has_ended or self._next())
                if self._has_ended:
                    return
            self.ask_next()

    def _next(self) -> Answer | None:
        """The answer to ask about: one of the sample or, once the sample has passed, one of the
        next."""
        sheet = self._sheet
        if not sheet or self._trouble or len(sheet.answers) <= SAMPLE:
            return None
        wanted = list(self._sample)
        if (found := self._measured(sheet, self._sample)) and found.is_above_chance:
            wanted += sheet.answers[sheet.at : sheet.at + AHEAD]
        return next((one for one in wanted if not self._of(sheet, one)), None)

    def _of(self, sheet: Sheet, answer: Answer) -> Proposal | None:
        prompt = prompt_for(sheet.question, answer, self._scale)
        return self._known.get((self._model, hash_of(prompt)))

    def _measured(self, sheet: Sheet, sample: dict[Answer, int]) -> Agreement | None:
        """The model's agreement with the grader; None until it is known."""
        read = [found.marks for one in sample if (found := self._of(sheet, one))]
        is_whole = len(read) == SAMPLE
        return agreement(tuple(sample.values()), tuple(read)) if is_whole else None

    def _standing(self, sheet: Sheet, sample: dict[Answer, int]) -> Standing:
        name, found = printable(self._model), self._measured(sheet, sample)
        if found and found.is_above_chance:
            more = f" It proposes nothing new: {self._trouble}" if self._trouble else ""
            return self._shown(sheet, sample, f"{name} {found}.{more}")
        if found:
            return Standing(f"{name} proposes no marks here: it {found}. That is not above chance.")
        if len(sheet.answers) <= SAMPLE:
            why = f"it is measured on {SAMPLE} answers first, and there are {len(sheet.answers)}."
            return Standing(f"{name} proposes no marks here: {why}")
        if self._trouble:
            return Standing(f"{name} proposes no marks now: {self._trouble}")
        if len(sample) < SAMPLE:
            own = f"you have marked {SAMPLE} answers by yourself; so far {len(sample)}"
            return Standing(f"{name} may propose marks once {own}.")
        return Standing(
            f"{name} is reading the {SAMPLE} answers that you marked first. Mark on meanwhile."
        )

    def _shown(self, sheet: Sheet, sample: dict[Answer, int], about_model: str) -> Standing:
        if not sheet.shown or sheet.shown in sample:
            return Standing(about_model)
        found = self._of(sheet, sheet.shown)
        if not found:
            return Standing(about_model, "The model has not read this answer yet.", is_read=False)
        marks = "No mark" if found.marks is None else f"Proposed: {found.marks}"
        return Standing(about_model, f"{marks}. {found.reason}")
