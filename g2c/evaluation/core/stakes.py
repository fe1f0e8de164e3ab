"""The state of a comparison while it runs, and the cost of a wrong decision."""

from dataclasses import dataclass
from typing import Literal

Decision = Literal["go on", "a", "b", "no telling"]
"""Ask another task; or end, and name the better one, or say that nobody can tell."""

FALSE_ALARM = 30.0
"""The cost, in points, of naming one that is not better: somebody will act on it."""


@dataclass(frozen=True)
class Counts:
    """The tasks that both were asked so far: those that only A solved, that only B solved, and on
    which both did the same."""

    only_a: int = 0
    only_b: int = 0
    same: int = 0

    @property
    def tasks(self) -> int:
        """How many there are in all."""
        return self.only_a + self.only_b + self.same
