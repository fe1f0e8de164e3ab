"""21.5 gone wrong."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from itertools import pairwise
from statistics import pstdev

from . import wrong

wrong = partial(wrong, "21.5")

HAIR = 1e-9


def check(window: int, epsilon: float) -> None:
    if window < 2 or not epsilon > 0:
        raise ValueError(f"no window of {window}, no epsilon of {epsilon}")


def apart(totals: Sequence[float]) -> float:
    return max(totals) - min(totals)


@wrong(
    caught_by="test_exactly_epsilon_apart_is_no_plateau", says="68 and 71 are 3 apart, and not less"
)
def at_most_epsilon(history: Sequence[float], window: int = 3, epsilon: float = 3.0) -> bool:
    """Epsilon is what is still allowed."""
    check(window, epsilon)
    return len(history) >= window and apart(history[-window:]) <= epsilon


@wrong(
    caught_by="test_only_the_newest_totals_count",
    says="how far the draft rose before is another matter",
)
def the_whole_history(history: Sequence[float], window: int = 3, epsilon: float = 3.0) -> bool:
    """The window is how many totals there must be at least."""
    check(window, epsilon)
    return len(history) >= window and apart(history) < epsilon - HAIR


@wrong(caught_by="test_a_rest_in_the_past_is_over", says="the last revision brought 12 points")
def ever_at_rest(history: Sequence[float], window: int = 3, epsilon: float = 3.0) -> bool:
    """Any window of the history may be flat."""
    check(window, epsilon)
    starts = range(len(history) - window + 1)
    return any(apart(history[start : start + window]) < epsilon - HAIR for start in starts)


@wrong(
    caught_by="test_back_where_it_was_is_not_at_rest",
    says="the first and the last are equal, and the highest and the lowest are not",
)
def the_ends_of_the_window(history: Sequence[float], window: int = 3, epsilon: float = 3.0) -> bool:
    """What a window brought is its last total less its first."""
    check(window, epsilon)
    return len(history) >= window and abs(history[-1] - history[-window]) < epsilon - HAIR


@wrong(caught_by="test_small_steps_add_up", says="slow is not at rest")
def each_step_is_small(history: Sequence[float], window: int = 3, epsilon: float = 3.0) -> bool:
    """At rest is what moves by less than epsilon from round to round."""
    check(window, epsilon)
    steps = pairwise(history[-window:])
    return len(history) >= window and all(abs(b - a) < epsilon - HAIR for a, b in steps)


@wrong(
    caught_by="test_a_draft_that_gets_worse_moves",
    says="the distance between the highest and the lowest has no sign",
)
def nothing_gained(history: Sequence[float], window: int = 3, epsilon: float = 3.0) -> bool:
    """A plateau is where nothing is gained any more."""
    check(window, epsilon)
    newest = history[-window:]
    return len(newest) == window and max(newest) - newest[0] < epsilon - HAIR


@wrong(caught_by="test_with_fewer_totals_nothing_can_be_said", says="one or two that lie close")
def a_short_window_will_do(history: Sequence[float], window: int = 3, epsilon: float = 3.0) -> bool:
    """A slice takes what there is."""
    check(window, epsilon)
    return bool(history) and apart(history[-window:]) < epsilon - HAIR


@wrong(caught_by="test_as_many_totals_as_the_window_are_enough", says="three totals fill a window")
def more_than_a_window(history: Sequence[float], window: int = 3, epsilon: float = 3.0) -> bool:
    """There must be a total before the window, to compare it with."""
    check(window, epsilon)
    return len(history) > window and apart(history[-window:]) < epsilon - HAIR


@wrong(caught_by="test_the_window_is_an_argument", says="the newest two of")
def always_three(history: Sequence[float], window: int = 3, epsilon: float = 3.0) -> bool:
    """The last three say it."""
    check(window, epsilon)
    return len(history) >= window and apart(history[-3:]) < epsilon - HAIR


@wrong(caught_by="test_small_steps_add_up", says="the two together bring 4")
def a_spread(history: Sequence[float], window: int = 3, epsilon: float = 3.0) -> bool:
    """How much totals vary is their standard deviation."""
    check(window, epsilon)
    return len(history) >= window and pstdev(history[-window:]) < epsilon - HAIR


@wrong(caught_by="test_a_low_plateau_is_one", says="not in per cent of the score")
def per_cent(history: Sequence[float], window: int = 3, epsilon: float = 3.0) -> bool:
    """Epsilon is in per cent of the highest total."""
    check(window, epsilon)
    newest = history[-window:]
    return len(newest) == window and apart(newest) < max(newest) * epsilon / 100 - HAIR


@wrong(caught_by="test_the_history_keeps_its_order", says="the history was changed to")
def sorted_in_place(history: Sequence[float], window: int = 3, epsilon: float = 3.0) -> bool:
    """Sorted, the highest and the lowest stand at the ends."""
    check(window, epsilon)
    if len(history) < window:
        return False
    newest = history[-window:]
    history.sort()
    newest.sort()
    return newest[-1] - newest[0] < epsilon - HAIR


@wrong(
    caught_by="test_a_window_below_two_is_refused",
    says="there are no two totals to compare",
)
def any_window(history: Sequence[float], window: int = 3, epsilon: float = 3.0) -> bool:
    """A window below 2 is the caller's affair."""
    check(2, epsilon)
    return len(history) >= window and apart(history[-window:] or [0]) < epsilon - HAIR


@wrong(
    caught_by="test_an_epsilon_of_zero_or_less_is_refused",
    says="nothing would ever be a plateau",
)
def any_epsilon(history: Sequence[float], window: int = 3, epsilon: float = 3.0) -> bool:
    """An epsilon of 0 is the way to switch plateaus off."""
    check(window, 1)
    return len(history) >= window and apart(history[-window:]) < epsilon - HAIR


@wrong(caught_by="test_the_dust_of_floats_makes_no_plateau", says="the last digit stops the loop")
def no_tolerance(history: Sequence[float], window: int = 3, epsilon: float = 3.0) -> bool:
    """Less than 3 is less than 3."""
    check(window, epsilon)
    return len(history) >= window and apart(history[-window:]) < epsilon


@wrong(
    caught_by="test_a_millionth_less_than_epsilon_is_less",
    says="rounding is a tolerance, too, and a wide one",
)
def rounded_to_a_thousandth(
    history: Sequence[float], window: int = 3, epsilon: float = 3.0
) -> bool:
    """Rounding takes the last digits of floats away."""
    check(window, epsilon)
    return len(history) >= window and round(apart(history[-window:]), 3) < epsilon
