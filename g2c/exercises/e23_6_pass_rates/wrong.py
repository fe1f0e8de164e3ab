"""23.6 gone wrong."""

from collections.abc import Sequence
from functools import partial
from itertools import chain
from math import comb
from statistics import fmean

from wrong_answers import wrong

from g2c.evaluation.core.rates import PassRates

wrong = partial(wrong, "23.6")

ONCE = "1 - comb(len(outcomes) - solved, k) / draws"
EVERY = "comb(solved, k) / draws"
BOUNDS = "if not 1 <= k <= fewest:"


def refuse(tries: Sequence[Sequence[bool]], k: int) -> None:
    if not tries or not 1 <= k <= min(map(len, tries)):
        raise ValueError("There are tasks, each with k tries or more, and k is 1 or more.")


wrong(
    "A task's chance is its share of successes, and tries are independent.",
    (ONCE, "1 - (1 - solved / len(outcomes)) ** k"),
)
wrong("Every time is the share to the power of k.", (EVERY, "(solved / len(outcomes)) ** k"))


@wrong()
def of_the_mean_task(tries: Sequence[Sequence[bool]], k: int) -> PassRates:
    """The tasks have a mean number of successes, and the rates follow from that."""
    refuse(tries, k)
    every = list(chain.from_iterable(tries))
    draws = comb(len(every), k)
    solved = sum(every)
    return PassRates(1 - comb(len(every) - solved, k) / draws, comb(solved, k) / draws)


@wrong()
def first_number(tries: Sequence[Sequence[bool]], k: int) -> PassRates:
    """All tasks are tried equally often, as often as the first."""
    refuse(tries, k)
    n = max(map(len, tries))
    draws = comb(n, k)
    return PassRates(
        fmean(1 - comb(n - sum(passed), k) / draws for passed in tries),
        fmean(comb(sum(passed), k) / draws for passed in tries),
    )


@wrong()
def by_weight(tries: Sequence[Sequence[bool]], k: int) -> PassRates:
    """A rate of more tries is surer, so it weighs more."""
    refuse(tries, k)
    weights = [len(passed) for passed in tries]
    once = [1 - comb(len(passed) - sum(passed), k) / comb(len(passed), k) for passed in tries]
    every = [comb(sum(passed), k) / comb(len(passed), k) for passed in tries]
    return PassRates(fmean(once, weights), fmean(every, weights))


@wrong()
def first_tries(tries: Sequence[Sequence[bool]], k: int) -> PassRates:
    """The first k tries show what k tries do."""
    refuse(tries, k)
    return PassRates(
        fmean(any(passed[:k]) for passed in tries), fmean(all(passed[:k]) for passed in tries)
    )


@wrong()
def in_floats(tries: Sequence[Sequence[bool]], k: int) -> PassRates:
    """A number of ways is a number, and floats are for numbers."""
    refuse(tries, k)

    def ways(n: int) -> float:
        found = 1.0
        for step in range(k):
            found = found * (n - step) / (step + 1) if n > step else 0.0
        return float(comb(n, k)) if n > 2000 else found

    return PassRates(
        fmean(1 - ways(len(passed) - sum(passed)) / ways(len(passed)) for passed in tries),
        fmean(ways(sum(passed)) / ways(len(passed)) for passed in tries),
    )


wrong(
    "Every time means that no failure is drawn, and once that no success is left out.",
    (ONCE, EVERY),
    ("every.append(" + EVERY, "every.append(" + ONCE),
)
wrong(
    "Where fewer tries failed than k, one of k must succeed, also if fewer than k were made.",
    (BOUNDS, "if k < 1:"),
    ("draws = comb(len(outcomes), k)", "draws = comb(len(outcomes), k) or 1"),
)
wrong(
    "A task that no try solved is broken, and measures nothing.",
    ("    for outcomes in tries:\n", "    for outcomes in filter(any, tries):\n"),
    ("PassRates(fmean(once), fmean(every))", "PassRates(fmean(once or [0]), fmean(every or [0]))"),
)
wrong(
    "Without tasks nothing was solved: 0.",
    ('raise ValueError("A rate needs a task, one or more.")', "return PassRates(0.0, 0.0)"),
)
wrong("No try is a number of tries.", ("if not 1 <= k", "if not 0 <= k"))
