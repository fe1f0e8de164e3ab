"""21.4 gone wrong."""

from __future__ import annotations

from functools import partial
from statistics import fmean

from g2c.critic.base import Aggregate

from . import wrong

wrong = partial(wrong, "21.4")

HAIR = 1e-9


def total_does(scored: Aggregate, s_min: float) -> bool:
    return scored.total >= s_min - HAIR


def means_do(scored: Aggregate, floor: float) -> bool:
    return all(mean >= floor - HAIR for mean in scored.means.values())


def all_approved(scored: Aggregate) -> bool:
    return 0 < scored.reviewers == scored.approvals


@wrong(caught_by="test_at_75_the_total_has_reached_its_bar", says="at least 75: 75 is enough")
def above_the_bar(scored: Aggregate, *, s_min: float = 75.0, floor: float = 60.0) -> bool:
    """A bar is cleared by going above it."""
    return scored.total > s_min + HAIR and means_do(scored, floor) and all_approved(scored)


@wrong(caught_by="test_at_60_a_dimension_has_reached_its_floor", says="at least 60: 60 is enough")
def above_the_floor(scored: Aggregate, *, s_min: float = 75.0, floor: float = 60.0) -> bool:
    """Nothing may lie on the floor."""
    lifted = all(mean > floor + HAIR for mean in scored.means.values())
    return total_does(scored, s_min) and lifted and all_approved(scored)


@wrong(caught_by="test_a_weak_dimension_is_not_outweighed", says="nor the mean of all dimensions")
def the_mean_of_the_means(scored: Aggregate, *, s_min: float = 75.0, floor: float = 60.0) -> bool:
    """The dimensions together must reach the floor."""
    reaches = fmean(scored.means.values()) >= floor - HAIR
    return total_does(scored, s_min) and reaches and all_approved(scored)


@wrong(caught_by="test_a_weak_dimension_is_not_outweighed", says="neither the total, nor")
def the_total_says_it_all(scored: Aggregate, *, s_min: float = 75.0, floor: float = 60.0) -> bool:
    """The total is made of the dimensions, so it need not be asked twice."""
    return total_does(scored, max(s_min, floor)) and all_approved(scored)


@wrong(
    caught_by="test_a_dimension_need_not_reach_the_bar_of_the_total",
    says="75 is the bar of the total alone",
)
def one_bar_for_all(scored: Aggregate, *, s_min: float = 75.0, floor: float = 60.0) -> bool:
    """What the total must reach, each dimension must reach."""
    return (
        total_does(scored, s_min) and means_do(scored, max(floor, s_min)) and all_approved(scored)
    )


@wrong(caught_by="test_a_majority_is_not_all", says="a majority does not unsay it")
def a_majority(scored: Aggregate, *, s_min: float = 75.0, floor: float = 60.0) -> bool:
    """More than half is a decision."""
    agreed = scored.approvals > scored.reviewers / 2
    return total_does(scored, s_min) and means_do(scored, floor) and agreed


@wrong(caught_by="test_high_scores_are_no_approval", says="not a yes to the whole")
def scores_are_enough(scored: Aggregate, *, s_min: float = 75.0, floor: float = 60.0) -> bool:
    """Whoever scores a draft so high approves of it."""
    return scored.reviewers > 0 and total_does(scored, s_min) and means_do(scored, floor)


@wrong(caught_by="test_approvals_are_no_scores", says="APPROVE alone is no measurement")
def approvals_are_enough(scored: Aggregate, *, s_min: float = 75.0, floor: float = 60.0) -> bool:
    """If all approve, there is nothing left to do; the bars are for when they differ."""
    reaches = total_does(scored, s_min) and means_do(scored, floor)
    return all_approved(scored) and (reaches or scored.total < floor)


@wrong(caught_by="test_nobody_is_not_everybody", says="still nobody has looked at the draft")
def all_of_none(scored: Aggregate, *, s_min: float = 75.0, floor: float = 60.0) -> bool:
    """As many approvals as reviewers are all."""
    everybody = scored.approvals == scored.reviewers
    return total_does(scored, s_min) and means_do(scored, floor) and everybody


@wrong(caught_by="test_a_little_below_is_below", says="is there rounding in it")
def rounded_to_a_tenth(scored: Aggregate, *, s_min: float = 75.0, floor: float = 60.0) -> bool:
    """One decimal is as exact as a score can be."""
    means = (round(mean, 1) for mean in scored.means.values())
    reaches = round(scored.total, 1) >= s_min and all(mean >= floor for mean in means)
    return reaches and all_approved(scored)


@wrong(
    caught_by="test_the_dust_of_floats_does_not_keep_a_total_below",
    says="goes on for a round over nothing",
)
def no_tolerance_for_totals(scored: Aggregate, *, s_min: float = 75.0, floor: float = 60.0) -> bool:
    """75 is 75."""
    return scored.total >= s_min and means_do(scored, floor) and all_approved(scored)


@wrong(
    caught_by="test_the_dust_of_floats_does_not_keep_a_dimension_below",
    says="has reached the floor, too",
)
def no_tolerance_for_means(scored: Aggregate, *, s_min: float = 75.0, floor: float = 60.0) -> bool:
    """Only the total is a sum of products; a mean is exact."""
    exact = all(mean >= floor for mean in scored.means.values())
    return total_does(scored, s_min) and exact and all_approved(scored)


@wrong(caught_by="test_the_bars_are_arguments", says="does where 65 is asked for")
def the_bars_are_known(scored: Aggregate, *, s_min: float = 75.0, floor: float = 60.0) -> bool:
    """The bars are 75 and 60."""
    return total_does(scored, 75) and means_do(scored, 60) and all_approved(scored)


@wrong(caught_by="test_a_millionth_below_is_below", says="the tolerance is for the last digits")
def a_thousandth_is_nothing(scored: Aggregate, *, s_min: float = 75.0, floor: float = 60.0) -> bool:
    """Nobody sees a thousandth of a point."""
    reaches = scored.total >= s_min - 1e-3
    no_gap = all(mean >= floor - 1e-3 for mean in scored.means.values())
    return reaches and no_gap and all_approved(scored)
