"""Secrets in what is about to be written down.

The idea to take away: a key is known by its form or by its disorder, and disorder alone calls
much that is ordinary a key. So a filter is worth what its false alarms are.
"""

from __future__ import annotations

from g2c.exercise import exercise


@exercise("25.6")
def find_secrets(text: str) -> tuple[tuple[int, int], ...]:
    """Where the secrets of a text stand: start and end of each, in order, without overlaps.

    TODO

    >>> find_secrets("password: correct-horse, for the mill")
    ((10, 23),)
    """
    raise NotImplementedError
