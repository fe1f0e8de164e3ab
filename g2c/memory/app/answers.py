"""Whether an answer says only what was seen, and what a program can say in its place.

A model that has the right line before it may answer with another one, or turn it round. So your
`may_be_said` decides. If an answer says something else, the program does not guess. It quotes
the person, or has nothing.
"""

import re
from collections.abc import Collection, Sequence
from functools import lru_cache

from g2c.memory.app.related import bears_on, later_than, numbers_in, tells_of
from g2c.memory.app.sight import Seen, Sight, oldest_first
from g2c.memory.core.questions import asks, is_question, without_introduction
from g2c.memory.core.sources import SELF, SENTENCE_END, about_user, stands_in, without_request
from g2c.memory.core.terms import extract_terms
from g2c.memory.core.types import Turn
from g2c.memory.is_grounded import is_grounded
from g2c.memory.may_be_said import may_be_said

NOTED = "I have noted what you said."
MAX_SHORT_TERMS = 3
"""An answer with so few terms beside numbers may need its question to say something."""
_CITED = re.compile(r"\(([\w-]+\.(?:md|jsonl)):([1-9][0-9]{0,8})\)")
_ADMITS = re.compile(
    r"\b(?:nothing|no|not|cannot|\w+n't)\b.*"
    r"\b(?:know|known|find|found|information|records?|memory|mention\w*|told|tell|remember)\b",
    re.IGNORECASE,
)
_DENIES = re.compile(r"\b(?:no|not|never|nobody|none|nothing|neither|nor|without|cannot)\b|n't\b")
_DONE = re.compile(r"(?:ok(?:ay)?|(?:(?:it|that) is |all )?done)[.!]?", re.IGNORECASE)
_NEXT_QUESTION = re.compile(
    r"\? +(?=\w)|,? and (?=(?:what|who|when|where|which|how|do|does|did|is|are|am)\b)",
    re.IGNORECASE,
)
_OF_PERSON = re.compile(r"(?:your?|my|i|we|our)\b", re.IGNORECASE)
_MODAL = re.compile(r"\b(?:should|may|might|would)\b", re.IGNORECASE)
_ADVICE = re.compile(rf"{_MODAL.pattern}|\bcan\b|^how do (?:I|we)\b", re.IGNORECASE)
_BETWEEN_ITEMS = re.compile(r",? and |, ")
_VALUE = re.compile(r"\b(?:\d\d+|[A-Z][a-z]\w+)\b")


def unfounded(answer: str, sight: Sight) -> str:
    """The first sentence of `answer` that claims something which was not seen; "" if there is none.

    A sentence claims if something was looked up or kept, if the question or the sentence is about
    the person, or if the person told of what the question names; to a statement, if it says that
    back and denies more or less. To a question, exercise 20.10 decides whether it may be said. If
    it cites a line that was seen, only that line counts for it.
    If the person did say it, an answer that nothing is known claims something, too.
    """
    if sight.listed is not None:
        return "" if _lists(answer, sight.listed) else answer
    if _ADMITS.search(answer) and any(
        seen.is_own and is_answer(seen, sight) for seen in sight.said
    ):
        return answer
    for line in filter(str.strip, answer.split("\n")):
        cited = {f"{file}:{number}" for file, number in _CITED.findall(line)}
        sentences: list[str] = SENTENCE_END.split(_CITED.sub("", line).strip())
        for sentence in filter(None, sentences):
            is_whole = sentence == _CITED.sub("", answer).strip()
            if _claims(sentence, sight, is_whole) and not _is_founded(sentence, sight, cited):
                return sentence
    return ""


def admits(answer: str) -> bool:
    """Whether it is one sentence, which says that nothing is known.

    >>> admits("I do not know: my memory does not say it."), admits("No. It is in the shed.")
    (True, False)
    """
    return bool(_ADMITS.search(answer)) and len(SENTENCE_END.split(answer.strip())) == 1


def _is_old(sentence: str, sight: Sight) -> bool:
    """Whether something was said later about what the statement says that the sentence follows."""
    own = [seen for seen in sight.said if seen.is_own]
    terms = set(extract_terms(sentence))
    followed = [
        seen
        for seen in own
        if is_grounded(about_user(sentence), [seen.turn])
        or terms <= set(extract_terms(seen.turn.content))
    ]
    return bool(followed) and all(later_than(seen, own, sight.question) for seen in followed)


def _lists(answer: str, listed: Sequence[Seen]) -> bool:
    """Whether it has at least half of the words of each, and says nothing else."""
    there = set(extract_terms(answer))
    wanted = [set(extract_terms(seen.turn.content)) for seen in listed]
    return all(2 * len(terms & there) >= len(terms) for terms in wanted) and is_grounded(
        about_user(_CITED.sub("", answer)), [seen.turn for seen in listed]
    )


def is_answer(seen: Seen, sight: Sight) -> bool:
    return any(may_answer(sentence, sight) for sentence in statements_in(seen.turn))


def may_answer(sentence: str, sight: Sight, places: Collection[str] = ()) -> bool:
    """Whether it may answer one of the questions in the message, by what stands at `places`. A line
    that a dream put in other words counts only where the person's own words do not answer."""
    there = tuple(seen for seen in sight.said if not places or seen.place in places)
    return any(
        may_be_said(sentence, question, _evidence(there, question))
        for question in questions_in(sight.question)
    )


@lru_cache(maxsize=32)
def questions_in(message: str) -> list[str]:
    sentences = SENTENCE_END.split(message)
    parts = [part for sentence in sentences for part in _NEXT_QUESTION.split(sentence)]
    return [without_introduction(part) for part in parts if asks(part)] or [message]


@lru_cache(maxsize=32)  # each sentence of an answer, and each statement, is held against the same
def _evidence(there: tuple[Seen, ...], question: str) -> list[Turn]:
    """The evidence for a question, oldest first: the person's own words if they answer it, or else
    all."""
    own = [seen.turn for seen in oldest_first([seen for seen in there if seen.is_own])]
    if any(may_be_said(text, question, own) for turn in own for text in statements_in(turn)):
        return own
    return [seen.turn for seen in oldest_first(there)]


def statements_in(turn: Turn) -> list[str]:
    return [without_request(sentence) for sentence in SENTENCE_END.split(turn.content)]


def _claims(sentence: str, sight: Sight, is_whole: bool) -> bool:
    """Whether a sentence says something that can be held against what was seen. `is_whole`: it is
    all of the answer."""
    terms = set(extract_terms(sentence))
    asked = set(extract_terms(sight.question))
    if sentence.endswith("?") or _ADMITS.search(sentence) or _DONE.fullmatch(sentence):
        return False
    if sight.looked_up:
        known = asked.union(*(extract_terms(seen.turn.content) for seen in sight.said))
        return (
            not (sight.results or _MODAL.search(sentence))
            or (is_whole and _is_short(sentence))
            or bool(_values(sentence))
            or not known.isdisjoint(terms)
        )
    if sight.kept or sight.results:
        return not asked.isdisjoint(terms)
    if not asks(sight.question):
        is_new = not numbers_in(sentence) <= numbers_in(sight.question)
        turns = _says_back(sentence, sight) and _denials(sentence) != _denials(sight.question)
        return is_new or turns
    was_told = any(
        seen.is_own and tells_of(seen.turn.content, sight.question) for seen in sight.said
    )
    is_of_person = was_told or SELF.search(sight.question)
    if not (is_question(sight.question) and is_of_person):
        return False
    if is_whole and _is_short(sentence):
        bears = any(
            bears_on(sight.question, seen.turn.content) for seen in sight.said if seen.is_own
        )
        return bears or not _ADVICE.search(sight.question)
    if was_told and not asked.isdisjoint(terms):
        return True
    of_person = _OF_PERSON.match(sentence) and not _MODAL.search(sentence)
    return bool(of_person) and not asked.isdisjoint(terms)


def _says_back(sentence: str, sight: Sight) -> bool:
    """Whether it says the person's statement back, perhaps turned round: it has no other words."""
    terms = set(extract_terms(_DENIES.sub(" ", sentence)))
    is_of_person = terms and _OF_PERSON.match(sentence)
    return bool(is_of_person) and terms <= set(extract_terms(sight.question))


def _denials(text: str) -> set[str]:
    return set(_DENIES.findall(text.lower()))


def _is_founded(sentence: str, sight: Sight, cited: Collection[str]) -> bool:
    if sight.kept and not sight.looked_up and not sight.results:
        return stands_in(about_user(sentence), sight.question)
    cited = {seen.place for seen in sight.said} & set(cited)  # others are not the person's words
    if not (asks(sight.question) or sight.looked_up or sight.results):
        denies_more = _denials(sentence) - _denials(sight.question)
        return not denies_more and may_answer(sentence, sight)
    if may_answer(sentence, sight) and (not cited or may_answer(sentence, sight, cited)):
        return not (asks(sight.question) and _is_old(sentence, sight))
    return bool(sight.results) and not cited and _stands_in_results(sentence, sight)


def _stands_in_results(sentence: str, sight: Sight) -> bool:
    """Whether it follows from the results of tools, or has no name and no number of its own and
    most of its words from them. A summary is never a copy."""
    texts = " ".join([sight.question, *(turn.content for turn in sight.results)])
    terms, there = set(extract_terms(sentence)), set(extract_terms(texts))
    return _values(sentence) <= set(_VALUE.findall(texts)) and 2 * len(terms & there) >= len(terms)


def _is_short(sentence: str) -> bool:
    """Whether it is a few words, or a list of such."""
    return all(
        sum(not term.isdigit() for term in extract_terms(part)) <= MAX_SHORT_TERMS
        for part in _BETWEEN_ITEMS.split(sentence)
    )


def _values(sentence: str) -> set[str]:
    """Its names and its numbers of more than one digit; the first word may be any word."""
    return set(_VALUE.findall(sentence.partition(" ")[2]))
