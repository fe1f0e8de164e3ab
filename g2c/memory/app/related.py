"""Which statements are about what is asked, and which may have changed another since."""

import re
from collections.abc import Sequence
from operator import itemgetter

from g2c.agent.core.types import is_echo
from g2c.memory.app.sight import Seen, oldest_first
from g2c.memory.core.changes import MONTHS, NUMBERS, WEEKDAYS
from g2c.memory.core.questions import asks
from g2c.memory.core.sources import stands_in
from g2c.memory.core.terms import extract_terms, stem

_INTRODUCED = re.compile(
    r"\b(?:[Mm]y|[Oo]ur) (?:\w+ )?\w+,? ([A-Z]\w+)|\b(?:called|named) ([A-Z]\w+)"
)
KIND = re.compile(
    r"^(?:what|which) (?:kind of )?(\w+) (?:do|does|did|is|are|was|were|has|have)\b", re.I
)
_SUBJECT = re.compile(
    r"(?<=[\w,'] )([A-Z]\w+)|\b(?i:my|our) (\w+)"
    r"|\b((?i:mum|mom|dad|gran|grandma|grandpa))\b"
)
"""A name in a question, or somebody or something of the person's."""
_ENDS = re.compile(
    r"\b(?:left|quit|stopped|packed (?:in|up)|finished|gave up|given up|sold|lost|died|dropped"
    r"|cancel\w*|call(?:ed|ing) off|not bothering)\b",
    re.IGNORECASE,
)
_MOVES = re.compile(r"\b(?:went|gone|left|leav\w+|mov(?:ed|ing|es)|retir\w+)\b", re.IGNORECASE)
_NEGATES = re.compile(r"\b(?:not|never|no (?:longer|more)|aint|dont|wont)\b|n't\b", re.IGNORECASE)
GENERAL = frozenset(
    extract_terms(
        "name number time day date kind colour color address code know remember say use own call "
        "still yet old long much many night town city place country happen last next ago"
    )
)
"""Words for what is asked of a subject; an answer has the value instead."""
_TITLES = "mr mrs ms miss dr aunt uncle"
_TIMES = "day week month year morning evening today christmas easter"
_NO_SUBJECT = GENERAL.union(extract_terms(" ".join((*WEEKDAYS, *MONTHS, NUMBERS, _TITLES, _TIMES))))
"""Words that two statements may share and be about different things."""
LIGHT = frozenset(
    extract_terms(
        "take get got give make want need like love go going come keep run eat drink done"
    )
)
"""Verbs that say little: what was said of their object is close."""


def closest_to(own: Sequence[Seen], question: str) -> list[int]:
    """Which statements bear on the question; if none does, those about somebody or something of
    the person's that it names; or else those that have any term of it."""
    there = {
        n: set(extract_terms(seen.turn.content))
        for n, seen in enumerate(own)
        if not is_echo(seen.turn.content, question)
    }
    if close := [n for n in there if bears_on(question, own[n].turn.content)]:
        return close
    if close := [n for n in there if _names_subject(own[n].turn.content, question)]:
        return close
    asked = set(extract_terms(question)) - GENERAL
    for wanted in (asked - LIGHT, asked):
        if close := [n for n, terms in there.items() if wanted & terms]:
            return close
    return []


def subjects_of(question: str) -> list[str]:
    words = [word for found in _SUBJECT.findall(question) for word in found]
    return [word for word in words if word and stem(word.lower()) not in _NO_SUBJECT]


def _names_subject(said: str, question: str) -> bool:
    """Whether it names somebody or something of the person's as the question does."""
    terms = extract_terms(said)
    return any(
        has_name(said, word) if word[0].isupper() else stem(word.lower()) in terms
        for word in subjects_of(question)
    )


def has_name(said: str, name: str) -> bool:
    """Whether the name is there, as it is written: Carole is not Carol, and who flies is not Fly.
    Some people write everything small."""
    words = re.findall(r"\w+", said)
    return name in words or (said == said.lower() and name.lower() in words)


def later_than(answer: Seen, own: Sequence[Seen], question: str) -> list[Seen]:
    """The newest statement after `answer` that may have changed it, in words that no program knows;
    before it, that with most words of the answer and the question. Such a statement has two words
    of the answer, or somebody or something of the person's that the question names, or it ends
    or denies what is asked about, or has a number of it, or somebody whom the answer names went."""
    asked = set(extract_terms(question)) - _NO_SUBJECT - LIGHT
    terms = set(extract_terms(answer.turn.content)) - _NO_SUBJECT - LIGHT
    has_number = bool(numbers_in(answer.turn.content))
    words = set(re.findall(r"\b[A-Z]\w+", answer.turn.content))
    names = {word for word in words if set(extract_terms(word)) - _NO_SUBJECT}
    ordered = oldest_first(own)
    later: list[tuple[int, Seen]] = []
    for seen in ordered[ordered.index(answer) + 1 :]:
        text = seen.turn.content
        there = set(extract_terms(text))
        changes = _ENDS.search(text) or _NEGATES.search(text) or (has_number and numbers_in(text))
        if (
            (
                _names_subject(text, question)
                or (asked & there and changes)
                or len(terms & there) > 1
                or (_MOVES.search(text) and any(has_name(text, name) for name in names))
            )
            and not asks(text)
            and not stands_in(text, answer.turn.content)
        ):
            later.append((len((terms | asked) & there), seen))
    nearest = sorted(later, key=itemgetter(0))  # of equal ones, the newest is last
    return [seen for _, seen in dict.fromkeys((*nearest[-1:], *later[-1:]))]


def earlier_than(answer: Seen, own: Sequence[Seen], question: str) -> list[Seen]:
    """The statements before `answer` that have all that the question asks about, newest first. If
    `answer` ends something, two of its words do: who left a group does not say who is in it."""
    ordered, ends = oldest_first(own), _ENDS.search(answer.turn.content)
    asked = set(extract_terms(question)) - GENERAL - LIGHT
    terms = set(extract_terms(answer.turn.content)) - _NO_SUBJECT
    earlier = []
    for seen in reversed(ordered[: ordered.index(answer)]):
        there = set(extract_terms(seen.turn.content))
        is_near = 1 < len(asked) <= len(asked & there) or (
            ends and asked & there and len(terms & there) > 1
        )
        if is_near and not stands_in(seen.turn.content, answer.turn.content):
            earlier.append(seen)
    return earlier


def bears_on(question: str, said: str) -> bool:
    """Whether `said` is about what `question` asks: it has all terms of it, or two and half of
    them. A term for the kind of answer is not counted, nor a verb that says little.

    >>> bears_on("What is my wife's name?", "My landlord's name is Mr Hansen.")
    False
    >>> bears_on("Which instrument do I play?", "I play the cello.")
    True
    """
    kind = {stem(found[1].lower())} if (found := KIND.match(question)) else set()
    terms = set(extract_terms(question)) - GENERAL
    wanted, there = (terms - kind) or terms, set(extract_terms(said))
    shared = wanted & there
    return 2 <= len(shared) >= len(wanted) / 2 or (wanted - LIGHT or wanted) <= there


def tells_of(said: str, question: str) -> bool:
    """Whether `said` has all that the question names, or introduces somebody whom it names. One
    term is too little: who told of a dentist may ask what a dentist is.

    >>> tells_of("The wifi password is plum-tart.", "What is the wifi password?")
    True
    >>> tells_of("Our accountant, Petra, was in Oslo.", "How old is Petra?")
    True
    >>> tells_of("Our accountant, Petra, was in Oslo.", "Where is Oslo?")
    False
    """
    terms = set(extract_terms(question)) - GENERAL
    introduced = _INTRODUCED.findall(said)
    return (len(terms) > 1 and terms <= set(extract_terms(said))) or any(
        re.search(rf"\b{re.escape(name)}\b", question)
        for names in introduced
        for name in filter(None, names)
    )


def numbers_in(text: str) -> set[str]:
    return set(re.findall(r"\d+", text))
