"""Module 25: an agent among strangers.

The exercises of module 25 are yours. They use the code in `core/`; `app/` puts them
together into the guard that every command has between the model and its tools.
"""

from g2c.guard.find_secrets import find_secrets
from g2c.guard.fit_window import fit_window
from g2c.guard.judge_call import judge_call
from g2c.guard.permit import permit
from g2c.guard.quote_data import quote_data
from g2c.guard.recover_calls import recover_calls
from g2c.guard.trace_origins import trace_origins

__all__ = [
    "find_secrets",
    "fit_window",
    "judge_call",
    "permit",
    "quote_data",
    "recover_calls",
    "trace_origins",
]
