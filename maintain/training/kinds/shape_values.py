"""Values as people say them, and as a tool wants them: "5 %" and 0.05, "two" and 2.

Each kind has the JSON schema of its values, a note for the description if the type does not show
the form, and a way to draw a value. The question has the words for the value, so a value can be
read or converted, and never has to be made up.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from maintain.training.vocabulary import DAYS, PEOPLE, PLACES, STEMS, THINGS, number, phrases

CITIES = phrases("shape_values.cities")
COUNTRIES = phrases("shape_values.countries")
COMPANIES = phrases("shape_values.companies")
TEAMS = (
    *("Arsenal", "Barcelona", "Ajax", "Juventus", "Celtic", "Chelsea", "Valencia", "Leeds United"),
    *("Chicago Bulls", "Boston Celtics", "Miami Heat", "Denver Nuggets", "Real Betis", "Benfica"),
)
STREETS = phrases("shape_values.streets")
SITES = ("example.org", "example.com", "example.net")
ALL_MONTHS = (
    *("January", "February", "March", "April", "May", "June", "July", "August", "September"),
    *("October", "November", "December"),
)
WORDS = (
    *("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"),
    *("eleven", "twelve"),
)
CODES = "ABCDEFGHJKLMNPRSTUVWXZ"


@dataclass(frozen=True)
class Drawn:
    """A value, the request's words for it, and whether it has to be computed from them."""

    value: Any
    said: str
    converted: bool = False


@dataclass(frozen=True)
class Form:
    """The values of an argument: `draw` makes one, and `note` ends the argument's description."""

    schema: Mapping[str, Any]
    draw: Callable[[random.Random], Drawn]
    note: str = ""


def form_of(kind: str, arguments: str, rng: random.Random) -> Form:
    """The form that a line of the tables names, such as `int 2 90`.

    Raises:
        KeyError: there is no such kind.
    """
    if kind in _POOLS:
        pool = _POOLS[kind]
        return Form({"type": "string"}, lambda rng: _same(rng.choice(rng.choice(pool))))
    return _KINDS[kind](arguments, rng)


def listed(rng: random.Random, parts: list[str]) -> str:
    """The parts in a row: "a, b and c"."""
    if len(parts) == 1:
        return parts[0]
    join = rng.choice((" and ", " and ", ", and ")) if len(parts) > 2 else " and "
    return ", ".join(parts[:-1]) + join + parts[-1]


def plain(value: float) -> int | float:
    """A number without rounding errors, and without a fraction of zero.

    >>> plain(3.0), plain(0.1 + 0.2)
    (3, 0.3)
    """
    value = round(value, 4)
    return int(value) if value == int(value) else value


def _same(text: str) -> Drawn:
    return Drawn(text, text)


def _bounds(arguments: str) -> tuple[int, int]:
    low, high = arguments.split()[:2]
    return int(low), int(high)


def _int(arguments: str, _: random.Random) -> Form:
    low, high = _bounds(arguments)

    def draw(rng: random.Random) -> Drawn:
        value = number(rng, low, high)
        return Drawn(value, f"{value:,}" if value > 9999 and rng.random() < 0.5 else str(value))

    return Form({"type": "integer"}, draw)


def _count(arguments: str, _: random.Random) -> Form:
    low, high = _bounds(arguments)

    def draw(rng: random.Random) -> Drawn:
        value = number(rng, low, high)
        if value < len(WORDS) and rng.random() < 0.5:
            return Drawn(value, WORDS[value], converted=True)
        return Drawn(value, str(value))

    return Form({"type": "integer"}, draw)


def _float(arguments: str, _: random.Random) -> Form:
    low, high = _bounds(arguments)

    def draw(rng: random.Random) -> Drawn:
        whole = number(rng, low, high)
        tenths = rng.randint(1, 9)
        if whole < len(WORDS) and whole > 1 and rng.random() < 0.15:
            return Drawn(whole + 0.5, f"{WORDS[whole]} and a half", converted=True)
        if rng.random() < 0.3:
            return Drawn(whole, str(whole))
        if rng.random() < 0.3:
            return Drawn(plain(whole + tenths / 10 + 0.05), f"{whole}.{tenths}5")
        return Drawn(plain(whole + tenths / 10), f"{whole}.{tenths}")

    return Form({"type": "number"}, draw)


def _money(arguments: str, rng: random.Random) -> Form:
    low, high = _bounds(arguments)
    step = 1 if high < 100 else 5 if high < 1000 else 50 if high < 20_000 else 500

    def draw(rng: random.Random) -> Drawn:
        value = number(rng, low // step, high // step) * step
        said = rng.choice((f"${value}", f"${value:,}", f"{value} dollars", f"{value:,} dollars"))
        return Drawn(value, said, converted=True)

    return Form({"type": rng.choice(("integer", "number"))}, draw)


def _share(rng: random.Random) -> int | float:
    return plain(rng.choice((number(rng, 1, 9), number(rng, 1, 9) + 0.5, number(rng, 2, 15) * 5)))


def _fraction(_: str, rng: random.Random) -> Form:
    def draw(rng: random.Random) -> Drawn:
        share = _share(rng)
        said = rng.choice((f"{share}%", f"{share} %", f"{share} percent"))
        return Drawn(plain(share / 100), said, converted=True)

    return Form({"type": "number"}, draw, rng.choice(("", ", e.g. 0.05 for 5%")))


def _percent(_: str, rng: random.Random) -> Form:
    def draw(rng: random.Random) -> Drawn:
        share = _share(rng)
        return Drawn(share, rng.choice((f"{share}%", f"{share} %", f"{share} percent")))

    return Form({"type": "number"}, draw)


def _year(_: str, rng: random.Random) -> Form:
    return _int("1950 2023", rng)


_DATE_FORMS: tuple[tuple[str, Callable[[int, int, int], str]], ...] = (
    (" in YYYY-MM-DD format", lambda y, m, d: f"{y}-{m:02}-{d:02}"),
    (" (YYYY-MM-DD)", lambda y, m, d: f"{y}-{m:02}-{d:02}"),
    (", as MM/DD/YYYY", lambda y, m, d: f"{m:02}/{d:02}/{y}"),
    (" in the form DD.MM.YYYY", lambda y, m, d: f"{d:02}.{m:02}.{y}"),
    (", such as 'March 5, 2021'", lambda y, m, d: f"{ALL_MONTHS[m - 1]} {d}, {y}"),
)


def _date(_: str, rng: random.Random) -> Form:
    note, write = rng.choice(_DATE_FORMS)

    def draw(rng: random.Random) -> Drawn:
        year, month, day = number(rng, 2015, 2025), rng.randint(1, 12), number(rng, 1, 28)
        name = ALL_MONTHS[month - 1]
        ending = {1: "st", 2: "nd", 3: "rd"}.get(day % 10 if day not in (11, 12, 13) else 0, "th")
        said = rng.choice(
            (f"{name} {day}, {year}", f"{day} {name} {year}", f"the {day}{ending} of {name} {year}",
             f"{name} {day}{ending}, {year}", f"{year}-{month:02}-{day:02}")
        )  # fmt: skip
        value = write(year, month, day)
        return Drawn(value, said, converted=value != said)

    return Form({"type": "string"}, draw, note)


def _time(_: str, rng: random.Random) -> Form:
    def draw(rng: random.Random) -> Drawn:
        hour, minute = number(rng, 6, 22), rng.choice((0, 0, 15, 30, 40))
        value = f"{hour:02}:{minute:02}"
        half = "am" if hour < 12 else "pm"
        short = (hour - 1) % 12 + 1
        said = rng.choice((f"{short}:{minute:02} {half}", value, f"{short} {half}"))
        if minute and ":" not in said:
            said = f"{short}:{minute:02} {half}"
        return Drawn(value, said, converted=value != said)

    return Form({"type": "string"}, draw, rng.choice((" (HH:MM, 24-hour clock)", " as HH:MM")))


def _oneof(arguments: str, _: random.Random) -> Form:
    options = arguments.split("|")
    return Form({"type": "string"}, lambda rng: _same(rng.choice(options)))


def _enum(arguments: str, rng: random.Random) -> Form:
    said: dict[str, list[str]] = {}
    for entry in arguments.split(";"):
        value, _, forms = entry.strip().partition("=")
        said[value] = forms.split(",") if forms else [value]

    def draw(rng: random.Random) -> Drawn:
        value = rng.choice(list(said))
        form = rng.choice(said[value])
        return Drawn(value, form, converted=form != value)

    if rng.random() < 0.25:  # some schemas say it in words only
        return Form({"type": "string"}, draw, f": {', '.join(said)}")
    return Form({"type": "string", "enum": list(said)}, draw)


def _bool(arguments: str, _: random.Random) -> Form:
    yes, no = (side.strip().split("|") for side in arguments.split(" / "))

    def draw(rng: random.Random) -> Drawn:
        value = rng.random() < 0.6
        return Drawn(value, rng.choice(yes if value else no), converted=True)

    return Form({"type": "boolean"}, draw)


def _list(arguments: str, rng: random.Random) -> Form:
    kind, least, most = arguments.rsplit(" ", 2)
    one = form_of(*kind.partition(":")[::2], rng) if ":" in kind else form_of(kind, "", rng)

    def draw(rng: random.Random) -> Drawn:
        count, found = rng.randint(int(least), int(most)), list[str]()
        while len(found) < count:
            if (value := one.draw(rng).value) not in found:
                found.append(value)
        return Drawn(found, listed(rng, found))

    return Form({"type": "array", "items": one.schema}, draw)


def _numbers(arguments: str, rng: random.Random, one: Form) -> Form:
    least, most = _bounds(arguments)

    def draw(rng: random.Random) -> Drawn:
        found = [one.draw(rng).value for _ in range(rng.randint(least, most))]
        texts = [str(value) for value in found]
        said = rng.choice((listed(rng, texts), ", ".join(texts)))
        return Drawn(found, said)

    return Form({"type": "array", "items": one.schema}, draw)


def _ints(arguments: str, rng: random.Random) -> Form:
    return _numbers(arguments, rng, _int(arguments.split(" ", 2)[2], rng))


def _floats(arguments: str, rng: random.Random) -> Form:
    return _numbers(arguments, rng, _float(arguments.split(" ", 2)[2], rng))


def _id(arguments: str, _: random.Random) -> Form:
    def draw(rng: random.Random) -> Drawn:
        tail = rng.choice((str(number(rng, 1000, 9999)), f"-{number(rng, 100, 999)}",
                           f"{rng.choice(CODES)}{number(rng, 10, 99)}"))  # fmt: skip
        return _same(f"{arguments}{tail}")

    return Form({"type": "string"}, draw)


def _made(write: Callable[[random.Random], str]) -> Callable[[str, random.Random], Form]:
    return lambda _, __: Form({"type": "string"}, lambda rng: _same(write(rng)))


def _name(rng: random.Random) -> str:
    return f"{rng.choice(PEOPLE)} {rng.choice(STEMS).title()}"


_POOLS: dict[str, tuple[tuple[str, ...], ...]] = {
    "city": (CITIES, CITIES, PLACES),
    "country": (COUNTRIES,),
    "person": (PEOPLE,),
    "company": (COMPANIES,),
    "team": (TEAMS,),
    "day": (DAYS,),
    "month": (ALL_MONTHS,),
}
_KINDS: dict[str, Callable[[str, random.Random], Form]] = {
    "int": _int,
    "count": _count,
    "float": _float,
    "money": _money,
    "fraction": _fraction,
    "percent": _percent,
    "year": _year,
    "date": _date,
    "time": _time,
    "oneof": _oneof,
    "enum": _enum,
    "bool": _bool,
    "list": _list,
    "ints": _ints,
    "floats": _floats,
    "id": _id,
    "name": _made(_name),
    "email": _made(lambda rng: f"{rng.choice(PEOPLE).lower()}@{rng.choice(SITES)}"),
    "address": _made(lambda rng: f"{number(rng, 1, 90)} {rng.choice(STREETS)}"),
    "url": _made(lambda rng: f"https://{rng.choice(SITES)}/{rng.choice(THINGS)}"),
    "handle": _made(lambda rng: f"{rng.choice(PEOPLE).lower()}_{rng.choice(THINGS)}"),
}
KIND_NAMES = (*_POOLS, *_KINDS, "objects", "object")
"""All kinds that a line of the tables may name; the last two hold others."""

NEEDS_WORDS = frozenset({"date", "time", "fraction", "percent", "bool", "enum"})
"""Kinds that no name explains well enough."""
