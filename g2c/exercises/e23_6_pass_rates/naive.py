"""Try each task five times; estimate how often three tries succeed once at least, and always."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain
from pathlib import Path
from random import Random
from statistics import fmean

from g2c.course.breaks import RESULT, WANTED, Seen
from g2c.evaluation.core.rates import PassRates

QUESTION = "The function raises an average to a power. For which tasks is that wrong?"


def pass_rates(tries: Sequence[Sequence[bool]], k: int) -> PassRates:
    solved = fmean(chain.from_iterable(tries))
    return PassRates(1 - (1 - solved) ** k, solved**k)


def shown(rates: PassRates) -> str:
    return f"once {rates.once:.1%}, every time {rates.every:.1%}"


CHANCE, TRIES, SAMPLES = 0.3, 5, 4000


def show(folder: Path) -> Seen:
    two = [[True] * TRIES, [False] * TRIES]
    yield "one task always solved, one never", f"three tries: {shown(pass_rates(two, 3))}"
    yield "so it must be", shown(PassRates(0.5, 0.5))
    random = Random(0)
    samples = [[random.random() < CHANCE for _ in range(TRIES)] for _ in range(SAMPLES)]
    found = [pass_rates([sample], 3) for sample in samples]
    mean = PassRates(fmean(rates.once for rates in found), fmean(rates.every for rates in found))
    yield "a task solved in 3 of 10 tries", f"{SAMPLES:,} samples of {TRIES} tries"
    yield RESULT, f"on average {shown(mean)}"
    yield WANTED, shown(PassRates(1 - (1 - CHANCE) ** 3, CHANCE**3))
