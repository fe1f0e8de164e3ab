"""TODO: what `g2c break 25.1` is about to do, on the real model or on files."""

from __future__ import annotations

from pathlib import Path

from g2c.course.first_versions import CAME, WISHED, Seen, outcome

QUESTION = "TODO: what somebody who has seen this should ask?"


def quote_data(value: int) -> int:
    return -value  # TODO: as one might write it first


def show(folder: Path) -> Seen:
    yield "called", "quote_data(1)"
    yield CAME, outcome(lambda: quote_data(1))
    yield WISHED, "1"
