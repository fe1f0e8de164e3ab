"""Sums: given as a sum, in words, or as a little story.

The calculator is always right, so a model has to learn only two things: to write down the right
expression, and to report the result.
"""

from __future__ import annotations

import random
import re

from maintain.training.kinds.reasons import last_question, operations, reason
from maintain.training.kinds.situations import make_situation
from maintain.training.scenario import Scenario, calculate, work_out
from maintain.training.vocabulary import NUMBER_WORDS, number, phrases, pick

ASKED = phrases("arithmetic.asked")


def is_short(value: str) -> bool:
    """Whether a result is short enough for an answer: at most two decimal places."""
    return len(value.partition(".")[2]) <= 2 and len(value) < 15


def make_sum(rng: random.Random) -> tuple[str, str]:
    """A sum as it is asked for, and as the calculator takes it."""
    while True:
        said, expression = _make_sum(rng)
        if is_short(calculate(expression)):
            return said, expression


def _make_sum(rng: random.Random) -> tuple[str, str]:
    top = rng.choice((20, 100, 100, 1000, 10_000))
    a, b, c = (number(rng, 2, top) for _ in range(3))
    small = number(rng, 2, 12)
    big = number(rng, 1000, 99_999)
    op, op2 = rng.choice("+-*/"), rng.choice("+-*")
    part = rng.choice((5, 15, 20, 25, 30, 40, 50, 60, 75))
    product = a * small
    half = f"{number(rng, 1, 99)}.{rng.choice((1, 2, 4, 5, 6, 8))}"
    forms = [
        *[(f"{a} {op} {b}", f"{a} {op} {b}")] * 6,
        (f"{a}{op}{b}", f"{a} {op} {b}"),
        (f"{a} × {b}", f"{a} * {b}"),  # noqa: RUF001
        (f"{a} ÷ {small}", f"{a} / {small}"),
        (f"{a} x {b}", f"{a} * {b}"),
        *[(f"{a} {op} {b} {op2} {c}", f"{a} {op} {b} {op2} {c}")] * 2,
        *[(f"({a} {op2} {b}) {op} {small}", f"({a} {op2} {b}) {op} {small}")] * 2,
        (f"{small} * ({a} + {b})", f"{small} * ({a} + {b})"),
        (f"{a} plus {b}", f"{a} + {b}"),
        (f"{a} minus {b}", f"{a} - {b}"),
        (f"{a} times {b}", f"{a} * {b}"),
        (f"{a} multiplied by {b}", f"{a} * {b}"),
        (f"{a} plus {b} plus {c}", f"{a} + {b} + {c}"),
        (f"{a} times {b}, minus {c}", f"{a} * {b} - {c}"),
        (f"the sum of {a} and {b}", f"{a} + {b}"),
        (f"the sum of {a}, {b} and {c}", f"{a} + {b} + {c}"),
        (f"the product of {a} and {b}", f"{a} * {b}"),
        (f"the difference between {a + b} and {b}", f"{a + b} - {b}"),
        (f"{product} divided by {small}", f"{product} / {small}"),
        (f"the remainder of {big} divided by {small}", f"{big} % {small}"),
        (f"{big} modulo {small}", f"{big} % {small}"),
        (f"{part} percent of {b * 20}", f"{b * 20} * {part} / 100"),
        (f"{part}% of {b * 20}", f"{b * 20} * {part} / 100"),
        (f"half of {a}", f"{a} / 2"),
        (f"twice {a}", f"2 * {a}"),
        (f"a quarter of {a * 4}", f"{a * 4} / 4"),
        (f"a third of {a * 3}", f"{a * 3} / 3"),
        (f"{small} squared", f"{small} ** 2"),
        (f"{small} to the power of {rng.randint(2, 6)}", ""),
        (f"the square root of {small * small}", f"sqrt({small * small})"),
        (f"the average of {a}, {b} and {c}", f"({a} + {b} + {c}) / 3"),
        (f"{half} + {b}", f"{half} + {b}"),
        (f"{half} times {small}", f"{half} * {small}"),
        (f"{big:,} + {a}", f"{big} + {a}"),
        (f"{big:,} minus {a}", f"{big} - {a}"),
        (f"{a} and {b} added up", f"{a} + {b}"),
        (f"{a} more than {b}", f"{b} + {a}"),
        (f"{small} less than {a * small}", f"{a * small} - {small}"),
        (f"{a} increased by {b}", f"{a} + {b}"),
        (f"{a + b} reduced by {b}", f"{a + b} - {b}"),
        (f"{small} times the sum of {a} and {b}", f"{small} * ({a} + {b})"),
        (f"{product} shared by {small}", f"{product} / {small}"),
        (f"{a} multiplied by {small}, then plus {b}", f"{a} * {small} + {b}"),
        (f"the total of {a}, {b}, {c} and {small}", f"{a} + {b} + {c} + {small}"),
        (f"{a} doubled and then {b} more", f"2 * {a} + {b}"),
        (f"({a} + {b}) / 2", f"({a} + {b}) / 2"),
        (f"the larger of {a} and {b}", f"max({a}, {b})"),
        (f"the smallest of {a}, {b} and {c}", f"min({a}, {b}, {c})"),
    ]
    said, expression = rng.choice(forms)
    if not expression:
        base, power = said.split(" to the power of ")
        expression = f"{base} ** {power}"
    if rng.random() < 0.05:
        word = rng.randrange(len(NUMBER_WORDS))
        return f"{NUMBER_WORDS[word]} times {a}", f"{word + 2} * {a}"
    return said, expression


CHANGES = (
    ("add {y}", "+"),
    ("go up by {y}", "+"),
    ("put {y} on top", "+"),
    ("give it {y} more", "+"),
    ("subtract {y}", "-"),
    ("take {y} away", "-"),
    ("go down by {y}", "-"),
    ("leave out {y}", "-"),
    ("multiply by {n}", "*"),
    ("take that {n} times", "*"),
    ("make it {n} times as much", "*"),
    ("have it {n} times", "*"),
    ("go {n} times as far", "*"),
)
"""Changes of a number: `y` is added or subtracted, and `n` is a factor."""


def make_chain(rng: random.Random, x: int) -> tuple[str, str]:
    """Two changes of `x`: the words that ask for them, and both as one expression."""
    said, expression = [], str(x)
    for _ in range(2):
        y, n = number(rng, 2, 90), number(rng, 2, 12)
        words, sign = rng.choice(CHANGES)
        if sign == "*":
            is_sum = "+" in expression or "-" in expression
            expression = f"({expression}) * {n}" if is_sum else f"{expression} * {n}"
        else:
            expression = f"{expression} {sign} {y}"
        said.append(words.format(y=y, n=n))
    between = rng.choice((", then ", " and then ", " and after that ", ", and "))
    return between.join(said), expression


def conclude(value: str) -> tuple[str, str]:
    """The last thought, and the answer."""
    return f"The result is {value}.", f"The result is {value}."


def arithmetic(rng: random.Random) -> Scenario:
    """One sum, asked for in one of many ways."""
    said, expression = make_sum(rng)
    told = said
    question = rng.choice(ASKED).format(sum=said)
    if rng.random() < 0.2:
        x = number(rng, 2, 900)
        steps, expression = make_chain(rng, x)
        said = f"{x} after some steps"
        question = pick(
            rng, *phrases("arithmetic.chain"), x=x, steps=steps, Steps=steps.capitalize()
        )
        told = steps
    question = question[0].upper() + question[1:]
    value = calculate(expression)
    thought, answer = conclude(value)
    means = operations(expression)
    is_in_words = re.search("[a-z]{3}", told) and means != "calculate"
    before = f"The question says: {told}. So I {means}." if is_in_words else ""
    others = rng.choice(((), (), ("read_file",), ("list_files", "read_file")))
    return Scenario(
        question=question,
        moves=(work_out(expression, before),),
        thought=thought,
        answer=answer,
        value=value,
        goal=f"know {said}",
        steps=(f"Calculate {expression}.", "Give the result."),
        tools=("calculator", *others),
    )


def word_problem(rng: random.Random) -> Scenario:
    """A little story that asks for a number."""
    story = make_situation(rng)
    expression = story.expression
    value = calculate(expression)
    known = reason(story.text, expression, last_question(story.question))
    return Scenario(
        question=story.text,
        moves=(work_out(expression, known),),
        thought=f"The result is {value}.",
        answer=f"It is {value}.",
        value=value,
        goal="find the number that the story asks for",
        # Not the sum: a plan with the sum would leave the run nothing to reason about.
        steps=("Find the numbers and what is asked.", "Calculate it.", "Give the result."),
        tools=("calculator", *rng.choice(((), (), ("read_file",), ("list_files", "read_file")))),
    )
