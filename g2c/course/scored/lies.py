"""The score of a function that tells what is so from lies.

A refused truth costs little, since the person's own words are shown in its place. An
accepted lie is believed for months, so it costs three times as much.
"""

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from typing import Protocol, TypeVar

from g2c.course.scored import Progress, Score

PRICE = 3
"""The price of a per cent of the lies, in per cent of what is so."""

SHOWN = 5


class _Case(Protocol):
    @property
    def lie(self) -> str: ...


_C = TypeVar("_C", bound=_Case)


def score_lies(
    cases: Sequence[_C],
    accepts: Callable[[_C], object],
    mistakes: Mapping[str, str],
    describe: Callable[[_C], str],
    progress: Progress,
) -> Score:
    """The per cent of the cases without a lie that `accepts` returns True for, less `PRICE` times
    the per cent of the others. An answer that is not a bool counts as wrong. `mistakes` say for
    each kind of lie what those cases do, and `describe` shows one.

    Raises:
        Exception: what `accepts` raises.
    """
    lost: dict[str, list[_C]] = defaultdict(list)
    for number, case in enumerate(cases):
        progress(number, len(cases))
        if accepts(case) is not (not case.lie):
            lost[case.lie].append(case)
    progress(len(cases), len(cases))
    n_true = sum(not case.lie for case in cases)
    refused = len(lost.get("", ())) / n_true
    let_in = sum(len(some) for lie, some in lost.items() if lie) / (len(cases) - n_true)
    frequent = sorted(lost, key=lambda lie: -len(lost[lie]))[:SHOWN]
    shown = (
        f"{len(lost[lie])} {mistakes[lie]}, such as {describe(lost[lie][0])}." for lie in frequent
    )
    return Score(round(100 * (1 - refused - PRICE * let_in), 1), 100, tuple(shown))
