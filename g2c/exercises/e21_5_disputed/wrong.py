"""21.5 gone wrong."""

from functools import partial

from wrong_answers import wrong

wrong = partial(wrong, "21.5")

IMPORT = "\nfrom g2c"
ENDS = "pick(scores, key=lambda pair: pair[0]) for pick in (min, max)"
WIDTH = "high[0] - low[0]"
FAR = f"{WIDTH} >= gap - TOLERANCE"
SORTED = "sorted(found, key=lambda dispute: -dispute.gap)"

wrong(
    "A gap is what is still allowed.",
    (FAR, f"{WIDTH} > gap + TOLERANCE"),
    caught_by="test_exactly_the_gap_is_a_dispute",
    says="25 points or more: 50 and 75 are 25 apart",
)
wrong(
    "How far scores lie apart is twice their standard deviation.",
    (IMPORT, f"from statistics import pstdev\n{IMPORT}"),
    (FAR, "2 * pstdev(score for score, _ in scores) >= gap - TOLERANCE"),
    caught_by="test_one_against_all_is_heard",
    says="the standard deviation is only 12",
)
wrong(
    "Sorted by score, two who disagree stand side by side.",
    (IMPORT, f"from itertools import pairwise\n{IMPORT}"),
    (WIDTH, "max((b[0] - a[0] for a, b in pairwise(sorted(scores))), default=0)"),
    caught_by="test_any_two_reviewers_may_stand_apart",
    says="though they are not neighbours",
)
wrong(
    "Each pair that stands apart has a dispute of its own.",
    (IMPORT, f"from itertools import combinations\n{IMPORT}"),
    ("in given.items()", "in ((n, two) for n in given for two in combinations(given[n], 2))"),
    caught_by="test_a_dimension_has_one_dispute_however_many_pairs",
    says="the revision is told once, by the widest",
)
wrong(
    "The order of the dimensions is order enough.",
    (SORTED, "found"),
    caught_by="test_the_widest_comes_first",
    says="the widest is to be revised first",
)
wrong(
    "Equals are sorted by name.",
    ("-dispute.gap", "(-dispute.gap, dispute.dimension)"),
    caught_by="test_equally_wide_ones_keep_the_order_of_the_reviews",
    says="not by the alphabet",
)
wrong(
    "Whoever did not score a dimension gave it nothing.",
    ("name, []", "name, [(0, item.reviewer) for item in reviews if name not in item.scores]"),
    caught_by="test_a_dimension_with_one_score_is_not_disputed",
    says="that is not a 0",
)
wrong(
    "The first review shows which dimensions there are.",
    (f"if {FAR}", f"if name in reviews[0].scores and {FAR}"),
    caught_by="test_a_dimension_that_the_first_review_lacks_counts",
    says="which Ada did not score",
)
wrong(
    "Lowest and highest are the ends of a sorted list.",
    (ENDS, "sorted(scores, key=lambda pair: pair[0])[end] for end in (0, -1)"),
    caught_by="test_the_first_reviewer_is_named_at_equal_scores",
    says="the first of each is named",
)
wrong(
    "If all approve a draft and nobody finds it bad, they agree.",
    (FAR, f"{FAR} and (low[0] < 60 or not all(item.approved for item in reviews))"),
    caught_by="test_a_verdict_that_all_share_hides_no_dispute",
    says="both approved, and still they have not read the same draft",
)
wrong(
    "A reviewer's last word replaces what he said before.",
    ("for review in reviews:", "for review in {item.reviewer: item for item in reviews}.values():"),
    caught_by="test_two_reviews_under_one_name_are_two",
    says="can disagree with itself",
)
wrong(
    "Far apart is 25 points.",
    ("gap - TOLERANCE", "25 - TOLERANCE"),
    caught_by="test_the_gap_is_an_argument",
    says="15 apart is 10 or more",
)
wrong(
    "A gap of 0 lists everything, which may be what is wanted.",
    ("not gap > 0", "gap < 0"),
    caught_by="test_a_gap_of_zero_or_less_is_refused",
    says="two who agree would have a dispute",
)
wrong(
    "25 is 25.",
    ("gap - TOLERANCE", "gap"),
    caught_by="test_the_dust_of_floats_hides_no_dispute",
    says="25 apart on paper",
)
wrong(
    "Rounding takes the last digits of floats away.",
    (FAR, f"round({WIDTH}, 2) >= gap"),
    caught_by="test_a_millionth_less_than_the_gap_is_less",
    says="rounding is a wider one",
)
wrong(
    "Gaps that differ by less than a point are equally wide.",
    ("-dispute.gap", "-round(dispute.gap)"),
    caught_by="test_a_little_wider_is_wider",
    says="no gap is rounded",
)
