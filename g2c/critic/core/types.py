"""The types of a review: critiques and rounds, rubrics and scores, and why it stopped.

All of it is frozen data. A verdict is a value that can be stored, counted and compared.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

Recommendation = Literal["APPROVE", "REVISE"]
RefineStop = Literal["approved", "max_rounds", "error"]
"""Why a refinement ended: the critic approved, the rounds were used up, or a model failed."""

ReviewStop = Literal["converged", "plateau", "max_rounds", "error"]
"""Why a review ended: all bars were met, the scores stopped rising, the rounds were used up, or a
model failed."""

TOLERANCE = 1e-9
"""Points nearer than this are equal: a sum of floats may be 74.99999999999999 in place of 75."""


@dataclass(frozen=True)
class Critique:
    """A critic's answer. `score` is from 0 to 10, or None if none could be read.

    `parse_error` says what could not be read; then the recommendation is REVISE.
    """

    score: float | None = None
    issues: tuple[str, ...] = ()
    recommendation: Recommendation = "REVISE"
    parse_error: str | None = None

    @property
    def approved(self) -> bool:
        """Whether the recommendation is APPROVE."""
        return self.recommendation == "APPROVE"


@dataclass(frozen=True)
class Round:
    """One round of a refinement, counted from 1: a draft and its critique."""

    number: int
    draft: str
    critique: Critique


@dataclass(frozen=True)
class RefinementState:
    """A finished refinement.

    `final_draft` is the last draft that the critic judged, or None. `calls` counts the calls of
    generator, critic and refiner, also a failed one. After a failure `error` is the exception's
    text, as `str` gives it, and `unreviewed` is the draft that the critic did not judge, if there
    is one.
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
    """One question of a rubric, and its weight in the total: above 0 and at most 1."""

    name: str
    weight: float
    question: str = ""


@dataclass(frozen=True)
class Rubric:
    """The dimensions of a review.

    Raises:
        ValueError: there are none, two share a name, a weight is not above 0, or the weights do
            not sum to 1 (within a millionth).
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
    """One reviewer's scores (0 to 100, by the dimensions' names), approval and notes.

    Raises:
        ValueError: a score is not in 0 to 100, or is NaN.
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
    """Several reviews together: S(r), the mean of each dimension, how many approved, and whether
    the draft passes."""

    total: float
    means: Mapping[str, float]
    approvals: int
    reviewers: int
    passes: bool


@dataclass(frozen=True)
class Dispute:
    """A dimension on which reviewers disagree: the lowest and highest score, and who gave them."""

    dimension: str
    low: float
    low_reviewer: str
    high: float
    high_reviewer: str

    @property
    def gap(self) -> float:
        """The distance of the two scores, in points."""
        return self.high - self.low


@dataclass(frozen=True)
class Interval:
    """An estimate with the bounds of its confidence interval."""

    estimate: float
    low: float
    high: float
    confidence: float = 0.95


S_MIN = 75.0
FLOOR = 60.0
ROUND_PRICE = 1.0
"""The cost of a round of a review, in points of the total."""
GAP = 25.0
