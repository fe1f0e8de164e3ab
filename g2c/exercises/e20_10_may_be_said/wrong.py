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
    caught_by="test_the_newest_word_counts",
    says="moved since",
)
wrong(
    "A part of a list is true.",
    ("return any(items & terms and not items <= terms for items in lists)", "return False"),
    caught_by="test_a_list_is_whole",
    says="believes that this is all",
)
wrong(
    "A short answer needs no more than to stand there.",
    (
        "        and _NOT.isdisjoint(split_words(answer)) == _NOT.isdisjoint(split_words(part))\n",
        "",
    ),
    caught_by="test_a_half_that_is_denied_is_not_the_answer",
    says="can hurt somebody",
)
wrong(
    "Who wonders has already said it.",
    (" and _is_sure(sentence)", ""),
    caught_by="test_a_thought_is_not_a_plan",
    says="decided nothing",
)
wrong(
    "A statement has one part.",
    ("list(best) if len(set(best.values())) == 1 else []", "[part for *_, part in found]"),
    caught_by="test_a_true_sentence_may_answer_another_question",
    says="she has them, and lives somewhere",
)


@wrong(caught_by="test_a_right_answer_may_have_other_forms", says="never answers")
def nothing(answer: str, question: str, said: Sequence[Turn]) -> bool:
    """Silence can do no harm."""
    return False


@wrong(caught_by="test_a_true_sentence_may_answer_another_question", says="is not answered by")
def whoever(answer: str, question: str, said: Sequence[Turn]) -> bool:
    """It is clear from the talk who is meant."""
    questions = (re.sub("sister|uncle", who, question) for who in ("sister", "brother"))
    return any(may_be_said(answer, asked, said) for asked in questions)


@wrong(caught_by="test_the_newest_word_on_something_else_changes_nothing", says="piano lesson")
def newest(answer: str, question: str, said: Sequence[Turn]) -> bool:
    """A person who says "actually" takes back everything before it."""
    last = max((n for n, turn in enumerate(said) if "Actually" in turn.content), default=0)
    return may_be_said(answer, question, said[last:]) or (
        not any("Actually" in turn.content for turn in said) and may_be_said(answer, question, said)
    )
