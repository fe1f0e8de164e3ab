"""21.4 gone wrong."""

from functools import partial

from wrong_answers import wrong

wrong = partial(wrong, "21.4")

RANGE = "max(newest) - min(newest)"

wrong(
    "Epsilon is what is still allowed.",
    ("< epsilon - TOLERANCE", "<= epsilon"),
    caught_by="test_exactly_epsilon_apart_is_no_plateau",
    says="68 and 71 are 3 apart, and not less",
)
wrong(
    "The window is how many totals there must be at least.",
    (RANGE, "max(history) - min(history)"),
    caught_by="test_only_the_newest_totals_count",
    says="how far the draft rose before is another matter",
)
wrong(
    "Any window of the history may be flat.",
    ("- TOLERANCE", "- TOLERANCE or is_plateau(history[:-1], window, epsilon)"),
    caught_by="test_a_rest_in_the_past_is_over",
    says="the last revision brought 12 points",
)
wrong(
    "What a window brought is its last total less its first.",
    (RANGE, "abs(newest[-1] - newest[0])"),
    caught_by="test_back_where_it_was_is_not_at_rest",
    says="the first and the last are equal, and the highest and the lowest are not",
)
wrong(
    "A draft is at rest if it moves by less than epsilon from round to round.",
    (RANGE, "max(abs(b - a) for a, b in zip(newest, newest[1:]))"),
    caught_by="test_small_steps_add_up",
    says="slow is not at rest",
)
wrong(
    "A plateau is where nothing is gained any more.",
    ("min(newest)", "newest[0]"),
    caught_by="test_a_draft_that_gets_worse_moves",
    says="the distance between the highest and the lowest has no sign",
)
wrong(
    "A slice takes what there is.",
    ("len(newest) < window", "not newest"),
    caught_by="test_with_fewer_totals_nothing_can_be_said",
    says="one or two that lie close",
)
wrong(
    "There must be a total before the window, to compare it with.",
    ("len(newest) < window", "len(history) <= window"),
    caught_by="test_as_many_totals_as_the_window_are_enough",
    says="three totals fill a window",
)
wrong(
    "The last three say it.",
    (RANGE, "max(history[-3:]) - min(history[-3:])"),
    caught_by="test_the_window_is_an_argument",
    says="the newest two of",
)
wrong(
    "How much totals vary is their standard deviation.",
    ("import annotations", "import annotations\nfrom statistics import pstdev"),
    (RANGE, "pstdev(newest)"),
    caught_by="test_small_steps_add_up",
    says="the two together bring 4",
)
wrong(
    "Epsilon is in per cent of the highest total.",
    ("< epsilon", "< max(newest) * epsilon / 100"),
    caught_by="test_a_low_plateau_is_one",
    says="not in per cent of the score",
)
wrong(
    "Sorted, the highest and the lowest stand at the ends.",
    (f"return {RANGE}", "history.sort()\n    newest.sort()\n    return newest[-1] - newest[0]"),
    caught_by="test_the_history_keeps_its_order",
    says="the history was changed to",
)
wrong(
    "A window below 2 is the caller's affair.",
    ("window < 2", "False"),
    caught_by="test_a_window_below_two_is_refused",
    says="there are no two totals to compare",
)
wrong(
    "An epsilon of 0 is the way to switch plateaus off.",
    ("not epsilon > 0", "False"),
    caught_by="test_an_epsilon_of_zero_or_less_is_refused",
    says="nothing would ever be a plateau",
)
wrong(
    "Less than 3 is less than 3.",
    (" - TOLERANCE", ""),
    caught_by="test_the_dust_of_floats_makes_no_plateau",
    says="the last digit stops the loop",
)
wrong(
    "Rounding takes the last digits of floats away.",
    (f"{RANGE} < epsilon - TOLERANCE", f"round({RANGE}, 3) < epsilon"),
    caught_by="test_a_millionth_less_than_epsilon_is_less",
    says="rounding is a tolerance, too, and a wide one",
)
wrong(
    "A plateau has the height of its first total, and all others are near to that.",
    (RANGE, "max(abs(total - newest[0]) for total in newest)"),
    caught_by="test_totals_that_are_near_to_one_need_not_be_near_to_each_other",
    says="and not where all are near to one of them",
)
wrong(
    "What counts is where the draft is now: all of the window is near to the last total.",
    (RANGE, "max(abs(total - newest[-1]) for total in newest)"),
    caught_by="test_totals_that_are_near_to_one_need_not_be_near_to_each_other",
    says="and not where all are near to one of them",
)
wrong(
    "Totals at rest are near to their median.",
    ("import annotations", "import annotations\nfrom statistics import median"),
    (RANGE, "max(abs(total - median(newest)) for total in newest)"),
    caught_by="test_totals_that_are_near_to_one_need_not_be_near_to_each_other",
    says="and not where all are near to one of them",
)
