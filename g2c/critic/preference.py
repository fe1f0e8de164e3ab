"""Which of two answers a model prefers, where no check can tell: each pair judged in both orders.

The idea to take away: a judge that reads two answers may prefer a place to an answer. Only a
preference that survives the change of places is one for the answer; the others are reported.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

from g2c.critic.base import Interval
from g2c.critic.bootstrap import paired_bootstrap
from g2c.critic.comparison import Configuration
from g2c.critic.report import markdown_table, points
from g2c.inference import Backend
from g2c.inference.json_forms import closed_object

Place = Literal["first", "second", "tie"]
"""Which of two answers was preferred, by the place at which the judge read it."""

Winner = Literal["a", "b", "tie", "orders disagree"]

PairVerdict = Callable[[str, str, str], Place]
"""A judge of pairs: from a task, the first answer and the second to the place of the better one."""

PREFERENCE_SCHEMA = closed_object(better={"enum": ["first", "second", "tie"]})

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
    """A model as the judge of pairs. It must be able to hold its output to a JSON schema.

    Raises:
        BackendError: on a call, where the model could not be asked, or cannot do that.
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
    """Two answers to a task, and what the judge said: with a's first, and with b's first."""

    task: str
    a_first: Place
    b_first: Place

    @property
    def winner(self) -> Winner:
        """Whom both orders prefer.

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
    """The judged pairs of one task or more.

    `advantage` is the share of pairs that b wins minus the share that a wins. `position_bias` is
    the share of verdicts for the first place minus the share for the second: a judge that looks at
    the answers alone has none, and one that always takes the first has 1.
    """

    pairs: tuple[JudgedPair, ...]
    advantage: Interval
    position_bias: Interval
    names: tuple[str, str] = ("a", "b")

    def count(self, winner: Winner) -> int:
        """How many pairs ended so."""
        return sum(pair.winner == winner for pair in self.pairs)

    def to_markdown(self) -> str:
        """The report: who won how many, what the place did, and every pair."""
        a, b = self.names
        names: dict[Winner, str] = {
            "a": a,
            "b": b,
            "tie": "tie",
            "orders disagree": "orders disagree",
        }
        n = len(self.pairs)
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
    """Have both configurations answer each task, and `judge` say in both orders which did better.

    A pair on which the orders disagree is won by nobody, and is no tie.

    Raises:
        ValueError: there is no task.
        BackendError: a call failed.
    """
    if not tasks:
        raise ValueError("Two configurations are compared on one task or more, got none.")
    pairs = []
    for task in tasks:
        of_a, of_b = a(task), b(task)
        pairs.append(JudgedPair(task, judge(task, of_a, of_b), judge(task, of_b, of_a)))
    winners = [pair.winner for pair in pairs]
    advantage = paired_bootstrap(
        [winner == "a" for winner in winners], [winner == "b" for winner in winners]
    )
    bias = paired_bootstrap(_share(pairs, "second"), _share(pairs, "first"))
    return Preferences(tuple(pairs), advantage, bias, names)


def _share(pairs: Sequence[JudgedPair], place: Place) -> list[float]:
    """For each pair, the share of its two verdicts that are for that place."""
    return [[pair.a_first, pair.b_first].count(place) / 2 for pair in pairs]
