"""The goal of 21.4: when to end a review, scored by the worth of the returned draft.

The reviews are invented, so each draft's worth is known. The decision sees only the reviewers'
totals, and reviewers err.
"""

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from math import exp
from random import Random
from typing import Any

from g2c.course.scored import Goal, Progress, Score, worst_losses

ROUNDS = 12
"""The most rounds of a review."""
PRICES = (0.5, 1.0, 2.0, 4.0)
"""The possible prices of a round, in points."""
PER_KIND = 15
"""Reviews for each kind and price, times the kind's share."""
ERRORS = (0.5, 8.0)
"""The least and the largest standard deviation of a review's totals, in points."""
UNEVEN = 0.7
"""The standard deviation of drafts' worth around their review's course, in points."""

TARGET = 65.0
NO_BOOL = "an answer that is not a bool"

Course = list[float]


@dataclass(frozen=True)
class Invented:
    """A review with all its rounds.

    `price` is the cost of a round, `worth` the worth of each draft, and `totals` the reviewers'
    totals; all are in points.
    """

    kind: str
    price: float
    worth: tuple[float, ...]
    totals: tuple[float, ...]

    def gain(self, rounds: int) -> float:
        """The gain if the review ends after so many rounds. That is the worth of the returned
        draft, the first one with the highest total, less that of the first draft and less the price
        of each round after the first.
        """
        seen = self.totals[:rounds]
        return self.worth[seen.index(max(seen))] - self.worth[0] - self.price * (rounds - 1)

    @property
    def best(self) -> int:
        """The lowest number of rounds with the highest gain."""
        return max(range(1, ROUNDS + 1), key=self.gain)


@cache
def make_reviews(seed: int) -> tuple[Invented, ...]:
    """The reviews of a seed. Each seed has as many of each kind and price."""
    random = Random(seed)
    return tuple(
        _invent(random, kind, price)
        for kind, (share, _) in KINDS.items()
        for price in PRICES
        for _ in range(share * PER_KIND)
    )


def _invent(random: Random, kind: str, price: float) -> Invented:
    _, course = KINDS[kind]
    low, high = ERRORS
    error = low * (high / low) ** random.random()
    worth = [_on_scale(random.gauss(points, UNEVEN)) for points in course(random)]
    totals = [round(_on_scale(random.gauss(points, error)), 1) for points in worth]
    return Invented(kind, price, tuple(worth), tuple(totals))


def _on_scale(points: float) -> float:
    return min(100.0, max(0.0, points))


def _climb(start: float, gain: float, rate: float, rounds: int = ROUNDS) -> Course:
    """A climb by `gain` points that gets slower."""
    return [start + gain * (1 - exp(-rate * past)) for past in range(rounds)]


def _steady(random: Random) -> Course:
    start, step = random.uniform(15, 45), random.uniform(2.5, 7)
    return [start + step * past for past in range(ROUNDS)]


def _slower(random: Random) -> Course:
    return _climb(random.uniform(25, 60), random.uniform(10, 40), random.uniform(0.3, 0.9))


def _stuck(random: Random) -> Course:
    return [random.uniform(25, 80)] * ROUNDS


def _quiet_first(random: Random) -> Course:
    quiet, start = random.randint(1, 2), random.uniform(25, 55)
    climb = _climb(start, random.uniform(15, 40), random.uniform(0.4, 0.9), ROUNDS - quiet)
    return [start] * quiet + climb


def _worse(random: Random) -> Course:
    start, step = random.uniform(50, 85), random.uniform(1.5, 5)
    return [start - step * past for past in range(ROUNDS)]


def _swing(random: Random) -> Course:
    middle, height = random.uniform(35, 75), random.choice((-1, 1)) * random.uniform(3, 9)
    return [middle + height * (-1) ** past for past in range(ROUNDS)]


def _late(random: Random) -> Course:
    at, height = random.randint(5, 8), random.uniform(8, 25)
    climb = _climb(random.uniform(25, 50), random.uniform(5, 20), random.uniform(0.5, 1))
    return [points + height * (past >= at) for past, points in enumerate(climb)]


def _up_and_down(random: Random) -> Course:
    top, start = random.randint(2, 5), random.uniform(30, 50)
    up, down = random.uniform(4, 9), random.uniform(2, 6)
    return [start + up * min(past, top) - down * max(0, past - top) for past in range(ROUNDS)]


KINDS: Mapping[str, tuple[int, Callable[[Random], Course]]] = {
    "a steady climb": (2, _steady),
    "a climb that gets slower": (3, _slower),
    "stuck from the start": (3, _stuck),
    "a climb after a quiet beginning": (4, _quiet_first),
    "worse with each round": (2, _worse),
    "up and down": (2, _swing),
    "a late jump": (2, _late),
    "a climb and then a fall": (2, _up_and_down),
}
"""Each kind's share of the reviews, and the function that makes the worth of its drafts."""


def measure(is_plateau: Callable[..., Any], seed: int, progress: Progress) -> Score:
    """The gain of ending the reviews by `is_plateau`, in per cent of the best possible gain. Ending
    each review after its first round gains nothing. A review with an answer that is not a bool
    gains nothing either.

    Raises:
        Exception: what `is_plateau` raises.
    """
    reviews = make_reviews(seed)
    points = most = 0.0
    lost: dict[str, list[tuple[float, str]]] = defaultdict(list)
    for number, review in enumerate(reviews, 1):
        progress(number - 1, len(reviews))
        best = review.gain(review.best)
        most += best
        end = _end_of(is_plateau, review)
        if isinstance(end, int):
            gained = review.gain(end)
            points += gained
            lost[review.kind].append((best - gained, _describe_review(number, review, end)))
        else:
            lost[NO_BOOL].append((best, f"Review {number}: {end}"))
    progress(len(reviews), len(reviews))
    return Score(round(100 * points / most, 1), 100, worst_losses(lost, most))


def _end_of(is_plateau: Callable[..., Any], review: Invented) -> int | str:
    """The number of rounds after which the review ends, or a sentence about an answer that is no
    bool."""
    for rounds in range(1, ROUNDS):
        said = is_plateau(list(review.totals[:rounds]), review.price)
        if not isinstance(said, bool):
            return f"of {rounds} totals is_plateau said {said!r:.60}."
        if said:
            return rounds
    return ROUNDS


def _describe_review(number: int, review: Invented, end: int) -> str:
    totals = ", ".join(f"{total:g}" for total in review.totals[:end])
    return (
        f"Review {number}, at {review.price:g} a round, ended after {_rounds(end)}: {totals}. "
        f"That gained {round(review.gain(end))} points; {_rounds(review.best)} gained "
        f"{round(review.gain(review.best))}."
    )


def _rounds(number: int) -> str:
    return f"{number} round{'s'[: number - 1]}"


def tasks(seed: int) -> Iterator[str]:
    """A review of each kind and price, in any order: the totals, and below them the drafts' worth
    and the best end."""
    firsts = {(review.kind, review.price): review for review in reversed(make_reviews(seed))}
    shown = list(firsts.values())
    Random(seed).shuffle(shown)
    for review in shown:
        yield f"A round costs {review.price:g}."
        yield "    totals " + " ".join(f"{total:5.1f}" for total in review.totals)
        yield "    worth  " + " ".join(f"{points:5.1f}" for points in review.worth)
        yield f"    {review.kind}: best after {_rounds(review.best)}"


GOAL = Goal(measure, TARGET, "per cent of what could be gained", tasks=tasks)
