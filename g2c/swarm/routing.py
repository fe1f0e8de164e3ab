"""Whom to ask: the cheap model, the strong one, or first the one and then the other.

The idea to take away: a wrong answer has a price, too, and two cheap calls can cost more than one
good one.
"""

from __future__ import annotations

from collections.abc import Sequence

from g2c.exercise import exercise
from g2c.swarm.provided.routing import Labelled, Prices, Route


@exercise("24.5")
def choose_route(tasks: Sequence[Labelled], prices: Prices) -> Route:
    """TODO (at most 120 words). The route that costs least on these tasks. Of equal ones it is the
    one that asks the strong model least often.
    """
    raise NotImplementedError
