"""The small HTTP server of the Ollama tests, answering as a server with OpenAI's API does.

What it answers lies in `fixtures/openai`; its README says where the shapes come from.
"""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ollama_server import Answer, OllamaServer

FIXTURES = Path(__file__).parents[1] / "fixtures/openai"
MODEL = "Qwen/Qwen3-8B"
CHAT, TEXT, MODELS = "/v1/chat/completions", "/v1/completions", "/v1/models"


def recorded(name: str, status: int = 200) -> Answer:
    """A fixture, a piece a line: `recorded("vllm_chat.sse")`."""
    return Answer(tuple((FIXTURES / name).read_bytes().splitlines(keepends=True)), status)


def events(*data: object, done: bool = True) -> Answer:
    """A stream of `data`, an event each, and the end that says so."""
    steps = tuple(f"data: {json.dumps(event)}\n\n".encode() for event in data)
    return Answer((*steps, b"data: [DONE]\n\n") if done else steps)


def piece(reason: str | None = None, **delta: Any) -> dict[str, Any]:
    """An event of a chat with that `delta`."""
    return {"choices": [{"index": 0, "delta": delta, "finish_reason": reason}]}


def with_headers(status: int, headers: Mapping[str, str], body: bytes = b"{}") -> Answer:
    """An answer whose headers are these."""
    lines = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
    head = f"HTTP/1.1 {status} Well\r\nContent-Length: {len(body)}\r\n{lines}\r\n"
    return Answer((head.encode() + body,), raw=True)


class OpenAIServer(OllamaServer):
    """As `OllamaServer`, with vLLM's answers to begin with."""

    def __init__(self) -> None:
        super().__init__()
        self.on(CHAT, recorded("vllm_chat.sse"))
        self.on(TEXT, recorded("vllm_completion.sse"))
        self.on(MODELS, recorded("vllm_models.json"))
