"""Calls of tools of every shape: the values of a request go where the tool's schema wants them.

The tables of `data/shapes/` have functions as people write them for real services. Each time, the
names, descriptions, forms of dates and defaults of one are drawn anew, and a request gives some of
the optional arguments and leaves out others. The call has exactly the values of the request, in the
form that the schema asks for.
"""

from __future__ import annotations

import json
import math
import random
import zlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from statistics import mean
from typing import Any

from g2c.tools import Tool
from maintain.training.kinds.shape_tables import FIELD, FRAGMENT, Argument, Function, load_functions
from maintain.training.kinds.shape_values import NEEDS_WORDS, Drawn, Form, form_of, listed, plain
from maintain.training.scenario import Move, Scenario

UNKNOWN = "I do not know: no tool that I have can tell."
"""The answer if no tool fits, as in the other kinds of tasks."""

_ENV: dict[str, Any] = {
    "__builtins__": {},
    **{name: getattr(math, name) for name in ("pi", "sqrt", "lcm", "ceil")},
    **{f.__name__: f for f in (sum, len, min, max, round, sorted, zip, mean)},
}


@dataclass(frozen=True)
class Slot:
    """An argument of a tool: its line of the table, its name in this tool, and its form."""

    argument: Argument
    name: str
    form: Form
    fields: tuple[Slot, ...] = ()


@dataclass(frozen=True)
class Offer:
    """A function as one tool offers it."""

    function: Function
    tool: Tool
    slots: tuple[Slot, ...]


@dataclass(frozen=True)
class Request:
    """A request, and the call that it asks for. `said` has the request's words for each value, in
    the order of the arguments; `thought` names the values."""

    offer: Offer
    question: str
    arguments: Mapping[str, Any]
    said: tuple[str, ...]
    thought: str
    result: str
    answer: str


def make_offer(rng: random.Random, function: Function) -> Offer:
    """The function with random names, descriptions and forms."""
    style = rng.choice((_snake, _snake, _snake, _camel))
    slots = tuple(_slot(rng, argument, style) for argument in function.arguments)
    verb = rng.choice(function.verbs)
    name = rng.choice(
        (*[f"{verb}_{function.stem}"] * 4, function.stem, f"{function.domain}_{function.stem}",
         f"{function.domain}_{verb}_{function.stem}")
    )  # fmt: skip
    about = _reworded(rng, function.about)
    tool = Tool(style(name), about, _schema(slots), _function(function, slots))
    return Offer(function, tool, slots)


def make_request(rng: random.Random, offer: Offer) -> Request:
    """A request for the tool; no two of its texts are the same."""
    template = rng.choice(offer.function.requests)
    wanted = {
        field
        for fragment in FRAGMENT.findall(template)
        if rng.random() < 0.5
        for field in FIELD.findall(fragment)
    } | set(FIELD.findall(FRAGMENT.sub("", template)))
    values, spoken, arguments = dict[str, Any](), dict[str, str](), dict[str, Any]()
    notes, said = list[str](), list[str]()
    for slot in offer.slots:
        canonical = slot.argument.names[0]
        if not any(field.split(".")[0] == canonical for field in wanted):
            continue
        value, words, parts = _fill(rng, slot, wanted)
        values[canonical] = arguments[slot.name] = value
        spoken |= words
        said += parts
        notes.append(_note(slot, value, words))
    texts = [value for value in arguments.values() if isinstance(value, str)]
    if len(set(texts)) < len(texts):
        return make_request(rng, offer)
    question = FRAGMENT.sub(lambda found: _spoken_part(found[1], spoken), template)
    question = FIELD.sub(lambda found: spoken[found[1]], question)
    result = _result(offer.function, values)
    thought = f"I need to call {offer.tool.name}: {', '.join(notes)}."
    answer = offer.function.answer.format(result)
    return Request(offer, _framed(rng, question), arguments, tuple(said), thought, result, answer)


def shape(rng: random.Random) -> Scenario:
    """A request for one call, for two, or for something that no tool at hand does."""
    return rng.choice((*[_one_call] * 9, _two_calls, _no_call, _no_call))(rng)


def other_tools(rng: random.Random, function: Function, count: int, near: bool) -> list[Tool]:
    """Other tools to offer with one; some are of its domain if they may be `near`."""
    functions = [one for one in load_functions() if one.stem != function.stem]
    kin = [one for one in functions if one.domain == function.domain]
    far = [one for one in functions if one.domain != function.domain]
    chosen = rng.sample(kin, min(len(kin), rng.randint(0, count))) if near else []
    chosen += rng.sample(far, count - len(chosen))
    return list(
        {tool.name: tool for one in chosen for tool in [make_offer(rng, one).tool]}.values()
    )


def _one_call(rng: random.Random) -> Scenario:
    request = make_request(rng, make_offer(rng, rng.choice(load_functions())))
    return _scenario(rng, [request])


def _two_calls(rng: random.Random) -> Scenario:
    """Two requests at once, of one tool or of two."""
    first = make_offer(rng, rng.choice(load_functions()))
    kin = [one for one in load_functions() if one.domain == first.function.domain]
    second = make_offer(rng, rng.choice(kin))
    if second.tool.name == first.tool.name or rng.random() < 0.4:
        second = first
    requests = [make_request(rng, first), make_request(rng, second)]
    one, other = requests
    if one.question == other.question or (second is first and one.arguments == other.arguments):
        return _two_calls(rng)
    return _scenario(rng, requests)


def _scenario(rng: random.Random, requests: Sequence[Request]) -> Scenario:
    offered = {request.offer.tool.name: request.offer.tool for request in requests}
    count = rng.choice((0, 0, 0, 1, 1, 2, 3, 4)) if len(requests) == 1 else rng.choice((0, 0, 1))
    function = requests[0].offer.function
    others = [
        tool for tool in other_tools(rng, function, count, near=True) if tool.name not in offered
    ]
    moves, known = list[Move](), ""
    for request in requests:
        tool = request.offer.tool.name
        thought = f"{known} {request.thought}".strip()
        moves.append(Move(thought, tool, request.arguments, request.result))
        known = f"The tool gives {request.result}."
    return Scenario(
        question=" ".join(request.question for request in requests),
        moves=tuple(moves),
        thought=known,
        answer=" ".join(request.answer for request in requests),
        value=requests[-1].result,
        goal=" and ".join(_lower(request.offer.function.about[:-1]) for request in requests),
        steps=(*(f"Call {move.tool}." for move in moves), "Give the result."),
        tools=(*offered.values(), *others),
    )


def _no_call(rng: random.Random) -> Scenario:
    """A request that none of the tools fits."""
    function = rng.choice(load_functions())
    request = make_request(rng, make_offer(rng, function))
    return Scenario(
        question=request.question,
        moves=(),
        thought="No tool can tell me this.",
        answer=UNKNOWN,
        value="not",
        goal="see whether this can be known",
        steps=("See whether a tool can tell.", "Give the answer."),
        tools=tuple(other_tools(rng, function, rng.choice((1, 1, 2, 3)), near=False)),
    )


def _slot(rng: random.Random, argument: Argument, style: Callable[[str], str]) -> Slot:
    name = style(argument.names[0] if rng.random() < 0.4 else rng.choice(argument.names))
    fields = tuple(_slot(rng, one, style) for one in argument.fields)
    if fields:
        form = Form(_nested(argument, _schema(fields)), lambda rng: Drawn({}, ""))
        return Slot(argument, name, _described(rng, argument, form, None), fields)
    form = form_of(argument.kind, argument.details, rng)
    default = _default(argument, form)
    return Slot(argument, name, _described(rng, argument, form, default))


def _nested(argument: Argument, schema: dict[str, Any]) -> dict[str, Any]:
    return {"type": "array", "items": schema} if argument.kind == "objects" else schema


def _default(argument: Argument, form: Form) -> Any:
    match form.schema["type"]:
        case _ if not argument.default:
            return None
        case "boolean":
            return argument.default == "true"
        case "integer" | "number":
            return plain(float(argument.default))
    return argument.default


def _described(rng: random.Random, argument: Argument, form: Form, default: Any) -> Form:
    """The form with a description in its schema, or with none where the name is enough."""
    about = argument.about
    if form.note.startswith(":"):
        about = f"{about}{form.note}"
    elif form.note:
        about = f"{about.rstrip('.')}{form.note}"
    elif argument.kind not in NEEDS_WORDS and rng.random() < 0.08:
        return form
    schema = dict(form.schema)
    if default is not None:
        said = json.dumps(default) if not isinstance(default, str) else default
        about += rng.choice(
            ("", f". Default is {said}.", f" (default: {said})", f", defaults to {said}",
             f". Optional, {said} if not given.")
        )  # fmt: skip
        if rng.random() < 0.4:
            schema["default"] = default
    about = about if about.endswith(".") or rng.random() < 0.5 else f"{about}."
    return Form({**schema, "description": about}, form.draw, form.note)


def _schema(slots: Sequence[Slot]) -> dict[str, Any]:
    """The schema of an object with these, as people write it: without additionalProperties."""
    return {
        "type": "object",
        "properties": {slot.name: slot.form.schema for slot in slots},
        "required": [slot.name for slot in slots if slot.argument.required],
    }


def _fill(
    rng: random.Random, slot: Slot, wanted: set[str], path: str = ""
) -> tuple[Any, dict[str, str], list[str]]:
    """A value for the slot, the words for each of its fields, and all words together."""
    path += slot.argument.names[0]
    if slot.argument.kind == "objects":
        least, most, template = slot.argument.details.split(" ", 2)
        rows = [_row(rng, slot, template) for _ in range(rng.randint(int(least), int(most)))]
        words = listed(rng, [text for _, text, _ in rows])
        return (
            [row for row, _, _ in rows],
            {path: words},
            [one for _, _, said in rows for one in said],
        )
    if slot.fields:
        value, spoken, parts = dict[str, Any](), dict[str, str](), list[str]()
        for field in slot.fields:
            if f"{path}.{field.argument.names[0]}" in wanted:
                inner, words, said = _fill(rng, field, wanted, f"{path}.")
                value[field.name] = inner
                spoken |= words
                parts += said
        return value, spoken, parts
    drawn = slot.form.draw(rng)
    parts = [str(one) for one in drawn.value] if isinstance(drawn.value, list) else [drawn.said]
    return drawn.value, {path: drawn.said}, parts


def _row(
    rng: random.Random, slot: Slot, template: str
) -> tuple[dict[str, Any], str, tuple[str, ...]]:
    drawn = {field.argument.names[0]: (field.name, field.form.draw(rng)) for field in slot.fields}
    text = template.format(**{name: value.said for name, (_, value) in drawn.items()})
    said = tuple(value.said for _, value in drawn.values())
    return {name: value.value for name, value in drawn.values()}, text, said


def _note(slot: Slot, value: Any, words: Mapping[str, str]) -> str:
    """The argument in a thought: a computed value comes after the words that it is made from."""
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    if slot.argument.kind == "fraction":
        (said,) = words.values()
        return f"{slot.name} {said} is {text}"
    return f"{slot.name} {text}"


def _spoken_part(fragment: str, spoken: Mapping[str, str]) -> str:
    return fragment if all(field in spoken for field in FIELD.findall(fragment)) else ""


def _framed(rng: random.Random, question: str) -> str:
    """The request with or without a word before or after it, and a capital letter."""
    question = question[0].upper() + question[1:]
    before = rng.choice((*[""] * 12, "Hello! ", "Hi. ", "A question: "))
    return before + question + rng.choice((*[""] * 12, " Thank you!", " Thanks.", " Please help."))


def _function(function: Function, slots: Sequence[Slot]) -> Callable[..., str]:
    canonical = {slot.name: slot.argument.names[0] for slot in slots}
    return lambda **given: _result(function, {canonical[name]: v for name, v in given.items()})


def _result(function: Function, values: Mapping[str, Any]) -> str:
    """The function's result for these arguments, always the same."""
    if function.computed:
        names = {argument.names[0]: None for argument in function.arguments} | dict(values)
        return str(plain(round(eval(function.result, _ENV, names), 2)))
    key = f"{function.stem} {json.dumps(values, sort_keys=True)}"
    rng = random.Random(zlib.crc32(key.encode()))
    kind, _, details = function.result.partition(" ")
    return form_of(kind, details, rng).draw(rng).said


def _reworded(rng: random.Random, about: str) -> str:
    verb, rest = about.split(" ", 1)
    third = f"{verb}{'es' if verb.endswith(('sh', 'ch')) else 's'} {rest}"
    return rng.choice(
        (about, about, about, about[:-1], third, f"This function {_lower(third)}",
         f"Use this to {_lower(about)}")
    )  # fmt: skip


def _lower(text: str) -> str:
    return text[0].lower() + text[1:]


def _snake(name: str) -> str:
    return name


def _camel(name: str) -> str:
    first, *rest = name.split("_")
    return first + "".join(map(str.title, rest))
