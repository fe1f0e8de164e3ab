"""A few numbered steps before the first action.

The idea to take away: a plan is a soft prior. It is text in the prompt that makes some next steps
likelier than others; nothing checks that they are taken, and a run goes on without it.
"""

from __future__ import annotations

from g2c.agent.core.types import Plan
from g2c.exercise import exercise


@exercise("19.2")
def extract_plan(text: str, user_message: str) -> Plan | None:
    r"""Read a plan out of what a model wrote; None without steps.

    The goal is the rest of the first line that starts with `Goal:`, in any case. If missing or
    empty, it is the user's message, stripped.

    A step is a line with a number of one or two digits, then `.`, `)` or `-`, then a space and
    text: `1. look`, `2) read`, `3 - say`. Lines end with `\n` or `\r\n`. Spaces and tabs may
    precede each part.

    A step counts only if its number is above the last one that counted. The first `MAX_PLAN_STEPS`
    (5) are kept.

    Raises:
        TypeError: an argument is not a string.
        ValueError: `user_message` is empty or blank.

    >>> extract_plan("Goal: know the date\n1. Look at the clock\n2) Say it", "What day is it?")
    Plan(goal='know the date', steps=('Look at the clock', 'Say it'))
    >>> extract_plan("I would not know.", "What day is it?") is None
    True
    """
    raise NotImplementedError
