"""Module 21: a critic with a fresh context, when a loop of reviews is finished, and whether a
verdict is a measurement.

Exercises 21.1 to 21.7 are in `critique`, `refine`, `aggregation`, `convergence`, `plateau`,
`disputes` and `bootstrap`; the rest is provided.
"""

from g2c.critic.aggregation import aggregate
from g2c.critic.approvals import measure_approvals
from g2c.critic.base import (
    Aggregate,
    Critique,
    Dimension,
    Dispute,
    Interval,
    RefinementState,
    Review,
    Round,
    Rubric,
)
from g2c.critic.bootstrap import paired_bootstrap
from g2c.critic.comparison import Comparison, Task, compare
from g2c.critic.convergence import has_converged
from g2c.critic.critique import parse_critique
from g2c.critic.disputes import disputed, revision_prompt
from g2c.critic.labelled import load_labelled
from g2c.critic.plateau import is_plateau
from g2c.critic.preference import PairJudge, compare_by_preference
from g2c.critic.prompts import CRITICS
from g2c.critic.refine import run_refinement_loop
from g2c.critic.reflexion import refine_with_memory, remember_critique
from g2c.critic.reviewing import Reviewer, ReviewState, Reviser, review_until_converged
from g2c.critic.roles import Critic, Generator, Refiner
from g2c.critic.rounds import optimal_rounds
from g2c.critic.stability import Stability, verdict_stability

__all__ = [
    "CRITICS",
    "Aggregate",
    "Comparison",
    "Critic",
    "Critique",
    "Dimension",
    "Dispute",
    "Generator",
    "Interval",
    "PairJudge",
    "RefinementState",
    "Refiner",
    "Review",
    "ReviewState",
    "Reviewer",
    "Reviser",
    "Round",
    "Rubric",
    "Stability",
    "Task",
    "aggregate",
    "compare",
    "compare_by_preference",
    "disputed",
    "has_converged",
    "is_plateau",
    "load_labelled",
    "measure_approvals",
    "optimal_rounds",
    "paired_bootstrap",
    "parse_critique",
    "refine_with_memory",
    "remember_critique",
    "review_until_converged",
    "revision_prompt",
    "run_refinement_loop",
    "verdict_stability",
]
