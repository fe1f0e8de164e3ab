"""25.1: TODO: the idea of this solution, and what it costs."""

from __future__ import annotations


def quote_data(value: int) -> int:
    return value  # TODO
