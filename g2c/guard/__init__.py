"""Module 25: an agent among strangers.

The exercises of module 25 are yours. They use the code in `provided/`; `assembled/` puts them
together into the guard that every command has between the model and its tools.
"""

from g2c.guard.masking import find_secrets
from g2c.guard.permission import permit
from g2c.guard.policy import judge_call
from g2c.guard.provenance import trace_origins
from g2c.guard.quoting import quote_data
from g2c.guard.unanswered import recover_calls
from g2c.guard.window import fit_window

__all__ = [
    "find_secrets",
    "fit_window",
    "judge_call",
    "permit",
    "quote_data",
    "recover_calls",
    "trace_origins",
]
