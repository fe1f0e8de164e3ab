"""21.3 gone wrong."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from statistics import fmean, median

from g2c.critic.base import Aggregate, Review, Rubric

from . import wrong

wrong = partial(wrong, "21.3")


def check(reviews: Sequence[Review], rubric: Rubric) -> None:
    if not reviews:
        raise ValueError("no reviews")
    for review in reviews:
        if strays := set(review.scores) ^ {one.name for one in rubric.dimensions}:
            raise ValueError(f"{review.reviewer}: {strays}")


def weigh(
    reviews: Sequence[Review],
    rubric: Rubric,
    mean: Callable[[Sequence[float]], float] = fmean,
    missing: float | None = None,
) -> Aggregate:
    """The aggregate with another `mean`; what was not scored counts as `missing`, or not at all."""
    means = {}
    for one in rubric.dimensions:
        scores = [review.scores.get(one.name, missing) for review in reviews]
        means[one.name] = mean([score for score in scores if score is not None])
    total = sum(one.weight * means[one.name] for one in rubric.dimensions)
    return Aggregate(total, means, sum(review.approved for review in reviews), len(reviews))


@wrong(caught_by="test_weights_go_by_name", says="not by the place where it stands")
def weights_by_place(reviews: Sequence[Review], rubric: Rubric) -> Aggregate:
    """Reviews list their scores in the order of the rubric."""
    check(reviews, rubric)
    columns = zip(*(review.scores.values() for review in reviews), strict=True)
    means = [fmean(column) for column in columns]
    total = sum(one.weight * mean for one, mean in zip(rubric.dimensions, means, strict=True))
    names = (one.name for one in rubric.dimensions)
    approvals = sum(review.approved for review in reviews)
    return Aggregate(total, dict(zip(names, means, strict=True)), approvals, len(reviews))


@wrong(
    caught_by="test_a_heavy_dimension_moves_the_total_more",
    says="forgets that truth was to count three times as much",
)
def mean_of_means(reviews: Sequence[Review], rubric: Rubric) -> Aggregate:
    """The total is the mean of the dimensions."""
    check(reviews, rubric)
    scored = weigh(reviews, rubric)
    return Aggregate(fmean(scored.means.values()), scored.means, scored.approvals, scored.reviewers)


@wrong(caught_by="test_every_reviewer_counts_the_same", says="A median is 70")
def the_middle_reviewer_decides(reviews: Sequence[Review], rubric: Rubric) -> Aggregate:
    """A median is safer than a mean."""
    check(reviews, rubric)
    return weigh(reviews, rubric, median)


@wrong(caught_by="test_every_reviewer_counts_the_same", says="the lowest is 10")
def the_strictest_reviewer_decides(reviews: Sequence[Review], rubric: Rubric) -> Aggregate:
    """A draft is as good as the one who likes it least says."""
    check(reviews, rubric)
    return weigh(reviews, rubric, min)


@wrong(caught_by="test_every_reviewer_counts_the_same", says="counts the last one most")
def a_running_mean(reviews: Sequence[Review], rubric: Rubric) -> Aggregate:
    """The mean so far and the next score are averaged, one after the other."""
    check(reviews, rubric)

    def running(scores: Sequence[float]) -> float:
        mean = scores[0]
        for score in scores[1:]:
            mean = (mean + score) / 2
        return mean

    return weigh(reviews, rubric, running)


@wrong(caught_by="test_nothing_is_rounded", says="decides here whether the bar of 75 is reached")
def whole_points(reviews: Sequence[Review], rubric: Rubric) -> Aggregate:
    """Scores are whole points, so their means are."""
    check(reviews, rubric)
    return weigh(reviews, rubric, lambda scores: round(fmean(scores)))


@wrong(caught_by="test_nothing_is_rounded", says="whoever rounds, to even or up or down")
def whole_division(reviews: Sequence[Review], rubric: Rubric) -> Aggregate:
    """// is the division for whole numbers."""
    check(reviews, rubric)
    return weigh(reviews, rubric, lambda scores: sum(scores) // len(scores))


@wrong(caught_by="test_a_score_of_zero_is_a_score", says="0 is the worst score and not a missing")
def zero_is_nothing(reviews: Sequence[Review], rubric: Rubric) -> Aggregate:
    """A score that is false was not given."""
    check(reviews, rubric)
    return weigh(reviews, rubric, lambda scores: fmean([one for one in scores if one] or [0]))


@wrong(
    caught_by="test_a_missing_dimension_is_refused_by_name",
    says="as a 0 it would punish the draft for what he forgot",
)
def missing_is_zero(reviews: Sequence[Review], rubric: Rubric) -> Aggregate:
    """Whoever did not score a dimension gave it nothing."""
    names = {one.name for one in rubric.dimensions}
    for review in reviews:
        check([Review(review.reviewer, {**dict.fromkeys(names, 0), **review.scores}, True)], rubric)
    check(reviews[:1], rubric)
    return weigh(reviews, rubric, missing=0)


@wrong(
    caught_by="test_a_missing_dimension_is_refused_by_name",
    says="left out it would leave truth to Ada alone",
)
def missing_is_left_out(reviews: Sequence[Review], rubric: Rubric) -> Aggregate:
    """A mean is over the scores that there are."""
    names = {one.name for one in rubric.dimensions}
    for review in reviews:
        check([Review(review.reviewer, {**dict.fromkeys(names, 0), **review.scores}, True)], rubric)
    check(reviews[:1], rubric)
    return weigh(reviews, rubric)


@wrong(
    caught_by="test_an_unknown_dimension_is_refused_by_name",
    says="either the rubric is not the one he had, or a name is misspelt",
)
def more_is_no_harm(reviews: Sequence[Review], rubric: Rubric) -> Aggregate:
    """What the rubric does not ask for has no weight, so it may stand there."""
    names = {one.name for one in rubric.dimensions}
    known = [
        Review(
            review.reviewer,
            {name: score for name, score in review.scores.items() if name in names},
            review.approved,
        )
        for review in reviews
    ]
    check(known, rubric)
    return weigh(known, rubric)


@wrong(caught_by="test_a_missing_dimension_is_refused_by_name", says="should learn who forgot what")
def a_short_complaint(reviews: Sequence[Review], rubric: Rubric) -> Aggregate:
    """An error is an error, whatever it says."""
    try:
        check(reviews, rubric)
    except ValueError:
        raise ValueError("the reviews do not fit the rubric") from None
    return weigh(reviews, rubric)


@wrong(caught_by="test_no_reviews_are_refused", says="0 would say that the draft is bad")
def no_reviews_are_zero(reviews: Sequence[Review], rubric: Rubric) -> Aggregate:
    """The sum of nothing is 0."""
    if not reviews:
        return Aggregate(0.0, {one.name: 0.0 for one in rubric.dimensions}, 0, 0)
    check(reviews, rubric)
    return weigh(reviews, rubric)


@wrong(caught_by="test_approvals_are_counted_and_not_derived", says="whatever they scored: 2 of 3")
def approval_needs_a_score(reviews: Sequence[Review], rubric: Rubric) -> Aggregate:
    """Whoever approves a draft that he scores low has made a mistake."""
    check(reviews, rubric)
    scored = weigh(reviews, rubric)
    approvals = sum(review.approved and weigh([review], rubric).total >= 50 for review in reviews)
    return Aggregate(scored.total, scored.means, approvals, scored.reviewers)


@wrong(
    caught_by="test_two_reviews_under_one_name_are_two",
    says="the second one takes the first one's place",
)
def one_review_a_name(reviews: Sequence[Review], rubric: Rubric) -> Aggregate:
    """A reviewer's last word replaces what he said before."""
    check(reviews, rubric)
    return weigh(list({review.reviewer: review for review in reviews}.values()), rubric)


@wrong(
    caught_by="test_the_reviews_are_left_as_they_are",
    says="the reviews are needed afterwards",
)
def scores_are_used_up(reviews: Sequence[Review], rubric: Rubric) -> Aggregate:
    """Popping each known dimension leaves those that are unknown."""
    check(reviews, rubric)
    scored = weigh(reviews, rubric)
    for review in reviews:
        for one in rubric.dimensions:
            review.scores.pop(one.name)
    return scored


@wrong(caught_by="test_a_third_keeps_its_digits", says="rounded to 74.67 it is another number")
def two_decimals(reviews: Sequence[Review], rubric: Rubric) -> Aggregate:
    """Two decimals are as exact as a score can be."""
    check(reviews, rubric)
    return weigh(reviews, rubric, lambda scores: round(fmean(scores), 2))
