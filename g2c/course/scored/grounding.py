"""The goal of 20.8: a program decides which lines of notes follow from what was said. A refused
true line costs little: the person's own sentence is kept instead. An accepted lie is believed for
months. So a lie costs three times as much.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

from g2c.course.scored import Goal, Progress, Score
from g2c.course.scored.claims import Claim, make_claims

TARGET = 60.0
PRICE = 3
"""The price of a per cent of the lies, in per cent of the true lines."""

SHOWN = 5

_MISTAKES = {
    "": "were true and refused",
    "agent": "rest on what only the assistant said",
    "day": "give another day than the turn's",
    "less": "leave out a word that the rest depends on",
    "mixed": "join words of two statements to a third",
    "more": "say more than was said",
    "name": "have a name or a thing that the turn does not have there",
    "negation": "deny what was said, or say what was denied",
    "number": "have another number",
    "old": "say that what was before is so now",
    "question": "take a question for its answer",
    "turned": "turn round who did what, or what became of what",
    "unsure": "take for certain what was imagined or doubted",
}


def measure(is_grounded: Callable[..., Any], seed: int, progress: Progress) -> Score:
    """The per cent of the true lines that `is_grounded` accepts, less `PRICE` times the per cent of
    the lies that it lets in. An answer that is no bool counts as wrong.

    Raises:
        Exception: what `is_grounded` raises.
    """
    claims = _claims_of(seed)
    lost: dict[str, list[Claim]] = defaultdict(list)
    for number, claim in enumerate(claims):
        progress(number, len(claims))
        if is_grounded(claim.line, claim.said) is not (not claim.lie):
            lost[claim.lie].append(claim)
    progress(len(claims), len(claims))
    n_true = sum(not claim.lie for claim in claims)
    refused = len(lost.get("", ())) / n_true
    let_in = sum(len(some) for lie, some in lost.items() if lie) / (len(claims) - n_true)
    return Score(round(100 * (1 - refused - PRICE * let_in), 1), 100, _frequent_mistakes(lost))


def _frequent_mistakes(lost: dict[str, list[Claim]]) -> tuple[str, ...]:
    """One case of each kind of mistake, the most frequent kind first."""
    kinds = sorted(lost, key=lambda lie: -len(lost[lie]))[:SHOWN]
    return tuple(
        f"{len(lost[lie])} {'lies' if lie else 'lines'} {_MISTAKES[lie]}, such as "
        f"{lost[lie][0].line!r} ("
        + "; ".join(f"{turn.role}: {turn.content}" for turn in lost[lie][0].said)
        + ")."
        for lie in kinds
    )


@cache
def _claims_of(seed: int) -> list[Claim]:
    """The lines of a seed, made once for each process."""
    return make_claims(seed)


def tasks(seed: int) -> Iterator[str]:
    """Lines of notes with the turns, and for lies the kind of lie."""
    for claim in _claims_of(seed):
        for turn in claim.said:
            yield f"{turn.ts:%Y-%m-%d} {turn.role}: {turn.content}"
        yield f"  {claim.line}  ({claim.lie or 'true'})"


GOAL = Goal(
    measure, TARGET, "per cent of true lines, less three for each per cent of lies", tasks=tasks
)
