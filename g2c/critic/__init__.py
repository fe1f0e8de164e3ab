"""Module 21: a critic with a fresh context, when a loop of reviews is finished, and whether a
verdict is a measurement.

The exercises of module 21 are yours. They use the code in `core/`; `app/` puts them
together into critics and reviews.
"""

from g2c.critic.aggregate import aggregate
from g2c.critic.app.comparison import Comparison, Task, compare
from g2c.critic.app.file_critic import LookingCritic
from g2c.critic.app.measured import Measurement
from g2c.critic.app.measurement import (
    Stability,
    approvals_report,
    each_seed,
    measure_approvals,
    verdict_stability,
)
from g2c.critic.app.panel import Reviewer, ReviewState, Reviser, review_until_converged
from g2c.critic.app.program_critic import CheckingCritic
from g2c.critic.app.reflexion import (
    PITFALLS,
    recall_pitfalls,
    refine_with_memory,
    remember_critique,
    with_pitfalls,
)
from g2c.critic.app.roles import Critic, Generator, Refiner
from g2c.critic.core.intervals import wilson
from g2c.critic.core.labelled import load_labelled
from g2c.critic.core.prompts import (
    CRITICS,
    DRAFT_END,
    critic_prompt,
    generator_prompt,
    revision_prompt,
)
from g2c.critic.core.rounds import DECK, MEMO, PAPER, first_gain, optimal_rounds
from g2c.critic.core.rubrics import WRITING
from g2c.critic.core.types import (
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
from g2c.critic.disputed import disputed
from g2c.critic.is_broken import is_broken
from g2c.critic.is_plateau import is_plateau
from g2c.critic.paired_bootstrap import paired_bootstrap
from g2c.critic.parse_critique import parse_critique
from g2c.critic.run_refinement_loop import run_refinement_loop

__all__ = [
    "CRITICS",
    "DECK",
    "DRAFT_END",
    "MEMO",
    "PAPER",
    "PITFALLS",
    "WRITING",
    "Aggregate",
    "CheckingCritic",
    "Comparison",
    "Critic",
    "Critique",
    "Dimension",
    "Dispute",
    "Generator",
    "Interval",
    "LookingCritic",
    "Measurement",
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
    "approvals_report",
    "compare",
    "critic_prompt",
    "disputed",
    "each_seed",
    "first_gain",
    "generator_prompt",
    "is_broken",
    "is_plateau",
    "load_labelled",
    "measure_approvals",
    "optimal_rounds",
    "paired_bootstrap",
    "parse_critique",
    "recall_pitfalls",
    "refine_with_memory",
    "remember_critique",
    "review_until_converged",
    "revision_prompt",
    "run_refinement_loop",
    "verdict_stability",
    "wilson",
    "with_pitfalls",
]
