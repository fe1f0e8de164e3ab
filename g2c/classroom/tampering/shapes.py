"""Values for canaries: other ones than a test expects.

A function may return an object that equals whatever it is compared with, unless that looks like a
canary's. So one kind of value has the same types, lengths and kinds of characters as the test's,
and no function can know it. A wrong function may return the other two kinds: a near value, and one
that another test expects. But no function passes both a test and its copy with such a value.
"""

import copy
import random
from collections.abc import Iterable
from dataclasses import fields, is_dataclass
from datetime import date, timedelta
from hashlib import blake2b
from pathlib import PurePath
from typing import Any, Literal

MIN_WEIGHT = 3.0
"""The least difference of a value. A changed letter counts 1, a changed digit a half. Below that, a
wrong function may return the other value by chance, so the value is made longer."""

_LETTERS = (*("aeiou", "bcdfghjklmnpqrstvwxyz"), *("AEIOU", "BCDFGHJKLMNPQRSTVWXYZ", "0123456789"))


Kind = Literal["itself", "near", "others", "unlike"]


def seal_of(word: bytes, kind: Kind) -> str:
    """The sealed word that selects the kind of value in `as_wanted`; it looks the same for each
    kind."""
    return blake2b(word, digest_size=6, key=kind.encode()).hexdigest()


def as_wanted(value: Any, word: bytes, sealed: str, others: Any) -> Any:
    """The value or another one, as `sealed` says. `others` is another test's value."""
    if sealed == seal_of(word, "itself"):
        return value
    draw = random.Random(word)
    if sealed == seal_of(word, "near"):
        others = near(value, draw)
    elif sealed != seal_of(word, "others"):
        return unlike(value, draw)
    return others if _differ(others, value) else unlike(value, draw)


def near(value: Any, draw: random.Random) -> Any:
    """Another value that differs in one random part; the same value if that is impossible.

    >>> near({"a": ("tea", 5), "b": 1}, random.Random(1)), near([True], random.Random(1))
    ({'a': ('tea', 6), 'b': 1}, [False])
    """
    kind = type(value)
    if kind is bool:
        return not value
    if kind in (str, bytes):
        return value[:-1]
    if kind in (int, float):
        return value + 1
    if kind in (list, tuple):
        return kind(_one_near(list(value), draw))
    if kind is dict:
        return dict(zip(value, _one_near(list(value.values()), draw), strict=True))
    if is_dataclass(value) and not isinstance(value, type):
        other = copy.copy(value)
        names = [field.name for field in fields(value)]
        parts = _one_near([getattr(value, name) for name in names], draw)
        for name, part in zip(names, parts, strict=True):
            object.__setattr__(other, name, part)
        return other
    return value


def _one_near(parts: list[Any], draw: random.Random) -> list[Any]:
    """The parts, with one of those that have a near value replaced by it."""
    for number in draw.sample(range(len(parts)), len(parts)):
        if _differ(other := near(parts[number], draw), parts[number]):
            return [*parts[:number], other, *parts[number + 1 :]]
    return parts


def unlike(value: Any, draw: random.Random) -> Any:
    """Another value of the same shape.

    >>> unlike({"Step 1": ("look at it", 2026)}, random.Random(0))
    {'Qral 9': ('vuiv oy ew', 3281)}
    """
    for grow in (False, True):
        shape = _Shape(draw, grow)
        other = shape.like(value)
        if shape.weight >= MIN_WEIGHT and _differ(other, value):
            return other
    return _word(draw)


class _Shape:
    """Makes a value like another, and sums how much it differs. With `grow`, short values become
    longer."""

    def __init__(self, draw: random.Random, grow: bool) -> None:
        self._draw, self._grow = draw, grow
        self.weight = 0.0

    def like(self, value: Any) -> Any:
        kind = type(value)
        if kind is str:
            return self._text(value)
        if kind is bytes:
            return self._text(value.decode("latin-1")).encode("latin-1")
        if kind in (int, float):
            return self._number(value)
        if kind in (list, tuple, set, frozenset):
            return kind(self._parts(value))
        if kind is dict:
            keys = self._parts(value)
            return dict(zip(keys, [*map(self.like, value.values()), ""], strict=False))
        if isinstance(value, tuple):  # with names
            return kind(*map(self.like, value))
        if isinstance(value, PurePath):
            return kind(self._text(str(value)))
        if isinstance(value, date):
            self.weight += MIN_WEIGHT
            return value + timedelta(self._draw.randrange(1000, 9000))
        if is_dataclass(value) and not isinstance(value, type):
            other = copy.copy(value)
            for field in fields(value):
                object.__setattr__(other, field.name, self.like(getattr(value, field.name)))
            return other
        return value

    def _parts(self, values: Iterable[Any]) -> list[Any]:
        parts = [self.like(value) for value in values]
        return parts or ([self._text("")] if self._grow else [])

    def _text(self, text: str) -> str:
        if self._grow and len(text) < MIN_WEIGHT:
            text += _word(self._draw)
        return "".join(map(self._character, text))

    def _character(self, character: str) -> str:
        letters = next((some for some in _LETTERS if character in some), "")
        if not letters:
            return character
        self.weight += 0.5 if character.isdigit() else 1
        return self._draw.choice(letters.replace(character, ""))

    def _number(self, value: float) -> float:
        digits = len(str(abs(int(value))))
        if self._grow:
            digits = max(digits, self._draw.randrange(6, 9))
        self.weight += digits / 2
        other = self._draw.randrange(10 ** (digits - 1), 10**digits)
        return type(value)(-other if value < 0 else other)


def _word(draw: random.Random) -> str:
    length = draw.randrange(2, 5)
    return "".join(draw.choice(_LETTERS[1]) + draw.choice(_LETTERS[0]) for _ in range(length))


def _differ(one: Any, other: Any) -> bool:
    try:
        return bool(one != other)
    except Exception:  # comparing may raise anything
        return True
