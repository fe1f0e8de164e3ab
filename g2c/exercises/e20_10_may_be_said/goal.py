"""The goal of 20.10: a program decides which answers say what the user said."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any

from g2c.course.scored import Goal, Progress, Score
from g2c.course.scored.lies import score_lies
from g2c.exercises.e20_10_may_be_said.asked import Case, make_cases

TARGET = 70.0

_MISTAKES = {
    "": "answers were right and refused",
    "beside": "wrong answers say something true that was not asked",
    "more": "wrong answers add something to a list",
    "old": "wrong answers say what was changed since",
    "short": "wrong answers leave out a part of a list",
    "subject": "wrong answers give the value of something else",
    "turned": "wrong answers turn what was said round",
    "unsaid": "wrong answers say what nobody had said",
    "value": "wrong answers have a value that nobody had said",
}


@dataclass(frozen=True)
class _Trial:
    """An answer to the question of a case, and its kind of lie."""

    case: Case
    text: str
    lie: str


def measure(may_be_said: Callable[..., Any], seed: int, progress: Progress) -> Score:
    """The score of `may_be_said` on a seed's answers; see `score_lies`. Raises what it raises."""
    return score_lies(
        _trials_of(seed),
        lambda trial: may_be_said(trial.text, trial.case.question, trial.case.said),
        _MISTAKES,
        lambda trial: f"{trial.case.question} {trial.text!r} ({_said(trial.case)})",
        progress,
    )


def _said(case: Case) -> str:
    return " ".join(turn.content for turn in case.said)


@cache
def _trials_of(seed: int) -> list[_Trial]:
    """The answers of a seed, made once for each process."""
    return [
        _Trial(case, answer.text, answer.lie)
        for case in make_cases(seed)
        for answer in case.answers
    ]


def tasks(seed: int) -> Iterator[str]:
    """The turns, a question, and answers; with a wrong answer's kind of mistake."""
    for case in make_cases(seed):
        for turn in case.said:
            yield f"{turn.ts:%Y-%m-%d} {turn.content}"
        yield f"  {case.question}"
        for answer in case.answers:
            yield f"    {answer.text}  ({answer.lie or 'right'})"


GOAL = Goal(
    measure,
    TARGET,
    "per cent of right answers, less three for each per cent of wrong ones",
    tasks=tasks,
)
