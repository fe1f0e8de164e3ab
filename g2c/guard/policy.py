"""What may be done because of a text that nobody asked for.

The idea to take away: a defence has two prices, the attacks that come through and the work that is
not done. Only both together say what it is worth.
"""

from __future__ import annotations

from g2c.exercise import exercise
from g2c.guard.provided.permission import Permission, ProposedCall
from g2c.guard.provided.policy import RunSoFar


@exercise("25.7")
def judge_call(call: ProposedCall, run: RunSoFar) -> Permission:
    """TODO

    >>> judge_call(ProposedCall("agent", "read_mail", {"number": 3}, effect=False), RunSoFar("?"))
    'allow'
    """
    raise NotImplementedError
