"""Tools that are made up anew each time.

The name, description and arguments of one function are worded in several ways, and the data of a
look-up is random. A model cannot learn a hundred disguises by heart, so it learns to read.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from g2c.inference.structured.json_forms import object_schema
from g2c.tools import Tool
from maintain.training.vocabulary import (
    ANIMALS,
    COLOURS,
    DAYS,
    GOODS,
    MATERIALS,
    MONTHS,
    PEOPLE,
    PLACES,
    THINGS,
    a,
    number,
    phrases,
    pick,
)

Value = int | str


@dataclass(frozen=True)
class ToolCase:
    """A tool, a question that it answers, the call, its result, and the answer."""

    tool: Tool
    question: str
    arguments: dict[str, Value]
    result: str
    answer: str
    what: str


ATTRIBUTES: tuple[tuple[str, str, tuple[str, ...], Any], ...] = (
    ("extension", "person", PEOPLE, (100, 999)),
    ("shoe size", "person", PEOPLE, (35, 48)),
    ("birthday", "person", PEOPLE, "date"),
    ("favourite colour", "person", PEOPLE, COLOURS),
    ("seat", "guest", PEOPLE, (1, 99)),
    ("team", "player", PEOPLE, ANIMALS),
    ("desk", "employee", PEOPLE, (1, 400)),
    ("home town", "member", PEOPLE, PLACES),
    ("instrument", "musician", PEOPLE, ("drum", "cello", "fiddle", "piano", "trumpet", "violin")),
    ("score", "player", PEOPLE, (1, 900)),
    ("salary", "employee", PEOPLE, (1000, 9000)),
    ("manager", "employee", PEOPLE, PEOPLE),
    ("mayor", "town", PLACES, PEOPLE),
    ("postcode", "town", PLACES, (1000, 9999)),
    ("population", "city", PLACES, (1000, 90_000)),
    ("market day", "town", PLACES, DAYS),
    ("altitude", "town", PLACES, (2, 900)),
    ("temperature", "city", PLACES, (2, 35)),
    ("museum", "city", PLACES, tuple(f"the {material} museum" for material in MATERIALS)),
    ("platform", "destination", PLACES, (1, 12)),
    ("air quality", "city", PLACES, ("good", "fair", "poor")),
    ("price", "item", THINGS, (2, 900)),
    ("shelf", "product", THINGS, (1, 99)),
    ("maker", "product", THINGS, PEOPLE),
    ("weight", "article", THINGS, (1, 90)),
    ("warranty", "article", THINGS, (1, 60)),
    ("colour", "item", THINGS, COLOURS),
    ("material", "object", THINGS, MATERIALS),
    ("owner", "object", THINGS, PEOPLE),
    ("stock", "product", GOODS, (1, 900)),
    ("supplier", "product", GOODS, PEOPLE),
    ("origin", "product", GOODS, PLACES),
    ("cage", "animal", ANIMALS, (1, 40)),
    ("keeper", "animal", ANIMALS, PEOPLE),
    ("age", "animal", ANIMALS, (1, 30)),
    ("food", "animal", ANIMALS, GOODS),
    ("arrival", "animal", ANIMALS, "date"),
)
"""Attributes to look up, the things that have them, and their values: words, bounds or dates."""


def look_up(rng: random.Random) -> ToolCase:
    """A tool that knows one attribute of things of one kind."""
    what, kind, subjects, values = rng.choice(ATTRIBUTES)
    subject = rng.choice(subjects)
    if values == "date":
        result = f"{number(rng, 1, 28)} {rng.choice(MONTHS)}"
    elif isinstance(values[0], int):
        result = str(number(rng, *values))
    else:
        result = rng.choice(values)
    stem = what.replace(" ", "_")
    name = rng.choice(
        (f"{stem}_of", f"get_{stem}", f"{kind}_{stem}", f"find_{stem}", stem, f"{stem}_lookup",
         f"{kind}s", f"{kind}-info", f"read_{stem}", f"{stem}_by_{kind}", f"q{number(rng, 1, 9)}")
    )  # fmt: skip
    says = pick(rng, *phrases("made_tools.says"), what=what, kind=a(kind))
    argument = rng.choice((kind, kind, "name", f"{kind}_name", "of", "which", "query"))
    about = rng.choice((f"the {kind}", f"the {kind}'s name", f"which {kind}", ""))
    table = {subject: result}
    of = subject if subjects is PEOPLE or subjects is PLACES else f"the {subject}"
    question = pick(rng, *phrases("made_tools.asks"), what=what, of=of)
    made = make_tool(
        name,
        says,
        {argument: (str, about)},
        lambda value: table.get(value, f"there is no {kind} of that name"),
    )
    return ToolCase(
        made,
        question,
        {argument: subject},
        result,
        f"The {what} of {of} is {result}.",
        f"the {what} of {of}",
    )


def make_tool(
    name: str, says: str, arguments: dict[str, tuple[type, str]], func: Callable[..., Value]
) -> Tool:
    """The tool that `g2c.tools.tool` would make from a function with these arguments, in order."""
    kinds = {str: "string", int: "integer"}
    properties: dict[str, dict[str, str]] = {}
    for argument, (kind, about) in arguments.items():
        properties[argument] = {"type": kinds[kind]} | ({"description": about} if about else {})
    schema = object_schema(**properties)
    return Tool(name, says, schema, lambda **given: func(*(given[name] for name in arguments)))
