"""The words, numbers and phrasings of the evaluation. No training text may use them.

A model that has seen a test's own words shows its memory and not its skill. So the evaluation and
the trainer have separate lists, and a test compares them.
"""

from __future__ import annotations

from random import Random
from typing import Literal

FIRST_HELD_OUT = 10
"""Smaller numbers are too few to be parted."""


def is_held_out(n: int) -> bool:
    """Whether a whole number of `FIRST_HELD_OUT` or more may be given in the evaluation, and so in
    no training text.

    It is about numbers that a question, a file or a note gives; results are what they are.

    >>> [n for n in range(40) if is_held_out(n)]
    [10, 17, 24, 31, 38]
    """
    return n >= FIRST_HELD_OUT and n % 7 == 3


def given_number(random: Random, low: int, high: int, divisor: int = 1) -> int:
    """A number of `low` to `high` that is held out and that `divisor` divides."""
    return random.choice([n for n in range(low, high + 1) if is_held_out(n) and n % divisor == 0])


PEOPLE = (
    *("Ottilie", "Bertil", "Saskia", "Eudora", "Oona", "Casimir", "Ngozi", "Anselm"),
    *("Zuzana", "Hamish", "Leocadia", "Thaddeus"),
)
PLACES = (
    *("Trondheim", "Lucerne", "Tromso", "Kumasi", "Bergamo", "Leiden", "Valparaiso", "Nagano"),
    *("Galway", "Szeged", "Cuenca", "Mombasa"),
)
THINGS = (
    *("spinet", "anvil", "sundial", "sledge", "kiln", "telescope", "harp", "gondola"),
    *("trellis", "dulcimer", "pulpit", "weathervane"),
)
GOODS = (
    *("turnips", "walnuts", "thimbles", "saucers", "oars", "horseshoes", "ribbons", "quinces"),
    *("candlesticks", "casks", "spindles", "medals"),
)
COLOURS = ("crimson", "turquoise", "ochre", "maroon", "indigo", "beige", "lilac", "khaki")
STEMS = (
    *("quarry", "meadow", "pantry", "hermitage", "lighthouse", "foundry", "granary", "chapel"),
    *("smithy", "cloister", "tannery", "belfry", "apiary", "sawmill"),
)
FILES = tuple(f"{stem}.txt" for stem in STEMS)
FOLDERS = ("crypt", "hayloft", "scullery", "turret", "larder", "gatehouse")
GARMENTS = ("shawl", "balaclava", "pullover")
TOOL_NAMES = (
    *("tide_height", "parking_fee", "yarn_needed", "locker_code", "shift_letters", "next_ferry"),
    *("furlongs_to_metres", "beehive_yield", "ask_buoy", "river_level"),
)

# In phrasings, {a}, {b} and {c} are given numbers with a > b, {k} is one of 2 to 9, and {m} a given
# number that k divides. Each goes with the expression that answers it.
ARITHMETIC = (
    (
        ("Work out {a} + {b}.", "{a} + {b}"),
        ("Work out {a} - {b}.", "{a} - {b}"),
        ("Compute {a} * {k} for me.", "{a} * {k}"),
        ("Give the value of {m} / {k}.", "{m} / {k}"),
        ("Which number is {a} * {b}?", "{a} * {b}"),
    ),
    (
        ("Which number do {a} and {b} come to together?", "{a} + {b}"),
        ("Take {b} away from {a}: which number remains?", "{a} - {b}"),
        ("How large is {a} taken {k} times?", "{a} * {k}"),
        ("Cut {m} into {k} equal parts. How large is one part?", "{m} / {k}"),
        ("By how much is {a} the larger number, compared to {b}?", "{a} - {b}"),
    ),
    (
        ("Evaluate {a} * {k} - {b}.", "{a} * {k} - {b}"),
        ("Evaluate ({a} + {b}) * {k}.", "({a} + {b}) * {k}"),
        ("Begin with {a}, take it {k} times, then add {b}: where do you end?", "{a} * {k} + {b}"),
        ("Sum up {a}, {b} and {c}.", "{a} + {b} + {c}"),
        ("From {a} take first {b} and then {k}: which number is left?", "{a} - {b} - {k}"),
    ),
)
WORD_PROBLEMS = (
    (
        "On each trip a boat carries {a} {goods}. How many {goods} has it carried in {k} trips?",
        "{a} * {k}",
    ),
    (
        "{person} owes {other} {a} coins and has paid back {b}. How many coins are still owed?",
        "{a} - {b}",
    ),
    (
        "A market in {place} sold {a} {goods} at dawn and {b} at dusk. What did it sell in all?",
        "{a} + {b}",
    ),
    (
        "{m} {goods} go into {k} crates, as many into each. How many {goods} are in one crate?",
        "{m} / {k}",
    ),
    (
        "{person} grew {a} {goods}, and {other} grew {k} times as many. How many did {other} grow?",
        "{a} * {k}",
    ),
    (
        "The walk to {place} takes {a} minutes, the way back {b}. How many minutes both ways?",
        "{a} + {b}",
    ),
    ("Of {a} {goods} in a shed, {b} are broken. How many are whole?", "{a} - {b}"),
    (
        "{person} earns {a} coins a week for {k} weeks and spends {b} coins. What remains?",
        "{a} * {k} - {b}",
    ),
    (
        "A hall in {place} has {a} rows of {k} seats, and {b} seats upstairs. How many in all?",
        "{a} * {k} + {b}",
    ),
    (
        "{person} lent out {a} {goods}, then {b}, then {c}. How many {goods} are lent out?",
        "{a} + {b} + {c}",
    ),
)
# What a line of a file says, the question about it, and the answer.
FACTS = (
    (
        "The {thing} is painted {colour}.",
        "Look into {file}: which colour has the {thing}?",
        "{colour}",
    ),
    ("The {thing} belongs to {person}.", "According to {file}, whose is the {thing}?", "{person}"),
    (
        "The {thing} stands in {place}.",
        "By what {file} says, in which town is the {thing}?",
        "{place}",
    ),
    ("There are {a} {goods} left.", "{file} keeps count of the {goods}. What is left?", "{a}"),
    (
        "Number of the key to the {thing}: {a}",
        "Find the number of the key to the {thing}; it stands in {file}.",
        "{a}",
    ),
)
# What a file holds, the question about it, and the expression that answers it.
READ_COMPUTE = (
    (
        "{goods}: {a}",
        "How many {goods} would it be if the count in {file} grew by {b}?",
        "{a} + {b}",
    ),
    (
        "A {thing} costs {a} coins.",
        "With the price from {file}, what is to be paid for {k} of that {thing}?",
        "{a} * {k}",
    ),
    (
        "{person} has saved {a} coins.",
        "{file} tells what {person} has saved. What is left of it once {b} coins are gone?",
        "{a} - {b}",
    ),
    (
        "The {thing} weighs {a} kilos, its box {b}.",
        "Use both weights in {file}: how heavy are the {thing} and its box together?",
        "{a} + {b}",
    ),
    (
        "{m} {goods} for {place}",
        "Deal out the {goods} of {file} evenly to {k} villages: how many for each?",
        "{m} / {k}",
    ),
    (
        "{person} walks {a} metres, {other} {b} metres.",
        "By {file}, how much farther does {person} walk than {other}?",
        "{a} - {b}",
    ),
    (
        "Rows: {a}\nSeats in a row: {k}",
        "{file} describes a hall. How many seats does it have?",
        "{a} * {k}",
    ),
    (
        "Each crate holds {a} {goods}.",
        "The size of a crate is in {file}. How many {goods} fill {k} crates and a sack of {b}?",
        "{a} * {k} + {b}",
    ),
)
TWO_FILES = (
    ("Put the {goods} of {file} and of {other_file} together: how many is that?", "{a} + {b}"),
    ("How many more {goods} does {file} count than {other_file}?", "{a} - {b}"),
)
# A task, a draft that does it, and one that does not.
DRAFTS = (
    (
        "Write one sentence that says where the ferry to Galway leaves.",
        "The ferry to Galway leaves from the north quay.",
        "Ferries are pleasant. Many people like them.",
    ),
    (
        "Name three tools of a blacksmith, separated by commas.",
        "anvil, tongs, bellows",
        "anvil",
    ),
    (
        "Invite Oona to supper on Friday in one sentence.",
        "Dear Oona, please come to supper on Friday.",
        "Dear Oona, please come to supper on Monday.",
    ),
    (
        "Write a Python function smaller(x, y) that returns the smaller of two numbers.",
        "def smaller(x, y):\n    return x if x < y else y",
        "def smaller(x, y):\n    return x if x > y else y",
    ),
    (
        "Write a Python function last_item(items) that returns the last item, or None if there is "
        "none.",
        "def last_item(items):\n    return items[-1] if items else None",
        "def last_item(items):\n    return items[0]",
    ),
    (
        "Write a Python function is_odd(n) that says whether a whole number is odd.",
        "def is_odd(n):\n    return n % 2 == 1",
        "def is_odd(n):\n    return n % 2 == 0",
    ),
)
# An instruction, how the reply is judged (see `InstructionTask`), and what it is to be.
INSTRUCTIONS: tuple[tuple[str, Literal["is", "holds", "written", "lines"], str], ...] = (
    ("Let your whole reply be the word {thing}.", "is", "{thing}"),
    ("Say the word {colour} and no other word.", "is", "{colour}"),
    ("Reply with nothing but the name {person}.", "is", "{person}"),
    ("Write the number {a}, without any other text.", "is", "{a}"),
    ("Tell me the chief city of France.", "holds", "Paris"),
    ("Which metal is attracted by a magnet, iron or gold?", "holds", "iron"),
    ("What falls from the clouds when it is wet outside?", "holds", "rain"),
    ("Which animal gives us wool?", "holds", "sheep"),
    ("Say good morning in French.", "holds", "bonjour"),
    ("Greet my neighbour {person} by name.", "holds", "{person}"),
    ("Write one sentence about a {thing}.", "holds", "{thing}"),
    ("My cousin lives in {place}. In which town does she live?", "holds", "{place}"),
    ("Write the word {thing} in capital letters.", "written", "{upper}"),
    ("Put this name in capital letters, and nothing else: {thing}", "written", "{upper}"),
    ("Name three kinds of fruit, one a line, and write nothing else.", "lines", "3"),
    ("Write four words that rhyme with cat, each on its own line.", "lines", "4"),
)
