"""Which of two answers is better, if only a judge can tell.

The idea to take away: a judge that reads two answers reads one of them first. Ask again with the
places exchanged, and believe what stays.
"""

from __future__ import annotations

from collections.abc import Sequence

from g2c.evaluation.core.preferences import Judge, Pair, Tally
from g2c.exercise import exercise


@exercise("23.3")
def judge_pairs(pairs: Sequence[Pair], judge: Judge) -> Tally:
    """Both verdicts on each pair, who won by them, and the share that `b` has.

    `judge(task, first, second)` replies `"first"`, `"second"` or `"tie"`. Any other reply cannot be
    read.

    - `judge` hears of each pair twice: with `a` first, then with `b` first. It is told nothing
      else, and what it raises is raised.
    - `verdicts[i]` is about `pairs[i]`. Its winner is the answer that both orders prefer, or
      `"tie"` if both say that. It is `"unread"` if either reply cannot be read, else `"split"`.
    - `share_b` is the mean over the pairs that were read: 1 if `b` won, 0 if `a` won, else 1/2.
      Without such a pair it is None.

    >>> tally = judge_pairs([Pair("2 + 2?", "5", "4")], lambda task, one, two: "first")
    >>> tally.verdicts
    (Verdict(a_first='first', b_first='first', winner='split'),)
    >>> tally.share_b
    0.5
    """
    raise NotImplementedError
