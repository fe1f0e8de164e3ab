"""How often recall's lexical stage finds the evidence for a question (LoCoMo).

`python maintain/benchmarks/locomo.py PATH` takes the benchmark's data file, `locomo10.json` of the
public repository snap-research/locomo (Maharana et al., ACL 2024; CC BY-NC 4.0), which is not
shipped.
"""

import argparse
import json
import os
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import cache
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
from g2c.memory.core.terms import STOP_WORDS, InvertedIndex, extract_terms, split_words
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
    turns: list[tuple[Place, Turn, str]]
    """Each turn's place, the turn, and a description of the picture sent with it."""
    questions: list[tuple[str, set[Place]]]
    """Each question with its evidence. Unreadable ids are left out; ids of no turn stay in."""


def load(path: Path) -> list[Conversation]:
    samples = json.loads(path.read_text(encoding="utf-8"))
    return [Conversation(list(turns_of(s["conversation"])), questions_of(s["qa"])) for s in samples]


def turns_of(conversation: dict[str, Any]) -> Iterable[tuple[Place, Turn, str]]:
    sessions = [int(key[8:]) for key in conversation if re.fullmatch(r"session_\d+", key)]
    for session in sorted(sessions):
        said_at = conversation[f"session_{session}_date_time"]
        ts = datetime.strptime(said_at, "%I:%M %p on %d %B, %Y").replace(tzinfo=UTC)
        for turn in conversation[f"session_{session}"]:
            number = int(turn["dia_id"].partition(":")[2])
            # On one line, since a blank line would make two documents of one turn.
            content = " ".join(turn["text"].split())
            said = Turn(ts, "locomo", turn["speaker"], content)
            yield (session, number), said, turn.get("blip_caption", "")


def questions_of(qa: Iterable[dict[str, Any]]) -> list[tuple[str, set[Place]]]:
    return [
        (question["question"], {(int(s), int(n)) for s, n in TURN_ID.findall(" ".join(evidence))})
        for question in qa
        if (evidence := question.get("evidence"))
    ]


def as_recall_has_it(place: Place, turn: Turn, caption: str) -> Paragraph:
    [paragraph] = turn_paragraphs(turn, Path(str(place[0])), place[1])
    return paragraph


def with_caption(place: Place, turn: Turn, caption: str) -> Paragraph:
    shown = f" [shows {caption}]" if caption else ""
    return as_recall_has_it(place, replace(turn, content=turn.content + shown), caption)


def without_day(place: Place, turn: Turn, caption: str) -> Paragraph:
    return replace(as_recall_has_it(place, turn, caption), context=turn.role)


VARIANTS = {"turn": as_recall_has_it, "caption": with_caption, "no day": without_day}


def in_common(terms: Callable[[str], Iterable[str]]) -> System:
    """Rank by how many different terms a text shares with the question."""

    def prepare(paragraphs: Sequence[Paragraph]) -> Rank:
        having = [set(terms(paragraph.searched)) for paragraph in paragraphs]

        def rank(question: str) -> list[int]:
            asked = set(terms(question))
            return newest_first([len(asked & found) for found in having])

        return rank

    return prepare


def bm25(
    terms: Callable[[str], list[str]], *, shares: Sequence[float] = (), **parameters: float
) -> System:
    """BM25 in Lucene's variant, as bm25s has it; k1 = 1.5 and b = 0.75 unless given. A text also
    gets `shares` of other scores: of the better one next to it, and of the better one two away."""

    def prepare(paragraphs: Sequence[Paragraph]) -> Rank:
        import bm25s

        index = bm25s.BM25(**parameters)
        index.index([terms(p.searched) for p in paragraphs], show_progress=False)
        files = [paragraph.file for paragraph in paragraphs]

        def rank(question: str) -> list[int]:
            points = index.get_scores(known) if (known := vocabulary(terms(question))) else []
            points = list(points) or [0.0] * len(files)
            return newest_first([total(place, points) for place in range(len(files))])

        def total(place: int, points: Sequence[float]) -> float:
            near = [
                share * best_at(distance, place, points, files)
                for distance, share in enumerate(shares, start=1)
            ]
            return points[place] + sum(near)

        def vocabulary(asked: list[str]) -> list[str]:
            return [term for term in asked if term in index.vocab_dict]

        return rank

    return prepare


def best_at(distance: int, place: int, points: Sequence[float], files: Sequence[Path]) -> float:
    around = (place - distance, place + distance)
    inside = [n for n in around if 0 <= n < len(files) and files[n] == files[place]]
    return max((points[n] for n in inside), default=0.0)


def newest_first(points: Sequence[float]) -> list[int]:
    return sorted(range(len(points)), key=lambda place: (points[place], place), reverse=True)


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


def without_stop_words(text: str) -> list[str]:
    return [word for word in split_words(text) if word not in STOP_WORDS]


def snowball_terms(text: str) -> list[str]:
    return [snowball_stem(word) for word in without_stop_words(text)]


@cache
def snowball_stem(word: str) -> str:
    from snowballstemmer import stemmer

    return str(stemmer("english").stemWord(word))


def as_statement(paragraph: Paragraph) -> Paragraph:
    """The paragraph, with nothing to show that it asks."""
    return replace(paragraph, text=paragraph.text.replace("?", "."))


STEPS: dict[str, System] = {
    "score": exercise,
    "and terms nearby": lambda paragraphs: recall([*map(as_statement, paragraphs)]),
    "recall: and less for what asks": recall,
}
SYSTEMS: dict[str, System] = {
    "words in common": in_common(split_words),
    "the same without stop words": in_common(without_stop_words),
    "BM25, Snowball stems": bm25(snowball_terms),
    "BM25, our stems": bm25(extract_terms),
    "BM25, our stems, k1=0.9, b=0.4": bm25(extract_terms, k1=0.9, b=0.4),
    "BM25, our stems, neighbours": bm25(extract_terms, shares=(0.6, 0.4)),
    **STEPS,
}


def recall_at(
    system: System, variant: Callable[..., Paragraph], conversations: Iterable[Conversation]
) -> list[list[float]]:
    """For each of `DEPTHS`, the share of each question's evidence among that many results."""
    shares: list[list[float]] = []
    for conversation in conversations:
        places = [place for place, _, _ in conversation.turns]
        rank = system([variant(*turn) for turn in conversation.turns])
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
    turns = {(n, place) for n, c in enumerate(conversations) for place, _, _ in c.turns}
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
        f"{lost} ids name no turn and count as not found. `turn`: a document is what was said, who "
        "said it, and on which day, as recall has it; `caption`: and the caption of the picture "
        "that was sent with it; `no day`: without the day."
    )
    rows, found = [], {}
    for name, system in SYSTEMS.items():
        try:
            cells = [recall_at(system, variant, conversations) for variant in VARIANTS.values()]
        except ImportError as missing:
            print(f"{name}: {missing.name} is not installed")
            continue
        found[name] = cells[0]
        rows.append([name, *(f"{100 * fmean(shares):.1f}" for pair in cells for shares in pair)])
    columns = [f"{name} @{depth}" for name in VARIANTS for depth in DEPTHS]
    print_table(["", *columns], rows)
    print_heading(
        "What each step of recall gains on the one before it, in points, with the 95 % interval of "
        "the mean over the questions."
    )
    gains = [
        [after, *(gain(*pair) for pair in zip(found[before], found[after], strict=True))]
        for before, after in pairwise(STEPS)
    ]
    print_table(["", *columns[: len(DEPTHS)]], gains)


def gain(before: Sequence[float], after: Sequence[float]) -> str:
    found = paired_bootstrap(before, after)
    return f"{100 * found.estimate:+.1f} ({100 * found.low:+.1f} to {100 * found.high:+.1f})"


if __name__ == "__main__":
    main()
