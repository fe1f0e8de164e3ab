"""20.8 gone wrong."""

from collections.abc import Sequence
from functools import partial

from wrong_answers import wrong

from g2c.memory.core.terms import extract_terms
from g2c.memory.core.types import Turn

wrong = partial(wrong, "20.8")

wrong(
    "Whoever said it, it was said.",
    ('if turn.role not in ("assistant", "action"):', "if True:"),
    caught_by="test_the_assistants_words_are_not_evidence",
    says="only the assistant said so",
)
wrong(
    "Only the person knows what is so.",
    ('turn.role not in ("assistant", "action")', 'turn.role == "user"'),
    caught_by="test_a_tools_result_is_evidence",
    says="a tool read it in a file",
)
wrong(
    "A question has the words of its answer.",
    ("not is_question(sentence) and ", ""),
    caught_by="test_a_question_says_nothing",
    says="has not said that it is",
)
wrong(
    "Not is a word like any other, and too common to count.",
    ("            and claim.denies == clause.denies\n", ""),
    caught_by="test_true_words_can_make_a_lie",
    says="the person denied",
)
wrong(
    "What comes after a question is its answer.",
    (" and len(_read(sentence).terms) <= _SHORT", ""),
    caught_by="test_the_next_turn_need_not_answer_a_question",
    says="says nothing of Ann",
)
wrong(
    "An answer stands by itself.",
    ("if question and", "if False and"),
    caught_by="test_an_answer_says_what_its_question_asks",
    says="the answer to the question before it",
)


@wrong(says="learns nothing", caught_by="test_a_fact_may_be_worded_in_other_forms")
def nothing_is_certain(line: str, said: Sequence[Turn]) -> bool:
    """A refused line can do no harm, so refuse all."""
    return False


@wrong(says="nobody said that Tom bites", caught_by="test_words_of_two_turns_are_not_one_statement")
def every_word(line: str, said: Sequence[Turn]) -> bool:
    """A line is true if each of its words was said."""
    own = [turn for turn in said if turn.role != "assistant" and not turn.content.endswith("?")]
    known = {word for turn in own for word in extract_terms(turn.content)}
    return bool(own) and set(extract_terms(line)) - {"user"} <= known


@wrong(says="lies join words of two statements", caught_by="test_it_reaches_the_target")
def all_in_one_turn(line: str, said: Sequence[Turn]) -> bool:
    """Words of one turn belong together, so they need no order and no joints."""
    words = set(extract_terms(line)) - {"user"}
    return any(
        words <= set(extract_terms(turn.content))
        for turn in said
        if turn.role != "assistant" and not turn.content.endswith("?")
    )
