"""Whether a model's marks of a question are worth showing: measured first, on the grader's own.

The model is asked about the answers that a grader marked first, before any proposal was to be had.
So no mark of the sample was given in the light of one. It is measured once, on these and no others:
who looks again after each mark finds an agreement in the end (23.5), and those answers that a
grader later marks unaided are the easy ones.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from g2c.critic.provided.types import Interval
from g2c.evaluation.assembled.agreement_interval import kappa_interval
from g2c.grade.answers.marking import Answer, Mark, Question

SAMPLE = 20
"""Answers of a question that a grader marks before the model's marks are compared with them.
`maintain/benchmarks/proposals.py` says what other numbers would let pass and hold back."""

_UNREAD = -1.0
"""A mark that no person gives: what could not be read counts as a disagreement (23.4)."""


@dataclass(frozen=True)
class Agreement:
    """How far a model agrees with a grader: on `agreed` answers of `of`. `unread` of them have no
    mark of the model's. `kappa` is None where it is undefined: all marks are the same."""

    agreed: int
    of: int
    unread: int
    kappa: Interval | None

    @property
    def is_above_chance(self) -> bool:
        """Whether kappa's 95 % interval lies above 0."""
        return self.kappa is not None and self.kappa.low > 0

    def __str__(self) -> str:
        beyond = "kappa undefined, since all marks are the same"
        if found := self.kappa:
            beyond = f"kappa {found.estimate:.2f} ({found.low:.2f} to {found.high:.2f})"
        unread = f"; {self.unread} could not be read" if self.unread else ""
        return f"agreed with you on {self.agreed} of {self.of}{unread}; {beyond}"


def marked_first(
    question: Question, answers: Sequence[Answer], marks: Iterable[Mark], grader: str
) -> dict[Answer, int]:
    """The answers that this grader marked first, `SAMPLE` at most, with the newest marks that they
    gave each. `marks` are all marks, the oldest first."""
    own = (question.module, question.number, grader)
    given = {
        one.answer: one.marks
        for one in marks
        if (one.module, one.question, one.grader) == own  # a key keeps its first place
    }
    by_id = {one.id: one for one in answers}
    there = [(by_id[id_], mark) for id_, mark in given.items() if id_ in by_id]
    return dict(there[:SAMPLE])


@lru_cache
def agreement(own: tuple[int, ...], proposed: tuple[int | None, ...]) -> Agreement:
    """The agreement of a grader's marks with a model's, answer by answer; None is an unread one.

    Raises:
        ValueError: the two differ in length, or are empty.

    >>> str(agreement((0, 1, 2) * 4, (0, 1, 2) * 3 + (0, 1, None)))
    'agreed with you on 11 of 12; 1 could not be read; kappa 0.88 (0.64 to 1.00)'
    """
    labels = [_UNREAD if one is None else one for one in proposed]
    return Agreement(
        sum(one == other for one, other in zip(own, labels, strict=True)),
        len(own),
        proposed.count(None),
        kappa_interval(own, labels),
    )
