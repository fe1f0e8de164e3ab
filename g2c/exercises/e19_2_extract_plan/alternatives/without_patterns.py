"""19.2 without regular expressions: a line is cut at its separator.

Each rule is a line that can be read aloud, and none of them can be slow. It costs more lines, and
its author must think of cases such as "1.5 litres", which the patterns rule out by themselves.
Python's `isdigit` accepts superscripts, which `int` refuses; `isdecimal` does not.
"""

from __future__ import annotations

from g2c.agent.core.types import MAX_PLAN_STEPS, Plan

_BLANK = " \t"


def extract_plan(text: str, user_message: str) -> Plan | None:
    if not (isinstance(text, str) and isinstance(user_message, str)):
        raise TypeError("text and user_message are strings")
    if not user_message.strip():
        raise ValueError("user_message is empty: there is nothing to plan for")
    goal: str | None = None
    kept: list[tuple[int, str]] = []
    for line in text.replace("\r\n", "\n").split("\n"):
        if goal is None:
            goal = _goal_of(line)
        step = _step_of(line)
        if step and step[1] and (not kept or step[0] > kept[-1][0]):
            kept.append(step)
    if not kept:
        return None
    steps = tuple(words for _, words in kept[:MAX_PLAN_STEPS])
    return Plan(goal or user_message.strip(), steps)


def _goal_of(line: str) -> str | None:
    head, colon, words = line.partition(":")
    return words.strip() if colon and head.strip(_BLANK).lower() == "goal" else None


def _step_of(line: str) -> tuple[int, str] | None:
    """A step's number and its text, which may be empty."""
    line = line.strip(_BLANK)
    digits = line[:2] if line[:2].isdecimal() else line[:1]
    rest = line[len(digits) :].lstrip(_BLANK)
    if not digits.isdecimal() or rest[:1] not in (".", ")", "-") or not rest:
        return None
    return (int(digits), rest[1:].strip()) if rest[1:2] in ("", *_BLANK) else None
