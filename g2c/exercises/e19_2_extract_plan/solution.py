"""19.2: one regular expression for each kind of line, and a rule for which steps to keep."""

from __future__ import annotations

import re

from g2c.agent.core.types import MAX_PLAN_STEPS, Plan

_GOAL = re.compile(r"^[ \t]*goal[ \t]*:[ \t]*(.*)$", re.IGNORECASE | re.MULTILINE)
# After the separator a space or the line's end, so that "1.5 litres" is not step 1.
_STEP = re.compile(r"^[ \t]*(\d{1,2})[ \t]*[.)-](?:[ \t]+(.*))?$", re.MULTILINE)


def extract_plan(text: str, user_message: str) -> Plan | None:
    for name, value in (("text", text), ("user_message", user_message)):
        if not isinstance(value, str):
            raise TypeError(f"{name} is a string, got {type(value).__name__}")
    if not user_message.strip():
        raise ValueError("user_message is empty: there is nothing to plan for")
    text = text.replace("\r\n", "\n")
    goal = _GOAL.search(text)
    steps: list[str] = []
    last = -1
    for number, step in _STEP.findall(text):
        if step.strip() and int(number) > last:
            steps.append(step.strip())
            last = int(number)
    if not steps:
        return None
    return Plan((goal and goal[1].strip()) or user_message.strip(), tuple(steps[:MAX_PLAN_STEPS]))
