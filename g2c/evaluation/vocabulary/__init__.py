"""The words, numbers and phrasings of the evaluation. No training text may use them.

A model that has seen a test's own words shows its memory and not its skill. So the evaluation and
the trainer have separate lists, and a test compares them. The lists of all files stand here, so
that none can be forgotten.
"""

from __future__ import annotations

from random import Random

from g2c.evaluation.vocabulary.checked import *  # noqa: F403
from g2c.evaluation.vocabulary.drafts import *  # noqa: F403
from g2c.evaluation.vocabulary.functions import *  # noqa: F403
from g2c.evaluation.vocabulary.messages import *  # noqa: F403
from g2c.evaluation.vocabulary.more_phrasings import *  # noqa: F403
from g2c.evaluation.vocabulary.phrasings import *  # noqa: F403
from g2c.evaluation.vocabulary.requests import *  # noqa: F403
from g2c.evaluation.vocabulary.sessions import *  # noqa: F403
from g2c.evaluation.vocabulary.words import *  # noqa: F403

FIRST_HELD_OUT = 10
"""Smaller numbers are too few to be parted."""


def is_held_out(n: int) -> bool:
    """Whether a whole number of `FIRST_HELD_OUT` or more may be given in the evaluation, and so in
    no training text.

    It is about numbers that a question, a file or a note gives; results are what they are.

    >>> [n for n in range(40) if is_held_out(n)]
    [10, 17, 24, 31, 38]
    """
    return n >= FIRST_HELD_OUT and n % 7 == 3


def given_number(random: Random, low: int, high: int, divisor: int = 1) -> int:
    """A number of `low` to `high` that is held out and that `divisor` divides."""
    return random.choice([n for n in range(low, high + 1) if is_held_out(n) and n % divisor == 0])
