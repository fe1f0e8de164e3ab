"""Which of two answers a model prefers, if no check can tell: each pair is judged in both orders.

A judge may prefer a position to an answer. Only a preference that survives when the answers change
places counts. The others are reported.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import get_args

from g2c.critic.core.types import Interval
from g2c.critic.paired_bootstrap import paired_bootstrap
from g2c.evaluation.core.preferences import Place, Verdict
from g2c.inference import Backend
from g2c.inference.errors import BackendError
from g2c.inference.structured.json_forms import object_schema
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


def position_bias(verdicts: Sequence[Verdict]) -> Interval:
    """The share of replies for the first place minus the share for the second: 0 for a judge that
    ignores the places, 1 for a judge that always takes the first."""
    return paired_bootstrap(_share(verdicts, "second"), _share(verdicts, "first"))


def _share(verdicts: Sequence[Verdict], place: Place) -> list[float]:
    """For each pair, the share of its two replies for that place."""
    return [[verdict.a_first, verdict.b_first].count(place) / 2 for verdict in verdicts]
