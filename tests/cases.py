"""For the student's tests: one test over several cases, and how time grows with a text."""

import time
from collections.abc import Callable, Iterable
from typing import Any


def each(values: Iterable[Any], name: str = "") -> Callable[[Callable[..., None]], Any]:
    """Run a test method once for each value, as one test, so that its counts stay readable.

    With a `name`, a failure notes under that name which value it was.
    """

    def decorate(test: Callable[..., None]) -> Any:
        def run_all(self: Any) -> None:
            for value in values:
                try:
                    test(self, value)
                except BaseException as error:
                    if name:
                        error.add_note(f"This was with {name} = {value!r:.200}")
                    raise

        run_all.__name__, run_all.__doc__ = test.__name__, test.__doc__
        return run_all

    return decorate


def growth(
    work: Callable[[int], Callable[[], object]], small: int, large: int, most: float
) -> float:
    """How many times as long the work on `large` takes as that on `small`, in processor time.

    What else the computer does can only lengthen a measurement, so the shortest one counts. Five
    rounds are measured, and up to forty within a second, until the result is below `most`. What
    takes less than a clock can tell counts as 1.6 ms.
    """
    works = {size: work(size) for size in (small, large)}
    shortest = dict.fromkeys(works, float("inf"))
    spent, rounds = 0.0, 0
    while rounds < 5 or (rounds < 40 and spent < 1):
        rounds += 1
        for size, once in works.items():
            before = time.process_time()
            once()
            taken = time.process_time() - before
            spent += taken
            shortest[size] = min(shortest[size], taken)
        times = shortest[large] / max(shortest[small], 0.0016)
        if times < most:
            break
    return times
