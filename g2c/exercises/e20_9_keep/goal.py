"""The goal of 20.9: which turns of a month are kept, scored by the questions of the following one.
Each question is answered from the newest kept turn on its subject. So a kept turn that is outdated
or false costs as much as a true one would have gained.
"""

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from operator import itemgetter
from typing import Any, Literal

from g2c.course.scored import Goal, Progress, Score
from g2c.exercises.e20_9_keep.month import Claim, Kind, Month, Question, make_months
from g2c.memory.core.types import Turn

MONTHS = 24
BUDGET = 24
"""The most lines that may be kept of a month."""

TARGET = 48.0
SHOWN = 5

Loss = Literal["nothing", "form"] | Kind
"""Why a question was not answered: nothing was kept about it, the choice broke the contract, or the
kept turn is not true."""

_WHY: Mapping[Loss, str] = {
    "nothing": "where nothing was kept",
    "form": "where the choice breaks the contract",
    "changed": "to what had changed since",
    "passing": "to what was for a while only",
    "wondered": "to what nobody had decided",
    "mistaken": "to what the agent said and the person denied",
}


def measure(keep: Callable[..., Any], seed: int, progress: Progress) -> Score:
    """The points that `keep` gains, in per cent of the most possible. A question counts as often as
    it is asked: 1 if it is answered, 0 if nothing was kept about it, and -1 if the kept turn is not
    true. A month whose choice breaks the contract has 0 points.

    Raises:
        Exception: what `keep` raises.
    """
    points = best = 0
    lost: dict[Loss, list[tuple[int, str]]] = defaultdict(list)
    for number, month in enumerate(make_months(seed, MONTHS), 1):
        progress(number - 1, MONTHS)
        best += best_of(month)
        kept = keep(list(month.turns), BUDGET)
        if trouble := trouble_with(kept, month.turns, BUDGET):
            lost["form"].append((best_of(month), f"Month {number}: {trouble}"))
            continue
        points += measure_month(month, kept)
        for question in month.questions:
            why, said = loss_of(question, month, kept)
            if why:
                gained = points_of(question, month, kept)
                lost[why].append((question.times - gained, f"Month {number}: {said}"))
    progress(MONTHS, MONTHS)
    return Score(round(100 * points / best, 1), 100, _worst_losses(lost, best))


def _worst_losses(lost: Mapping[Loss, Sequence[tuple[int, str]]], best: int) -> tuple[str, ...]:
    """A sentence for each cause, the dearest first: what it cost, and its worst case."""
    totals = {why: sum(points for points, _ in cases) for why, cases in lost.items()}
    return tuple(
        f"{totals[why]} of {best} points {_WHY[why]}. {max(lost[why], key=itemgetter(0))[1]}"
        for why in sorted(totals, key=lambda why: -totals[why])
    )[:SHOWN]


def measure_month(month: Month, kept: Sequence[int]) -> int:
    """The total points of the questions after a month."""
    return sum(points_of(question, month, kept) for question in month.questions)


def best_of(month: Month) -> int:
    """The most points that `BUDGET` lines can gain: a line for each question, the most asked
    first."""
    return sum(sorted((question.times for question in month.questions), reverse=True)[:BUDGET])


def points_of(question: Question, month: Month, kept: Sequence[int]) -> int:
    """The points of a question: plus or minus the number of times that it is asked, or 0."""
    claim = _believed(question, month, kept)
    if claim is None:
        return 0
    return question.times if claim.value == question.value else -question.times


def loss_of(question: Question, month: Month, kept: Sequence[int]) -> tuple[Loss | None, str]:
    """Why a question is not answered, and a sentence on the kept turn; None if it is answered."""
    asked = f"{question.text!r} is asked {question.times} times"
    right = max(n for n, c in _claims(question, month).items() if c.value == question.value)
    so = f"{_quoted(month, right)} says what is so."
    claim = _believed(question, month, kept)
    if claim is None:
        return "nothing", f"{asked}; {so}"
    if claim.value == question.value:
        return None, ""
    newest = max(_claims(question, month).keys() & set(kept))
    return claim.kind, f"{asked}; {_quoted(month, newest)} was kept; {so}"


def _believed(question: Question, month: Month, kept: Sequence[int]) -> Claim | None:
    claims = _claims(question, month)
    about = claims.keys() & set(kept)
    return claims[max(about)] if about else None


def _claims(question: Question, month: Month) -> dict[int, Claim]:
    return {n: claim for n, claim in month.claims.items() if claim.matter == question.matter}


def trouble_with(kept: object, turns: Sequence[Turn], budget: int) -> str:
    """The error in the form of a choice, as a sentence; empty if there is none."""
    if not isinstance(kept, list) or not all(type(n) is int for n in kept):
        return f"keep must give a list of the numbers of turns, and gave {kept!r:.60}."
    if strangers := [n for n in kept if not 0 <= n < len(turns)]:
        return f"there is no turn {strangers[0]}; the last one is {len(turns) - 1}."
    if len(set(kept)) < len(kept):
        return "keep chose a turn twice."
    if (lines := sum(len(turns[n].content.splitlines()) for n in kept)) > budget:
        return f"keep chose turns with {lines} lines, and the budget is {budget}."
    return ""


def _quoted(month: Month, number: int) -> str:
    turn = month.turns[number]
    return f"turn {number} ({turn.role}, day {turn.ts.day}: {turn.content!r})"


def tasks(seed: int) -> Iterator[str]:
    """A month, and the questions after it."""
    (month,) = make_months(seed, 1)
    for number, turn in enumerate(month.turns):
        first, *more = turn.content.splitlines()
        yield f"{number:4} {turn.ts:%d %H:%M} {turn.role:9} {first}"
        yield from (f"{'':24} {line}" for line in more)
    for question in sorted(month.questions, key=lambda question: -question.times):
        yield f"asked {question.times} times: {question.text} ({question.value})"


GOAL = Goal(measure, TARGET, "per cent of what could be answered", tasks=tasks)
