"""When to end a comparison of two agents, and what to say then.

Another task costs money, a false alarm costs more, and a difference that is missed is lost. The
idea to take away: evidence has a price, so how much is enough depends on what is at stake.
"""

from __future__ import annotations

from g2c.evaluation.core.stakes import Counts, Decision
from g2c.exercise import exercise


@exercise("23.7")
def decide(seen: Counts, left: int, price: float) -> Decision:
    """Decide after each task whether to go on, and if not, who is better.

    `seen` counts the tasks that A and B were both asked. `left` more may be asked, each at `price`,
    in points. In half of the comparisons, neither is better.

    Ending with the right answer costs nothing. `"no telling"` costs the difference: 12 if one is
    better by 12 points. Naming one that is not better costs the difference and `FALSE_ALARM`. With
    none left, `"go on"` counts as `"no telling"`.

    The score is the cost saved, relative to ending at once with `"no telling"`. `g2c score 23.7`
    measures 1,200 invented comparisons; a grader uses others.

    >>> decide(Counts(), left=100, price=0.1)
    'go on'
    >>> decide(Counts(only_a=2, only_b=38, same=20), left=100, price=0.1)
    'b'
    """
    raise NotImplementedError
