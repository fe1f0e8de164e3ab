"""The same story with other numbers and names."""

from __future__ import annotations

import random
import re
import tomllib
from collections.abc import Mapping
from fractions import Fraction

from maintain.training.kinds.arithmetic import is_short
from maintain.training.kinds.sums import value_of
from maintain.training.kinds.told import NUMBER_WORDS, Told, Version, make_version, number_value
from maintain.training.vocabulary import (
    DATA,
    INVENTED_PEOPLE,
    PEOPLE,
    has_held_out_number,
    number,
)

TRIES = 60
"""Draws of numbers; after these a story keeps its own."""

PERCENTS = ("5", "15", "20", "25", "30", "40", "50", "60", "75")
CENTS = ("20", "25", "40", "50", "60", "75")
TENTHS = "24568"

_TABLES = tomllib.loads((DATA / "english.toml").read_text("utf-8"))
_NO_NAMES = frozenset(_TABLES["no_names"].split())
_NAME = re.compile(r"(?<![\w’'-])[A-Z][a-z]{2,}(?![\w-])(?!\s+(?:&\s+)?[A-Z])")  # noqa: RUF001
_PLACE = re.compile(r"\b(?:[Ii]n|[Tt]o|[Ff]rom|[Aa]t|[Oo]f|[Tt]he|[Oo]n|[Aa]n?|[A-Z]\w+)\s+$")
_DOES = re.compile(
    r"(?:['’]s\b|\s+(?:and|[a-z]+(?:s|ed)|had|bought|made|took|gave|ate|sold|got|can|will|would"  # noqa: RUF001
    r"|went|spent|ran|read|saw|found|kept|put|wrote|paid|did)\b)"
)
"""A person does something, or has it, and nobody goes to one as to a place."""


def retell(story: Told, rng: random.Random) -> Version | None:
    """The story as it may be told in training, mostly with other numbers and names; None where the
    calculator rounds in a way that the sums do not."""
    version = None
    if story.moves and (not story.stays or rng.random() < 0.8):
        version = _with_other_numbers(story, rng)
    if version is None and story.stays:
        version = make_version(story, story.numbers)
    if version is None or not all(map(is_short, version.results)):
        return None
    return _with_other_names(version, rng)


def _with_other_numbers(story: Told, rng: random.Random) -> Version | None:
    own = [number_value(text) for text in story.numbers]
    was = _results(story, own)
    assert was is not None, "the sums of a story were worked out when it was read"
    for _ in range(TRIES):
        texts = [
            text if i in story.fixed else _other(text, story.question, i, rng)
            for i, text in enumerate(story.numbers)
        ]
        values = [number_value(text) for text in texts]
        results = _results(story, values)
        if results is None or len(set(values)) < len(set(own)) or _is_kept(texts):
            continue
        # A sum that was whole and positive stays so, and what was more than one stays more.
        if all(
            value > 0 and value.denominator <= old.denominator and (value > 1) == (old > 1)
            for value, old in zip(results, was, strict=True)
        ):
            version = make_version(story, texts)
            if version and not has_held_out_number(version.question):
                return version
    return None


def _results(story: Told, values: list[Fraction | None]) -> list[Fraction] | None:
    results: list[Fraction] = []
    try:
        for step in story.steps:
            results.append(value_of(step.sum, values, results))
    except ZeroDivisionError:
        return None
    return results


def _is_kept(texts: list[str]) -> bool:
    """Whether some number is the evaluation's, in digits or as a word."""
    return any(has_held_out_number(str(NUMBER_WORDS.get(text.lower(), text))) for text in texts)


def _other(text: str, question: str, place: int, rng: random.Random) -> str:
    """Another number that reads like this one, in the gap at `place` of the question."""
    if text.lower() in NUMBER_WORDS:
        words = [word for word, n in NUMBER_WORDS.items() if n <= 12]
        word = rng.choice(words)
        return word.title() if text[0].isupper() else word
    if f"{{p{place}}}%" in question or f"{{p{place}}} percent" in question:
        return rng.choice(PERCENTS)
    whole, point, rest = text.replace(",", "").partition(".")
    if point:
        ends = CENTS if len(rest) == 2 else TENTHS if len(rest) == 1 else (rest,)
        return f"{_near(int(whole or 0), rng)}.{rng.choice(ends)}"
    other = _near(int(whole), rng)
    return f"{other:,}" if "," in text else str(other)


def _near(value: int, rng: random.Random) -> int:
    """A number of the same size, round if this one is."""
    if value < 2:
        return value
    if value < 10:
        return rng.randint(2, 9)
    for unit in (1000, 100, 50, 10, 5):
        if value % unit == 0 and value >= 4 * unit and rng.random() < 0.7:
            return unit * rng.randint(max(1, value // unit // 2), 2 * value // unit)
    return number(rng, max(2, value // 2), 2 * value)


def people_of(question: str) -> list[str]:
    """The names of people in a question, as far as they can be told from other names.

    >>> people_of("Mira has 3 cups. In Paris, Otto buys 2 for Mira. How many has Mira?")
    ['Mira', 'Otto']
    """
    found: dict[str, bool] = {}
    for match in _NAME.finditer(question):
        before, after = question[: match.start()], question[match.end() :]
        is_place = _PLACE.search(before) is not None
        does = _DOES.match(after) is not None
        found[match[0]] = found.get(match[0], False) or (does and not is_place)
    return [name for name, is_person in found.items() if is_person and name not in _NO_NAMES]


def _with_other_names(version: Version, rng: random.Random) -> Version:
    names = people_of(version.question)
    # An invented name is neither a man's nor a woman's.
    has_pronouns = re.search(r"\b(?:he|she|his|her|him)\b", version.question, re.IGNORECASE)
    others = rng.sample(INVENTED_PEOPLE if has_pronouns else PEOPLE, len(names))
    new = dict(zip(names, others, strict=True))
    return Version(
        _renamed(version.question, new),
        version.expressions,
        version.results,
        tuple(_renamed(meaning, new) for meaning in version.meanings),
        version.composed,
    )


def _renamed(text: str, new: Mapping[str, str]) -> str:
    if not new:
        return text
    return re.sub(rf"\b(?:{'|'.join(new)})\b", lambda match: new[match[0]], text)
