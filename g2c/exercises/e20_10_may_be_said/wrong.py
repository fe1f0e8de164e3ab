"""20.10 gone wrong."""

import re
from collections.abc import Sequence
from functools import partial

from wrong_answers import wrong

from g2c.exercises.e20_10_may_be_said.solution import may_be_said
from g2c.memory.core.types import Turn

wrong = partial(wrong, "20.10")

wrong(
    "The first that was said is what counts.",
    ("max(about + newer, default=None)", "min(about, default=None)"),
)
wrong(
    "A part of a list is true.",
    ("return any(items & terms and not items <= terms for items in lists)", "return False"),
)
wrong(
    "A short answer needs no more than to stand there.",
    (
        "        and _NOT.isdisjoint(split_words(answer)) == _NOT.isdisjoint(split_words(part))\n",
        "",
    ),
)
wrong("Who wonders has already said it.", (" and _is_sure(sentence)", ""))
wrong(
    "A statement has one part.",
    ("list(best) if len(set(best.values())) == 1 else []", "[part for *_, part in found]"),
)


@wrong()
def nothing(answer: str, question: str, said: Sequence[Turn]) -> bool:
    """Silence can do no harm."""
    return False


@wrong()
def whoever(answer: str, question: str, said: Sequence[Turn]) -> bool:
    """It is clear from the talk who is meant."""
    questions = (re.sub("sister|uncle", who, question) for who in ("sister", "brother"))
    return any(may_be_said(answer, asked, said) for asked in questions)


@wrong()
def newest(answer: str, question: str, said: Sequence[Turn]) -> bool:
    """A person who says "actually" takes back everything before it."""
    last = max((n for n, turn in enumerate(said) if "Actually" in turn.content), default=0)
    return may_be_said(answer, question, said[last:]) or (
        not any("Actually" in turn.content for turn in said) and may_be_said(answer, question, said)
    )
