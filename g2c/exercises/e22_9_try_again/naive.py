"""Let one caller and then forty ask a service that fails, and count what it did."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from random import Random

from g2c.course.breaks import RESULT, WANTED, Seen
from g2c.exercises.e22_9_try_again.goal import BUSY, Service, live
from g2c.loop.core.failures import Effect, Failure

QUESTION = "What did each failure tell about what had happened, and who else heard it?"


def try_again(
    failures: Sequence[Failure], effect: Effect, left: float, random: Random
) -> float | None:
    newest = failures[-1]
    is_final = newest.kind == "refused"
    is_over = len(failures) > 3 or left <= 1.0
    return None if is_final or is_over else max(1.0, newest.retry_after or 0.0)


CROWD = Service("crowded", "none", 60, BUSY, back=1.5, callers=40, pace=0.25)


def show(folder: Path) -> Seen:
    parcels, failures = 0, list[Failure]()
    wait: float | None = 0.0
    while wait is not None:
        parcels += 1
        failures.append(Failure("lost", after=3.0 * len(failures) + 2))
        wait = try_again(failures, "once", 60, Random(1))
        again = "it gives up" if wait is None else f"again in {wait:g} s"
        yield "order", f"a parcel is sent; the connection ends before the answer; {again}"
    answered = sum(caller.answered is not None for caller in live(try_again, CROWD, Random(1)))
    yield "40 callers", "a service that can serve 4 a second is busy for all of them at once"
    yield (
        "40 callers",
        f"it is back after {CROWD.back:g} s, and {answered} have an answer at the end",
    )
    yield RESULT, f"{parcels} parcels for one order; {answered} of 40 callers were served"
    yield WANTED, "one parcel, and a person who looks; nearly all callers served"
