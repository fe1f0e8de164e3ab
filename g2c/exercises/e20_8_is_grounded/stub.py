"""Whether a note says only what was said.

A model that tidies a memory writes what is likely, and what is likely is often not so. The idea to
take away: a model may propose what is kept, and a program that reads the evidence decides. It need
not understand everything. If it cannot tell, it refuses, and the person's own sentence is kept.
"""

from __future__ import annotations

from collections.abc import Sequence

from g2c.exercise import exercise
from g2c.memory.core.types import Turn


@exercise("20.8")
def is_grounded(line: str, said: Sequence[Turn]) -> bool:
    """Decide whether `line`, which a model wrote for a note, follows from `said`.

    `said` are turns, oldest first, with the roles `user`, `assistant` and `tool`. A question, a
    supposition or a doubt is not a statement. The assistant's words are not evidence; its question
    may tell what an answer is about.

    A line follows if it says no more and nothing else, in other forms of the words or in fewer. The
    person says "I"; a line says "the user", as may an older line among `said`. A line may begin
    with its day: "2026-04-21: ".

    `g2c score 20.8` measures: per cent of the true lines accepted, less three for each per cent of
    the lies.

    >>> is_grounded("The user lives in Oslo.", ())
    False
    """
    raise NotImplementedError
