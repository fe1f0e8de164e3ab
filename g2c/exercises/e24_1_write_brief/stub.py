"""A worker's brief. The worker knows nothing else.

The supervisor has the whole story in its context, and so does not notice what it leaves out. The
idea to take away: a hand-off is a text, and whatever it only points at is lost.
"""

from __future__ import annotations

from collections.abc import Sequence

from g2c.agent.core.types import AgentStep
from g2c.exercise import exercise


@exercise("24.1")
def write_brief(task: str, steps: Sequence[AgentStep], max_chars: int) -> str:
    r"""Write all that a worker gets to know: the task, and the steps that it points at.

    `task` may point at steps, as in `[3]`, counting from 1. It comes first, word for word. If it
    points at any, an empty line follows, and each step once, by number: a line with the number and
    the call (tool, and arguments as JSON with readable letters), and below it the observation's
    `text`, with every character. Whatever ends a line inside a step, the next starts with "> ".

    Raises:
        ValueError: it points at no such step, or at one without a call or an observation (the
            message has the number); or the brief exceeds `max_chars` characters (it says by how
            many).

    >>> from g2c.agent import Action, Observation
    >>> step = AgentStep("...", "", Action("read", {"file": "a.txt"}), Observation("7 kg\n[9]"))
    >>> print(write_brief("Double the weight in [1].", [step], max_chars=100))
    Double the weight in [1].
    <BLANKLINE>
    [1] read {"file": "a.txt"}
    > 7 kg
    > [9]
    """
    raise NotImplementedError
