"""21.5 gone wrong."""

from functools import partial

from wrong_answers import wrong

wrong = partial(wrong, "21.5")

IMPORT = "\nfrom g2c"
ENDS = "pick(scores, key=lambda pair: pair[0]) for pick in (min, max)"
WIDTH = "high[0] - low[0]"
FAR = f"{WIDTH} >= gap - TOLERANCE"
SORTED = "sorted(found, key=lambda dispute: -dispute.gap)"

wrong("A gap is what is still allowed.", (FAR, f"{WIDTH} > gap + TOLERANCE"))
wrong(
    "How far scores lie apart is twice their standard deviation.",
    (IMPORT, f"from statistics import pstdev\n{IMPORT}"),
    (FAR, "2 * pstdev(score for score, _ in scores) >= gap - TOLERANCE"),
)
wrong(
    "Sorted by score, two who disagree stand side by side.",
    (IMPORT, f"from itertools import pairwise\n{IMPORT}"),
    (WIDTH, "max((b[0] - a[0] for a, b in pairwise(sorted(scores))), default=0)"),
)
wrong(
    "Each pair that stands apart has a dispute of its own.",
    (IMPORT, f"from itertools import combinations\n{IMPORT}"),
    ("in given.items()", "in ((n, two) for n in given for two in combinations(given[n], 2))"),
)
wrong("The order of the dimensions is order enough.", (SORTED, "found"))
wrong("Equals are sorted by name.", ("-dispute.gap", "(-dispute.gap, dispute.dimension)"))
wrong(
    "Whoever did not score a dimension gave it nothing.",
    ("name, []", "name, [(0, item.reviewer) for item in reviews if name not in item.scores]"),
)
wrong(
    "The first review shows which dimensions there are.",
    (f"if {FAR}", f"if name in reviews[0].scores and {FAR}"),
)
wrong(
    "Lowest and highest are the ends of a sorted list.",
    (ENDS, "sorted(scores, key=lambda pair: pair[0])[end] for end in (0, -1)"),
)
wrong(
    "If all approve a draft and nobody finds it bad, they agree.",
    (FAR, f"{FAR} and (low[0] < 60 or not all(item.approved for item in reviews))"),
)
wrong(
    "A reviewer's last word replaces what he said before.",
    ("for review in reviews:", "for review in {item.reviewer: item for item in reviews}.values():"),
)
wrong("Far apart is 25 points.", ("gap - TOLERANCE", "25 - TOLERANCE"))
wrong("A gap of 0 lists everything, which may be what is wanted.", ("not gap > 0", "gap < 0"))
wrong("25 is 25.", ("gap - TOLERANCE", "gap"))
wrong("Rounding takes the last digits of floats away.", (FAR, f"round({WIDTH}, 2) >= gap"))
wrong(
    "Gaps that differ by less than a point are equally wide.",
    ("-dispute.gap", "-round(dispute.gap)"),
)
