"""23.3: three pairs of replies have a winner, and every other that can be read is a split.

In the table, a winner's two replies differ, since its place does. If the orders disagree, each side
gets half, so a judge that only looks at places gives half to both. Zheng et al., "Judging
LLM-as-a-Judge with MT-Bench and Chatbot Arena" (2023), count a win only if it stays when the
answers change places.
"""

from __future__ import annotations

from collections.abc import Sequence
from statistics import fmean
from typing import get_args

from g2c.evaluation.core.preferences import Judge, Pair, Place, Tally, Verdict, Winner

WINNERS: dict[tuple[str, str], Winner] = {
    ("first", "second"): "a",
    ("second", "first"): "b",
    ("tie", "tie"): "tie",
}
CREDIT: dict[Winner, float] = {"a": 0.0, "b": 1.0, "tie": 0.5, "split": 0.5}


def judge_pairs(pairs: Sequence[Pair], judge: Judge) -> Tally:
    verdicts = []
    for pair in pairs:
        replies = judge(pair.task, pair.a, pair.b), judge(pair.task, pair.b, pair.a)
        read = set(replies) <= set(get_args(Place))
        winner = WINNERS.get(replies, "split") if read else "unread"
        verdicts.append(Verdict(*replies, winner))
    credits = [CREDIT[verdict.winner] for verdict in verdicts if verdict.winner in CREDIT]
    return Tally(tuple(verdicts), fmean(credits) if credits else None)
