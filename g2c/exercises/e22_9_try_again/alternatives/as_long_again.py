"""22.9 without a count of tries: wait about as long again as it has lasted.

What has lasted for a minute will hardly be over in a second. So the time since the first try says
how long to wait, and tries grow rarer by themselves. Slow failures need no other rule than fast
ones. It costs a long first wait after a long time-out.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from g2c.loop.core.failures import MAX_TRIES, Effect, Failure

SAFE = {"once": {"busy"}, "same": {"busy", "lost", "broken"}, "none": {"busy", "lost", "broken"}}
MIN_S = 0.5


def try_again(
    failures: Sequence[Failure], effect: Effect, left: float, random: Random
) -> float | None:
    if not {failure.kind for failure in failures} <= SAFE[effect]:
        return None
    if len(failures) >= MAX_TRIES:
        return None
    now = failures[-1].after
    asked = [failure.after + failure.retry_after for failure in failures if failure.retry_after]
    start = max([now, *asked])
    wait = start - now + random.uniform(0.2, 1.2) * max(now, MIN_S)
    return wait if wait < left else None
