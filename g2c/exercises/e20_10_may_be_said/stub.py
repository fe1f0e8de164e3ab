"""Whether an answer says what the person said, and answers what they asked.

A model that has the right line before it still answers with the wrong one, or turns it round. The
idea to take away: what an agent says about you can be checked by a program, and where the check
fails, your own words are a better answer than the model's.
"""

from __future__ import annotations

from collections.abc import Sequence

from g2c.exercise import exercise
from g2c.memory.core.types import Turn


@exercise("20.10")
def may_be_said(answer: str, question: str, said: Sequence[Turn]) -> bool:
    """Decide whether an agent may answer `question` with `answer`.

    `said` are the user's turns that a search found, oldest first. Most are about something else.
    The question is in the user's words: "my sister", "I". An answer may be a sentence that says
    "you" or "I" for the user, a few words, or "Yes." and "No.".

    An answer may be said if it answers this question, and follows from what was said. If a later
    statement changes an earlier one, the later counts. A list must be whole. Nothing else may be
    said.

    `g2c score 20.10` measures: per cent of the right answers accepted, less three for each per cent
    of the wrong ones.

    >>> may_be_said("You live in Oslo.", "Where do I live?", ())
    False
    """
    raise NotImplementedError
