"""Module 23: measuring an agent, from its spans to a number with an interval.

The exercises of module 23 are yours. They use the code in `provided/`; `assembled/` puts them
together into `g2c trace`, `g2c judge`, `g2c compare` and `g2c eval`.
"""

from g2c.evaluation.agreement import kappa
from g2c.evaluation.decision import decide
from g2c.evaluation.judge import judge_pairs
from g2c.evaluation.passes import pass_rates
from g2c.evaluation.profile import profile
from g2c.evaluation.sequential import sequential_test
from g2c.evaluation.spans import build_spans

__all__ = [
    "build_spans",
    "decide",
    "judge_pairs",
    "kappa",
    "pass_rates",
    "profile",
    "sequential_test",
]
