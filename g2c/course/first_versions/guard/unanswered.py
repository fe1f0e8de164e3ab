"""TODO: what `g2c break 25.5` is about to do, on the real model or on files."""

from __future__ import annotations

from pathlib import Path

from g2c.course.first_versions import CAME, WISHED, Seen, outcome

QUESTION = "TODO: what somebody who has seen this should ask?"


def recover_calls(value: int) -> int:
    return -value  # TODO: as one might write it first


def show(folder: Path) -> Seen:
    yield "called", "recover_calls(1)"
    yield CAME, outcome(lambda: recover_calls(1))
    yield WISHED, "1"
