"""22.4 gone wrong."""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from itertools import pairwise

from wrong_answers import wrong

from g2c.exercises.e22_4_is_stuck.solution import is_stuck
from g2c.loop.core.types import TickRecord

wrong = partial(wrong, "22.4")

SAME = "(tick.prompt, tick.actions, tick.answer)"
LAST = "{tick.tick: tick for tick in ticks}"
CHECK = "if k < 2:"
FAILED = ' or any(tick.outcome == "failed" for tick in newest)'

wrong("A loop whose prompt does not change is stuck.", (SAME, "tick.prompt"))
wrong(
    "A loop is stuck if it does and says the same again, whatever it was asked.",
    (SAME, "(tick.actions, tick.answer)"),
)
wrong(
    "What a tick says is only words; what it does is what counts.",
    (SAME, "(tick.prompt, tick.actions)"),
)
wrong(
    "Two ticks used the same tools if they used the same set of tools.",
    ("tick.actions", "frozenset(tick.actions)"),
)
wrong("Two records are the same if they are equal.", ("{" + SAME, "{(tick, *" + SAME + ")"))
wrong(
    "If all ticks that there are were the same, the loop is stuck.",
    ("len(newest) < k", "not newest"),
)
wrong(
    "Three times is what stuck means.", ("[-k:]", "[-3:]"), ("len(newest) < k", "len(newest) < 3")
)
wrong(
    "Stuck means that a tick was repeated k times, so k more come after it.",
    ("[-k:]", "[-k - 1:]"),
    ("len(newest) < k", "len(newest) <= k"),
)
wrong("A loop that was stuck once is a stuck loop.", ("[-k:]", "[:k]"))
wrong("Each record in the log is a tick.", (LAST, "dict(enumerate(ticks))"))
wrong(
    "The first record of a number is the tick, and the second is a copy.",
    (LAST, "{tick.tick: tick for tick in reversed(ticks)}"),
    ("list(last.values())", "list(last.values())[::-1]"),
)
wrong(
    "A tick that fails in the same way again and again is the worst way to be stuck.", (FAILED, "")
)
wrong("Stuck once is a k of 1.", (CHECK, "if k < 1:"))
wrong("Ticks that are the same came out the same, too.", (SAME, "(tick.outcome, *" + SAME + ")"))


@wrong()
def neighbours_alone(ticks: Sequence[TickRecord], k: int = 3) -> bool:
    """A tick that was cut off stands right before its second record."""
    whole = [tick for tick, after in pairwise(ticks) if after.tick != tick.tick]
    return is_stuck([replace(tick, tick=n) for n, tick in enumerate([*whole, *ticks[-1:]])], k)


wrong(
    "White space around an answer says nothing.",
    ("tick.actions, tick.answer)", "tick.actions, tick.answer.strip())"),
)
