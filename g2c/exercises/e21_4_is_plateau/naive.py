"""End invented reviews as soon as a round gains less than it costs."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from g2c.course.breaks import RESULT, WANTED, Seen
from g2c.course.scored import PUBLIC_SEED, no_progress
from g2c.critic.core.types import ROUND_PRICE
from g2c.exercises.e21_4_is_plateau.goal import GOAL, Invented, make_reviews, measure

QUESTION = "What else can make two totals differ, besides the drafts?"


def is_plateau(history: Sequence[float], price: float = ROUND_PRICE) -> bool:
    return len(history) > 1 and history[-1] - history[-2] < price


def end_of(review: Invented) -> int:
    """The number of rounds after which the first version ends a review."""
    rounds = range(1, len(review.totals))
    ends = (n for n in rounds if is_plateau(review.totals[:n], review.price))
    return next(ends, len(review.totals))


def show(folder: Path) -> Seen:
    reviews = [review for review in make_reviews(PUBLIC_SEED) if review.price == ROUND_PRICE]
    for kind in ("a steady climb", "a climb after a quiet beginning"):
        first = next(
            review for review in reviews if review.kind == kind and end_of(review) < review.best
        )
        totals = [f"{total:.0f}" for total in first.totals]
        yield kind, " ".join([*totals[: end_of(first)], "(ends here)", *totals[end_of(first) :]])
        yield (
            f"after {end_of(first)} rounds",
            f"{round(first.gain(end_of(first)))} points gained; after {first.best} rounds it would "
            f"have been {round(first.gain(first.best))}",
        )
    found = measure(is_plateau, PUBLIC_SEED, no_progress)
    yield RESULT, f"{found.points:g} per cent of the gain of somebody who knows all rounds"
    yield WANTED, f"{GOAL.target:g} per cent or more"
