"""24.4: TODO: the idea of this solution, and what it costs."""

from __future__ import annotations


def merge_reports(*_args: object) -> None:  # TODO
    raise NotImplementedError
