"""Which hint comes next: three an exercise, one at a time, remembered in `.g2c/hints.json`."""

from __future__ import annotations

import json

from g2c.course.manifest import Exercise
from g2c.files import replace_text
from g2c.paths import state_dir


def next_hint(exercise: Exercise) -> int:
    """The index of the hint to show now; it is remembered as shown. After the last, the last."""
    file = state_dir() / "hints.json"
    try:
        shown = json.loads(file.read_text("utf-8"))
        number = int(shown.get(exercise.id, 0))
    except (OSError, ValueError, TypeError, AttributeError):
        shown, number = {}, 0  # nothing is lost but the place: the first hint is shown again
    index = min(max(number, 0), len(exercise.hints) - 1)
    replace_text(file, json.dumps({**shown, exercise.id: index + 1}) + "\n")
    return index
