"""Which of a month's turns are worth a place in memory.

A topic has room for a few lines, and a month has hundreds. The idea to take away: what a memory
keeps is a bet on what will be asked, and a bet can be scored.
"""

from __future__ import annotations

from collections.abc import Sequence

from g2c.exercise import exercise
from g2c.memory.core.types import Turn


@exercise("20.9")
def keep(turns: Sequence[Turn], budget: int) -> list[int]:
    """Choose the turns of a month that the memory keeps for the next month.

    `turns` are oldest first, with the roles `user`, `assistant` and `tool`; each day is a run of
    its own (`agent_id`). The chosen turns have at most `budget` lines together; a turn has
    `len(content.splitlines())`.

    The questions of the next month judge the choice. The newest chosen turn about a matter answers
    them. If it is true, the score rises by how often the question is asked. If it is out of date,
    or never was true, the score falls by as much. `g2c score 20.9` measures 24 invented months; a
    grader uses others.

    Returns:
        The numbers of the chosen turns, from 0, each once, in any order.

    >>> keep([], 24)
    []
    """
    raise NotImplementedError
