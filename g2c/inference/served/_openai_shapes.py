"""What a server with OpenAI's API may send, as JSON schemas: one for each kind of answer.

A field that is not named here may hold anything. The API is in OpenAI's reference of
`/v1/chat/completions`, `/v1/completions` and `/v1/models`; what vLLM and llama.cpp add is in the
documentation of their servers.
"""

from __future__ import annotations

from typing import Any

_TEXT = {"type": ["string", "null"]}
_COUNT = {"type": ["integer", "null"], "minimum": 0, "maximum": 2**53}

_FUNCTION = {
    "type": ["object", "null"],
    # Text in pieces; some servers send an object in one piece.
    "properties": {"name": _TEXT, "arguments": {"type": ["string", "object", "null"]}},
}
_CALL = {
    "type": "object",
    "properties": {
        "index": {"type": ["integer", "null"], "minimum": 0, "maximum": 2**31},
        "id": _TEXT,
        "function": _FUNCTION,
    },
}
_DELTA = {
    "type": ["object", "null"],
    "properties": {
        "content": _TEXT,
        "refusal": _TEXT,
        "reasoning": _TEXT,
        "reasoning_content": _TEXT,
        "tool_calls": {"type": ["array", "null"], "items": _CALL},
        "function_call": _FUNCTION,  # before there were several calls
    },
}

CHUNK: dict[str, Any] = {
    "type": "object",
    "properties": {
        "choices": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {
                    "index": {"type": ["integer", "null"]},
                    "delta": _DELTA,
                    "message": _DELTA,
                    "text": _TEXT,
                    "finish_reason": _TEXT,
                },
            },
        },
        "usage": {
            "type": ["object", "null"],
            "properties": {
                "prompt_tokens": _COUNT,
                "completion_tokens": _COUNT,
                "prompt_tokens_details": {
                    "type": ["object", "null"],
                    "properties": {"cached_tokens": _COUNT},
                },
            },
        },
    },
    "required": ["choices"],
}
"""One event of a streamed answer, of a chat or of a completion."""

MODELS: dict[str, Any] = {
    "type": "object",
    "properties": {
        "data": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {
                    "id": {"type": "string"},
                    "aliases": {"type": ["array", "null"], "items": {"type": "string"}},
                    "owned_by": _TEXT,
                    "max_model_len": _COUNT,  # vLLM
                    "meta": {  # llama.cpp
                        "type": ["object", "null"],
                        "properties": {"n_ctx": _COUNT},
                    },
                },
                "required": ["id"],
            },
        }
    },
    "required": ["data"],
}
"""The answer of `/v1/models`."""

PROPS: dict[str, Any] = {
    "type": "object",
    "properties": {
        "chat_template_caps": {
            "type": ["object", "null"],
            "properties": {"supports_tools": {"type": ["boolean", "null"]}},
        }
    },
}
"""The answer of llama.cpp's `/props`."""

PS: dict[str, Any] = {
    "type": "object",
    "properties": {
        "models": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {"model": {"type": "string"}, "context_length": _COUNT},
                "required": ["model"],
            },
        }
    },
    "required": ["models"],
}
"""The answer of Ollama's `/api/ps`."""
