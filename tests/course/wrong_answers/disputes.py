"""21.6 gone wrong."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from itertools import combinations, pairwise
from statistics import fmean, pstdev

from g2c.critic.base import Dispute, Review

from . import wrong

wrong = partial(wrong, "21.6")

HAIR = 1e-9
Given = Sequence[tuple[float, str]]
"""The scores of one dimension, each with its reviewer."""


def check(gap: float) -> None:
    if not gap > 0:
        raise ValueError(f"no gap of {gap}")


def columns(reviews: Sequence[Review]) -> dict[str, list[tuple[float, str]]]:
    by_name: dict[str, list[tuple[float, str]]] = {}
    for review in reviews:
        for name, score in review.scores.items():
            by_name.setdefault(name, []).append((score, review.reviewer))
    return by_name


def extremes(name: str, given: Given) -> Dispute:
    low = min(given, key=lambda pair: pair[0])
    high = max(given, key=lambda pair: pair[0])
    return Dispute(name, *low, *high)


def find(
    by_name: dict[str, list[tuple[float, str]]], is_far: Callable[[Given], bool]
) -> tuple[Dispute, ...]:
    found = [extremes(name, given) for name, given in by_name.items() if is_far(given)]
    return tuple(sorted(found, key=lambda dispute: dispute.gap, reverse=True))


def width(given: Given) -> float:
    return max(score for score, _ in given) - min(score for score, _ in given)


@wrong(
    caught_by="test_exactly_the_gap_is_a_dispute", says="25 points or more: 50 and 75 are 25 apart"
)
def more_than_the_gap(reviews: Sequence[Review], gap: float = 25.0) -> tuple[Dispute, ...]:
    """A gap is what is still allowed."""
    check(gap)
    return find(columns(reviews), lambda given: width(given) > gap + HAIR)


@wrong(caught_by="test_one_against_all_is_heard", says="the standard deviation is only 12")
def a_spread(reviews: Sequence[Review], gap: float = 25.0) -> tuple[Dispute, ...]:
    """How far scores lie apart is twice their standard deviation."""
    check(gap)
    spread = lambda given: 2 * pstdev([score for score, _ in given])  # noqa: E731
    return find(columns(reviews), lambda given: spread(given) >= gap - HAIR)


@wrong(caught_by="test_one_against_all_is_heard", says="her distance from the mean only 21")
def far_from_the_mean(reviews: Sequence[Review], gap: float = 25.0) -> tuple[Dispute, ...]:
    """Of two, each speaks against the other; of more, each against the mean."""
    check(gap)

    def is_far(given: Given) -> bool:
        scores = [score for score, _ in given]
        if len(scores) < 3:
            return width(given) >= gap - HAIR
        return max(abs(score - fmean(scores)) for score in scores) >= gap - HAIR

    return find(columns(reviews), is_far)


@wrong(caught_by="test_any_two_reviewers_may_stand_apart", says="though they are no neighbours")
def neighbours(reviews: Sequence[Review], gap: float = 25.0) -> tuple[Dispute, ...]:
    """Sorted by score, two who disagree stand side by side."""
    check(gap)

    def is_far(given: Given) -> bool:
        scores = sorted(score for score, _ in given)
        steps = pairwise(scores)
        return any(b - a >= gap - HAIR for a, b in steps)

    return find(columns(reviews), is_far)


@wrong(caught_by="test_any_two_reviewers_may_stand_apart", says="each is only 20 from Ada's 60")
def against_the_first(reviews: Sequence[Review], gap: float = 25.0) -> tuple[Dispute, ...]:
    """The first review is what the others are compared with."""
    check(gap)
    return find(
        columns(reviews),
        lambda given: any(abs(score - given[0][0]) >= gap - HAIR for score, _ in given),
    )


@wrong(
    caught_by="test_a_dimension_has_one_dispute_however_many_pairs",
    says="the revision is told once, by the widest",
)
def every_pair(reviews: Sequence[Review], gap: float = 25.0) -> tuple[Dispute, ...]:
    """Each pair that stands apart has a dispute of its own."""
    check(gap)
    found: dict[tuple[str, float, float], Dispute] = {}
    for name, given in columns(reviews).items():
        for pair in combinations(given, 2):
            dispute = extremes(name, pair)
            if dispute.gap >= gap - HAIR:
                found.setdefault((name, dispute.low, dispute.high), dispute)
    return tuple(sorted(found.values(), key=lambda dispute: -dispute.gap))


@wrong(caught_by="test_the_widest_comes_first", says="the widest is to be revised first")
def as_they_come(reviews: Sequence[Review], gap: float = 25.0) -> tuple[Dispute, ...]:
    """The order of the dimensions is order enough."""
    check(gap)
    found = (extremes(name, given) for name, given in columns(reviews).items())
    return tuple(dispute for dispute in found if dispute.gap >= gap - HAIR)


@wrong(
    caught_by="test_equally_wide_ones_keep_the_order_of_the_reviews",
    says="not by the alphabet",
)
def ties_by_the_alphabet(reviews: Sequence[Review], gap: float = 25.0) -> tuple[Dispute, ...]:
    """Equals are sorted by name."""
    check(gap)
    found = find(columns(reviews), lambda given: width(given) >= gap - HAIR)
    return tuple(sorted(found, key=lambda dispute: (-dispute.gap, dispute.dimension)))


@wrong(caught_by="test_equally_wide_ones_keep_the_order_of_the_reviews", says="and not reversed")
def turned_round(reviews: Sequence[Review], gap: float = 25.0) -> tuple[Dispute, ...]:
    """Sorted by the gap and then reversed, the widest comes first."""
    check(gap)
    found = find(columns(reviews), lambda given: width(given) >= gap - HAIR)
    in_order = [one for name in columns(reviews) for one in found if one.dimension == name]
    return tuple(reversed(sorted(in_order, key=lambda dispute: dispute.gap)))


@wrong(caught_by="test_what_one_reviewer_alone_scored_is_no_dispute", says="that is not a 0")
def missing_is_zero(reviews: Sequence[Review], gap: float = 25.0) -> tuple[Dispute, ...]:
    """Whoever did not score a dimension gave it nothing."""
    check(gap)
    if len(reviews) < 2:
        return ()
    by_name = {
        name: [(review.scores.get(name, 0), review.reviewer) for review in reviews]
        for name in columns(reviews)
    }
    return find(by_name, lambda given: width(given) >= gap - HAIR)


@wrong(
    caught_by="test_a_dimension_that_the_first_review_lacks_counts",
    says="which Ada did not score",
)
def as_the_first_review_has_them(
    reviews: Sequence[Review], gap: float = 25.0
) -> tuple[Dispute, ...]:
    """The first review shows which dimensions there are."""
    check(gap)
    if not reviews:
        return ()
    by_name = columns(reviews)
    known = {name: by_name[name] for name in reviews[0].scores}
    return find(known, lambda given: width(given) >= gap - HAIR)


@wrong(
    caught_by="test_of_equal_scores_the_first_reviewer_is_named",
    says="the first of each is named",
)
def the_last_of_equals(reviews: Sequence[Review], gap: float = 25.0) -> tuple[Dispute, ...]:
    """Lowest and highest are the ends of a sorted list."""
    check(gap)
    found = []
    for name, given in columns(reviews).items():
        in_order = sorted(given, key=lambda pair: pair[0])
        if in_order[-1][0] - in_order[0][0] >= gap - HAIR:
            found.append(Dispute(name, *in_order[0], *in_order[-1]))
    return tuple(sorted(found, key=lambda dispute: -dispute.gap))


@wrong(
    caught_by="test_a_verdict_that_all_share_hides_no_dispute",
    says="both approved, and still they have not read the same draft",
)
def one_verdict_is_agreement(reviews: Sequence[Review], gap: float = 25.0) -> tuple[Dispute, ...]:
    """Two who both approve, of a draft that neither finds bad, agree."""
    check(gap)
    low = [score for review in reviews for score in review.scores.values() if score < 60]
    if all(review.approved for review in reviews) and not low:
        return ()
    return find(columns(reviews), lambda given: width(given) >= gap - HAIR)


@wrong(caught_by="test_two_reviews_under_one_name_are_two", says="can disagree with itself")
def one_review_a_name(reviews: Sequence[Review], gap: float = 25.0) -> tuple[Dispute, ...]:
    """A reviewer's last word replaces what he said before."""
    check(gap)
    last = list({review.reviewer: review for review in reviews}.values())
    return find(columns(last), lambda given: width(given) >= gap - HAIR)


@wrong(caught_by="test_the_gap_is_an_argument", says="15 apart is 10 or more")
def always_25(reviews: Sequence[Review], gap: float = 25.0) -> tuple[Dispute, ...]:
    """Far apart is 25 points."""
    check(gap)
    return find(columns(reviews), lambda given: width(given) >= 25 - HAIR)


@wrong(caught_by="test_a_gap_of_zero_or_less_is_refused", says="two who agree would have a dispute")
def any_gap(reviews: Sequence[Review], gap: float = 25.0) -> tuple[Dispute, ...]:
    """A gap of 0 lists everything, which may be what is wanted."""
    return find(columns(reviews), lambda given: len(given) > 1 and width(given) >= gap - HAIR)


@wrong(caught_by="test_the_dust_of_floats_hides_no_dispute", says="25 apart on paper")
def no_tolerance(reviews: Sequence[Review], gap: float = 25.0) -> tuple[Dispute, ...]:
    """25 is 25."""
    check(gap)
    return find(columns(reviews), lambda given: width(given) >= gap)


@wrong(caught_by="test_a_millionth_less_than_the_gap_is_less", says="rounding is a wider one")
def rounded_to_a_hundredth(reviews: Sequence[Review], gap: float = 25.0) -> tuple[Dispute, ...]:
    """Rounding takes the last digits of floats away."""
    check(gap)
    return find(columns(reviews), lambda given: round(width(given), 2) >= gap)


@wrong(caught_by="test_a_little_wider_is_wider", says="no gap is rounded")
def sorted_by_whole_points(reviews: Sequence[Review], gap: float = 25.0) -> tuple[Dispute, ...]:
    """Gaps that differ by less than a point are equally wide."""
    check(gap)
    by_name = columns(reviews)
    far = [extremes(name, given) for name, given in by_name.items() if width(given) >= gap - HAIR]
    return tuple(sorted(far, key=lambda dispute: -round(dispute.gap)))
