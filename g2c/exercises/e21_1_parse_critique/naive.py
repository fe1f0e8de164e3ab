"""Ask the model in the box to judge a poor draft in a given form, and parse its verdict."""

from __future__ import annotations

import re
from pathlib import Path

from g2c.course.breaks import Seen, last_rows
from g2c.critic import Critique
from g2c.inference.embedded.backend import EmbeddedBackend

QUESTION = "What does it prove that a word occurs somewhere in a text?"


def parse_critique(text: str) -> Critique:
    found = re.search(r"SCORE: *(\d+)", text)
    points = float(found[1]) if found else None
    problems = [line[2:] for line in text.splitlines() if line.startswith("- ")]
    return Critique(points, tuple(problems), "APPROVE" if "APPROVE" in text.upper() else "REVISE")


ASKED = """\
You are a strict critic.

Task: Say in one sentence what a spoon is for.
Draft: Spoons are shiny. My aunt has nine of them.

Fill in this form:
SCORE: a number from 0 to 10
ISSUES: what is wrong
RECOMMENDATION: APPROVE or REVISE

The form, filled in:
SCORE:"""


def show(folder: Path) -> Seen:
    yield "it was asked", ASKED
    written = EmbeddedBackend().complete(ASKED, max_new_tokens=40, temperature=0.0).completion
    yield "it wrote", f"SCORE:{written}"
    critique = parse_critique(f"SCORE:{written}")
    result = f"{critique.recommendation}: the draft is let through"
    yield from last_rows(critique.approved, result, "no approval: nobody gave one")
