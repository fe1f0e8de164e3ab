"""Which model to ask: the cheap one, the strong one, or first the cheap and then the strong one.

The idea to take away: a wrong answer has a price, too, and of many thresholds one looks cheap by
luck.
"""

from __future__ import annotations

from collections.abc import Sequence

from g2c.exercise import exercise
from g2c.swarm.core.routing import Labelled, Prices, Route


@exercise("24.5")
def choose_route(tasks: Sequence[Labelled], prices: Prices) -> Route:
    """Choose the route for more tasks like these, whose answers are known.

    Without a threshold a task costs a strong call. With one it costs a cheap call, and a strong
    one, too, if its `unsure` is above the threshold; then the strong model's answer counts. Each
    wrong answer costs `prices.wrong` more. A threshold is the `unsure` of a task; the largest asks
    the cheap model alone.

    `cost` is the mean over `tasks`, and at most that of either model alone. The costs of other
    tasks of the same models are judged (`g2c score 24.5`).

    Raises:
        ValueError: there is no task, an `unsure` is not from 0 to 1, or a price is below 0 or not
            finite.

    >>> tasks = [Labelled(0.1, True, True), Labelled(0.2, True, True), Labelled(0.9, False, True)]
    >>> choose_route(tasks * 50, Prices(cheap=1, strong=9, wrong=30))
    Route(threshold=0.2, cost=4.0)
    >>> choose_route(tasks * 50, Prices(cheap=8, strong=9, wrong=30))
    Route(threshold=None, cost=9.0)
    """
    raise NotImplementedError
