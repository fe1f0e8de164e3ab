"""20.8 gone wrong."""

from collections.abc import Sequence
from functools import partial

from wrong_answers import wrong

from g2c.memory.core.terms import extract_terms
from g2c.memory.core.types import Turn

wrong = partial(wrong, "20.8")

wrong("Whoever said it, it was said.", ('if turn.role not in ("assistant", "action"):', "if True:"))
wrong(
    "Only the person knows what is so.",
    ('turn.role not in ("assistant", "action")', 'turn.role == "user"'),
)
wrong("A question has the words of its answer.", ("not is_question(sentence) and ", ""))
wrong(
    "Not is a word like any other, and too common to count.",
    ("            and claim.denies == clause.denies\n", ""),
)
wrong(
    "What comes after a question is its answer.", (" and len(_read(sentence).terms) <= _SHORT", "")
)
wrong("An answer stands by itself.", ("if question and", "if False and"))


@wrong()
def nothing_is_certain(line: str, said: Sequence[Turn]) -> bool:
    """A refused line can do no harm, so refuse all."""
    return False


@wrong()
def every_word(line: str, said: Sequence[Turn]) -> bool:
    """A line is true if each of its words was said."""
    own = [turn for turn in said if turn.role != "assistant" and not turn.content.endswith("?")]
    known = {word for turn in own for word in extract_terms(turn.content)}
    return bool(own) and set(extract_terms(line)) - {"user"} <= known


@wrong()
def all_in_one_turn(line: str, said: Sequence[Turn]) -> bool:
    """Words of one turn belong together, so they need no order and no joints."""
    words = set(extract_terms(line)) - {"user"}
    return any(
        words <= set(extract_terms(turn.content))
        for turn in said
        if turn.role != "assistant" and not turn.content.endswith("?")
    )
