"""A trace for other programs: OpenTelemetry's spans, by its conventions for generative AI.

The conventions (semantic-conventions-genai, docs/gen-ai) are in development: names may change.
Attributes without a name there get one of the course's own, below `g2c.`.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from g2c.evaluation.core.spans import Span
from g2c.redaction import redacted

if TYPE_CHECKING:
    from opentelemetry.context import Context
    from opentelemetry.sdk.trace.export import SpanExporter

OPERATIONS = {"model": "chat", "tool": "execute_tool", "agent": "invoke_agent", "plan": "plan"}
"""The convention's names for the kinds that it knows."""


def attributes_of(span: Span, clean: Callable[[str], str] = redacted) -> Mapping[str, str | int]:
    """A span's attributes. Texts are included if the span has them; `clean` removes secrets."""

    def message(role: str, text: str) -> str | None:
        parts = [{"type": "text", "content": clean(text)}]
        return json.dumps([{"role": role, "parts": parts}], ensure_ascii=False) if text else None

    operation = OPERATIONS.get(span.kind)
    found: dict[str, str | int | None] = {
        "g2c.kind": span.kind,
        "g2c.outcome": span.outcome or None,
        "gen_ai.operation.name": operation,
        "gen_ai.provider.name": "g2c" if operation else None,
        "error.type": span.error or None,
        "gen_ai.usage.input_tokens": span.input_tokens,
        "gen_ai.usage.output_tokens": span.output_tokens,
    }
    match span.kind:
        case "model":
            found["gen_ai.request.model"] = span.name
            found["gen_ai.input.messages"] = message("user", span.input)
            found["gen_ai.output.messages"] = message("assistant", span.output)
        case "tool":
            found["gen_ai.tool.name"] = span.name
            found["gen_ai.tool.call.arguments"] = clean(span.input) or None
            found["gen_ai.tool.call.result"] = clean(span.output) or None
        case "agent":
            found["gen_ai.agent.name"] = span.name
            found["gen_ai.input.messages"] = message("user", span.input)
            found["gen_ai.output.messages"] = message("assistant", span.output)
    return {name: value for name, value in found.items() if value is not None}


def export(
    spans: Sequence[Span], exporter: SpanExporter, clean: Callable[[str], str] = redacted
) -> bool:
    """Export the spans as one trace, with their texts cleaned by `clean`. Return whether `exporter`
    accepted them.

    Raises:
        ModuleNotFoundError: the extra `trace` is not installed.
    """
    from opentelemetry.sdk.resources import Resource
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.sdk.trace.export import SimpleSpanProcessor, SpanExportResult
    from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
    from opentelemetry.trace import SpanKind, Status, StatusCode, set_span_in_context

    kept = InMemorySpanExporter()
    provider = TracerProvider(resource=Resource.create({"service.name": "g2c"}))
    provider.add_span_processor(SimpleSpanProcessor(kept))
    tracer = provider.get_tracer("g2c")
    contexts: dict[int | None, Context] = {}
    for span in spans:
        told = tracer.start_span(
            " ".join(filter(None, [OPERATIONS.get(span.kind, span.kind), span.name])),
            context=contexts.get(span.parent),
            kind=SpanKind.CLIENT if span.kind == "model" else SpanKind.INTERNAL,
            attributes=attributes_of(span, clean),
            start_time=_nanoseconds(span.start),
        )
        if span.error:
            told.set_status(Status(StatusCode.ERROR, span.error))
        contexts[span.id] = set_span_in_context(told)
        told.end(end_time=_nanoseconds(span.end))
    done = exporter.export(kept.get_finished_spans())
    return done is SpanExportResult.SUCCESS


def _nanoseconds(seconds: float) -> int:
    return round(seconds * 1e6) * 1_000
