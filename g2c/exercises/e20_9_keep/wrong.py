"""20.9 gone wrong."""

from collections.abc import Sequence
from functools import partial

from wrong_answers import wrong

from g2c.memory.core.types import Turn

wrong = partial(wrong, "20.9", caught_by="test_it_reaches_the_target")

IS_SETTLED = "is_settled = _FOR_GOOD.search(text) or not _FOR_NOW.search(text)"

wrong(
    "What the person said is so, whatever they said around it.",
    (IS_SETTLED, "is_settled = True"),
    says="to what was for a while only",
)
wrong(
    "What was said first was meant most.",
    ("in reversed(said)", "in said"),
    says="to what had changed since",
)
wrong(
    "An agent that read all of it knows best.",
    ('return n > 0 and (asks[n - 1] or turns[n - 1].role == "tool")', "return True"),
    says="to what the agent said and the person denied",
)
wrong(
    "Each turn is worth a line by itself; a newer one need not replace it.",
    (">= _SAME_MATTER * least", "> 99"),
    says="and the target is 48",
)
wrong(
    "Every word of a turn says what it is about.",
    ("    values -= {term for n in places if asks[n] for term in terms[n]}\n", ""),
    says="where nothing was kept",
)
wrong(
    "The older version of a matter is worth a line beside the newer one.",
    ("kept.append(matter[0])", "kept += matter[:2]"),
    ("lines = len(turns[matter[0]].content.splitlines())", "lines = len(matter[:2])"),
    says="where nothing was kept",
)


@wrong(says="where nothing was kept")
def the_last(turns: Sequence[Turn], budget: int) -> list[int]:
    """The newest turns are worth most."""
    kept = []
    for number in reversed(range(len(turns))):
        lines = len(turns[number].content.splitlines())
        if lines <= budget:
            kept.append(number)
            budget -= lines
    return kept


@wrong(
    caught_by="test_the_chosen_turns_fit_the_budget",
    says="A turn has len(content.splitlines()) lines",
)
def a_line_each(turns: Sequence[Turn], budget: int) -> list[int]:
    """A turn is a line."""
    return sorted(range(len(turns)), key=lambda n: (-len(turns[n].content), n))[:budget]
