"""22.4 gone wrong."""

from __future__ import annotations

from functools import partial

from g2c.loop.checkpoint import INTERVAL, MIN_PLANNED_TICKS

from . import wrong

wrong = partial(wrong, "22.4")


def is_long(planned_ticks: int | None) -> bool:
    return planned_ticks is None or planned_ticks >= MIN_PLANNED_TICKS


def is_before_the_end(tick: int, planned_ticks: int | None) -> bool:
    return planned_ticks is None or tick < planned_ticks


@wrong(caught_by="test_every_fifth_tick_is_reviewed", says="after 5, 10 and 15 of 20")
def ticks_count_from_0(tick: int, planned_ticks: int | None, interval: int = INTERVAL) -> bool:
    """Ticks are numbered from 0, so the fifth has the number 4."""
    if interval == 0 or not is_long(planned_ticks) or not is_before_the_end(tick, planned_ticks):
        return False
    return (tick + 1) % interval == 0 and tick > 0


@wrong(
    caught_by="test_before_the_first_tick_there_is_nothing_to_review",
    says="at tick 0 nothing has been done",
)
def nought_divides_evenly(tick: int, planned_ticks: int | None, interval: int = INTERVAL) -> bool:
    """A tick that the interval divides is a checkpoint."""
    if interval == 0 or not is_long(planned_ticks) or not is_before_the_end(tick, planned_ticks):
        return False
    return tick % interval == 0


@wrong(caught_by="test_a_loop_without_a_bound_is_a_long_one", says="None is no bound at all")
def no_plan_no_reviews(tick: int, planned_ticks: int | None, interval: int = INTERVAL) -> bool:
    """Where no number of ticks is planned, there is nothing to divide into checkpoints."""
    if not planned_ticks or planned_ticks < MIN_PLANNED_TICKS or tick >= planned_ticks:
        return False
    return tick > 0 and interval > 0 and tick % interval == 0


@wrong(caught_by="test_a_loop_of_ten_ticks_has_one", says="fewer than 10 means that 10 are enough")
def more_than_ten(tick: int, planned_ticks: int | None, interval: int = INTERVAL) -> bool:
    """A long loop is one of more than 10 ticks."""
    if planned_ticks is not None and (planned_ticks <= MIN_PLANNED_TICKS or tick >= planned_ticks):
        return False
    return tick > 0 and interval > 0 and tick % interval == 0


@wrong(
    caught_by="test_a_loop_of_fewer_than_ten_ticks_has_no_reviews",
    says="it would be over before a review could help",
)
def the_interval_is_enough(tick: int, planned_ticks: int | None, interval: int = INTERVAL) -> bool:
    """A loop that is shorter than the interval has no review anyway."""
    if interval == 0 or tick == 0 or not is_before_the_end(tick, planned_ticks):
        return False
    return tick % interval == 0


@wrong(caught_by="test_every_fifth_tick_is_reviewed", says="after 5, 10 and 15 of 20")
def not_before_tick_ten(tick: int, planned_ticks: int | None, interval: int = INTERVAL) -> bool:
    """The 10 ticks are those that a loop must have behind it."""
    if interval == 0 or not is_before_the_end(tick, planned_ticks):
        return False
    return tick >= MIN_PLANNED_TICKS and tick % interval == 0


@wrong(
    caught_by="test_an_interval_of_0_stands_for_no_reviews",
    says="is how a person switches reviews off, and is no error",
)
def an_interval_is_a_number(tick: int, planned_ticks: int | None, interval: int = INTERVAL) -> bool:
    """An interval is something to divide by."""
    if tick == 0 or not is_long(planned_ticks) or not is_before_the_end(tick, planned_ticks):
        return False
    return tick % interval == 0


@wrong(
    caught_by="test_an_interval_of_0_stands_for_no_reviews", says="nothing is reviewed; you review"
)
def at_least_1(tick: int, planned_ticks: int | None, interval: int = INTERVAL) -> bool:
    """An interval of 0 can only mean the shortest there is."""
    if tick == 0 or not is_long(planned_ticks) or not is_before_the_end(tick, planned_ticks):
        return False
    return tick % max(interval, 1) == 0


@wrong(caught_by="test_the_interval_is_an_argument", says="an interval of 3 was asked for")
def every_five(tick: int, planned_ticks: int | None, interval: int = INTERVAL) -> bool:
    """Reviews come every 5 ticks, and the argument is there to switch them off."""
    if tick == 0 or interval == 0 or not is_long(planned_ticks):
        return False
    return is_before_the_end(tick, planned_ticks) and tick % INTERVAL == 0


@wrong(
    caught_by="test_after_the_last_tick_nobody_would_read_a_review",
    says="a call to the model would be spent on nothing",
)
def a_last_word(tick: int, planned_ticks: int | None, interval: int = INTERVAL) -> bool:
    """A review at the end says how it all came out."""
    if tick == 0 or interval == 0 or not is_long(planned_ticks):
        return False
    return is_before_the_end(tick - 1, planned_ticks) and tick % interval == 0


@wrong(caught_by="test_beyond_the_plan_there_is_no_review_either", says="a loop of 20 is over")
def only_the_last_is_special(
    tick: int, planned_ticks: int | None, interval: int = INTERVAL
) -> bool:
    """The last tick needs no review; there are none after it to think of."""
    if tick in (0, planned_ticks) or interval == 0 or not is_long(planned_ticks):
        return False
    return tick % interval == 0


@wrong(caught_by="test_a_tick_between_two_reviews_has_none", says="not from 5 on")
def from_then_on(tick: int, planned_ticks: int | None, interval: int = INTERVAL) -> bool:
    """Once the interval is reached, a review is due."""
    if interval == 0 or not is_long(planned_ticks) or not is_before_the_end(tick, planned_ticks):
        return False
    return tick >= interval


@wrong(
    caught_by="test_an_interval_longer_than_the_loop_gives_no_review",
    says="12 ticks end before the first review at 20",
)
def one_at_least(tick: int, planned_ticks: int | None, interval: int = INTERVAL) -> bool:
    """Who asks for reviews wants one at least, so an interval is cut to half of a long loop."""
    if tick == 0 or interval == 0 or not is_long(planned_ticks):
        return False
    if planned_ticks is not None and interval > planned_ticks:
        interval = planned_ticks // 2
    return is_before_the_end(tick, planned_ticks) and tick % interval == 0
