"""Record the rows of the first versions that ask the model in the box, for `g2c break`:
`python -m maintain.author.breaks`.
"""

import os
import tempfile
from pathlib import Path

from g2c.course.break_rows import RECORDED, write_rows
from g2c.course.manifest import load_exercises
from g2c.exercise import REFERENCE_VARIABLE
from g2c.inference.call_listeners import Answered, watch_calls


class Count:
    """Counts the calls to a model."""

    calls = 0

    def begins(self) -> None:
        self.calls += 1

    def writes(self) -> None:
        pass

    def ends(self, answer: Answered | None) -> None:
        pass


def main() -> None:
    os.environ[REFERENCE_VARIABLE] = "all"  # before anything imports the exercises
    RECORDED.unlink(missing_ok=True)
    for exercise in load_exercises():
        first = exercise.part("naive")
        watch_calls(count := Count())
        with tempfile.TemporaryDirectory() as folder:
            rows = tuple(first.show(Path(folder)))
        if count.calls:
            write_rows(RECORDED, first, rows)
            print(f"{exercise.id}: {count.calls} calls")


if __name__ == "__main__":
    main()
