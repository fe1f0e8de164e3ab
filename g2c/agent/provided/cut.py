"""What became of a text that the token limit cut off: it is no answer."""

from __future__ import annotations

from g2c.agent.provided.types import ParsedStep
from g2c.inference import ChatResult, InferenceResult


def unless_cut(parsed: ParsedStep, inference: InferenceResult | ChatResult) -> ParsedStep:
    """`parsed`, unless the limit cut its end off. An action is whole: its JSON has an end."""
    if not inference.is_cut or parsed.action is not None:
        return parsed
    tokens = inference.completion_tokens
    limit = "the token limit" if tokens is None else f"the limit of {tokens} tokens"
    text = inference.content if isinstance(inference, ChatResult) else inference.completion
    if inference.metadata.get("thinking") and not text.strip():
        problem = f"Your thinking was cut off at {limit}, before an action or an answer."
    else:
        problem = f"Your text was cut off at {limit}, before its end."
    return ParsedStep(parsed.thought, parse_error=f"{problem} Write less.")
