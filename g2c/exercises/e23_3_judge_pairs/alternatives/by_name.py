"""23.3 by turning each reply into the side that it names, and comparing the two names.

It needs no table of replies: two equal names are the winner, and different ones are a split.
It costs a table of sides for each order. The orders are data here, so that a third one would be one
line.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from g2c.evaluation.core.preferences import Judge, Pair, Tally, Verdict, Winner

Side = Literal["a", "b"]
ORDERS: tuple[tuple[Side, Side], ...] = (("a", "b"), ("b", "a"))


def judge_pairs(pairs: Sequence[Pair], judge: Judge) -> Tally:
    verdicts = tuple(_judge(pair, judge) for pair in pairs)
    winners = [verdict.winner for verdict in verdicts if verdict.winner != "unread"]
    for_b = winners.count("b") + (len(winners) - winners.count("a") - winners.count("b")) / 2
    return Tally(verdicts, for_b / len(winners) if winners else None)


def _judge(pair: Pair, judge: Judge) -> Verdict:
    replies, named = [], set[Winner]()
    for first, second in ORDERS:
        reply = judge(pair.task, getattr(pair, first), getattr(pair, second))
        sides: dict[str, Winner] = {"first": first, "second": second, "tie": "tie"}
        replies.append(reply)
        named.add(sides.get(reply, "unread"))
    winner = "unread" if "unread" in named else named.pop() if len(named) == 1 else "split"
    return Verdict(replies[0], replies[1], winner)
