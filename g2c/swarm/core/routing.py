"""How two models did on the same tasks, and what their answers cost."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Labelled:
    """A task whose answer is known: how unsure the cheap model was, from 0 to 1, and which of the
    two models was right."""

    unsure: float
    cheap_is_right: bool
    strong_is_right: bool


@dataclass(frozen=True)
class Prices:
    """The cost of one call of each model, and of a wrong answer, in the same unit."""

    cheap: float
    strong: float
    wrong: float


@dataclass(frozen=True)
class Route:
    """Which model to ask. Without a `threshold`, ask the strong model at once. With one, ask the
    cheap model first, and the strong one too if the cheap one is more unsure than the threshold.

    `cost` is the average cost of a task, wrong answers included.
    """

    threshold: float | None
    cost: float
