"""Grammars for llama.cpp's sampler: JSON that matches a schema, and one step of the agent's text.

A schema does not bound lengths: any number of digits makes a number. A small model that has begun
to write zeros can go on until its tokens are used up. So every number's digits are bounded, and
texts and lists too after a reply that did not end.
"""

import json
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from g2c.inference.backend import ToolSchema

Schema = Mapping[str, Any]

MAX_NUMBER = 10**15 - 1
"""The largest number of 15 digits; a float represents no more exactly."""
FRACTION = 1e-9
"""Fractions are multiples of this: nine digits after the point."""

_HEAD = "%llguidance {}\nstart: "
_BY_NAME = ("properties", "$defs", "definitions")
_IN_LISTS = ("anyOf", "oneOf", "allOf", "prefixItems")
_SINGLE = ("items", "additionalProperties")
_MORE = {"anyOf", "oneOf", "$ref", "if"}


def as_grammar(schema: Schema, max_chars: int | None = None) -> str:
    """`schema` as a grammar for llama.cpp's sampler.

    White space has one form, because a small model that may write newlines can write them for ever.
    Properties come in the schema's order. Numbers are at most `MAX_NUMBER`, with at most nine
    digits after the point, unless the schema asks for more. With `max_chars`, texts have at most
    that many characters, and lists an item for every 16 of them. Keywords that the sampler cannot
    enforce are left to `check_json`.
    """
    from xllamacpp import json_schema_to_grammar

    rules = {
        "whitespace_flexible": False,
        "item_separator": ", ",
        "key_separator": ": ",
        "lenient": True,
        "coerce_one_of": True,
    }
    ending = _everywhere(schema, lambda part: _shorten(_end_number(part), max_chars))
    grammar: str = json_schema_to_grammar({**ending, "x-guidance": rules})
    return grammar


def step_grammar(tools: Sequence[ToolSchema], eos: str, max_chars: int | None = None) -> str:
    """One step of the agent's text protocol, from after `Thought:` on, as such a grammar.

    It is a line of thought; then `Action:` with one of `tools` and `Action Input:` with a JSON
    object that fits its schema, or `Final Answer:` with a line. `eos` is the text of the token with
    which the model ends what it writes. `max_chars` is as in `as_grammar`, and bounds the thought.
    """
    actions = []
    for tool in tools:
        name, parameters = tool["function"]["name"], tool["function"]["parameters"]
        arguments = as_grammar(close(parameters), max_chars).removeprefix(_HEAD)
        head = json.dumps(f"\nAction: {name}\nAction Input: ", ensure_ascii=False)
        actions.append(f"| {head} {arguments}")
    # The sampler can end a text only with one token, which need not be the one that the model was
    # trained on.
    end = f'("\\n" | {eos})?' if re.fullmatch(r"<[^<>\s]+>", eos) else '"\\n"?'
    rest = "*" if max_chars is None else f"{{0,{max_chars}}}"
    begun = _not_beginning("action", "final answer", "observation")
    lines = [
        f"{_HEAD}THOUGHT step",
        f'step: "\\nFinal Answer: " LINE {end}',
        *actions,
        r"LINE: /[^\r\n]+/",
        rf"THOUGHT: /[ \t]?({begun})[^\r\n]{rest}/",
    ]
    return "\n".join(lines)


def close(schema: Schema) -> Any:
    """`schema` without additional properties: an object that names properties and does not say
    whether others are allowed gets none.

    >>> close({"properties": {"n": {"type": "integer"}}})["additionalProperties"]
    False
    >>> close({"type": "object"})
    {'type': 'object'}
    """
    parts: list[dict[str, Any]] = []

    def keep(part: dict[str, Any]) -> dict[str, Any]:
        parts.append(part)
        return part

    _everywhere(schema, keep)
    # If a value has to match several schemas, each knows only its own properties.
    if any("allOf" in part or ("properties" in part and part.keys() & _MORE) for part in parts):
        return schema
    return _everywhere(schema, _close)


def _close(schema: dict[str, Any]) -> dict[str, Any]:
    if "properties" not in schema or schema.keys() & {"additionalProperties", "patternProperties"}:
        return schema
    return {**schema, "additionalProperties": False}


def _end_number(schema: dict[str, Any]) -> dict[str, Any]:
    if not _is_open(schema, "integer", "number"):
        return schema
    low = max(schema.get(key, -MAX_NUMBER) for key in ("minimum", "exclusiveMinimum"))
    high = min(schema.get(key, MAX_NUMBER) for key in ("maximum", "exclusiveMaximum"))
    ended = dict(schema)
    if not schema.keys() & {"minimum", "exclusiveMinimum"} and high > -MAX_NUMBER:
        ended["minimum"] = -MAX_NUMBER
    if not schema.keys() & {"maximum", "exclusiveMaximum"} and low < MAX_NUMBER:
        ended["maximum"] = MAX_NUMBER
    if _is_open(schema, "number"):
        ended.setdefault("multipleOf", FRACTION)
    return ended


def _shorten(schema: dict[str, Any], max_chars: int | None) -> dict[str, Any]:
    if max_chars is None:
        return schema
    short = dict(schema)
    if _is_open(schema, "string") and not schema.keys() & {"pattern", "format"}:
        most = min(schema.get("maxLength", max_chars), max_chars)
        short["maxLength"] = max(most, schema.get("minLength", 0))
    if _is_open(schema, "array"):
        items = max(1, max_chars // 16)
        most = min(schema.get("maxItems", items), items)
        short["maxItems"] = max(most, schema.get("minItems", 0))
    return short


def _is_open(schema: Schema, *types: str) -> bool:
    """Whether all values of these types are allowed, not only those of a list."""
    kind = schema.get("type", ())
    kinds = {kind} if isinstance(kind, str) else set(kind)
    return bool(kinds & set(types)) and not schema.keys() & {"enum", "const"}


def _everywhere(schema: Any, change: Callable[[dict[str, Any]], dict[str, Any]]) -> Any:
    """`schema`, with `change` applied to each subschema that values have to match."""
    if not isinstance(schema, Mapping):
        return schema
    new = dict(schema)
    for key in _BY_NAME:
        if isinstance(schema.get(key), Mapping):
            new[key] = {name: _everywhere(part, change) for name, part in schema[key].items()}
    for key in _IN_LISTS:
        if isinstance(schema.get(key), list | tuple):
            new[key] = [_everywhere(part, change) for part in schema[key]]
    for key in _SINGLE:
        if key in schema:
            new[key] = _everywhere(schema[key], change)
    return change(new)


def _not_beginning(*words: str) -> str:
    """A regular expression for the start of a line that begins with none of these words, whose
    first letters all differ.

    >>> bool(re.fullmatch(_not_beginning("no"), "nu")), bool(re.match(_not_beginning("no"), "No"))
    (True, False)
    """
    firsts = "".join(word[0] + word[0].upper() for word in words)
    forms = [rf"[^{firsts}\s]"]
    for word in words:
        for size in range(1, len(word)):
            begun = "".join(f"[{letter}{letter.upper()}]" for letter in word[:size])
            forms.append(rf"{begun}[^{word[size]}{word[size].upper()}\r\n]")
    return "|".join(forms)
