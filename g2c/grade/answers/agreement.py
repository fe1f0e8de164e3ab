"""Whether a model's marks of a question are good enough to show, measured against the grader's own.

The sample is the answers that a grader marked first, before any proposal was shown, so no proposal
influenced them. The model is measured once, on these alone. Looking again after each mark would
find an agreement in the end (23.5), and the answers that a grader later marks unaided are the easy
ones.
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
`maintain/benchmarks/proposals.py` shows the effect of other numbers."""

_UNREAD = -1.0
"""A mark that no person gives: an unreadable reply counts as a disagreement (23.4)."""


@dataclass(frozen=True)
class Agreement:
    """How far a model agrees with a grader: on `agreed` of `of` answers. For `unread` of them the
    model gave no mark. `kappa` is None if it is undefined because all marks are the same."""

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
    """The first answers that this grader marked, at most `SAMPLE`, each with the grader's newest
    marks. `marks` are all marks, oldest first."""
    own = (question.module, question.number, grader)
    given = {
        one.answer: one.marks
        for one in marks
        if (one.module, one.question, one.grader) == own  # a key keeps its first position
    }
    by_id = {one.id: one for one in answers}
    there = [(by_id[id_], mark) for id_, mark in given.items() if id_ in by_id]
    return dict(there[:SAMPLE])


@lru_cache
def agreement(own: tuple[int, ...], proposed: tuple[int | None, ...]) -> Agreement:
    """The agreement of a grader's marks with a model's, answer by answer; None is an unread reply.

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
