"""Random choices for tasks, and the lists that they choose from.

The fixed suite must never change, so it uses the lists that it was first drawn from, in their
order. A fresh suite has more words, and draws its phrasings, too.
"""

from random import Random
from typing import TypeVar

Item = TypeVar("Item")


class Draw(Random):
    """Random choices for a family of the fixed suite."""

    def words(self, fixed: tuple[Item, ...], more: tuple[Item, ...]) -> tuple[Item, ...]:
        """The words to choose from."""
        return fixed

    def table(self, fixed: tuple[Item, ...], more: tuple[Item, ...]) -> tuple[Item, ...]:
        """As many phrasings as `fixed` has, in the order in which they are used."""
        return fixed


class FreshDraw(Draw):
    """Random choices for a family of a fresh suite.

    >>> draw = FreshDraw("any seed")
    >>> draw.words(("ash", "elm"), ("fir",)), len(draw.table(("ash", "elm"), ("fir",)))
    (('ash', 'elm', 'fir'), 2)
    """

    def words(self, fixed: tuple[Item, ...], more: tuple[Item, ...]) -> tuple[Item, ...]:
        return (*fixed, *more)

    def table(self, fixed: tuple[Item, ...], more: tuple[Item, ...]) -> tuple[Item, ...]:
        return tuple(self.sample((*fixed, *more), len(fixed)))
