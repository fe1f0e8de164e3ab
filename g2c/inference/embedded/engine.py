"""The engine of `EmbeddedBackend`: a loaded model that answers requests."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from g2c.inference.errors import BackendError, ContextOverflowError


@dataclass(frozen=True)
class Reply:
    """The model's reply to one request; `metadata` as `EmbeddedBackend` describes it."""

    text: str
    prompt_tokens: int
    completion_tokens: int
    latency_ms: float
    metadata: dict[str, Any]


class Engine(Protocol):
    """A loaded model.

    `n_ctx` is its context in tokens, which may be less than was asked for. `eos` is the text of the
    token that ends its output; empty if that is not known.
    """

    n_ctx: int
    eos: str

    def ask(self, request: Mapping[str, Any]) -> Reply:
        """Send a completion request, or a chat if it has `messages`, and gather the answer.

        Raises:
            ContextOverflowError: the prompt is longer than the context.
            BackendError: the engine refuses the request.
        """
        ...

    def close(self) -> None:
        """Free the model."""
        ...


def read_reply(chunks: Sequence[Mapping[str, Any]], latency_ms: float, n_ctx: int) -> Reply:
    """Join the pieces that llama.cpp's server streamed for one request into a reply.

    Raises:
        ContextOverflowError, BackendError: the stream ends with an error.
    """
    last = chunks[-1]
    if error := last.get("error"):
        if error["type"] == "exceed_context_size_error":
            raise ContextOverflowError(
                f"The prompt is {error['n_prompt_tokens']} tokens long and the model's context "
                f"holds {n_ctx}, the answer included; send less, or load the model with a "
                "larger n_ctx if it was trained for one."
            )
        raise BackendError(f"llama.cpp refused the request: {error['message']}")
    choices = [choice for chunk in chunks for choice in chunk["choices"]]
    timings = last["timings"]
    return Reply(
        text="".join(map(text_of, chunks)),
        prompt_tokens=timings["cache_n"] + timings["prompt_n"],
        completion_tokens=timings["predicted_n"],
        latency_ms=latency_ms,
        metadata={
            "finish_reason": choices[-1]["finish_reason"],
            "cache_n": timings["cache_n"],
            "prompt_n": timings["prompt_n"],
            "prompt_ms": timings["prompt_ms"],
            "generate_ms": timings["predicted_ms"],
        },
    )


def text_of(chunk: Mapping[str, Any]) -> str:
    """The text of a streamed piece; empty if it only reports progress on the prompt."""
    parts = [choice.get("delta", choice) for choice in chunk.get("choices", ())]
    return "".join(part.get("content") or part.get("text") or "" for part in parts)
