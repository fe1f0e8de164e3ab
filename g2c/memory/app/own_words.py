"""A program's words in an answer's place: a quotation of the person, or nothing."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date

from g2c.agent.core.types import is_echo
from g2c.memory.app.answers import is_answer, may_answer, questions_in, statements_in
from g2c.memory.app.related import (
    GENERAL,
    KIND,
    LIGHT,
    bears_on,
    closest_to,
    earlier_than,
    has_name,
    later_than,
    subjects_of,
)
from g2c.memory.app.said_on import is_of_day, past_day
from g2c.memory.app.sight import Seen, Sight, changes_in, time_of
from g2c.memory.core.sources import stands_in
from g2c.memory.core.terms import extract_terms, stem
from g2c.text import one_line

NOTHING = "I find nothing about that."
UNSURE = "I do not know. The closest that I have:"
_BEFORE = "\nBefore that: "
_LATER = "\nLater: "
_AND = "\nAnd: "
MAX_CLOSEST = 3
MAX_OF_DAY = 5
MAX_LISTED = 20
_LAST = re.compile(r"\b(into|for|about|after|with|off|from)$")
"""Asks for what comes after it in an answer."""
MAX_ADDED_TERMS = 4
_OWNED = re.compile(r"\b([A-Z]\w+)'s (\w+)")
_BETWEEN = re.compile(r",? (?:and|but) |[,;:] ")
_SAME_SUBJECT = re.compile(r"\b(?:he|she|it|they)\b", re.IGNORECASE)
_WHO = re.compile(r"(?:(?:to|with|from|for) )?who(?:m|se|'s)?\b", re.IGNORECASE)
_PERSON_NAMED = re.compile(r"\b((?!I\b)[A-Z]\w*)|\b(?:[Mm]y|[Oo]ur|[Tt]he|[Hh]is|[Hh]er) (\w+)")


def sight_of_day(sight: Sight, today: date) -> Sight:
    """If the question is about a day that is past, and something that was said of that day answers
    it: that alone, and the question without the day. If nothing answers it, `of_day` is what was
    said of it."""
    if not (found := past_day(sight.question, today)):
        return sight
    question, day = found
    said = tuple(
        seen
        for seen in sight.said
        if is_of_day(seen.turn.content, date.fromisoformat(seen.counts_on or seen.day), day)
    )
    alone = replace(sight, question=question, said=said)
    if any(seen.is_own and is_answer(seen, alone) for seen in said):
        return alone
    of_day = {one_line(seen.turn.content): seen for seen in said if seen.is_own}
    return replace(sight, of_day=tuple(of_day.values()))


def own_words(sight: Sight) -> str:
    """The person's words about the question, word for word, with the newest word first. If
    nothing answers it, the closest that they said, which claims nothing; "" if nothing is close."""
    if sight.listed is not None:
        more = len(sight.listed) - MAX_LISTED
        rest = [f"And {more} more."] if more > 0 else []
        return "\n".join([*(seen.quoted() for seen in sight.listed[:MAX_LISTED]), *rest])
    asked = sight.question
    own = [seen for seen in sight.said if seen.is_own]
    changed = changes_in(own, asked)
    for n, answer in enumerate(own):
        before = [own[old] for old, new in changed.items() if new == n]
        if not _is_quotable(answer, before, sight):
            continue
        told = _LATER.join(seen.quoted() for seen in [answer, *later_than(answer, own, asked)])
        before = before or earlier_than(answer, own, asked)
        return _BEFORE.join([told, *(seen.quoted() for seen in before[:1])])
    shown = _said_of_day(sight) if sight.of_day else _closest_words(own, changed, asked)
    return f"{UNSURE} {shown}" if shown else ""


def _said_of_day(sight: Sight) -> str:
    bearing = set(closest_to(sight.of_day, sight.question))
    nearest = sorted(range(len(sight.of_day)), key=lambda n: n not in bearing)[:MAX_OF_DAY]
    return _AND.join(sight.of_day[n].quoted() for n in nearest)


def _closest_words(own: Sequence[Seen], changed: Mapping[int, int], asked: str) -> str:
    close: list[Seen] = []
    for n in closest_to(own, asked):
        newest = own[changed.get(n, n)]
        is_enough = bears_on(asked, newest.turn.content)
        for seen in (newest,) if is_enough else (newest, own[n]):
            if not any(stands_in(seen.turn.content, other.turn.content) for other in close):
                close.append(seen)
    newest_first = sorted(close[:MAX_CLOSEST], key=time_of, reverse=True)
    later = later_than(newest_first[0], own, asked)[::-1] if close else []
    return _BEFORE.join(seen.quoted() for seen in [*later, *newest_first])


def _is_of_another(owner: str, thing: str, sentence: str) -> bool:
    """Whether only parts with others' names have the thing that is asked about as somebody's."""
    parts = [part for part in _BETWEEN.split(sentence) if stem(thing) in extract_terms(part)]
    names = [set(re.findall(r"\b[A-Z]\w+", part)) for part in parts]
    return bool(names) and all(there and owner not in there for there in names)


def _names_nobody(sentence: str, question: str) -> bool:
    """Whether nobody is in it who is not in the question, although it has capital letters."""
    if sentence == sentence.lower():
        return False
    names = [name for found in _PERSON_NAMED.findall(sentence) for name in found if name]
    return all(stem(name.lower()) in extract_terms(question) for name in names)


def _is_quotable(seen: Seen, before: Sequence[Seen], sight: Sight) -> bool:
    old = " ".join(seen.turn.content for seen in before)
    return any(
        _gives(sentence, old, question) and may_answer(sentence, sight)
        for question in questions_in(sight.question)
        for sentence in statements_in(seen.turn)
    )


def _gives(sentence: str, old: str, question: str) -> bool:
    """Whether a sentence, or the one that it changes, has each telling word of the question, and
    something of the kind that is asked for."""
    asked = set(extract_terms(question)) - GENERAL - LIGHT
    kind = {stem(found[1].lower())} if (found := KIND.match(question)) else set()
    wanted = asked - kind if (subjects := subjects_of(question)) else asked
    both, there = f"{sentence} {old}", set(extract_terms(sentence))
    if is_echo(sentence, question):  # asked before, and not taken for a question
        return False
    if not wanted <= set(extract_terms(both)):
        return False
    if not all(has_name(both, word) for word in subjects if word[0].isupper()):
        return False
    if wanted and wanted.isdisjoint(there) and not _SAME_SUBJECT.search(sentence):
        return False
    if _WHO.match(question) and _names_nobody(sentence, question):
        return False
    if not kind <= GENERAL | there and len(there - asked - GENERAL) > MAX_ADDED_TERMS:
        return False  # in a long sentence, no program knows what is of the kind
    if any(_is_of_another(name, thing, sentence) for name, thing in _OWNED.findall(question)):
        return False
    return set(_LAST.findall(question.rstrip("?"))) <= set(sentence.split())
