"""The words and numbers of the training data. The evaluation has its own, and shares none.

A model must be measured on what it has not seen. The surest way is two lists that have nothing in
common, and a test that compares them.
"""

from __future__ import annotations

import random
import re
import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import TypeVar

from g2c.evaluation.assembled.vocabulary import is_held_out

Item = TypeVar("Item")

DATA = Path(__file__).parent / "data"
_TABLES = tomllib.loads((DATA / "words.toml").read_text("utf-8"))
_WORDS = {name: tuple(words.split()) for name, words in _TABLES.items() if isinstance(words, str)}


_phrases = tomllib.loads((DATA / "phrases.toml").read_text("utf-8"))


def phrases(name: str) -> tuple[str, ...]:
    """The phrases of that name in `data/phrases.toml`, such as `files.errand`."""
    kind, _, what = name.partition(".")
    return tuple(_phrases[kind][what])


def table(name: str) -> dict[str, tuple[tuple[str, ...], ...]]:
    """The rows of each section of `data/NAME.txt`. A section begins with its name in brackets, `|`
    separates the cells of a row, and a line break in a cell is written as `\\n`."""
    found: dict[str, list[tuple[str, ...]]] = {}
    for line in (DATA / f"{name}.txt").read_text("utf-8").splitlines():
        if line.startswith("["):
            rows = found.setdefault(line[1:-1], [])
        elif line and not line.startswith("#"):
            rows.append(tuple(line.replace(r"\n", "\n").split(" | ")))
    return {section: tuple(rows) for section, rows in found.items()}


def one_of(rng: random.Random, cell: str) -> str:
    """One of the alternatives in a cell of a table."""
    return rng.choice(cell.split(" // "))


def _invented(seed: str, count: int) -> tuple[str, ...]:
    """`count` words of two or three syllables that are in no dictionary, all in small letters.

    A model can write a name that it has seen a hundred times without looking; these it has to read.
    """
    rng = random.Random(seed)
    onsets = "b br c ch cl d dr f fl g gl gr h j k l m n p pl pr qu r s sh sk sp st t th tr v w z"
    vowels, ends = "a e i o u ai ea ee io oo ou", "l m n nd nt r rk rn s st t ck dge ley ry x y"
    found: set[str] = set()
    while len(found) < count:
        parts = [onsets, vowels, *(onsets, vowels) * rng.randint(0, 1), ends]
        word = "".join(rng.choice(part.split()) for part in parts)
        if len(word) > 3:
            found.add(word)
    return tuple(sorted(found))


INVENTED_PEOPLE = tuple(map(str.title, _invented("people", 60)))
PEOPLE = (*_WORDS["people"], *INVENTED_PEOPLE)
PLACES = (*_WORDS["places"], *map(str.title, _invented("places", 60)))
THINGS = (*_WORDS["things"], *_invented("things", 60))
FOOD = _WORDS["food"]
GOODS = (*FOOD, *_WORDS["wares"], *(f"{word}s" for word in _invented("wares", 40)))
ANIMALS = _WORDS["animals"]
COLOURS = _WORDS["colours"]
MATERIALS = _WORDS["materials"]
STEMS = (*_WORDS["stems"], *_invented("stems", 80))
COUNTS = _WORDS["counts"]
"""The first halves of files' names; each is also something that a file can give a number of."""

OPPOSITES = dict(pair.split(":") for pair in _WORDS["opposites"])
MISSPELT = dict(pair.split(":") for pair in _WORDS["misspelt"])
PAST = dict(pair.split(":") for pair in _WORDS["past"])
PURPOSES: dict[str, str] = _TABLES["purposes"]
KNOWN: dict[str, str] = _TABLES["known"]
"""Knowledge that needs no tool: words with their opposites, spellings, pasts and purposes, and
questions with their answers."""

SUFFIXES = (".txt", ".md", ".log", ".csv", ".dat", "_notes.txt", "_2.txt", "-list.txt", "-old.md")
FOLDERS = ("data", "docs", "papers", "records", "sheets", "texts")
KIN = ("aunt", "brother", "cousin", "daughter", "father", "friend", "son", "uncle")
DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
MONTHS = ("January", "February", "March", "April", "May", "June", "July", "August", "September")
"""Words without alternatives, so the evaluation uses them too."""

NUMBER_WORDS = ("two", "three", "four", "five", "six", "seven", "eight", "nine")


def number(rng: random.Random, low: int, high: int) -> int:
    """A number from `low` to `high` that is not reserved for the evaluation.

    From 10 on, `high` must be at least `low` + 1, so that the range has an allowed number.
    """
    while is_held_out(value := rng.randint(low, high)):
        pass
    return value


def numbers(rng: random.Random, count: int, low: int, high: int) -> list[int]:
    """`count` different numbers, each as from `number`."""
    found: list[int] = []
    while len(found) < count:
        if (value := number(rng, low, high)) not in found:
            found.append(value)
    return found


def some(rng: random.Random, items: Sequence[Item], least: int, most: int) -> list[Item]:
    """From `least` to `most` different items, in any order."""
    return rng.sample(items, rng.randint(least, most))


def file_name(rng: random.Random) -> str:
    """A file's name, such as `shed.md`."""
    return file_names(rng, 1)[0]


def file_names(rng: random.Random, count: int) -> list[str]:
    """`count` files' names, of different stems."""
    return [stem + rng.choice((".txt", ".txt", *SUFFIXES)) for stem in rng.sample(STEMS, count)]


def fields(rng: random.Random) -> dict[str, str | int]:
    """A value for each name that may occur in braces in a template of `data/`."""
    who, other = rng.sample(PEOPLE, 2)
    place, town = rng.sample(PLACES, 2)
    goods, ware = rng.sample(GOODS, 2)
    return {
        "who": who,
        "other": other,
        "place": place,
        "town": town,
        "thing": rng.choice(THINGS),
        "goods": goods,
        "ware": ware,
        "animal": rng.choice(ANIMALS),
        "colour": rng.choice(COLOURS),
        "material": rng.choice(MATERIALS),
        "food": rng.choice(FOOD),
        "kin": rng.choice(KIN),
        "day": rng.choice(DAYS),
        "date": f"{number(rng, 1, 28)} {rng.choice(MONTHS)}",
        "code": number(rng, 1000, 9999),
        "n": number(rng, 2, 500),
        "small": number(rng, 2, 9),
    }


def pick(rng: random.Random, *templates: str, **fields: object) -> str:
    """One of `templates` with its fields filled in.

    >>> pick(random.Random(1), "Read {file}.", file="a.txt")
    'Read a.txt.'
    """
    return rng.choice(templates).format(**fields)


def a(noun: str) -> str:
    """The noun with its article."""
    return f"{'an' if noun[0] in 'aeiou' else 'a'} {noun}"


def has_held_out_number(text: str) -> bool:
    """Whether `text` has a number that is reserved for the evaluation.

    >>> has_held_out_number("Room 24"), has_held_out_number("Room 25")
    (True, False)
    """
    found = re.findall(r"\d+", text) + re.findall(r"\d{1,3}(?:,\d{3})+", text)
    return any(is_held_out(int(digits.replace(",", ""))) for digits in found)


def plural(noun: str) -> str:
    """The noun's plural.

    >>> plural("brush"), plural("pony"), plural("kite")
    ('brushes', 'ponies', 'kites')
    """
    if noun.endswith("y") and noun[-2] not in "aeiou":
        return f"{noun[:-1]}ies"
    return f"{noun}es" if noun.endswith(("s", "sh", "ch", "x")) else f"{noun}s"
