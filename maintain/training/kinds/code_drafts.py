"""Small functions, each with faults that can be put into it.

Each has a task, its solution, and faults: the right part, the wrong part that replaces it, and what
a critic should say. It also has an expression that is true of the solution and of no faulty
version, which a test runs. A fault is a small edit, and so is its repair.
"""

from __future__ import annotations

import random
from collections.abc import Callable

from maintain.training.vocabulary import number, phrases

Code = tuple[str, str, list[tuple[str, str, str]], str]


def _total(rng: random.Random) -> Code:
    fee, free = number(rng, 2, 9), number(rng, 30, 90)
    return (
        f"Write total(prices): the sum of the prices, plus {fee} for delivery below {free}.",
        f"def total(prices):\n    amount = sum(prices)\n    if amount < {free}:\n"
        f"        amount += {fee}\n    return amount",
        [
            (f"< {free}", f"<= {free}", f"At exactly {free} it adds the delivery, too."),
            (f"+= {fee}", f"-= {fee}", "It takes the delivery off instead of adding it."),
            (f"+= {fee}", f"+= {fee + 1}", f"The delivery costs {fee}, not {fee + 1}."),
            ("sum(prices)", "max(prices)", "It takes the largest price and not the sum."),
        ],
        f"total([{free}]) == {free} and total([1, 2]) == 3 + {fee}",
    )


def _clamp(rng: random.Random) -> Code:
    low, high = number(rng, 2, 9), number(rng, 40, 90)
    return (
        f"Write clamp(value): the value, but at least {low} and at most {high}.",
        f"def clamp(value):\n    return max({low}, min({high}, value))",
        [
            (f"min({high}, value)", "value", f"Values above {high} are not cut."),
            (f"max({low}, min({high}, value))", f"min({low}, max({high}, value))",
             f"It always gives {low}."),
            (f"max({low}, ", "max(0, ", f"Values below {low} are not raised to {low}."),
        ],
        f"[clamp({low} - 2), clamp({high} + 5), clamp({low} + 1)] == [{low}, {high}, {low} + 1]",
    )  # fmt: skip


def _grade(rng: random.Random) -> Code:
    good, ok = number(rng, 80, 90), number(rng, 40, 60)
    return (
        f"Write grade(points): 'A' from {good} points on, 'B' from {ok} on, and 'C' below.",
        f"def grade(points):\n    if points >= {good}:\n        return 'A'\n"
        f"    if points >= {ok}:\n        return 'B'\n    return 'C'",
        [
            (f">= {good}", f"> {good}", f"With exactly {good} points one gets B and not A."),
            (f">= {ok}", f"> {ok}", f"With exactly {ok} points one gets C and not B."),
            ("return 'C'", "return 'B'", "Nobody ever gets C."),
            (f">= {good}", f">= {good + 2}", f"A begins at {good + 2}, and the task says {good}."),
        ],
        f"[grade({good}), grade({ok}), grade({ok} - 1), grade({good} + 1)] == list('ABCA')",
    )


def _username(rng: random.Random) -> Code:
    most = rng.choice((6, 8, 12))
    return (
        f"Write is_name(text): whether a text has 3 to {most} characters and begins with a letter.",
        f"def is_name(text):\n    return 3 <= len(text) <= {most} and text[0].isalpha()",
        [
            ("3 <= len", "3 < len", "Texts of exactly 3 characters are refused."),
            (f"<= {most}", f"< {most}", f"Texts of exactly {most} characters are refused."),
            (" and text[0].isalpha()", "", "It does not look whether there is a letter first."),
            (" and ", " or ", "One of the two conditions is enough for it."),
        ],
        f"is_name('abc') and is_name('a' * {most}) and not is_name('9bcd') and not is_name('ab')",
    )


VERBS = phrases("code_drafts.verbs")


def _formula(rng: random.Random) -> Code:
    """A multiple of a number, and some more or less."""
    name, x = rng.choice(VERBS), rng.choice(("n", "x", "number", "amount", "value", "size"))
    by, more, at = number(rng, 2, 12), number(rng, 2, 40), number(rng, 3, 30)
    sign, word, other = rng.choice((("+", "plus", "-"), ("-", "minus", "+")))
    good = f"{x} * {by} {sign} {more}"
    return (
        f"Write {name}({x}): {by} times {x}, {word} {more}.",
        f"def {name}({x}):\n    return {good}",
        [
            (f"{sign} {more}", f"{other} {more}", f"It takes {other} {more} in place of {word}."),
            (f"* {by}", f"* {by + 1}", f"It multiplies by {by + 1} and not by {by}."),
            ("* ", "+ ", f"It adds {by} and does not multiply."),
            (f" {sign} {more}", "", f"The {more} are left out."),
            ("return ", "", "It returns nothing."),
        ],
        f"{name}({at}) == {at * by + more if sign == '+' else at * by - more}",
    )


def _bound(rng: random.Random) -> Code:
    """Whether a number is on the right side of a bound."""
    name = rng.choice(("is_enough", "is_warm", "is_heavy", "passes", "is_long"))
    x, least = rng.choice(("n", "x", "points", "grams", "age")), number(rng, 5, 90)
    at_bound = rng.random() < 0.5
    good = f"{x} >= {least}" if at_bound else f"{x} > {least}"
    said = f"whether {x} is {least} or more" if at_bound else f"whether {x} is above {least}"
    wrong = f"{x} > {least}" if at_bound else f"{x} >= {least}"
    return (
        f"Write {name}({x}): {said}.",
        f"def {name}({x}):\n    return {good}",
        [
            (good, wrong, f"Exactly {least} is judged wrongly."),
            (good, good.replace(">", "<"), "It looks in the wrong direction."),
            (str(least), str(least + 1), f"The bound is {least + 1} and not {least}."),
        ],
        f"{name}({least}) == {at_bound} and {name}({least + 1}) and not {name}({least - 1})",
    )


def _chosen(rng: random.Random) -> Code:
    """The items of a list that fulfil a condition."""
    name, item = rng.choice(("keep", "pick_out", "choose", "sift")), rng.choice(("n", "x", "item"))
    least = number(rng, 2, 9)
    word, good, wrong, given, gives = rng.choice((
        (f"above {least}", f"{item} > {least}", f"{item} < {least}",
         [least - 1, least, least + 1], [least + 1]),
        (f"below {least}", f"{item} < {least}", f"{item} > {least}",
         [least - 1, least, least + 1], [least - 1]),
        (f"that {least} divides", f"{item} % {least} == 0", f"{item} % {least} == 1",
         [least * 2, least * 2 + 1], [least * 2]),
    ))  # fmt: skip
    return (
        f"Write {name}(items): the numbers {word}, in their order.",
        f"def {name}(items):\n    return [{item} for {item} in items if {good}]",
        [
            (f"if {good}", f"if {wrong}", "It keeps the wrong ones."),
            (f" if {good}", "", "It keeps all of them."),
            (f"[{item} for", f"[{item} + 1 for", "It changes the numbers by one."),
            (" in items", " in items[1:]", "The first number is never looked at."),
        ],
        f"{name}({gives + given}) == {gives + gives}",
    )


CODE: tuple[Callable[[random.Random], Code], ...] = (
    *(_total, _clamp, _grade, _username),
    *(*[_formula] * 5, *[_bound] * 3, *[_chosen] * 4),
)
"""A part of each is random, so that none can be learned by heart."""
