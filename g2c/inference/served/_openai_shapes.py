"""JSON schemas of the answers of a server with OpenAI's API, one for each kind.

A field that is not named here may hold anything. The API is in OpenAI's reference of
`/v1/chat/completions`, `/v1/completions` and `/v1/models`; what vLLM and llama.cpp add is in the
documentation of their servers.
"""

from typing import Any


def _object(*required: str, **fields: Any) -> dict[str, Any]:
    return {"type": "object", "properties": fields, "required": list(required)}


def _list(items: dict[str, Any]) -> dict[str, Any]:
    return {"type": "array", "items": items}


def _or_null(schema: dict[str, Any]) -> dict[str, Any]:
    return {**schema, "type": [schema["type"], "null"]}


_NAME = {"type": "string"}
_TEXT = _or_null(_NAME)
_COUNT = {"type": ["integer", "null"], "minimum": 0, "maximum": 2**53}

# Arguments are text in pieces; some servers send an object in one piece.
_FUNCTION = _or_null(_object(name=_TEXT, arguments={"type": ["string", "object", "null"]}))
_CALL = _object(index={**_COUNT, "maximum": 2**31}, id=_TEXT, function=_FUNCTION)
_PART = _object("type", type=_NAME, text=_TEXT, thinking=_or_null(_list(_object(text=_TEXT))))
_DELTA = _or_null(
    _object(
        content={"type": ["string", "array", "null"], "items": _PART},  # parts come from Mistral
        refusal=_TEXT,
        reasoning=_TEXT,
        reasoning_content=_TEXT,
        tool_calls=_or_null(_list(_CALL)),
        function_call=_FUNCTION,  # before there were several calls
    )
)
_CHOICE = _object(
    index={"type": ["integer", "null"]},
    delta=_DELTA,
    message=_DELTA,
    text=_TEXT,
    finish_reason=_TEXT,
)
_USAGE = _object(
    prompt_tokens=_COUNT,
    completion_tokens=_COUNT,
    prompt_tokens_details=_or_null(_object(cached_tokens=_COUNT)),
)

CHUNK = {
    **_object(choices=_or_null(_list(_CHOICE)), usage=_or_null(_USAGE)),
    "if": {"properties": {"usage": {"type": "null"}}},
    "then": _object("choices", choices={"type": "array"}),
}
"""One event of a streamed answer, of a chat or of a completion; the last may have only `usage`."""

_MODEL = _object(
    "id",
    id=_NAME,
    aliases=_or_null(_list(_NAME)),
    owned_by=_TEXT,
    max_model_len=_COUNT,  # vLLM
    meta=_or_null(_object(n_ctx=_COUNT)),  # llama.cpp
)
MODELS = _object("data", data=_or_null(_list(_MODEL)))
"""The answer of `/v1/models`; a Go server's empty list is null."""

_CAPS = _object(supports_tools={"type": ["boolean", "null"]})
PROPS = _object(chat_template_caps=_or_null(_CAPS))
"""The answer of llama.cpp's `/props`."""

PS = _object("models", models=_list(_object("model", model=_NAME, context_length=_COUNT)))
"""The answer of Ollama's `/api/ps`."""
