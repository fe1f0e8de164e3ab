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


@wrong(caught_by="test_alpha_of_all_runs_of_equals_get_a_name", says="Is each look allowed to err")
def p_at_each_look(pairs: Sequence[Solved], alpha: float = 0.05) -> Better | None:
    """A p below 0.05 is a p below 0.05, whenever one looks; the first one counts."""
    won = lost = 0
    for a, b in pairs:
        won, lost = won + (a > b), lost + (b > a)
        if min(won, lost) + won + lost and chance_of(min(won, lost), won + lost) < alpha:
            return "a" if won > lost else "b"
    return None


@wrong(caught_by="test_a_name_that_was_given_stays", says="who looked when")
def p_now(pairs: Sequence[Solved], alpha: float = 0.05) -> Better | None:
    """Only the evidence of now counts, however it was some tasks ago."""
    won, lost = pairs.count((True, False)), pairs.count((False, True))
    total = won + lost
    if 2**total * alpha.as_integer_ratio()[0] < (
        (total + 1) * comb(total, won) * alpha.as_integer_ratio()[1]
    ):
        return None
    return "a" if won > lost else "b"


@wrong(
    caught_by="test_long_runs_of_equals_do_not_get_a_name_more_often",
    says="rule that is right for one",
)
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
    caught_by="test_tasks_on_which_both_did_the_same_change_nothing",
    says="neither for a difference nor against one",
)
wrong(
    "Who did not fail has won, so a task that both solved is A's too.",
    ("if a == b:", "if not a and not b:"),
    caught_by="test_equal_tasks_are_not_wins",
    says="nobody won a task",
)
wrong(
    "The pair is B's outcome and A's.",
    ('"a" if a else "b"', '"b" if a else "a"'),
    caught_by="test_twelve_wins_without_a_loss_are_enough",
    says="for 12 wins of B and then of A",
)
wrong(
    "Who won the last task of a clear run is the better one's name, and the first is as good.",
    ('return "a" if wins["a"] > wins["b"] else "b"', 'return "a" if pairs[0][0] else "b"'),
    caught_by="test_the_winner_is_who_won_more",
    says="B wins 21 of 22 tasks",
)
wrong(
    "Alpha is 5 per cent, whoever asks.",
    (BOUND, "wealth >= 20"),
    caught_by="test_a_smaller_alpha_waits_longer",
    says="who may err once in a thousand runs",
)
wrong(
    "Five per cent is 5.",
    ("if not 0 < alpha < 1:", "if alpha < 0:"),
    caught_by="test_an_alpha_that_is_not_a_probability_is_rejected",
    says="5 per cent is 0.05",
)


@wrong(caught_by="test_very_long_runs_have_an_answer_too", says="2**1200 is not a float's business")
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
