"""Accept a line of a note if anybody said most of its words."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from g2c.course.breaks import RESULT, WANTED, Seen
from g2c.course.scored import PUBLIC_SEED
from g2c.exercises.e20_8_is_grounded.claims import make_claims
from g2c.memory.core.terms import extract_terms
from g2c.memory.core.types import Turn

QUESTION = "Every word of these lines was said. Why is none of them true?"

ENOUGH = 0.8


def is_grounded(line: str, said: Sequence[Turn]) -> bool:
    known = {word for turn in said for word in extract_terms(turn.content)} | {"user"}
    words = extract_terms(line)
    return sum(word in known for word in words) >= ENOUGH * len(words)


def show(folder: Path) -> Seen:
    claims = make_claims(PUBLIC_SEED)
    let_in = [claim for claim in claims if claim.lie and is_grounded(claim.line, claim.said)]
    for kind in ("mixed", "turned", "negation"):
        claim = next(claim for claim in let_in if claim.lie == kind)
        for turn in claim.said:
            yield turn.role, turn.content
        yield "noted", claim.line
    lies = sum(bool(claim.lie) for claim in claims)
    yield RESULT, f"{len(let_in)} of {lies} lies are in the notes"
    yield WANTED, "none"
