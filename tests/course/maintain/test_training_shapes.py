"""Requests for tools of every shape ask for exactly the calls that they come with."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from training_traces import make_traces

from g2c.inference.structured.constrained import plain_messages
from g2c.tools import Tool, render_tools_for_chat, render_tools_for_prompt
from maintain.training.kinds.shape_tables import FIELD, FRAGMENT, Argument, load_functions
from maintain.training.kinds.shape_values import ALL_MONTHS, WORDS
from maintain.training.kinds.shapes import Request, make_offer, make_request

pytestmark = pytest.mark.long

FUNCTIONS = load_functions()
OPTIONAL = re.compile(r"\[[^\]]*\{(\w+)\}")
"""An argument, and no field of one, that a request gives in brackets."""


@cache
def requests() -> tuple[Request, ...]:
    """Some requests for each function."""
    return tuple(
        make_request(rng, make_offer(rng, function))
        for function in FUNCTIONS
        for rng in map(random.Random, range(12))
    )


def fields_of(arguments: tuple[Argument, ...], path: str = "") -> Iterator[tuple[str, bool]]:
    """Each argument that a request can name, and whether it has to."""
    for one in arguments:
        if one.fields and one.kind == "object":
            inner = fields_of(one.fields, f"{path}{one.names[0]}.")
            yield from ((name, one.required and required) for name, required in inner)
        else:
            yield f"{path}{one.names[0]}", one.required


def leaves(value: Any) -> Iterator[Any]:
    match value:
        case dict():
            for item in value.values():
                yield from leaves(item)
        case list():
            for item in value:
                yield from leaves(item)
        case _:
            yield value


def test_there_are_functions_of_many_domains_and_shapes() -> None:
    assert len(FUNCTIONS) >= 100 and len({one.domain for one in FUNCTIONS}) >= 35
    assert len({one.stem for one in FUNCTIONS}) == len(FUNCTIONS), "two functions have one name"
    assert {len(one.arguments) for one in FUNCTIONS} >= {1, 2, 3, 4, 5}


@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda one: one.stem)
def test_a_request_gives_all_that_is_required(function: Any) -> None:
    fields = dict(fields_of(function.arguments))
    for request in function.requests:
        named, always = FIELD.findall(request), FIELD.findall(FRAGMENT.sub("", request))
        assert set(named) <= fields.keys(), f"{request!r} names what is no argument"
        missing = {name for name, required in fields.items() if required} - set(always)
        assert not missing, f"{request!r} does not give {missing}"


def test_every_call_is_valid_and_gives_its_result() -> None:
    for request in requests():
        tool = request.offer.tool
        Draft202012Validator.check_schema(tool.parameters)
        closed = {**tool.parameters, "additionalProperties": False}
        Draft202012Validator(closed).validate(request.arguments)
        order = [name for name in tool.parameters["properties"] if name in request.arguments]
        assert list(request.arguments) == order, f"{tool.name}: a grammar has another order"
        assert tool.func(**request.arguments) == request.result


def test_what_a_call_gives_was_said() -> None:
    for request in requests():
        for said in request.said:
            assert said.lower() in request.question.lower(), f"{said!r}: {request.question}"
        count = len(list(leaves(request.arguments)))
        assert count == len(request.said), f"{request.arguments} are not {request.said}"


def test_a_text_or_number_is_in_the_request_or_stands_for_what_is() -> None:
    for request in requests():
        for value, said in zip(leaves(request.arguments), request.said, strict=True):
            if isinstance(value, bool) or str(value) == said:
                continue
            if isinstance(value, int | float):
                digits = said.strip("$% ").replace(",", "").split(" ")[0]
                word = WORDS.index(digits) if digits in WORDS else float(digits)
                halves = 0.5 if said.endswith("and a half") else 0
                same = value in (word + halves, round(word / 100, 4))
                assert same, f"{value} is not {said!r}"
            else:
                assert is_form_of(request, value, said), f"{value!r} is not {said!r}"


def is_form_of(request: Request, value: str, said: str) -> bool:
    """Whether a text is a date or a time of the same digits, or an option for what was said."""
    digits = {int(part) for part in "".join(c if c.isdigit() else " " for c in said).split()}
    own = {int(part) for part in "".join(c if c.isdigit() else " " for c in value).split()}
    if digits and own:
        months = {number for number, name in enumerate(ALL_MONTHS, 1) if name in value}
        return digits <= own | months | {hour - 12 for hour in own}
    arguments = [a for one in request.offer.function.arguments for a in (one, *one.fields)]
    entries = [
        entry.strip().partition("=")[::2]
        for one in arguments
        if one.kind == "enum"
        for entry in one.details.split(";")
    ]
    return any(value == option and said in forms.split(",") for option, forms in entries)


def test_an_optional_argument_that_is_not_given_is_absent() -> None:
    """What is said is counted above; here, that both cases happen for nearly all functions."""
    some = {function.stem: set[frozenset[str]]() for function in FUNCTIONS}
    for request in requests():
        names = {slot.name: slot.argument.names[0] for slot in request.offer.slots}
        some[request.offer.function.stem].add(frozenset(names[one] for one in request.arguments))
    for function in FUNCTIONS:
        left_out = {name for text in function.requests for name in OPTIONAL.findall(text)}
        if left_out:
            given = some[function.stem]
            assert len(given) > 1, (
                f"{function.stem} always gets {given}, with or without {left_out}"
            )


def test_native_calls_of_all_shapes_are_learned_as_one_line_of_json() -> None:
    traces = [trace for trace in make_traces() if trace["kind"] == "native_shape"]
    assert len(traces) > 50
    for trace in traces:
        *calls, last = (
            json.loads(text.removesuffix("<|im_end|>"))
            for text, is_learned in trace["segments"]
            if is_learned
        )
        assert all(call.keys() == {"tool", "arguments"} for call in calls), f"{calls}"
        assert trace["answer"] in last["answer"], f"{trace['answer']}: {last}"


NESTED = Tool(
    "find_flat",
    "Find a flat.",
    {
        "type": "object",
        "properties": {
            "town": {"type": "string"},
            "price": {
                "type": "object",
                "description": "limits",
                "properties": {"most": {"type": "integer", "description": "in euros"}},
                "required": ["most"],
            },
        },
        "required": ["town"],
    },
    lambda **_: "none",
)


@pytest.mark.parametrize("channel", ["text", "native"])
def test_both_channels_show_what_is_required_and_what_is_nested(channel: str) -> None:
    shown = render_tools_for_prompt([NESTED])
    if channel == "native":
        shown = plain_messages([], render_tools_for_chat([NESTED]))[0]["content"]
    for line in ("town (string)\n", "price (object, optional): limits\n", "most (integer): in e"):
        assert line in shown, f"{line!r} is missing in {shown}"
