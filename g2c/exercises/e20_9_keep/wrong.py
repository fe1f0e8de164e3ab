"""20.9 gone wrong."""

from collections.abc import Sequence
from functools import partial

from wrong_answers import wrong

from g2c.memory.core.types import Turn

wrong = partial(wrong, "20.9")

IS_SETTLED = "is_settled = _FOR_GOOD.search(text) or not _FOR_NOW.search(text)"

wrong(
    "What the person said is so, whatever they said around it.", (IS_SETTLED, "is_settled = True")
)
wrong("What was said first was meant most.", ("in reversed(said)", "in said"))
wrong(
    "An agent that read all of it knows best.",
    ('return n > 0 and (asks[n - 1] or turns[n - 1].role == "tool")', "return True"),
)
wrong(
    "Each turn is worth a line by itself; a newer one need not replace it.",
    (">= _SAME_MATTER * least", "> 99"),
)
wrong(
    "Every word of a turn says what it is about.",
    ("    values -= {term for n in places if asks[n] for term in terms[n]}\n", ""),
)
wrong(
    "The older version of a matter is worth a line beside the newer one.",
    ("kept.append(matter[0])", "kept += matter[:2]"),
    ("lines = len(turns[matter[0]].content.splitlines())", "lines = len(matter[:2])"),
)


@wrong()
def the_last(turns: Sequence[Turn], budget: int) -> list[int]:
    """The newest turns are worth most."""
    kept = []
    for number in reversed(range(len(turns))):
        lines = len(turns[number].content.splitlines())
        if lines <= budget:
            kept.append(number)
            budget -= lines
    return kept


@wrong()
def a_line_each(turns: Sequence[Turn], budget: int) -> list[int]:
    """A turn is a line."""
    return sorted(range(len(turns)), key=lambda n: (-len(turns[n].content), n))[:budget]
