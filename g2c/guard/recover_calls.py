"""After a crash between a call and its record: what may be done again.

The idea to take away: "it has no answer" is not "it did not happen". To call again is safe only if
the tool may be called twice, or if somebody has checked.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from g2c.exercise import exercise
from g2c.guard.core.unanswered import JournalLine, Recovery


@exercise("25.5")
def recover_calls(
    journal: Sequence[JournalLine], repeatable: Collection[str]
) -> tuple[Recovery, ...]:
    """Decide about each call that began and has no answer, in the order in which they began.

    The journal's oldest line is its first, and it is read in one pass. For a call, what comes after
    its last `Began` counts:

    - If it `Ended`, it is answered, and nothing is to be done.
    - Otherwise, if somebody looked, their last word: "tell" if it happened, "repeat" if not.
    - Otherwise "repeat" if its tool is one of `repeatable`, which do no harm if called twice, and
      "ask" if not.

    Raises:
        ValueError: a line is about a call that has not begun, or a call begins after its end or
            with another tool. The message has its id.

    >>> from g2c.guard.core.unanswered import Began, Ended
    >>> journal = [Began("c1", "read_file"), Ended("c1"), Began("c2", "send_mail")]
    >>> recover_calls(journal, repeatable={"read_file"})
    (Recovery(call='c2', action='ask'),)
    """
    raise NotImplementedError
