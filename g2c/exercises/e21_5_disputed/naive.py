"""Look for a dispute among two reviewers and among five; one saw what the others missed."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from statistics import pstdev

from g2c.course.breaks import RESULT, WANTED, Seen
from g2c.critic import Dispute, Review
from g2c.critic.core.types import GAP

QUESTION = "What happens to a single voice as the others grow in number?"


def disputed(reviews: Sequence[Review], gap: float = GAP) -> tuple[Dispute, ...]:
    disputes = []
    for name in reviews[0].scores:
        ranked = sorted(reviews, key=lambda review: review.scores[name])
        if pstdev(review.scores[name] for review in reviews) * 2 >= gap:
            first, last = ranked[0], ranked[-1]
            disputes.append(
                Dispute(name, first.scores[name], first.reviewer, last.scores[name], last.reviewer)
            )
    return tuple(disputes)


def show(folder: Path) -> Seen:
    critic = Review("Eve", {"truth": 60}, approved=False)
    others = [Review(name, {"truth": 88}, approved=True) for name in ("Ada", "Bob", "Cy", "Dan")]
    counts = []
    for reviews in ([critic, *others[:1]], [critic, *others]):
        scores = ", ".join(f"{review.reviewer} {review.scores['truth']}" for review in reviews)
        counts.append(len(disputed(reviews)))
        yield f"{len(reviews)} reviewers", f"{scores}: disputes found: {counts[-1]}"
    yield RESULT, f"{counts[0]} dispute among two, {counts[1]} among five"
    yield WANTED, f"1 and 1: both times Eve is {GAP:g} points or more from the others"
