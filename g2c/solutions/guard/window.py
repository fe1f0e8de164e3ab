"""25.4: TODO: the idea of this solution, and what it costs."""

from __future__ import annotations


def fit_window(value: int) -> int:
    return value  # TODO
