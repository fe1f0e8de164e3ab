"""Look for the answer to a question among five real notes."""

from __future__ import annotations

from pathlib import Path

from g2c.course.first_versions import CAME, WISHED, Seen
from g2c.memory import InvertedIndex
from g2c.memory.provided.terms import extract_terms

QUESTION = "Which word of the question says most about what is looked for, and why?"


def score(query: str, index: InvertedIndex) -> list[tuple[int, float]]:
    counts: dict[int, float] = {}
    for word in extract_terms(query):
        for number in index.postings(word):
            counts[number] = counts.get(number, 0) + 1
    return sorted(counts.items(), key=lambda pair: pair[1], reverse=True)


NOTES = (
    "The allotment: its shed door sticks.",
    "The allotment: green door on the new shed.",
    "The allotment: a green shed is planned.",
    "Wasps live behind the boiler.",
    "The allotment: the green shed door was painted.",
)
ASKED = "Where at the green shed door are the wasps?"
WANTED = 3


def show(folder: Path) -> Seen:
    (folder / "notes.txt").write_text("\n".join(NOTES), encoding="utf-8")
    index = InvertedIndex()
    for line in (folder / "notes.txt").read_text("utf-8").splitlines():
        yield f"note {index.add(line)}", line
    yield "question", ASKED
    ranked = [number for number, _points in score(ASKED, index)]
    place = ranked.index(WANTED) + 1
    yield CAME, f"first is note {ranked[0]}; the only note about wasps is number {place} of 5"
    yield WISHED, f"first is note {WANTED}: {NOTES[WANTED]}"
