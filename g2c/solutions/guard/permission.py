"""25.2: TODO: the idea of this solution, and what it costs."""

from __future__ import annotations


def permit(value: int) -> int:
    return value  # TODO
