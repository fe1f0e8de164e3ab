"""Whether a call that failed is made again.

The idea to take away: "it failed" is not "it did not happen". Whoever asks again has to know what a
second call would do, and what everybody else is doing at that moment.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from g2c.exercise import exercise
from g2c.loop.core.failures import Effect, Failure


@exercise("22.9")
def try_again(
    failures: Sequence[Failure], effect: Effect, left: float, random: Random
) -> float | None:
    """Decide whether a call that failed is made again.

    Return the seconds until then, or None to give up.

    - `failures` has one or more failures of this call, the newest last, and those before a restart
      of the program, too.
    - `effect` is "none" or "same" if a second call does no harm, "once" if it may.
    - `left` is the seconds that the caller can still wait.
    - A final answer is accepted. Harm is never risked. No service is asked before the time that it
      named, and none for ever: a call is made at most `MAX_TRIES` (8) times.
    - Thousands of programs fail in the same moment and run your function, each with its own
      `random`.

    >>> try_again([Failure("refused", after=0.2)], "none", left=60.0, random=Random(1))
    >>> 5 <= try_again([Failure("busy", 0.2, retry_after=5)], "once", 60.0, Random(1)) < 60
    True
    """
    raise NotImplementedError
