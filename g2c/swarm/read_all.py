"""A question over more files than fit into one context.

The idea to take away: how the files are split decides what can be found, and how the replies are
combined decides what is believed.
"""

from __future__ import annotations

from collections.abc import Sequence

from g2c.exercise import exercise
from g2c.swarm.core.reading import Ask, File, Question


@exercise("24.7")
def read_all(question: Question, files: Sequence[File], ask: Ask, budget: int) -> str | None:
    """Answer a question about files that exceed one context; None: nobody can tell.

    `ask` sends a worker for each errand. It reads the files in order, up to the first that exceeds
    `CONTEXT`, and costs `OVERHEAD` beside; if `budget` has no room, it reads nothing. It overlooks
    things and invents some.

    Send together what needs no reply. Equal calls send the same, in the same order.

    A `"fact"` is what files say about `question.about`, a `"linked"` answer what they say about
    `question.second` of that, a `"total"` the sum of all files' numbers, without copies. Files may
    be wrong.

    Right answers gain 1 point, wrong ones lose 1. None gains 1 where no file says it, else 0
    (`g2c score 24.7`).

    >>> from g2c.swarm.core.reading import Reply
    >>> from g2c.swarm.core.reports import Claim
    >>> claims = lambda errand: (Claim(errand.look_for, "8041", errand.files[:1]),)
    >>> ask = lambda errands: [Reply(claims(errand), errand.files, 0) for errand in errands]
    >>> files = [File("a.md", 90), File("b.md", 70)]
    >>> read_all(Question("Which port?", "the port", "fact"), files, ask, 1_000)
    '8041'
    """
    raise NotImplementedError
