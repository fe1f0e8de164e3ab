"""25.5: TODO: the idea of this solution, and what it costs."""

from __future__ import annotations


def recover_calls(value: int) -> int:
    return value  # TODO
