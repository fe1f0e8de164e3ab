"""Measurements that take minutes, and do not come to their end.

A person presses Ctrl-C or a notebook's stop button; a server answers with errors for a while.
Finished measurements are not lost: the exception has them, and says how many of how many. A failed
measurement is not a zero: it is left out, reported, and repeated by the next run.
"""

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

Item = TypeVar("Item")
Result = TypeVar("Result")

MAX_OUTAGES = 3
"""After so many outages in a row, a measurement ends."""


class OutageError(Exception):
    """Something could not be measured, for a reason that says nothing about it.

    `is_lasting` is whether the next measurement would fail, too.
    """

    is_lasting = False


class StoppedEarly(KeyboardInterrupt):
    """Somebody ended a measurement. `results` are those of the measured items, in their order,
    `report` is about them, and `reason` says how many there are of how many."""

    def __init__(self, results: Sequence[Any], wanted: int, report: str) -> None:
        self.reason = f"Stopped after {len(results)} of {wanted}."
        super().__init__(f"{self.reason}\n\n{report}")
        self.results, self.report = tuple(results), report


class PartlyMeasuredError(OutageError):
    """Some items could not be measured, because of `outage`. `results` are those of the others, in
    their order, `report` is about them, and `reason` says how many are missing, and why."""

    def __init__(
        self, results: Sequence[Any], wanted: int, report: str, outage: OutageError
    ) -> None:
        missing = f"{wanted - len(results)} of {wanted} could not be measured"
        self.reason = f"{missing}, and count in no figure: {outage}"
        super().__init__(f"{self.reason}\n\n{report}")
        self.results, self.report, self.outage = tuple(results), report, outage


def measure_each(
    items: Sequence[Item],
    measure: Callable[[Item], Result],
    report: Callable[[list[Result]], object],
) -> list[Result]:
    """`measure(item)` for each of `items`. `report` says what some of the results show.

    An item that raises `OutageError` is measured once more, after the others.

    Raises:
        StoppedEarly: it was interrupted, after one result or more.
        PartlyMeasuredError: there are results, and an item failed twice, or `MAX_OUTAGES` items in
            a row failed, or the reason is lasting. Without a result, the `OutageError` itself.

    >>> measure_each([1, 2, 3], lambda n: n * n, sum)
    [1, 4, 9]
    """
    found: dict[int, Result] = {}

    def results() -> list[Result]:
        return [found[place] for place in sorted(found)]

    try:
        outage = None
        for _ in range(2):
            outage = _measure_missing(items, measure, found)
            if outage is None:
                return results()
            if outage.is_lasting:
                break
    except KeyboardInterrupt:
        if not found:
            raise
        raise StoppedEarly(results(), len(items), str(report(results()))) from None
    assert outage
    if not found:
        raise outage
    raise PartlyMeasuredError(results(), len(items), str(report(results())), outage) from None


def _measure_missing(
    items: Sequence[Item], measure: Callable[[Item], Result], found: dict[int, Result]
) -> OutageError | None:
    """Measure the items whose places are not in `found`, and add them to it. Return the last
    outage, if there was one; after `MAX_OUTAGES` in a row, or a lasting one, stop."""
    last, in_a_row = None, 0
    for place, item in enumerate(items):
        if place in found:
            continue
        try:
            found[place] = measure(item)
            in_a_row = 0
        except OutageError as error:
            last, in_a_row = error, in_a_row + 1
            if error.is_lasting or in_a_row == MAX_OUTAGES:
                break
    return last
