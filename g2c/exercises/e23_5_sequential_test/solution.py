"""23.5: bet on who wins next, at odds that are fair if A and B are equally good.

You begin with 1, and split your fortune between the two, as Laplace would: by the wins so far plus
one for each. The winner doubles its part. In a fair game nobody can expect to get richer, and the
chance of ever having 20 times as much is at most 1 in 20 (Ville, 1939). So it does not matter how
often one looks. If one is better, the bets soon favour it, and the fortune grows.
"""

from __future__ import annotations

from collections.abc import Sequence

from g2c.evaluation.core.pairs import Better, Solved


def sequential_test(pairs: Sequence[Solved], alpha: float = 0.05) -> Better | None:
    if not 0 < alpha < 1:
        raise ValueError(f"alpha is between 0 and 1, got {alpha!r}.")
    wealth = 1.0
    wins = {"a": 0, "b": 0}
    for a, b in pairs:
        if a == b:
            continue
        winner: Better = "a" if a else "b"
        wealth *= 2 * (wins[winner] + 1) / (sum(wins.values()) + 2)
        wins[winner] += 1
        if wealth >= 1 / alpha:
            return "a" if wins["a"] > wins["b"] else "b"
    return None
