"""An answer in a form that a program can read: its JSON schema, asking for it, reading it back.

One schema is used on both sides of the call. A backend constrains the output to it if it can; in
any case the schema checks the answer.
"""

from __future__ import annotations

import string
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from g2c.foreign_json import load_json

if TYPE_CHECKING:
    from g2c.inference.backend import Backend, InferenceResult


def object_schema(**properties: Any) -> dict[str, Any]:
    """The schema of an object that has all of these properties, and no others.

    >>> object_schema(name={"type": "string"})["required"]
    ['name']
    """
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


def text_schema(
    max_chars: int | None = None, *, min_chars: int = 0, about: str = ""
) -> dict[str, Any]:
    """The schema of a text of `min_chars` to `max_chars` characters; `about` describes it.

    >>> text_schema(80, min_chars=1)
    {'type': 'string', 'minLength': 1, 'maxLength': 80}
    >>> text_schema(about="the file's name")
    {'type': 'string', 'description': "the file's name"}
    """
    schema: dict[str, Any] = {"type": "string"}
    if about:
        schema["description"] = about
    if min_chars:
        schema["minLength"] = min_chars
    if max_chars is not None:
        schema["maxLength"] = max_chars
    return schema


def ask_json(
    backend: Backend, prompt: str, schema: Mapping[str, Any], *, max_new_tokens: int
) -> InferenceResult:
    """Have the prompt continued with JSON, at temperature 0, constrained to `schema` if `backend`
    can.

    Raises:
        BackendError: the model could not be asked.
    """
    if backend.supports_json:
        return backend.complete_json(prompt, schema, max_new_tokens=max_new_tokens)
    return backend.complete(prompt, max_new_tokens=max_new_tokens, temperature=0)


def read_object(text: str) -> dict[str, Any] | None:
    """Read `text` as a JSON object, bare or in a code fence; None for anything else.

    >>> read_object('```json\\n{"verdict": "stuck"}\\n```')
    {'verdict': 'stuck'}
    >>> read_object("It is stuck.") is None
    True
    """
    text = text.strip()
    if text.startswith("```") and text.endswith("```"):
        text = text[3:-3].lstrip(string.ascii_letters)
    try:
        data = load_json(text.strip())
    except ValueError:
        return None
    return data if isinstance(data, dict) else None


def find_fault(data: object, schema: Mapping[str, Any]) -> str:
    """The first fault of `data` against `schema` and its place, in at most 300 characters; else "".

    >>> find_fault({"name": 7}, object_schema(name={"type": "string"}))
    "name: 7 is not of type 'string'"
    """
    from g2c.json_schema import Draft202012Validator, best_match

    error = best_match(Draft202012Validator(schema).iter_errors(data))
    if error is None:
        return ""
    where = ".".join(map(str, error.absolute_path)) or "it"
    what = error.message
    if error.validator in ("maxItems", "maxLength"):  # their messages would quote it all
        what = f"{len(error.instance):,} are too many; the limit is {error.validator_value:,}"
    return f"{where:.90}: {what:.200}"
