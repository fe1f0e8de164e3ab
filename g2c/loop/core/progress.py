"""A loop's present activity, for those who watch it: a small file beside its state.

The process that runs the loop replaces the file, and any other may read it. The loop itself never
does, so a file that is old, torn or missing costs nothing but the view.
"""

from dataclasses import asdict, dataclass
from datetime import datetime
from pathlib import Path

from g2c.files import open_file
from g2c.foreign_json import load_json
from g2c.json_files import record_from, replace_own_json
from g2c.loop.core.types import Budget
from g2c.text import one_line, printable

MAX_BYTES = 10_000

AFTER = ("end", "evolution", "dream")
"""The `waits_for` of a loop that has no tick to follow."""


@dataclass(frozen=True)
class Progress:
    """The position of the process `pid`: step `step` of tick `tick`, both counted from 1.

    `tokens` are all that the loop has spent, `seconds` those that it had spent when the tick
    `began`. Since `since` it waits for `waits_for` (such as `agent` or `judge`), which uses
    `model`. `last` is the last action, `mark` that of the process (`g2c.processes`).
    """

    pid: int
    model: str
    tick: int
    step: int
    tokens: int
    seconds: float
    began: datetime
    waits_for: str
    since: datetime
    last: str = ""
    mark: str = ""

    def line(self, budget: Budget, now: datetime) -> str:
        """All of it on one line.

        >>> noon = datetime.fromisoformat("2026-04-21T12:00:00+00:00")
        >>> progress = Progress(7, "SmolLM2", 3, 2, 12_345, 50.0, noon, "agent", noon)
        >>> progress.line(Budget(ticks=20), noon)
        'tick 3 of 20, step 2, 12,345 tokens, 50 s; waits 0 s for agent (SmolLM2)'
        """
        seconds = self.seconds + _between(self.began, now)
        in_tick = f"tick {spent_of(self.tick, budget.ticks)}, step {self.step}"
        parts = (
            f"after tick {self.tick - 1}" if self.waits_for in AFTER else in_tick,
            f"{spent_of(self.tokens, budget.tokens)} tokens",
            f"{spent_of(round(seconds), budget.seconds)} s",
        )
        waits = f"waits {_between(self.since, now):.0f} s for {self.waits_for} ({self.model})"
        last = f"; last: {self.last}" if self.last else ""
        return one_line(printable(f"{', '.join(parts)}; {waits}{last}"))


def spent_of(spent: float, bound: float | None) -> str:
    """The spending so far, beside the budget.

    >>> spent_of(1200, None), spent_of(3, 20)
    ('1,200', '3 of 20')
    """
    return f"{spent:,}" if bound is None else f"{spent:,} of {bound:,}"


def _between(start: datetime, now: datetime) -> float:
    return max((now - start).total_seconds(), 0.0)


def write_progress(file: Path, progress: Progress) -> None:
    """Replace the file.

    Raises:
        OSError: it cannot be written.
    """
    replace_own_json(file, asdict(progress))


def read_progress(file: Path) -> Progress | None:
    """The file's content; None if it is missing or cannot be read."""
    try:
        with open_file(file, "rb") as opened:
            return record_from(load_json(opened.read(MAX_BYTES)), Progress)
    except (OSError, ValueError):
        return None
