"""What a review is made of: critiques and rounds, rubrics and scores, and why a loop stopped.

All of it is frozen data. The idea to take away: a verdict is a value like any other. It can be
kept, counted, compared with another, and doubted.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

Recommendation = Literal["APPROVE", "REVISE"]

RefineStop = Literal["approved", "max_rounds", "error"]
"""Why a refinement ended: the critic approved; the rounds were used up; a model failed."""

ReviewStop = Literal["converged", "plateau", "max_rounds", "error"]
"""Why a review by several ended: all bars were met; the scores stopped rising; the rounds were used
up; a model failed."""

TOLERANCE = 1e-9
"""Points nearer than this are the same: of floats, 75 may come out as 74.99999999999999."""


@dataclass(frozen=True)
class Critique:
    """What a critic said of a draft. `score` is of 0 to 10; None where none could be read.

    `parse_error` says what could not be read; then the recommendation is REVISE.
    """

    score: float | None = None
    issues: tuple[str, ...] = ()
    recommendation: Recommendation = "REVISE"
    parse_error: str | None = None

    @property
    def approved(self) -> bool:
        """Whether the critic let the draft pass."""
        return self.recommendation == "APPROVE"


@dataclass(frozen=True)
class Round:
    """One round of a refinement, counted from 1: a draft, and what the critic said of it."""

    number: int
    draft: str
    critique: Critique


@dataclass(frozen=True)
class RefinementState:
    """A finished refinement.

    `final_draft` is the last draft that the critic saw, or None if it saw none. `calls` counts the
    calls of generator, critic and refiner, one that failed included. After an error, `error` says
    which, and `unreviewed` holds a draft that was written and that the critic never judged.
    """

    rounds: tuple[Round, ...]
    converged: bool
    final_draft: str | None
    stopped_reason: RefineStop
    calls: int
    error: str | None = None
    unreviewed: str | None = None


@dataclass(frozen=True)
class Dimension:
    """One thing that a rubric asks about, with its weight in the total, above 0 and at most 1."""

    name: str
    weight: float
    question: str = ""


@dataclass(frozen=True)
class Rubric:
    """The dimensions of a review.

    Raises:
        ValueError: there are none, two share a name, or the weights are not positive with a sum
            of 1 (within a millionth).
    """

    dimensions: tuple[Dimension, ...]

    def __post_init__(self) -> None:
        object.__setattr__(self, "dimensions", tuple(self.dimensions))
        names = [dimension.name for dimension in self.dimensions]
        if not names or len(set(names)) < len(names):
            raise ValueError(f"A rubric needs dimensions of different names, got {names}.")
        weights = [dimension.weight for dimension in self.dimensions]
        if not all(weight > 0 for weight in weights) or abs(math.fsum(weights) - 1) > 1e-6:
            raise ValueError(f"A rubric's weights are above 0 and sum to 1, got {weights}.")


@dataclass(frozen=True)
class Review:
    """What one reviewer said: a score of 0 to 100 for each dimension's name, and its approval.

    Raises:
        ValueError: a score is no number, or out of bounds.
    """

    reviewer: str
    scores: Mapping[str, float]
    approved: bool
    notes: str = ""

    def __post_init__(self) -> None:
        for name, score in self.scores.items():
            if not 0 <= score <= 100:
                raise ValueError(f"{self.reviewer} scored {name} {score!r}; scores are 0 to 100.")


@dataclass(frozen=True)
class Aggregate:
    """What several reviews come to: S(r), the mean of each dimension, and who approved of how many.

    `approvals` of `reviewers` approved.
    """

    total: float
    means: Mapping[str, float]
    approvals: int
    reviewers: int


@dataclass(frozen=True)
class Dispute:
    """A dimension on which reviewers stand apart: the lowest and highest score, and whose."""

    dimension: str
    low: float
    low_reviewer: str
    high: float
    high_reviewer: str

    @property
    def gap(self) -> float:
        """How far apart they stand, in points."""
        return self.high - self.low


@dataclass(frozen=True)
class Interval:
    """An estimate with the bounds of its confidence interval."""

    estimate: float
    low: float
    high: float
    confidence: float = 0.95
