"""An answer in a form that a program can read: its JSON schema, asking for it, reading it back.

The idea to take away: one schema stands on both sides of the call. Where the backend can, it holds
the model to the schema; where it cannot, the schema checks what came.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

from g2c.inference.base import Backend, InferenceResult

_FENCE = re.compile(r"```[a-z]*\s*(.*?)\s*```", re.IGNORECASE | re.DOTALL)


def closed_object(**properties: Any) -> dict[str, Any]:
    """The schema of an object that has all of these properties, and no others.

    >>> closed_object(name={"type": "string"})["required"]
    ['name']
    """
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


def ask_json(
    backend: Backend, prompt: str, schema: Mapping[str, Any], *, max_new_tokens: int
) -> InferenceResult:
    """Have the prompt continued with JSON, at temperature 0; held to `schema` where `backend` can.

    Raises:
        BackendError: the model could not be asked.
    """
    if type(backend).complete_json is Backend.complete_json:
        return backend.complete(prompt, max_new_tokens=max_new_tokens, temperature=0)
    return backend.complete_json(prompt, schema, max_new_tokens=max_new_tokens)


def read_object(text: str) -> dict[str, Any] | None:
    """The JSON object that `text` is, bare or in a code fence; None for anything else.

    >>> read_object('```json\\n{"verdict": "stuck"}\\n```')
    {'verdict': 'stuck'}
    >>> read_object("It is stuck.") is None
    True
    """
    text = text.strip()
    if fenced := _FENCE.fullmatch(text):
        text = fenced[1]
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return data if isinstance(data, dict) else None


def find_fault(data: object, schema: Mapping[str, Any]) -> str:
    """Where `data` breaks `schema`, and how, in at most 300 characters; empty where it does not.

    >>> find_fault({"name": 7}, closed_object(name={"type": "string"}))
    "name: 7 is not of type 'string'"
    """
    from jsonschema import Draft202012Validator
    from jsonschema.exceptions import best_match

    error = best_match(Draft202012Validator(schema).iter_errors(data))
    if error is None:
        return ""
    where = ".".join(map(str, error.absolute_path)) or "it"
    what = error.message
    if error.validator in ("maxItems", "maxLength"):  # whose message quotes all of it
        what = f"{len(error.instance):,} are too many; the limit is {error.validator_value:,}"
    return f"{where:.90}: {what:.200}"
