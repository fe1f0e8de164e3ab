"""Whether a function call is the one that was asked for.

Two calls may be written differently and mean the same: 5 and 5.0, or an optional argument that is
given its default. So a task lists all right values.
"""

from collections.abc import Mapping
from typing import Any

from g2c.agent import AgentStep
from g2c.suite.tasks import CallTask
from g2c.suite.verdicts import Verdict
from g2c.text import one_line


def judge_call(task: CallTask, step: AgentStep) -> Verdict:
    """Judge an agent's first step: the right function with right arguments, and no other call."""
    if step.parse_error is not None:
        return Verdict(False, False, step.parse_error)
    if step.action is None:
        fits = not task.expected
        return Verdict(fits, True, "" if fits else "no function was called")
    if not task.expected:
        return Verdict(False, True, "a function was called for nothing")
    if len(getattr(step.inference, "tool_calls", ())) > 1:
        return Verdict(False, True, "more than one call")
    if step.action.tool != task.expected:
        return Verdict(False, True, f"it called {step.action.tool:.60}")
    fault = find_wrong_argument(step.action.arguments, task.arguments)
    return Verdict(not fault, True, fault)


def find_wrong_argument(given: Mapping[str, Any], right: Mapping[str, tuple[Any, ...]]) -> str:
    """Which of the arguments `given` is wrong, and how; empty if none is. `right` has all right
    values of each parameter; None among them means that it may be left out.

    >>> right = {"n": (5,), "unit": ("m", None)}
    >>> find_wrong_argument({"n": 5.0}, right), find_wrong_argument({"n": 6, "unit": "m"}, right)
    ('', 'n is 6')
    >>> find_wrong_argument({"n": 5, "k": 1}, right), find_wrong_argument({}, right)
    ('k was not asked for', 'n is missing')
    """
    for name, value in given.items():
        if name not in right:
            return f"{name:.60} was not asked for"
        if not any(is_same(value, expected) for expected in right[name]):
            return f"{name:.60} is {value!r:.60}"
    missing = [name for name, values in right.items() if name not in given and None not in values]
    return f"{missing[0]} is missing" if missing else ""


def is_same(value: Any, right: Any) -> bool:
    """Whether a value is the right one. Numbers are compared as numbers and never with a text or a
    flag; texts without regard to case and to the spaces around and between words.

    >>> is_same([5, "Two  Words"], [5.0, "two words"]), is_same("5", 5), is_same(True, 1)
    (True, False, False)
    """
    if isinstance(right, Mapping) and isinstance(value, Mapping):
        return value.keys() == right.keys() and all(
            is_same(value[key], right[key]) for key in value
        )
    if isinstance(right, list | tuple) and isinstance(value, list | tuple):
        return len(value) == len(right) and all(map(is_same, value, right))
    if isinstance(right, str) and isinstance(value, str):
        return one_line(value).casefold() == one_line(right).casefold()
    if isinstance(right, bool) or isinstance(value, bool):
        return value is right
    return bool(value == right)
