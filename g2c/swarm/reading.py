"""A question over more files than fit into one context.

The idea to take away: the cut decides what can be found, and what is put together decides what is
believed.
"""

from __future__ import annotations

from collections.abc import Sequence

from g2c.exercise import exercise
from g2c.swarm.provided.reading import Ask, File, Question


@exercise("24.7")
def read_all(question: Question, files: Sequence[File], ask: Ask, budget: int) -> str | None:
    """Answer a question about files that do not fit into one context; None: nobody can tell.

    `ask` sends a worker for each errand, side by side. Each reads its files in order, up to the
    first that exceeds `CONTEXT`, and costs `OVERHEAD` beside. If `budget` has no room for it, it
    reads nothing. Workers overlook things, and may invent some; an equal errand is another look.

    Send together what needs no reply. Called again, send the same, in the same order.

    A `"fact"` is what files say about `question.about`, a `"linked"` answer what they say about
    `question.second(value)` of that, a `"total"` the sum of all files' numbers, without copies.
    Files may be wrong.

    A right answer gains 1 point, a wrong one loses 1. None gains 1 where no file says it, else 0.
    `g2c score 24.7` asks 1,080 invented questions.

    >>> from g2c.swarm.provided.reading import Reply
    >>> from g2c.swarm.provided.reports import Claim
    >>> claims = lambda one: (Claim(one.look_for, "8041", one.files[:1]),)
    >>> ask = lambda errands: [Reply(claims(one), one.files, 0) for one in errands]
    >>> files = [File("a.md", 90), File("b.md", 70)]
    >>> read_all(Question("Which port?", "the port", "fact"), files, ask, 1_000)
    '8041'
    """
    raise NotImplementedError
