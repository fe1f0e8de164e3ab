"""What a worker is told. It knows nothing else.

The supervisor has the whole story in its context, and so does not notice what it leaves out. The
idea to take away: a hand-off is a text, and whatever it only points at is lost.
"""

from __future__ import annotations

from collections.abc import Sequence

from g2c.agent.provided.types import AgentStep
from g2c.exercise import exercise


@exercise("24.1")
def write_brief(task: str, steps: Sequence[AgentStep], max_chars: int) -> str:
    """TODO (at most 120 words). `task` may point at the supervisor's steps, as in `[3]`, which
    counts from 1. The brief is the task, word for word, and below it each step that it points at:
    the number and the call, and each line of what the tool gave behind "> ", word for word.

    Raises:
        ValueError: it points at no step, or at one that gave nothing; or it has over `max_chars`.
    """
    raise NotImplementedError
