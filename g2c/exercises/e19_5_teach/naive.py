"""Describe a tool by its function's names alone, and ask the model in the box three questions."""

from __future__ import annotations

from collections.abc import Callable
from inspect import signature
from pathlib import Path

from g2c.agent.core.tool_text import Parameter, ToolText
from g2c.course.breaks import Seen, last_rows

QUESTION = "What would you have called it with, if you knew no more than this?"


def teach(function: Callable[..., str]) -> ToolText:
    names = list(signature(function).parameters)
    return ToolText(function.__name__, "Returns a value.", tuple(Parameter(n, n) for n in names))


ASKED = 3
"""How many of the twenty questions are asked."""


def show(folder: Path) -> Seen:
    from g2c.agent.core.visitors import q
    from g2c.exercises.e19_5_teach.goal import ask, load_model, make_tasks

    model, text = load_model(), teach(q)
    right = 0
    for task in make_tasks(0)[:ASKED]:
        result = ask(model, text, task)
        right += result.right
        yield task.question, result.description
    wanted = "a call with the place, and with the town and the day"
    yield from last_rows(right < ASKED, f"{right} of {ASKED} right", wanted)
