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
)
wrong(
    "What is beyond chance is the agreement minus that of chance.",
    (LAST, "return by_chance - observed if by_chance else None"),
)
wrong(
    "Chance is one, and the same for both: how often a label is used by the two together.",
    (TABLE, "product(Counter([*a, *b]).items(), repeat=2)"),
    ("/ len(a) ** 2", "/ (2 * len(a)) ** 2"),
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
)
wrong("Where all agree, kappa is 1.", ("if by_chance else None", "if by_chance else 1.0"))
wrong(
    "Without agreement kappa is 0; it cannot be less.",
    (LAST, "return max(0.0, 1 - observed / by_chance) if by_chance else None"),
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
)
wrong(
    "Only a score that is too high or too low by more than one is a mistake.",
    ("abs(one - other)", "abs(one - other) * (abs(one - other) > 1)"),
)
wrong(
    "Labels that are numbers are scores, so their distance counts.",
    (
        '"none": lambda one, other: one != other',
        '"none": lambda one, other: (one != other) if isinstance(one, str) else abs(one - other)',
    ),
)
wrong("Scores are whole numbers.", ("abs(one - other)", "abs(int(one) - int(other))"))
wrong(
    "zip makes the pairs, and stops where there are no more.",
    ("if len(a) != len(b) or not a", "if not a or not b"),
)
wrong(
    "Whatever is not linear or quadratic is without weights.",
    (
        "    if weights not in COSTS:",
        "    if weights not in COSTS:\n        weights = 'none'\n    if not weights:",
    ),
)
wrong(
    "In order the labels are easier to count, and a count does not mind.",
    ("    cost = COSTS[weights]\n", "    a.sort()\n    cost = COSTS[weights]\n"),
)
wrong(
    "A label is the text that it shows.",
    (
        "    cost = COSTS[weights]\n",
        "    a, b = (a, b) if weights != 'none' else ([*map(str, a)], [*map(str, b)])\n"
        "    cost = COSTS[weights]\n",
    ),
)
