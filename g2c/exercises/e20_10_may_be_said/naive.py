"""Accept an answer if all of its words were said."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from g2c.course.breaks import RESULT, WANTED, Seen
from g2c.course.scored import PUBLIC_SEED
from g2c.exercises.e20_10_may_be_said.asked import make_cases
from g2c.memory.core.terms import extract_terms
from g2c.memory.core.types import Turn

QUESTION = "All of these words were said. What is each of them an answer to?"


def may_be_said(answer: str, question: str, said: Sequence[Turn]) -> bool:
    known = {word for turn in said for word in extract_terms(turn.content)}
    return all(word in known for word in extract_terms(answer))


def show(folder: Path) -> Seen:
    wrong = [
        (case, answer) for case in make_cases(PUBLIC_SEED) for answer in case.answers if answer.lie
    ]
    let_in = [
        (case, answer)
        for case, answer in wrong
        if may_be_said(answer.text, case.question, case.said)
    ]
    for kind in ("beside", "old", "turned"):
        case, answer = next(pair for pair in let_in if pair[1].lie == kind)
        for turn in case.said:
            yield turn.role, turn.content
        yield "user", case.question
        yield "answer", answer.text
    yield RESULT, f"{len(let_in)} of {len(wrong)} wrong answers are given"
    yield WANTED, "none"
