"""21.1 line by line: each marker begins a new section.

It needs one small pattern, for a line that begins with a marker, and a reader can follow each line.
It costs a variable that remembers the section, which a cut at the markers does not need.
"""

from __future__ import annotations

import re

from g2c.critic.core.types import Critique

_MARKED = re.compile(
    r"(?:[ \t#]|\*\*)*(score|issues|recommendation)[ \t*]*:(?:\*\*)?(.*)", re.ASCII | re.IGNORECASE
)
_SCORE = re.compile(r"(\d+(?:\.\d+)?)(?:[ \t]*/[ \t]*10)?", re.ASCII)
_BULLET = re.compile(r"^(?:[-*•]|[0-9]+[.)])(?:\s+|$)")


def parse_critique(text: str) -> Critique:
    scores: set[float | None] = set()
    verdicts: set[str] = set()
    issues: list[str] = []
    section = ""
    for line in text.replace("\r\n", "\n").split("\n"):
        if marked := _MARKED.match(line):
            section, line = marked[1].lower(), marked[2]
            if section == "score":
                scores.add(_score(_value(line)))
            elif section == "recommendation":
                verdicts.add(_value(line).upper())
        issue = _BULLET.sub("", line.strip())
        is_named = any(map(str.isalnum, issue)) and _value(issue).lower() != "none"
        if section == "issues" and is_named:
            issues.append(issue)
    score = scores.pop() if len(scores) == 1 else None
    for verdict in ("APPROVE", "REVISE"):
        if verdicts == {verdict}:
            return Critique(score, tuple(issues), verdict)
    read = ", ".join(sorted(verdicts))
    problem = f"cannot be read: {read!r:.80}" if verdicts else "is missing"
    return Critique(score, tuple(issues), "REVISE", f"The RECOMMENDATION {problem}.")


def _value(line: str) -> str:
    return line.strip("* \t").removesuffix(".").rstrip("* \t")


def _score(value: str) -> float | None:
    found = _SCORE.fullmatch(value)
    return float(found[1]) if found and float(found[1]) <= 10 else None
