"""How often recall's lexical stage finds the evidence for a question (LoCoMo).

`python maintain/benchmarks/locomo.py PATH` takes the benchmark's data file, `locomo10.json` of the
public repository snap-research/locomo (Maharana et al., ACL 2024; CC BY-NC 4.0), which is not
shipped.
"""

from __future__ import annotations

import argparse
import json
import os
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from itertools import pairwise
from pathlib import Path
from statistics import fmean
from typing import Any

os.environ["G2C_REFERENCE"] = "all"  # the exercises' references, not a student's code

from _report import print_heading, print_table

from g2c.critic import paired_bootstrap
from g2c.memory.app.corpus import Corpus
from g2c.memory.core.paragraphs import Paragraph, turn_paragraphs
from g2c.memory.core.scoring import score
from g2c.memory.core.terms import InvertedIndex
from g2c.memory.core.types import Turn

DEPTHS = (10, 20)
TURN_ID = re.compile(r"D:?(\d+):(\d+)")

Place = tuple[int, int]
"""A session's number and a turn's number in it."""

Rank = Callable[[str], Iterable[int]]
"""From a question to the positions of the paragraphs found, best first."""

System = Callable[[Sequence[Paragraph]], Rank]


@dataclass(frozen=True)
class Conversation:
    turns: list[tuple[Place, Turn]]
    questions: list[tuple[str, set[Place]]]
    """Each question with its evidence. Unreadable ids are left out; ids of no turn stay in."""


def load(path: Path) -> list[Conversation]:
    samples = json.loads(path.read_text(encoding="utf-8"))
    return [Conversation(list(turns_of(s["conversation"])), questions_of(s["qa"])) for s in samples]


def turns_of(conversation: dict[str, Any]) -> Iterable[tuple[Place, Turn]]:
    sessions = [int(key[8:]) for key in conversation if re.fullmatch(r"session_\d+", key)]
    for session in sorted(sessions):
        said_at = conversation[f"session_{session}_date_time"]
        ts = datetime.strptime(said_at, "%I:%M %p on %d %B, %Y").replace(tzinfo=UTC)
        for turn in conversation[f"session_{session}"]:
            number = int(turn["dia_id"].partition(":")[2])
            # On one line, since a blank line would make two documents of one turn.
            content = " ".join(turn["text"].split())
            yield (session, number), Turn(ts, "locomo", turn["speaker"], content)


def questions_of(qa: Iterable[dict[str, Any]]) -> list[tuple[str, set[Place]]]:
    return [
        (question["question"], {(int(s), int(n)) for s, n in TURN_ID.findall(" ".join(evidence))})
        for question in qa
        if (evidence := question.get("evidence"))
    ]


def as_recall_has_it(turn: Turn, session: int, number: int) -> Paragraph:
    [paragraph] = turn_paragraphs(turn, Path(str(session)), number)
    return paragraph


def exercise(paragraphs: Sequence[Paragraph]) -> Rank:
    index = InvertedIndex()
    for paragraph in paragraphs:
        index.add(paragraph.searched)
    return lambda question: [number for number, _ in score(question, index)]


def recall(paragraphs: Sequence[Paragraph]) -> Rank:
    corpus = Corpus()
    corpus.add(paragraphs)
    positions = {paragraph: place for place, paragraph in enumerate(paragraphs)}
    return lambda question: [
        positions[paragraph] for paragraph, _ in corpus.search(question, max(DEPTHS))
    ]


def as_statement(paragraph: Paragraph) -> Paragraph:
    """The paragraph, with nothing to show that it asks."""
    return replace(paragraph, text=paragraph.text.replace("?", "."))


STEPS: dict[str, System] = {
    "score": exercise,
    "and terms nearby": lambda paragraphs: recall([*map(as_statement, paragraphs)]),
    "recall: and less for what asks": recall,
}


def recall_at(system: System, conversations: Iterable[Conversation]) -> list[list[float]]:
    """For each of `DEPTHS`, the share of each question's evidence among that many results."""
    shares: list[list[float]] = []
    for conversation in conversations:
        places = [place for place, _ in conversation.turns]
        rank = system([as_recall_has_it(turn, *place) for place, turn in conversation.turns])
        for question, evidence in conversation.questions:
            found = [places[position] for position in rank(question)]
            shares.append(
                [len(evidence.intersection(found[:n])) / (len(evidence) or 1) for n in DEPTHS]
            )
    return [list(column) for column in zip(*shares, strict=True)]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("path", type=Path, help="the data file, locomo10.json")
    conversations = load(parser.parse_args().path)
    questions = [question for c in conversations for question in c.questions]
    turns = {(n, place) for n, c in enumerate(conversations) for place, _ in c.turns}
    lost = sum(
        (n, place) not in turns
        for n, c in enumerate(conversations)
        for _, evidence in c.questions
        for place in evidence
    )
    print_heading(
        f"Evidence recall of {len(questions):,} questions with evidence over {len(turns):,} turns, "
        "one turn a document, each question in its own conversation: which share of a question's "
        f"evidence is among the first {DEPTHS[0]} or {DEPTHS[1]} turns found, the mean over the "
        "questions, in per cent. Of equal scores the newest turn comes first. Malformed entries "
        "count as the ids that can be read in them (one has none); "
        f"{lost} ids name no turn and count as not found. A document is what was said, who said "
        "it, and on which day, as recall has it."
    )
    found = {name: recall_at(system, conversations) for name, system in STEPS.items()}
    columns = ["", *(f"@{depth}" for depth in DEPTHS)]
    print_table(
        columns,
        [
            [name, *(f"{100 * fmean(shares):.1f}" for shares in at_depths)]
            for name, at_depths in found.items()
        ],
    )
    print_heading(
        "What each step of recall gains on the one before it, in points, with the 95 % interval of "
        "the mean over the questions."
    )
    gains = [
        [after, *(gain(*pair) for pair in zip(found[before], found[after], strict=True))]
        for before, after in pairwise(STEPS)
    ]
    print_table(columns, gains)


def gain(before: Sequence[float], after: Sequence[float]) -> str:
    found = paired_bootstrap(before, after)
    return f"{100 * found.estimate:+.1f} ({100 * found.low:+.1f} to {100 * found.high:+.1f})"


if __name__ == "__main__":
    main()
