"""The words, numbers and phrasings of the evaluation. No training text may use them.

A model that has seen a test's own words shows its memory and not its skill. So the evaluation and
the trainer have separate lists, and a test compares them. All lists are in the TOML files of this
folder, so that the test misses none.
"""

import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

from g2c.files import read_text

FIRST_HELD_OUT = 10
"""There are too few smaller numbers to divide them."""


@cache
def vocabulary() -> Mapping[str, Any]:
    """The contents of this folder, by name: its lists, and a table of functions.

    A list of words is a text in the file, with blanks between them.
    """
    files = sorted(Path(__file__).parent.glob("*.toml"))
    tables = [tomllib.loads(read_text(file)) for file in files]
    return {
        name: tuple(value.split()) if isinstance(value, str) else _with_tuples(value)
        for table in tables
        for name, value in table.items()
    }


def _with_tuples(value: Any) -> Any:
    """A list and the lists in it as tuples, so that nobody can change them."""
    return tuple(map(_with_tuples, value)) if isinstance(value, list) else value


def both(name: str) -> tuple[tuple[Any, ...], tuple[Any, ...]]:
    """The list that the fixed suite draws from, and the extra items of a fresh one.

    >>> [len(words) for words in both("garments")]
    [3, 9]
    """
    return vocabulary()[name], vocabulary()[f"more_{name}"]


def is_held_out(n: int) -> bool:
    """Whether a whole number of `FIRST_HELD_OUT` or more may be given in the evaluation, and so in
    no training text.

    This applies to numbers in questions, files and notes, not to results.

    >>> [n for n in range(40) if is_held_out(n)]
    [10, 17, 24, 31, 38]
    """
    return n >= FIRST_HELD_OUT and n % 7 == 3


def given_number(random: Random, low: int, high: int, divisor: int = 1) -> int:
    """A number of `low` to `high` that is held out and that `divisor` divides."""
    return random.choice([n for n in range(low, high + 1) if is_held_out(n) and n % divisor == 0])
