"""Which of two answers a model prefers, if no check can tell: each pair is judged in both orders.

A judge may prefer a position to an answer. Only a preference that survives when the answers change
places counts. The others are reported.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import get_args

from g2c.critic.app.comparison import Configuration
from g2c.critic.core.intervals import markdown_table, percent, points
from g2c.critic.core.types import Interval
from g2c.critic.paired_bootstrap import paired_bootstrap
from g2c.evaluation.core.preferences import Judge, Pair, Place, Tally, Verdict, Winner
from g2c.evaluation.judge_pairs import judge_pairs
from g2c.inference import Backend
from g2c.inference.errors import BackendError
from g2c.inference.structured.json_forms import object_schema
from g2c.interrupted import measure_each
from g2c.quoting import between_labels

PREFERENCE_SCHEMA = object_schema(better={"enum": list(get_args(Place))})

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


def preference_prompt(task: str, first: str, second: str) -> str:
    """The prompt for a preference. Nothing in the three texts reads like a label of it."""
    task, first, second = map(between_labels, (task, first, second))
    return _PROMPT.format(task=task, first=first, second=second)


@dataclass(frozen=True)
class PairJudge:
    """A model as the judge of pairs. Its backend must support JSON schemas.

    If the model fails, as with an answer that is cut off, the error's text is an unreadable reply.

    Raises:
        BackendError: at a call, the server failed, or its output cannot be constrained to a schema.
    """

    backend: Backend
    temperature: float = 0.0

    def __call__(self, task: str, first: str, second: str) -> str:
        prompt = preference_prompt(task, first, second)
        try:
            answer = self.backend.complete_json(
                prompt, PREFERENCE_SCHEMA, max_new_tokens=32, temperature=self.temperature
            )
        except BackendError as error:
            if not error.blames_model or not self.backend.supports_json:
                raise
            return str(error)
        return str(json.loads(answer.completion)["better"])


def share_of_b(tallies: Sequence[Tally]) -> Interval | None:
    """The share that b has of the pairs that could be read, with its interval; None without any."""
    shares = [tally.share_b for tally in tallies if tally.share_b is not None]
    return paired_bootstrap([0.0] * len(shares), shares) if shares else None


def position_bias(verdicts: Sequence[Verdict]) -> Interval:
    """The share of replies for the first place minus the share for the second: 0 for a judge that
    ignores the places, 1 for a judge that always takes the first."""
    return paired_bootstrap(_share(verdicts, "second"), _share(verdicts, "first"))


def _share(verdicts: Sequence[Verdict], place: Place) -> list[float]:
    """For each pair, the share of its two replies for that place."""
    return [[verdict.a_first, verdict.b_first].count(place) / 2 for verdict in verdicts]


@dataclass(frozen=True)
class Preferences:
    """The judged answers of two configurations to one or more tasks.

    `share_b` is the share that b has of the pairs that could be read. It is None without any.
    """

    tasks: tuple[str, ...]
    verdicts: tuple[Verdict, ...]
    share_b: Interval | None
    position_bias: Interval
    names: tuple[str, str] = ("a", "b")

    def count(self, winner: Winner) -> int:
        """How many pairs have this winner."""
        return sum(verdict.winner == winner for verdict in self.verdicts)

    def to_markdown(self) -> str:
        """The report: how many pairs each side won, the position bias, and every pair."""
        a, b = self.names
        shown = dict(zip(get_args(Winner), (a, b, "tie", "split", "unread"), strict=True))
        totals = [
            [name, f"{self.count(winner)} of {len(self.tasks)}"] for winner, name in shown.items()
        ]
        rows = [
            [task, one.a_first, one.b_first, shown[one.winner]]
            for task, one in zip(self.tasks, self.verdicts, strict=True)
        ]
        share = percent(self.share_b) if self.share_b else "of nothing, for nothing was read"
        parts = [
            markdown_table(["preferred in both orders", "pairs"], totals),
            f"The share of {b}, with half of each tie and split: {share}. The first place over "
            f"the second: {points(self.position_bias)}. In brackets: 95 % intervals.",
            markdown_table(["task", f"{a} first", f"{b} first", "preferred"], rows),
        ]
        return "\n\n".join(parts) + "\n"


def compare_by_preference(
    a: Configuration,
    b: Configuration,
    tasks: Sequence[str],
    judge: Judge,
    *,
    names: tuple[str, str] = ("a", "b"),
) -> Preferences:
    """Give each task to both configurations, and judge each pair of answers in both orders.

    Raises:
        ValueError: there is no task.
        BackendError: no task could be judged.
        PartlyMeasuredError, StoppedEarly: some tasks were judged; it has the report on these.
    """
    if not tasks:
        raise ValueError("Two configurations are compared on one task or more, got none.")

    def of(done: Sequence[tuple[str, Tally]]) -> Preferences:
        asked, tallies = zip(*done, strict=True)
        verdicts = tuple(verdict for tally in tallies for verdict in tally.verdicts)
        return Preferences(asked, verdicts, share_of_b(tallies), position_bias(verdicts), names)

    def judged(task: str) -> tuple[str, Tally]:
        return task, judge_pairs([Pair(task, a(task), b(task))], judge)

    return of(measure_each(tasks, judged, lambda done: of(done).to_markdown()))
