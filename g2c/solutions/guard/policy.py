"""25.7: TODO: the idea of this solution, and what it costs."""

from __future__ import annotations


def judge_call(value: int) -> int:
    return value  # TODO
