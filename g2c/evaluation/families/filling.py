"""Words and numbers for the blanks of a phrasing, and what an expression comes to."""

from __future__ import annotations

from random import Random

from g2c.evaluation.vocabulary import (
    COLOURS,
    FILES,
    GOODS,
    PEOPLE,
    PLACES,
    THINGS,
    given_number,
)
from g2c.tools import make_calculator

CALCULATOR = ("calculator",)
READ = ("read_file",)
READ_AND_CALCULATE = ("calculator", "read_file")
ALL = ("list_files", "calculator", "read_file")

calculate = make_calculator().func


def fill(random: Random) -> dict[str, str]:
    """A value for every blank that a phrasing of `g2c.evaluation.vocabulary` may have."""
    person, other = random.sample(PEOPLE, 2)
    file, other_file = random.sample(FILES, 2)
    k = random.choice((2, 3, 4, 5, 6, 8, 9))  # no multiple of 7 is held out
    return {
        "a": str(given_number(random, 100, 600)),
        "b": str(given_number(random, 10, 90)),
        "c": str(given_number(random, 10, 90)),
        "k": str(k),
        "m": str(given_number(random, 100, 900, divisor=k)),
        "person": person,
        "other": other,
        "place": random.choice(PLACES),
        "thing": random.choice(THINGS),
        "goods": random.choice(GOODS),
        "colour": random.choice(COLOURS),
        "file": file,
        "other_file": other_file,
    }
