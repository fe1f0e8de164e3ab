"""A question over more files than fit into one context.

The idea to take away: the cut decides what can be found, and what is put together decides what is
believed.
"""

from __future__ import annotations

from g2c.exercise import exercise


@exercise("24.7")
def read_all(question: str) -> str:
    """TODO: the goal of the module; the types are to be designed."""
    raise NotImplementedError
