"""21.3 gone wrong."""

from functools import partial

from wrong_answers import wrong

wrong = partial(wrong, "21.3")

STRAYS = "review.scores.keys() ^ set(names)"
SCORES = "review.scores[name] for review in reviews"
MEAN = f"fmean({SCORES})"
GOOD = "total >= s_min - TOLERANCE"
LOWEST = "min(means.values()) >= floor - TOLERANCE"
ALL = "approvals == len(reviews)"
TOTAL = "fsum(dimension.weight * means[dimension.name] for dimension in rubric.dimensions)"

wrong(
    "Reviews list their scores in the order of the rubric.",
    ("review.scores[name]", "list(review.scores.values())[names.index(name)]"),
    caught_by="test_weights_go_by_name",
    says="not by the place where it stands",
)
wrong(
    "The total is the mean of the dimensions.",
    (TOTAL, "fmean(means.values())"),
    caught_by="test_a_heavy_dimension_moves_the_total_more",
    says="forgets that truth was to count three times as much",
)
wrong(
    "A median is safer than a mean.",
    ("import fmean", "import median as fmean"),
    caught_by="test_every_reviewer_counts_the_same",
    says="A median is 70",
)
wrong(
    "Scores are whole points, so their means are.",
    (MEAN, f"round({MEAN})"),
    caught_by="test_nothing_is_rounded",
    says="would decide here whether the bar of 75 is reached",
)
wrong(
    "A score that is false was not given.",
    (MEAN, f"fmean([{SCORES} if review.scores[name]] or [0])"),
    caught_by="test_a_score_of_zero_is_a_score",
    says="0 is the worst score and not a missing",
)
wrong(
    "Whoever did not score a dimension gave it nothing.",
    (STRAYS, "review.scores.keys() - set(names)"),
    ("review.scores[name]", "review.scores.get(name, 0)"),
    caught_by="test_a_missing_dimension_is_refused_by_name",
    says="as a 0 it would punish the draft for what he forgot",
)
wrong(
    "What the rubric does not ask for has no weight, so it may stand there.",
    (STRAYS, "set(names) - review.scores.keys()"),
    caught_by="test_an_unknown_dimension_is_refused_by_name",
    says="either the rubric is not the one he had, or a name is misspelt",
)
wrong(
    "The sum of nothing is 0.",
    (
        'raise ValueError("there are no reviews to put together")',
        "return Aggregate(0, {}, 0, 0, False)",
    ),
    caught_by="test_no_reviews_are_refused",
    says="0 would say that the draft is bad",
)
wrong(
    "Whoever approves a draft that he scores low has made a mistake.",
    ("sum(review.approved", "sum(review.approved and fmean(review.scores.values()) >= 50"),
    caught_by="test_approvals_are_counted_and_not_derived",
    says="whatever they scored: 2 of 3",
)
wrong(
    "A reviewer's last word replaces what he said before.",
    (
        "    means = ",
        "    reviews = {item.reviewer: item for item in reviews}.values()\n    means = ",
    ),
    caught_by="test_two_reviews_under_one_name_are_two",
    says="the second one takes the first one's place",
)
wrong(
    "Once a score is in the mean, its review does not need it any more.",
    ("review.scores[name]", "review.scores.pop(name)"),
    caught_by="test_the_reviews_are_left_as_they_are",
    says="the reviews are needed afterwards",
)
wrong(
    "Two decimals are as exact as a score can be.",
    (MEAN, f"round({MEAN}, 2)"),
    caught_by="test_a_third_keeps_its_digits",
    says="rounded to 74.67 it is another number",
)
wrong(
    "A bar is cleared by going above it.",
    (GOOD, "total > s_min + TOLERANCE"),
    caught_by="test_at_75_the_total_has_reached_its_bar",
    says="at least 75: 75 is enough",
)
wrong(
    "Nothing may lie on the floor.",
    (LOWEST, "min(means.values()) > floor + TOLERANCE"),
    caught_by="test_at_60_a_dimension_has_reached_its_floor",
    says="at least 60: 60 is enough",
)
wrong(
    "The dimensions together must reach the floor.",
    (LOWEST, "fmean(means.values()) >= floor"),
    caught_by="test_a_weak_dimension_is_not_outweighed",
    says="nor the mean of all dimensions",
)
wrong(
    "What the total must reach, each dimension must reach.",
    (LOWEST, "min(means.values()) >= s_min - TOLERANCE"),
    caught_by="test_a_dimension_need_not_reach_the_bar_of_the_total",
    says="75 is the bar of the total alone",
)
wrong(
    "Every score must reach the floor.",
    (LOWEST, "min(min(item.scores.values()) for item in reviews) >= floor - TOLERANCE"),
    caught_by="test_the_floor_is_for_means_and_not_for_single_scores",
    says="the floor is for the mean",
)
wrong(
    "More than half is a decision.",
    (ALL, "approvals > len(reviews) / 2"),
    caught_by="test_a_majority_is_not_all",
    says="a majority does not unsay it",
)
wrong(
    "Whoever scores a draft so high approves of it.",
    (" and is_approved", ""),
    caught_by="test_high_scores_are_not_an_approval",
    says="not a yes to the whole",
)
wrong(
    "If all approve, there is nothing left to do; the bars are for when they differ.",
    ("is_good and has_no_gap and is_approved", "is_approved"),
    caught_by="test_approvals_are_not_scores",
    says="APPROVE alone is not a measurement",
)
wrong(
    "One decimal is as exact as a score can be.",
    (GOOD, "round(total, 1) >= s_min"),
    (LOWEST, "round(min(means.values()), 1) >= floor"),
    caught_by="test_a_little_below_is_below",
    says="is there rounding in it",
)
wrong(
    "75 is 75.",
    (GOOD, "total >= s_min"),
    caught_by="test_the_dust_of_floats_does_not_keep_a_total_below",
    says="goes on for a round over nothing",
)
wrong(
    "Only the total is a sum of products; a mean is exact.",
    (LOWEST, "min(means.values()) >= floor"),
    caught_by="test_the_dust_of_floats_does_not_keep_a_dimension_below",
    says="has reached the floor, too",
)
wrong(
    "The bars are 75 and 60.",
    (GOOD, "total >= 75 - TOLERANCE"),
    (LOWEST, "min(means.values()) >= 60 - TOLERANCE"),
    caught_by="test_the_bars_are_arguments",
    says="does where 65 is asked for",
)
wrong(
    "Nobody sees a thousandth of a point.",
    (GOOD, "total >= s_min - 0.001"),
    (LOWEST, "min(means.values()) >= floor - 0.001"),
    caught_by="test_a_millionth_below_is_below",
    says="the tolerance is for the last digits",
)
wrong(
    "math.isclose is how floats are compared.",
    ("import fsum", "import fsum, isclose"),
    (GOOD, "(total >= s_min or isclose(total, s_min))"),
    (LOWEST, "all(mean >= floor or isclose(mean, floor) for mean in means.values())"),
    caught_by="test_the_tolerance_is_in_points",
    says="as that of math.isclose is?",
)
