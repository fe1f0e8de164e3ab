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
)
wrong("The total is the mean of the dimensions.", (TOTAL, "fmean(means.values())"))
wrong("A median is safer than a mean.", ("import fmean", "import median as fmean"))
wrong("Scores are whole points, so their means are.", (MEAN, f"round({MEAN})"))
wrong(
    "A score that is false was not given.",
    (MEAN, f"fmean([{SCORES} if review.scores[name]] or [0])"),
)
wrong(
    "Whoever did not score a dimension gave it nothing.",
    (STRAYS, "review.scores.keys() - set(names)"),
    ("review.scores[name]", "review.scores.get(name, 0)"),
)
wrong(
    "What the rubric does not ask for has no weight, so it may stand there.",
    (STRAYS, "set(names) - review.scores.keys()"),
)
wrong(
    "The sum of nothing is 0.",
    (
        'raise ValueError("there are no reviews to put together")',
        "return Aggregate(0, {}, 0, 0, False)",
    ),
)
wrong(
    "Whoever approves a draft that he scores low has made a mistake.",
    ("sum(review.approved", "sum(review.approved and fmean(review.scores.values()) >= 50"),
)
wrong(
    "A reviewer's last word replaces what he said before.",
    (
        "    means = ",
        "    reviews = {item.reviewer: item for item in reviews}.values()\n    means = ",
    ),
)
wrong(
    "Once a score is in the mean, its review does not need it any more.",
    ("review.scores[name]", "review.scores.pop(name)"),
)
wrong("Two decimals are as exact as a score can be.", (MEAN, f"round({MEAN}, 2)"))
wrong("A bar is cleared by going above it.", (GOOD, "total > s_min + TOLERANCE"))
wrong("Nothing may lie on the floor.", (LOWEST, "min(means.values()) > floor + TOLERANCE"))
wrong("The dimensions together must reach the floor.", (LOWEST, "fmean(means.values()) >= floor"))
wrong(
    "What the total must reach, each dimension must reach.",
    (LOWEST, "min(means.values()) >= s_min - TOLERANCE"),
)
wrong(
    "Every score must reach the floor.",
    (LOWEST, "min(min(item.scores.values()) for item in reviews) >= floor - TOLERANCE"),
)
wrong("More than half is a decision.", (ALL, "approvals > len(reviews) / 2"))
wrong("Whoever scores a draft so high approves of it.", (" and is_approved", ""))
wrong(
    "If all approve, there is nothing left to do; the bars are for when they differ.",
    ("is_good and has_no_gap and is_approved", "is_approved"),
)
wrong(
    "One decimal is as exact as a score can be.",
    (GOOD, "round(total, 1) >= s_min"),
    (LOWEST, "round(min(means.values()), 1) >= floor"),
)
wrong("75 is 75.", (GOOD, "total >= s_min"))
wrong(
    "Only the total is a sum of products; a mean is exact.",
    (LOWEST, "min(means.values()) >= floor"),
)
wrong(
    "The bars are 75 and 60.",
    (GOOD, "total >= 75 - TOLERANCE"),
    (LOWEST, "min(means.values()) >= 60 - TOLERANCE"),
)
wrong(
    "Nobody sees a thousandth of a point.",
    (GOOD, "total >= s_min - 0.001"),
    (LOWEST, "min(means.values()) >= floor - 0.001"),
)
wrong(
    "math.isclose is how floats are compared.",
    ("import fsum", "import fsum, isclose"),
    (GOOD, "(total >= s_min or isclose(total, s_min))"),
    (LOWEST, "all(mean >= floor or isclose(mean, floor) for mean in means.values())"),
)
