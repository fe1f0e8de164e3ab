"""23.5 gone wrong."""

from collections.abc import Sequence
from functools import cache, partial
from math import comb

from wrong_answers import wrong

from g2c.evaluation.core.pairs import Better, Solved

wrong = partial(wrong, "23.5")

BOUND = "wealth >= 1 / alpha"


@cache
def chance_of(low: int, of: int) -> float:
    """How often so many coins show a side `low` times or less."""
    return min(1.0, 2 * sum(comb(of, n) for n in range(low + 1)) / 2**of)


@wrong()
def p_at_each_look(pairs: Sequence[Solved], alpha: float = 0.05) -> Better | None:
    """A p below 0.05 is a p below 0.05, whenever one looks; the first one counts."""
    won = lost = 0
    for a, b in pairs:
        won, lost = won + (a > b), lost + (b > a)
        if min(won, lost) + won + lost and chance_of(min(won, lost), won + lost) < alpha:
            return "a" if won > lost else "b"
    return None


@wrong()
def p_now(pairs: Sequence[Solved], alpha: float = 0.05) -> Better | None:
    """Only the evidence of now counts, however it was some tasks ago."""
    won, lost = pairs.count((True, False)), pairs.count((False, True))
    total = won + lost
    if 2**total * alpha.as_integer_ratio()[0] < (
        (total + 1) * comb(total, won) * alpha.as_integer_ratio()[1]
    ):
        return None
    return "a" if won > lost else "b"


@wrong()
def a_lead(pairs: Sequence[Solved], alpha: float = 0.05) -> Better | None:
    """A lead that is large enough decides; with chances of 1 in 20, eight ahead are enough."""
    if not 0 < alpha < 1:
        raise ValueError("alpha is between 0 and 1.")
    lead, enough = 0, next(n for n in range(99) if 2 * 0.5**n < alpha / 2)
    for a, b in pairs:
        lead += a - b
        if abs(lead) >= enough:
            return "a" if lead > 0 else "b"
    return None


wrong(
    "A task on which both did the same speaks for neither, and so against a difference.",
    ("            continue\n", "            wealth *= 0.9\n            continue\n"),
)
wrong(
    "Who did not fail has won, so a task that both solved is A's too.",
    ("if a == b:", "if not a and not b:"),
)
wrong("The pair is B's outcome and A's.", ('"a" if a else "b"', '"b" if a else "a"'))
wrong(
    "Who won the last task of a clear run is the better one's name, and the first is as good.",
    ('return "a" if wins["a"] > wins["b"] else "b"', 'return "a" if pairs[0][0] else "b"'),
)
wrong("Alpha is 5 per cent, whoever asks.", (BOUND, "wealth >= 20"))
wrong("Five per cent is 5.", ("if not 0 < alpha < 1:", "if alpha < 0:"))


@wrong()
def as_a_float(pairs: Sequence[Solved], alpha: float = 0.05) -> Better | None:
    """A float holds any number, so the chance of a run is a power of 0.5."""
    if not 0 < alpha < 1:
        raise ValueError("alpha is between 0 and 1.")
    named, won, lost = None, 0, 0
    for a, b in pairs:
        if a == b:
            continue
        won, lost = won + a, lost + b
        likely = 0.5 ** (won + lost) * (won + lost + 1) * comb(won + lost, won)
        if named is None and likely <= alpha:
            named = "a" if won > lost else "b"
    return named
