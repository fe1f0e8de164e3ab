"""22.9: rule out what must not be, then wait twice as long each time, by chance, after the time
that the service named.

All failures count, not only the newest: what may have happened once may have happened, whatever
came later. Chance is added to the service's own time, since everybody heard the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from g2c.loop.core.failures import MAX_TRIES, Effect, Failure

FIRST_S = 1.0


def try_again(
    failures: Sequence[Failure], effect: Effect, left: float, random: Random
) -> float | None:
    kinds = [failure.kind for failure in failures]
    if "refused" in kinds or len(kinds) >= MAX_TRIES:
        return None
    if effect == "once" and any(kind != "busy" for kind in kinds):
        return None
    named = max(failure.after + (failure.retry_after or 0.0) for failure in failures)
    spread = FIRST_S * 2 ** (len(failures) - 1)
    wait = named - failures[-1].after + random.uniform(spread / 4, spread)
    return wait if wait < left else None
