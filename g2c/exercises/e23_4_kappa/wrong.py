"""23.4 gone wrong."""

from functools import partial

from wrong_answers import wrong

wrong = partial(wrong, "23.4")

LAST = "return 1 - observed / by_chance if by_chance else None"
TABLE = "product(Counter(a).items(), Counter(b).items())"
CHANCE = "sum(cost(x, y) * n * m for (x, n), (y, m) in table) / len(a) ** 2"

wrong(
    "Agreement is the share of items on which the two agree.",
    (LAST, "return 1 - observed if by_chance else None"),
    caught_by="test_a_judge_that_always_says_the_frequent_label_gets_nothing",
    says="so would anybody who says good and does not look",
)
wrong(
    "What is beyond chance is the agreement minus that of chance.",
    (LAST, "return by_chance - observed if by_chance else None"),
    caught_by="test_perfect_agreement_is_one",
    says="there is no disagreement",
)
wrong(
    "Chance is one, and the same for both: how often a label is used by the two together.",
    (TABLE, "product(Counter([*a, *b]).items(), repeat=2)"),
    ("/ len(a) ** 2", "/ (2 * len(a)) ** 2"),
    caught_by="test_chance_is_made_of_what_each_rater_uses",
    says="not from both together",
)
wrong(
    "By chance one draws two labels of different items.",
    (
        CHANCE,
        CHANCE.replace("/ len(a) ** 2", "/ (len(a) * max(1, len(a) - 1))")
        .replace("for (x, n)", "for (x, n)")
        .replace("sum(", "(sum(")
        .replace("in table)", "in table) - sum(map(cost, a, b)))"),
    ),
    caught_by="test_chance_may_draw_any_two_labels",
    says="The labels of one item are one of the pairs",
)
wrong(
    "A class has to be one of both raters to be compared, so other items are left out.",
    (
        "    cost = COSTS[weights]\n",
        "    both = {*a} & {*b} or {*a, *b}\n"
        "    kept = [(x, y) for x, y in zip(a, b) if x in both and y in both]\n"
        "    a, b = zip(*kept) if kept else (a, b)\n"
        "    cost = COSTS[weights]\n",
    ),
    caught_by="test_a_class_that_one_rater_never_uses_counts",
    says="leaving it out makes the rater better than it is",
)
wrong(
    "Where all agree, kappa is 1.",
    ("if by_chance else None", "if by_chance else 1.0"),
    caught_by="test_one_label_alone_shows_nothing",
    says="1 would praise a judge that was not tried",
)
wrong(
    "Without agreement kappa is 0; it cannot be less.",
    (LAST, "return max(0.0, 1 - observed / by_chance) if by_chance else None"),
    caught_by="test_less_than_chance_is_below_zero",
    says="agrees less than chance",
)
wrong(
    "Scores are ordered classes, so their distance is how many steps lie between them.",
    (
        "    cost = COSTS[weights]\n",
        "    if weights != 'none':\n"
        "        seen = sorted({*a, *b})\n"
        "        a, b = [seen.index(x) for x in a], [seen.index(y) for y in b]\n"
        "    cost = COSTS[weights]\n",
    ),
    caught_by="test_the_distance_is_that_of_the_scores",
    says="The places of 1, 2 and 9 in the list of scores that were seen say nothing",
)
wrong(
    "Only a score that is too high or too low by more than one is a mistake.",
    ("abs(one - other)", "abs(one - other) * (abs(one - other) > 1)"),
    caught_by="test_quadratic_squares_the_distance_of_each_pair",
    says="linear takes the distances as they are",
)
wrong(
    "Labels that are numbers are scores, so their distance counts.",
    (
        '"none": lambda one, other: one != other',
        '"none": lambda one, other: (one != other) if isinstance(one, str) else abs(one - other)',
    ),
    caught_by="test_a_large_error_costs_more_than_a_small_one",
    says="without weights one item is wrong in both",
)
wrong(
    "Scores are whole numbers.",
    ("abs(one - other)", "abs(int(one) - int(other))"),
    caught_by="test_fractions_of_a_point_and_scores_below_zero_are_scores",
    says="kappa does not depend on the unit of a score",
)
wrong(
    "zip makes the pairs, and stops where there are no more.",
    ("if len(a) != len(b) or not a", "if not a or not b"),
    caught_by="test_labels_that_do_not_pair_are_refused",
    says="some item has the label of one rater alone",
)
wrong(
    "Whatever is not linear or quadratic is without weights.",
    (
        "    if weights not in COSTS:",
        "    if weights not in COSTS:\n        weights = 'none'\n    if not weights:",
    ),
    caught_by="test_unknown_weights_are_refused",
    says="must not be read as one of the three",
)
wrong(
    "In order the labels are easier to count, and a count does not mind.",
    ("    cost = COSTS[weights]\n", "    a.sort()\n    cost = COSTS[weights]\n"),
    caught_by="test_the_labels_are_left_as_they_were",
    says="the lists belong to the caller",
)
wrong(
    "A label is the text that it shows.",
    (
        "    cost = COSTS[weights]\n",
        "    a, b = (a, b) if weights != 'none' else ([*map(str, a)], [*map(str, b)])\n"
        "    cost = COSTS[weights]\n",
    ),
    caught_by="test_labels_are_the_same_only_if_they_are_equal",
    says="are two labels, as any other two",
)
