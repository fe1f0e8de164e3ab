"""Single calls of functions with several parameters: required and optional ones, choices, flags,
lists, days, and objects within objects."""

from collections.abc import Iterator, Mapping
from typing import Any

from g2c.inference.structured.json_forms import object_schema
from g2c.suite.draw import Draw
from g2c.suite.families.blanks import fill
from g2c.suite.tasks import CallTask
from g2c.suite.vocabulary import both, vocabulary

_MONTHS = ("March", "April", "May", "June", "July", "August", "September", "October")


def calls(draw: Draw) -> Iterator[CallTask]:
    """Requests for one of the functions at hand, or for none of them."""
    for functions, request, expected, arguments in draw.table(*both("calls")):
        words = fill(draw)
        day, month, year = draw.choice((3, 10, 17, 24)), draw.choice(_MONTHS), 2033
        date = f"{year}-{_MONTHS.index(month) + 3:02}-{day:02}"
        blanks = words | {"day": str(day), "month": month, "year": str(year), "date": date}
        accepted = {name: tuple(_filled(values, blanks)) for name, values in arguments.items()}
        at_hand = tuple(definition(name) for name in functions)
        yield CallTask(request.format(**blanks), expected, at_hand, accepted)


def definition(name: str) -> dict[str, Any]:
    """A function's name, description and parameters."""
    function = vocabulary()["functions"][name]
    schema = object_schema(**function["parameters"])
    for optional in function.get("optional", ()):
        schema["required"].remove(optional)
    return {"name": name, "description": function["description"], "parameters": schema}


def _filled(value: Any, blanks: Mapping[str, str]) -> Any:
    """The value with its blanks filled; a text that begins with `=` becomes a number, and `=`
    alone None.

    >>> _filled([{"n": "={k}"}, "{k}", "={k}.5", "="], {"k": "3"})
    [{'n': 3}, '3', 3.5, None]
    """
    if isinstance(value, list):
        return [_filled(element, blanks) for element in value]
    if isinstance(value, dict):
        return {name: _filled(part, blanks) for name, part in value.items()}
    if not isinstance(value, str):
        return value
    text = value.format(**blanks)
    if not text.startswith("="):
        return text
    if text == "=":
        return None
    return float(text[1:]) if "." in text else int(text[1:])
