"""Tools that the model has never seen, and how to read their descriptions.

There is only the tool's description to follow. So the thought before a call names the tool that
fits, and the call uses the tool's names for the arguments.
"""

from __future__ import annotations

import random

from g2c.tools import Tool
from maintain.training.kinds.made_tools import ToolCase, look_up
from maintain.training.scenario import Move, Scenario, calculate, work_out
from maintain.training.vocabulary import number


def others_for(rng: random.Random, case: ToolCase) -> tuple[str | Tool, ...]:
    """Other tools to offer with it."""
    others: list[str | Tool] = list(
        rng.choice(((), ("calculator",), ("read_file",), ("calculator", "read_file")))
    )
    for _ in range(rng.choice((0, 1, 1, 2, 3))):
        other = look_up(rng).tool
        if other.name not in {case.tool.name, *(getattr(tool, "name", tool) for tool in others)}:
            others.append(other)
    return tuple(others)


def unseen_tool(rng: random.Random) -> Scenario:
    """A question that such a tool answers, or that takes its result and a sum."""
    case = look_up(rng)
    tool = case.tool
    first = Move(f"I need to call {tool.name}.", tool.name, case.arguments, case.result)
    conclusion = f"The tool gives {case.result}."
    moves, question, answer, value = (first,), case.question, case.answer, case.result
    others = others_for(rng, case)
    if case.result.isdigit() and rng.random() < 0.3:
        n = number(rng, 2, 30)
        expression, ask = rng.choice(
            (
                (f"{case.result} * {n}", f"Then multiply the result by {n}."),
                (f"{case.result} + {n}", f"Add {n} to it."),
                (f"{case.result} - {n}", f"What is that minus {n}?"),
                (f"{case.result} * {n}", f"And what is {n} times as much?"),
            )
        )
        value = calculate(expression)
        moves = (first, work_out(expression, conclusion))
        question, conclusion = f"{question} {ask}", f"The result is {value}."
        answer = f"The result is {value}."
        others = ("calculator", *(tool for tool in others if tool != "calculator"))
    return Scenario(
        question=question,
        moves=moves,
        thought=conclusion,
        answer=answer,
        value=value,
        goal=case.what,
        steps=(
            f"Call {tool.name}.",
            *("Calculate with it." for _ in moves[1:]),
            "Give the result.",
        ),
        tools=(tool, *others),
    )
