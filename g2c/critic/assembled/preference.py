"""Which of two answers a model prefers, if no check can tell: each pair is judged in both orders.

A judge may prefer a place to an answer. Only a preference that stays when the answers change places
is a preference for an answer. The others are reported.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal, get_args

from g2c.critic.assembled.comparison import Configuration
from g2c.critic.bootstrap import paired_bootstrap
from g2c.critic.provided.intervals import markdown_table, points
from g2c.critic.provided.types import Interval
from g2c.inference import Backend
from g2c.inference.structured.json_forms import object_schema
from g2c.interrupted import measure_each

Place = Literal["first", "second", "tie"]
"""The place of the preferred answer, in the order in which the judge read the two."""

Winner = Literal["a", "b", "tie", "orders disagree"]
PairVerdict = Callable[[str, str, str], Place]
"""A judge: a function from a task and two answers to the place of the better one."""

PREFERENCE_SCHEMA = object_schema(better={"enum": ["first", "second", "tie"]})

_PROMPT = """\
Which of two answers does the task better? Look for mistakes in each before you decide. Length is \
no merit.

Task:
{task}

First answer:
{first}

Second answer:
{second}

Reply with one line of JSON: {{"better": "first"}}, {{"better": "second"}} or {{"better": "tie"}}.
"""


@dataclass(frozen=True)
class PairJudge:
    """A model as the judge of pairs. Its backend must support JSON schemas.

    Raises:
        BackendError: at a call, the model could not be asked, or cannot be held to a schema.
    """

    backend: Backend
    temperature: float = 0.0

    def __call__(self, task: str, first: str, second: str) -> Place:
        prompt = _PROMPT.format(task=task, first=first, second=second)
        answer = self.backend.complete_json(
            prompt, PREFERENCE_SCHEMA, max_new_tokens=32, temperature=self.temperature
        )
        better: Place = json.loads(answer.completion)["better"]
        return better


@dataclass(frozen=True)
class JudgedPair:
    """The judge's two verdicts on a task: with a's answer first, and with b's answer first."""

    task: str
    a_first: Place
    b_first: Place

    @property
    def winner(self) -> Winner:
        """The side that both orders prefer.

        >>> JudgedPair("a task", a_first="first", b_first="second").winner
        'a'
        >>> JudgedPair("a task", a_first="first", b_first="first").winner
        'orders disagree'
        """
        orders: dict[tuple[Place, Place], Winner] = {
            ("first", "second"): "a",
            ("second", "first"): "b",
            ("tie", "tie"): "tie",
        }
        return orders.get((self.a_first, self.b_first), "orders disagree")


@dataclass(frozen=True)
class Preferences:
    """The judged pairs of one or more tasks.

    `advantage` is the share of pairs that b wins minus the share that a wins. `position_bias` is
    the share of verdicts for the first place minus the share for the second: 0 for a judge that
    ignores the places, 1 for a judge that always takes the first.
    """

    pairs: tuple[JudgedPair, ...]
    advantage: Interval
    position_bias: Interval
    names: tuple[str, str] = ("a", "b")

    def count(self, winner: Winner) -> int:
        """How many pairs have this winner."""
        return sum(pair.winner == winner for pair in self.pairs)

    def to_markdown(self) -> str:
        """The report: how many pairs each side won, the position bias, and every pair."""
        a, b = self.names
        n = len(self.pairs)
        names = dict(zip(get_args(Winner), (a, b, "tie", "orders disagree"), strict=True))
        totals = [[name, f"{self.count(winner)} of {n}"] for winner, name in names.items()]
        rows = [[pair.task, pair.a_first, pair.b_first, names[pair.winner]] for pair in self.pairs]
        parts = [
            markdown_table(["preferred in both orders", "pairs"], totals),
            f"From {a} to {b}: {points(self.advantage)}. The first place over the second: "
            f"{points(self.position_bias)}. In brackets: 95 % intervals.",
            markdown_table(["task", f"{a} first", f"{b} first", "preferred"], rows),
        ]
        return "\n\n".join(parts) + "\n"


def compare_by_preference(
    a: Configuration,
    b: Configuration,
    tasks: Sequence[str],
    judge: PairVerdict,
    *,
    names: tuple[str, str] = ("a", "b"),
) -> Preferences:
    """Give each task to both configurations, and judge each pair of answers in both orders.

    A pair on which the orders disagree has no winner, and is no tie.

    Raises:
        ValueError: there is no task.
        BackendError: a call failed.
        StoppedEarly: it was interrupted, and some pairs were judged; it has the report on these.
    """
    if not tasks:
        raise ValueError("Two configurations are compared on one task or more, got none.")

    def judged(task: str) -> JudgedPair:
        of_a, of_b = a(task), b(task)
        return JudgedPair(task, judge(task, of_a, of_b), judge(task, of_b, of_a))

    def of(pairs: Sequence[JudgedPair]) -> Preferences:
        winners = [pair.winner for pair in pairs]
        advantage = paired_bootstrap(
            [winner == "a" for winner in winners], [winner == "b" for winner in winners]
        )
        bias = paired_bootstrap(_share(pairs, "second"), _share(pairs, "first"))
        return Preferences(tuple(pairs), advantage, bias, names)

    return of(measure_each(tasks, judged, lambda done: of(done).to_markdown()))


def _share(pairs: Sequence[JudgedPair], place: Place) -> list[float]:
    """For each pair, the share of its two verdicts for that place."""
    return [[pair.a_first, pair.b_first].count(place) / 2 for pair in pairs]
