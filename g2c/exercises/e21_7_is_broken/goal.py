"""The goal of 21.7: a program decides which unseen drafts are broken.

The score is the share of the broken drafts that it calls broken, less the share of the good ones
that it calls broken, in per cent. A constant answer scores 0, and so does a coin.
"""

from collections import defaultdict
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

from g2c.course.scored import Goal, Progress, Score
from g2c.exercises.e21_7_is_broken.drafts import Case, make_cases
from g2c.exercises.e21_7_is_broken.programs import many_programs

TARGET = 48.0
SHOWN = 5


def measure(is_broken: Callable[..., Any], seed: int, progress: Progress) -> Score:
    """The share of the broken drafts that `is_broken` calls broken, less that of the good ones, in
    per cent.

    An answer that is not a bool counts as wrong.

    Raises:
        Exception: what `is_broken` raises.
    """
    cases = cases_of(seed)
    right = {True: 0, False: 0}
    lost: dict[str, list[str]] = defaultdict(list)
    with many_programs() as run:
        for number, case in enumerate(cases):
            progress(number, len(cases))
            said = is_broken(case.shown, case.draft, run)
            if said is case.is_broken:
                right[case.is_broken] += 1
            elif not isinstance(said, bool):
                lost["not a bool"].append(
                    f"of {case.name} is_broken said {said!r:.60}, which is not a bool."
                )
            elif case.is_broken:
                lost[case.how].append(f"{case.name} passed. {case.how}\n{case.draft}")
            else:
                lost["good"].append(f"{case.name} was called broken. It is good.\n{case.draft}")
    progress(len(cases), len(cases))
    n_broken = sum(case.is_broken for case in cases)
    caught, cleared = right[True] / n_broken, right[False] / (len(cases) - n_broken)
    return Score(round(100 * (caught + cleared - 1), 1), 100, _frequent_mistakes(lost, len(cases)))


def _frequent_mistakes(lost: dict[str, list[str]], n: int) -> tuple[str, ...]:
    """One case of each kind of mistake, the most frequent kind first."""
    kinds = sorted(lost, key=lambda kind: -len(lost[kind]))[:SHOWN]
    return tuple(
        f"{len(lost[kind])} of {n} drafts like this: {lost[kind][0].strip()}" for kind in kinds
    )


@cache
def cases_of(seed: int) -> list[Case]:
    """The drafts of a seed, made once for each process."""
    with many_programs() as run:
        return make_cases(seed, run)


def tasks(seed: int) -> Iterator[str]:
    """The drafts, and what is wrong with each."""
    for case in cases_of(seed):
        yield f"{case.name}: {case.how if case.is_broken else 'good'}"
        yield from (f"    {line}" for line in case.draft.splitlines())


GOAL = Goal(measure, TARGET, "per cent of broken drafts, less per cent of good ones", tasks=tasks)
