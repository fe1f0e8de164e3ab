"""What `EmbeddedBackend` stands on: a loaded model that answers requests."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol


@dataclass(frozen=True)
class Reply:
    """What the model said to one request; `metadata` as `EmbeddedBackend` describes it."""

    text: str
    prompt_tokens: int
    completion_tokens: int
    latency_ms: float
    metadata: dict[str, Any]


class Engine(Protocol):
    """A loaded model. `n_ctx` is its context in tokens, which may be less than was asked for."""

    n_ctx: int

    def ask(self, request: Mapping[str, Any]) -> Reply:
        """Send a completion request, or a chat where it has `messages`, and gather the answer.

        Raises:
            ContextOverflowError: the prompt is longer than the context.
            BackendError: the engine refuses the request.
        """
        ...

    def close(self) -> None:
        """Let go of the model."""
        ...
