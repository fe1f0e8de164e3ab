"""21.1: cut the text at its markers, and compare the recommendation with one word.

A search for APPROVE finds it in `DO NOT APPROVE`, in `APPROVE | REVISE` and in `APPROVE once the
bug is fixed`. No list of such texts is ever complete. So the whole value must be the one word.
Values go into a set: a repeated value counts once, and two different values are a contradiction.
"""

from __future__ import annotations

import re
from collections import defaultdict

from g2c.critic.core.types import Critique

# [ \t] and never \s, which would take an empty line's value from the line below.
_MARKER = re.compile(
    r"^(?:[ \t#]|\*\*)*(score|issues|recommendation)[ \t*]*:(?:\*\*)?",
    re.ASCII | re.IGNORECASE | re.MULTILINE,
)
_SCORE = re.compile(r"(\d+(?:\.\d+)?)(?:[ \t]*/[ \t]*10)?", re.ASCII)
_BULLET = re.compile(r"^(?:[-*•]|[0-9]+[.)])(?:\s+|$)")


def parse_critique(text: str) -> Critique:
    pieces = _MARKER.split(text.replace("\r\n", "\n"))
    bodies: defaultdict[str, list[str]] = defaultdict(list)
    for marker, body in zip(pieces[1::2], pieces[2::2], strict=True):
        bodies[marker.lower()].append(body)
    scores = {_score(_first_line(body)) for body in bodies["score"]}
    score = scores.pop() if len(scores) == 1 else None
    issues = tuple(issue for body in bodies["issues"] for issue in _issues(body))
    words = {_first_line(body).upper() for body in bodies["recommendation"]}
    if words == {"APPROVE"}:
        return Critique(score, issues, "APPROVE")
    if words == {"REVISE"}:
        return Critique(score, issues, "REVISE")
    said = ", ".join(sorted(words))
    problem = f"cannot be read: {said!r:.80}" if words else "is missing"
    return Critique(score, issues, "REVISE", f"The RECOMMENDATION {problem}.")


def _first_line(body: str) -> str:
    return _value(body.partition("\n")[0])


def _value(line: str) -> str:
    return line.strip("* \t").removesuffix(".").rstrip("* \t")


def _score(value: str) -> float | None:
    found = _SCORE.fullmatch(value)
    score = float(found[1]) if found else None
    return score if score is not None and score <= 10 else None


def _issues(body: str) -> list[str]:
    lines = [_BULLET.sub("", line.strip()) for line in body.split("\n")]
    return [
        line for line in lines if any(map(str.isalnum, line)) and _value(line).lower() != "none"
    ]
