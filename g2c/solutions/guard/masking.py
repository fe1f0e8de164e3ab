"""25.6: TODO: the idea of this solution, and what it costs."""

from __future__ import annotations


def find_secrets(value: int) -> int:
    return value  # TODO
