"""Measurements that take minutes, and a person who does not wait for all of them.

Ctrl-C, and a notebook's stop button, end the work at once. What has been measured until then is not
lost: the exception has it, and says how many of how many.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

Item = TypeVar("Item")
Result = TypeVar("Result")


class StoppedEarly(KeyboardInterrupt):
    """Somebody ended a measurement. `results` are those of the first items, in their order; `str`
    of it is a report on them."""

    def __init__(self, results: Sequence[Any], wanted: int, report: str) -> None:
        super().__init__(f"Stopped after {len(results)} of {wanted}.\n\n{report}")
        self.results = tuple(results)


def measure_each(
    items: Sequence[Item],
    measure: Callable[[Item], Result],
    report: Callable[[list[Result]], object],
) -> list[Result]:
    """`measure(item)` for each of `items`. `report` says what results of the first few show.

    Raises:
        StoppedEarly: it was interrupted, after one result or more.

    >>> measure_each([1, 2, 3], lambda n: n * n, sum)
    [1, 4, 9]
    """
    results: list[Result] = []
    try:
        for item in items:
            results.append(measure(item))
    except KeyboardInterrupt:
        if not results:
            raise
        raise StoppedEarly(results, len(items), str(report(results))) from None
    return results
