"""21.4 gone wrong."""

from functools import partial

from . import wrong

wrong = partial(wrong, "21.4")

TOTAL = "scored.total >= s_min - TOLERANCE"
MEAN = "mean >= floor - TOLERANCE"
ALL = "0 < scored.reviewers == scored.approvals"

wrong(
    "A bar is cleared by going above it.",
    (TOTAL, "scored.total > s_min + TOLERANCE"),
    caught_by="test_at_75_the_total_has_reached_its_bar",
    says="at least 75: 75 is enough",
)
wrong(
    "Nothing may lie on the floor.",
    (MEAN, "mean > floor + TOLERANCE"),
    caught_by="test_at_60_a_dimension_has_reached_its_floor",
    says="at least 60: 60 is enough",
)
wrong(
    "The dimensions together must reach the floor.",
    (f"all({MEAN} for mean in scored.means.values())", "fmean(scored.means.values()) >= floor"),
    ("\nfrom g2c", "\nfrom statistics import fmean\n\nfrom g2c"),
    caught_by="test_a_weak_dimension_is_not_outweighed",
    says="nor the mean of all dimensions",
)
wrong(
    "The total is made of the dimensions, so they need not be asked again.",
    (" and has_no_gap", ""),
    caught_by="test_a_weak_dimension_is_not_outweighed",
    says="neither the total, nor",
)
wrong(
    "What the total must reach, each dimension must reach.",
    (MEAN, "mean >= s_min - TOLERANCE"),
    caught_by="test_a_dimension_need_not_reach_the_bar_of_the_total",
    says="75 is the bar of the total alone",
)
wrong(
    "More than half is a decision.",
    (ALL, "scored.approvals > scored.reviewers / 2"),
    caught_by="test_a_majority_is_not_all",
    says="a majority does not unsay it",
)
wrong(
    "Whoever scores a draft so high approves of it.",
    (ALL, "0 < scored.reviewers"),
    caught_by="test_high_scores_are_no_approval",
    says="not a yes to the whole",
)
wrong(
    "If all approve, there is nothing left to do; the bars are for when they differ.",
    ("is_good and has_no_gap and is_approved", "is_approved"),
    caught_by="test_approvals_are_no_scores",
    says="APPROVE alone is no measurement",
)
wrong(
    "As many approvals as reviewers are all.",
    (ALL, "scored.reviewers == scored.approvals"),
    caught_by="test_nobody_is_not_everybody",
    says="still nobody has looked at the draft",
)
wrong(
    "One decimal is as exact as a score can be.",
    (TOTAL, "round(scored.total, 1) >= s_min"),
    (MEAN, "round(mean, 1) >= floor"),
    caught_by="test_a_little_below_is_below",
    says="is there rounding in it",
)
wrong(
    "75 is 75.",
    (TOTAL, "scored.total >= s_min"),
    caught_by="test_the_dust_of_floats_does_not_keep_a_total_below",
    says="goes on for a round over nothing",
)
wrong(
    "Only the total is a sum of products; a mean is exact.",
    (MEAN, "mean >= floor"),
    caught_by="test_the_dust_of_floats_does_not_keep_a_dimension_below",
    says="has reached the floor, too",
)
wrong(
    "The bars are 75 and 60.",
    (TOTAL, "scored.total >= 75 - TOLERANCE"),
    (MEAN, "mean >= 60 - TOLERANCE"),
    caught_by="test_the_bars_are_arguments",
    says="does where 65 is asked for",
)
wrong(
    "Nobody sees a thousandth of a point.",
    (TOTAL, "scored.total >= s_min - 0.001"),
    (MEAN, "mean >= floor - 0.001"),
    caught_by="test_a_millionth_below_is_below",
    says="the tolerance is for the last digits",
)
wrong(
    "math.isclose is how floats are compared.",
    ("\nfrom g2c", "\nfrom math import isclose\n\nfrom g2c"),
    (TOTAL, "(scored.total >= s_min or isclose(scored.total, s_min))"),
    (MEAN, "(mean >= floor or isclose(mean, floor))"),
    caught_by="test_the_tolerance_is_in_points",
    says="as that of math.isclose is?",
)
wrong(
    "A tolerance is a share of what is compared.",
    (TOTAL, "scored.total >= s_min * (1 - TOLERANCE)"),
    (MEAN, "mean >= floor * (1 - TOLERANCE)"),
    caught_by="test_the_tolerance_is_in_points",
    says="TOLERANCE is in points",
)
