"""25.3: TODO: the idea of this solution, and what it costs."""

from __future__ import annotations


def trace_origins(value: int) -> int:
    return value  # TODO
