"""Drafts to be judged, and instructions that have nothing to do with agents."""

from __future__ import annotations

from typing import Literal

# A task, a draft that does it, and one that does not.
DRAFTS: tuple[tuple[str, str, str], ...] = (
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
MORE_DRAFTS: tuple[tuple[str, str, str], ...] = (
    (
        "Tell in one sentence where the coach to {place} stops.",
        "The coach to {place} stops in front of the town hall.",
        "The coach stops often. It is comfortable, and many people take it.",
    ),
    (
        "List four tools of a gardener, with a semicolon between them.",
        "spade; hoe; shears; dibber",
        "spade; hoe",
    ),
    (
        "Ask {person} in one sentence to bring the {thing} on Tuesday.",
        "Dear {person}, please bring the {thing} on Tuesday.",
        "Dear {person}, please bring the {thing} on Thursday.",
    ),
    (
        "Say in one sentence that {a} {goods} have arrived from {place}.",
        "{a} {goods} have arrived from {place}.",
        "{b} {goods} have arrived from {place}.",
    ),
    (
        "Write a notice of one sentence: the {thing} is for sale, and {person} has it.",
        "The {thing} is for sale; please ask {person}, who has it.",
        "Something is for sale; please ask at the door.",
    ),
    (
        "Write a Python function nearer_zero(x, y) that returns the number nearer to zero.",
        "def nearer_zero(x, y):\n    return x if abs(x) <= abs(y) else y",
        "def nearer_zero(x, y):\n    return x if x <= y else y",
    ),
    (
        "Write a Python function without_first(items) that returns all items but the first.",
        "def without_first(items):\n    return items[1:]",
        "def without_first(items):\n    return items[:1]",
    ),
    (
        "Write a Python function is_divisor(d, n) that says whether d divides n, where d is not 0.",
        "def is_divisor(d, n):\n    return n % d == 0",
        "def is_divisor(d, n):\n    return d % n == 0",
    ),
)
MORE_INSTRUCTIONS: tuple[tuple[str, Literal["is", "holds", "written", "lines"], str], ...] = (
    ("Your reply is to be one word: {goods}", "is", "{goods}"),
    ("Give back this name unchanged, with nothing around it: {other}", "is", "{other}"),
    ("Type {b} and stop there.", "is", "{b}"),
    ("Which of these is a colour, {colour} or {person}? One word.", "is", "{colour}"),
    ("Tell me the chief city of Iceland.", "holds", "Reykjavik"),
    ("Which is heavier, a feather or a brick?", "holds", "brick"),
    ("Which tool, a sieve or a thermometer, tells how warm it is?", "holds", "thermometer"),
    ("Which star warms us by day?", "holds", "sun"),
    ("Say good evening in Spanish.", "holds", "buenas"),
    ("Thank {person} for the {thing}.", "holds", "{person}"),
    ("Make up one sentence in which {goods} occur.", "holds", "{goods}"),
    ("{other} comes from {place}. From which town does {other} come?", "holds", "{place}"),
    ("Shout this word, that is, in capital letters only: {thing}", "written", "{upper}"),
    ("How does {thing} look when all its letters are capitals?", "written", "{upper}"),
    ("Give me six names of rivers, each on a line of its own, and no more.", "lines", "6"),
    ("Write six short words about {goods}, one below the other.", "lines", "6"),
)
