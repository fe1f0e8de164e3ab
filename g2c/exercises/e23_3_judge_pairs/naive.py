"""Ask the small model without its adapter which of two answers is better. The second answer is
right each time."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from g2c.course.breaks import Seen, last_rows
from g2c.evaluation.app.preference import PairJudge
from g2c.evaluation.core.preferences import Judge, Pair, Tally, Verdict
from g2c.inference.selection import load_selection

QUESTION = "Which answers would this judge have preferred in the other order?"


def judge_pairs(pairs: Sequence[Pair], judge: Judge) -> Tally:
    verdicts, won = [], 0
    for each in pairs:
        said = judge(each.task, each.a, each.b)
        if said == "second":
            won += 1
        verdicts.append(Verdict(said, "", "b" if said == "second" else "a"))
    return Tally(tuple(verdicts), won / len(pairs))


PAIRS = (
    Pair("Name the capital of France.", "Berlin.", "Paris."),
    Pair("When is noon?", "I do not know.", "At twelve o'clock."),
    Pair(
        "Write a sentence with the words cat and roof.",
        "The dog barked.",
        "The cat sat on the roof.",
    ),
    Pair("Give the opposite of 'cold'.", "It is 'winter'.", "It is 'hot'."),
    Pair("What is 7 times 8?", "54.", "56."),
    Pair("Sort these numbers, smallest first: 9, 2, 5.", "9, 5, 2", "2, 5, 9"),
)


def show(folder: Path) -> Seen:
    for pair in PAIRS[:2]:
        yield "a pair", f"{pair.task} First: {pair.a} Second: {pair.b}"
    tally = judge_pairs(PAIRS, PairJudge(load_selection("embedded-plain")))
    yield "its six replies", ", ".join(verdict.a_first for verdict in tally.verdicts)
    won = [verdict.winner for verdict in tally.verdicts].count("a")
    wanted = "no winner where the judge takes the first answer in either order"
    yield from last_rows(won > 0, f"the wrong answer won {won} of {len(PAIRS)}", wanted)
