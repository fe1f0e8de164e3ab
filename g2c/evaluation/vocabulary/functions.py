"""Functions of several parameters, for single calls."""

from __future__ import annotations

from typing import Any

from g2c.inference.structured.json_forms import object_schema


def _function(name: str, description: str, optional: str = "", **properties: Any) -> dict[str, Any]:
    """A function with these parameters, all required but those named in `optional`."""
    schema = object_schema(**properties)
    schema["required"] = [one for one in properties if one not in optional.split()]
    return {"name": name, "description": description, "parameters": schema}


def _text(about: str) -> dict[str, Any]:
    return {"type": "string", "description": about}


def _whole(about: str) -> dict[str, Any]:
    return {"type": "integer", "description": about}


def _flag(about: str) -> dict[str, Any]:
    return {"type": "boolean", "description": about}


def _one_of(about: str, *values: str) -> dict[str, Any]:
    return {"type": "string", "enum": list(values), "description": about}


def _list_of(items: dict[str, Any], about: str) -> dict[str, Any]:
    return {"type": "array", "items": items, "description": about}


_DATE = _text("the day, as YYYY-MM-DD")

_DEFINITIONS: dict[str, dict[str, Any]] = {
    one["name"]: one
    for one in (
        _function(
            "hire_boat",
            "Hire a rowing boat.",
            "sail",
            harbour=_text("the harbour's name"),
            hours=_whole("for how long"),
            sail=_flag("whether it has a sail, too; false if left out"),
        ),
        _function(
            "book_berth",
            "Book a berth on a night ship.",
            traveller=_text("the person's name"),
            deck=_one_of("which deck", "upper", "middle", "lower"),
            nights=_whole("for how many nights"),
        ),
        _function(
            "cut_rope",
            "Have pieces cut from a rope.",
            "colour",
            lengths=_list_of(_whole("metres"), "the length of each piece, in metres"),
            colour=_text("the rope's colour; any if left out"),
        ),
        _function(
            "call_meeting",
            "Call people to a meeting.",
            "secret",
            invited=_list_of(_text("a name"), "who is to come"),
            on=_DATE,
            secret=_flag("whether nobody else may know; false if left out"),
        ),
        _function(
            "plan_sale",
            "Plan a sale.",
            "helpers",
            goods=_text("what is sold"),
            begins=_DATE,
            helpers=_whole("how many helpers; as many as come if left out"),
        ),
        _function(
            "send_crate",
            "Send a crate by waggon.",
            "fragile",
            to=object_schema(name=_text("the person's name"), town=_text("the town")),
            holds=object_schema(goods=_text("what is in it"), pieces=_whole("how many")),
            fragile=_flag("whether it breaks easily; false if left out"),
        ),
        _function(
            "ring_bell",
            "Ring a tower's bell.",
            tower=_text("the tower"),
            times=_whole("how often"),
        ),
        _function(
            "bridge_toll",
            "Say what the toll of a bridge is.",
            bridge=_text("the bridge"),
            carts=_whole("how many carts cross"),
        ),
        _function(
            "weigh_salt",
            "Weigh salt into sacks.",
            "coarse",
            kilos={"type": "number", "description": "how much goes into each sack"},
            sacks=_whole("how many sacks"),
            coarse=_flag("whether it is coarse salt; false if left out"),
        ),
        _function(
            "tune_organ",
            "Have a church's organ tuned.",
            "pitch before",
            town=_text("the town of the church"),
            pitch=_one_of("the pitch; concert if left out", "concert", "baroque", "chamber"),
            before=_text("the day by which it must be done, as YYYY-MM-DD; any if left out"),
        ),
    )
}
"""Each function by its name. What they are described with are everybody's words."""

FUNCTION_NAMES = tuple(_DEFINITIONS)


def definition(name: str) -> dict[str, Any]:
    """A function's name, description and parameters."""
    return _DEFINITIONS[name]
