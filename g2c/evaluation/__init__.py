"""Module 23: measuring an agent, from its spans to a number with an interval.

The exercises of module 23 are yours. They use the code in `core/`; `app/` puts them
together into `g2c runs trace`, `g2c judge`, `g2c compare` and `g2c eval`.
"""

from g2c.evaluation.build_spans import build_spans
from g2c.evaluation.decide import decide
from g2c.evaluation.judge_pairs import judge_pairs
from g2c.evaluation.kappa import kappa
from g2c.evaluation.pass_rates import pass_rates
from g2c.evaluation.profile import profile
from g2c.evaluation.sequential_test import sequential_test

__all__ = [
    "build_spans",
    "decide",
    "judge_pairs",
    "kappa",
    "pass_rates",
    "profile",
    "sequential_test",
]
