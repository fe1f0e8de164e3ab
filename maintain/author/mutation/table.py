"""The table of the scores in CONTRIBUTING.md, a row for each exercise."""

import re
from collections.abc import Iterable
from pathlib import Path

from g2c.files import replace_text
from maintain.author.mutation.scores import GOAL, Score

DOCS = Path("CONTRIBUTING.md")
HEAD = (
    "| exercise | mutants | killed | equivalent | let pass |  score |",
    "|----------|---------|--------|------------|----------|--------|",
)
ROW = re.compile(r"\| (\d\d\.\d) +\|.*\| +([\d.]+)% \|")
"""A row as `row_of` writes it: the exercise's id and its score."""


def row_of(score: Score) -> str:
    """A score as a row of the table."""
    counts = f"{score.mutants:7} | {score.killed:6} | {score.equivalent:10}"
    return f"| {score.exercise.id:8} | {counts} | {len(score.outlived):8} | {score.share:>6.1%} |"


def with_rows(text: str, rows: Iterable[str]) -> str:
    """The text with these rows in its table, in the order of their ids, instead of older ones.

    Raises:
        ValueError: the text has no table of scores.
    """
    before, head, after = text.partition("\n".join(HEAD) + "\n")
    if not head:
        raise ValueError(f"{DOCS} has no table that begins with: {HEAD[0]}")
    table, gap, rest = after.partition("\n\n")
    by_id = {row[:8]: row for row in [*table.splitlines(), *rows]}
    return before + head + "\n".join(by_id[key] for key in sorted(by_id)) + gap + rest


def write_rows(scores: Iterable[Score], root: Path) -> None:
    """Write the rows of the scores that reach the goal into the docs."""
    file = root / DOCS
    text = file.read_text("utf-8")
    new = with_rows(text, [row_of(score) for score in scores if score.share >= GOAL])
    if new != text:
        replace_text(file, new)
