"""What an Ollama server may send, as JSON schemas: one for each kind of answer.

A field that is not named here may hold anything. The API is in Ollama's `docs/api.md`.
"""

from __future__ import annotations

from typing import Any

_TEXT = {"type": ["string", "null"]}
# No more than a float holds exactly. As nanoseconds that is a hundred days.
_COUNT = {"type": "integer", "minimum": 0, "maximum": 2**53}

_CALL = {
    "type": "object",
    "properties": {
        "id": _TEXT,
        "function": {
            "type": "object",
            "properties": {
                "name": {"type": "string", "minLength": 1},
                "arguments": {"type": ["object", "string", "null"]},  # text from other servers
            },
            "required": ["name"],
        },
    },
    "required": ["function"],
}
_MESSAGE = {
    "type": ["object", "null"],
    "properties": {
        "content": _TEXT,
        "thinking": _TEXT,
        "tool_calls": {"type": ["array", "null"], "items": _CALL},
    },
}

REPLY_LINE: dict[str, Any] = {
    "type": "object",
    "properties": {
        "message": _MESSAGE,
        "response": _TEXT,
        "thinking": _TEXT,
        "done": {"type": "boolean"},
        "done_reason": _TEXT,
        "prompt_eval_count": _COUNT,
        "eval_count": _COUNT,
        "total_duration": _COUNT,
        "load_duration": _COUNT,
        "prompt_eval_duration": _COUNT,
        "eval_duration": _COUNT,
    },
}
"""One line of `/api/chat` or `/api/generate`."""

SHOW: dict[str, Any] = {
    "type": "object",
    "properties": {
        "parameters": _TEXT,
        "capabilities": {"type": ["array", "null"], "items": {"type": "string"}},
    },
}
"""The answer of `/api/show`."""

TAGS: dict[str, Any] = {
    "type": "object",
    "properties": {
        "models": {
            "type": "array",
            "items": {"type": "object", "properties": {"model": _TEXT}},
        }
    },
    "required": ["models"],
}
"""The answer of `/api/tags`."""

PULL_LINE: dict[str, Any] = {
    "type": "object",
    "properties": {"status": _TEXT, "completed": _COUNT, "total": _COUNT},
}
"""One line of `/api/pull`."""
