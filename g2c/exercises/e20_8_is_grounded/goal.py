"""The goal of 20.8: a program decides which lines of notes follow from what was said."""

from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

from g2c.course.scored import Goal, Progress, Score
from g2c.course.scored.lies import score_lies
from g2c.exercises.e20_8_is_grounded.claims import Claim, make_claims
from g2c.memory.core.types import Turn

TARGET = 60.0
_MISTAKES = {
    "": "lines were true and refused",
    "agent": "lies rest on what only the assistant said",
    "day": "lies give another day than the turn's",
    "less": "lies leave out a word that the rest depends on",
    "mixed": "lies join words of two statements to a third",
    "more": "lies say more than was said",
    "name": "lies have a name or a thing that the turn does not have there",
    "negation": "lies deny what was said, or say what was denied",
    "number": "lies have another number",
    "old": "lies say that what was before is so now",
    "question": "lies take a question for its answer",
    "turned": "lies turn round who did what, or what became of what",
    "unsure": "lies take for certain what was imagined or doubted",
}


def measure(is_grounded: Callable[..., Any], seed: int, progress: Progress) -> Score:
    """The score of `is_grounded` on a seed's lines; see `score_lies`. Raises what it raises."""
    return score_lies(
        _claims_of(seed),
        lambda claim: is_grounded(claim.line, claim.said),
        _MISTAKES,
        lambda claim: f"{claim.line!r} ({'; '.join(_shown(turn) for turn in claim.said)})",
        progress,
    )


def _shown(turn: Turn) -> str:
    return f"{turn.role}: {turn.content}"


@cache
def _claims_of(seed: int) -> list[Claim]:
    """The lines of a seed, made once for each process."""
    return make_claims(seed)


def tasks(seed: int) -> Iterator[str]:
    """Lines of notes with the turns, and for lies the kind of lie."""
    for claim in _claims_of(seed):
        for turn in claim.said:
            yield f"{turn.ts:%Y-%m-%d} {_shown(turn)}"
        yield f"  {claim.line}  ({claim.lie or 'true'})"


GOAL = Goal(
    measure, TARGET, "per cent of true lines, less three for each per cent of lies", tasks=tasks
)
