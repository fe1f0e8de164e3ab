"""Refuses what was parsed as an answer but is none: a text that was cut off, a call of a tool."""

from g2c.agent.core.types import ParsedStep
from g2c.inference import ChatResult, InferenceResult
from g2c.inference.backend import THINKING_LIMIT, TOKEN_LIMIT

_CALL = (
    "The answer is a call of a tool. Make the call as it was asked for, with a JSON object of "
    "arguments, or answer in words."
)


def check_answer(parsed: ParsedStep, inference: InferenceResult | ChatResult) -> ParsedStep:
    """`parsed`; a parse error if the token limit or the server cut its end off, or if its answer is
    a call written as text. An action is never cut off: its JSON is complete."""
    if parsed.action is not None:
        return parsed
    if inference.is_cut:
        return ParsedStep(parsed.thought, parse_error=_cut_off(inference))
    from g2c.inference.structured.written_calls import find_written_calls

    is_call = inference.metadata.get("unread_call")
    if is_call or (parsed.final_answer and find_written_calls(parsed.final_answer, ())):
        return ParsedStep(parsed.thought, parse_error=_CALL)
    return parsed


def _cut_off(inference: InferenceResult | ChatResult) -> str:
    tokens = inference.completion_tokens
    if inference.cut_by not in (TOKEN_LIMIT, THINKING_LIMIT):
        return f"Your text was cut off by {inference.cut_by}, before its end. Write it otherwise."
    limit = TOKEN_LIMIT if tokens is None else f"the limit of {tokens} tokens"
    if inference.cut_by == THINKING_LIMIT:
        return f"Your thinking was cut off at {limit}, before an action or an answer. Write less."
    return f"Your text was cut off at {limit}, before its end. Write less."
