"""Whether an answer says only what was seen, and what a program can say in its place.

A model that has the right line before it may answer with another one, or turn it round. So your
`may_be_said` decides. If an answer says something else, the program does not guess. It quotes
the person, or has nothing.
"""

from __future__ import annotations

import re
import sys
from collections import defaultdict
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime
from functools import lru_cache
from operator import itemgetter
from pathlib import Path

from g2c.agent.core.types import is_echo
from g2c.memory.app.outdated import changed_by
from g2c.memory.app.said_on import is_of_day, past_day
from g2c.memory.core.changes import MONTHS, NUMBERS, WEEKDAYS
from g2c.memory.core.questions import is_question, without_introduction
from g2c.memory.core.sources import SELF, SENTENCE_END, about_user, stands_in, without_request
from g2c.memory.core.terms import extract_terms, stem
from g2c.memory.core.types import Turn
from g2c.memory.is_grounded import is_grounded
from g2c.memory.may_be_said import may_be_said
from g2c.text import one_line

NOTED = "I have noted what you said."
NOTHING = "I have nothing about that."
UNSURE = "I do not know. The closest that I have:"
_BEFORE = "\nBefore that: "
_LATER = "\nLater: "
_AND = "\nAnd: "
MAX_CLOSEST = 3
MAX_OF_DAY = 5
MAX_LISTED = 20
MAX_SHORT_TERMS = 3
"""An answer with so few terms beside numbers may need its question to say something."""

_CITED = re.compile(r"\(([\w-]+\.(?:md|jsonl)):([1-9][0-9]{0,8})\)")
_REQUEST = re.compile(
    r"(?:please,? )?(?:tell|give|show|list|find|name|say|read|look|search|write|summari[sz]e"
    r"|explain|check|describe|compare|count|remind|do|can|could)\b",
    re.IGNORECASE,
)
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
_INTRODUCED = re.compile(
    r"\b(?:[Mm]y|[Oo]ur) (?:\w+ )?\w+,? ([A-Z]\w+)|\b(?:called|named) ([A-Z]\w+)"
)
_KIND = re.compile(
    r"^(?:what|which) (?:kind of )?(\w+) (?:do|does|did|is|are|was|were|has|have)\b", re.I
)
_LAST = re.compile(r"\b(into|for|about|after|with|off|from)$")
"""Asks for what comes after it in an answer."""
_OF_PERSON = re.compile(r"(?:your?|my|i|we|our)\b", re.IGNORECASE)
_MODAL = re.compile(r"\b(?:should|may|might|would)\b", re.IGNORECASE)
_ADVICE = re.compile(rf"{_MODAL.pattern}|\bcan\b|^how do (?:I|we)\b", re.IGNORECASE)
_BETWEEN_ITEMS = re.compile(r",? and |, ")
_SUBJECT = re.compile(
    r"(?<=[\w,'] )([A-Z]\w+)|\b(?i:my|our) (\w+)"
    r"|\b((?i:mum|mom|dad|gran|grandma|grandpa))\b"
)
"""A name in a question, or somebody or something of the person's."""
_WHO = re.compile(r"(?:(?:to|with|from|for) )?who(?:m|se|'s)?\b", re.IGNORECASE)
_PERSON_NAMED = re.compile(r"\b((?!I\b)[A-Z]\w*)|\b(?:[Mm]y|[Oo]ur|[Tt]he|[Hh]is|[Hh]er) (\w+)")
_ENDS = re.compile(
    r"\b(?:left|quit|stopped|packed (?:in|up)|finished|gave up|given up|sold|lost|died|dropped"
    r"|cancel\w*|call(?:ed|ing) off|not bothering)\b",
    re.IGNORECASE,
)
_VALUE = re.compile(r"\b(?:\d\d+|[A-Z][a-z]\w+)\b")
_GENERAL = frozenset(
    extract_terms(
        "name number time day date kind colour color address code know remember say use own call "
        "still yet old long much many night town city place country happen last next ago"
    )
)
"""Words for what is asked of a subject; an answer has the value instead."""
_TITLES = "mr mrs ms miss dr aunt uncle"
_NO_SUBJECT = _GENERAL.union(extract_terms(" ".join((*WEEKDAYS, *MONTHS, NUMBERS, _TITLES))))
"""Words that two statements may share and be about different things."""
_LIGHT = frozenset(
    extract_terms("take get give make want need like love go going come keep eat drink done")
)
"""Verbs that say little: what was said of their object is close."""


@dataclass(frozen=True)
class Seen:
    """Something that was said, and where it stands, such as `2026-11-27.jsonl:1`; in this
    conversation, if nowhere. `is_own`: in the person's own words. `line` is how a topic has it.
    If a wrong clock dated it, it `counts_on` another day. `outdated` says when it changed."""

    turn: Turn
    place: str = ""
    is_own: bool = True
    line: str = ""
    counts_on: str = ""
    outdated: str = ""

    @property
    def day(self) -> str:
        return f"{self.turn.ts.astimezone(UTC):%Y-%m-%d}"

    @property
    def stated(self) -> tuple[str, Path, int]:
        """The text with its file and line, for `changed_by`. This conversation comes last."""
        here = f"{self.day}.jsonl:{sys.maxsize}"
        file, _, number = (self.place or here).rpartition(":")
        return self.line or self.turn.content, Path(file), int(number)

    def quoted(self) -> str:
        """The turn, word for word, with its day and place.

        >>> turn = Turn(datetime(2026, 11, 27, tzinfo=UTC), "", "user", "My cat is Otto.")
        >>> Seen(turn, "2026-11-27.jsonl:1").quoted()
        'You said on 27 November 2026: "My cat is Otto." (2026-11-27.jsonl:1)'
        """
        day = self.turn.ts.astimezone(UTC)
        said = f'You said on {day.day} {day:%B %Y}: "{one_line(self.turn.content)}"'
        changed = f" [older: {self.outdated}]" if self.outdated else ""
        return f"{said} ({self.place}){changed}" if self.place else said


@dataclass(frozen=True)
class Sight:
    """The texts that a run has seen: the question; what the person said, in this conversation and
    as memory gave it; and the results of other tools. `looked_up` says whether any of it was looked
    up, and `kept` whether something was. If the question is what the person said, on a day or about
    a thing, then `listed` is that, oldest first. `of_day` is what they said of a day that it asks
    about."""

    question: str
    said: tuple[Seen, ...] = ()
    results: tuple[Turn, ...] = ()
    looked_up: bool = False
    kept: bool = False
    listed: tuple[Seen, ...] | None = None
    of_day: tuple[Seen, ...] = ()


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
    if _ADMITS.search(answer) and any(seen.is_own and _answers(seen, sight) for seen in sight.said):
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
    if any(seen.is_own and _answers(seen, alone) for seen in said):
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
    changed = _changes(own, asked)
    for n, answer in enumerate(own):
        before = [own[old] for old, new in changed.items() if new == n]
        if not _is_quotable(answer, before, sight):
            continue
        told = _LATER.join(seen.quoted() for seen in [answer, *_later(answer, own, asked)])
        before = before or _earlier(answer, own, asked)
        return _BEFORE.join([told, *(seen.quoted() for seen in before[:1])])
    if sight.of_day:
        bearing = set(_closest(sight.of_day, asked))
        nearest = sorted(range(len(sight.of_day)), key=lambda n: n not in bearing)[:MAX_OF_DAY]
        return f"{UNSURE} {_AND.join(sight.of_day[n].quoted() for n in nearest)}"
    close: list[Seen] = []
    for n in _closest(own, asked):
        newest = own[changed.get(n, n)]
        is_enough = bears_on(asked, newest.turn.content)
        for seen in (newest,) if is_enough else (newest, own[n]):
            if not any(stands_in(seen.turn.content, other.turn.content) for other in close):
                close.append(seen)
    newest_first = sorted(close[:MAX_CLOSEST], key=_time_of, reverse=True)
    later = _later(newest_first[0], own, asked)[::-1] if close else []
    shown = _BEFORE.join(seen.quoted() for seen in [*later, *newest_first])
    return f"{UNSURE} {shown}" if close else ""


def _closest(own: Sequence[Seen], question: str) -> list[int]:
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
    asked = set(extract_terms(question)) - _GENERAL
    for wanted in (asked - _LIGHT, asked):
        if close := [n for n, terms in there.items() if wanted & terms]:
            return close
    return []


def _subjects_of(question: str) -> list[str]:
    words = [word for found in _SUBJECT.findall(question) for word in found]
    return [word for word in words if word and stem(word.lower()) not in _NO_SUBJECT]


def _names_subject(said: str, question: str) -> bool:
    """Whether it names somebody or something of the person's as the question does."""
    terms = extract_terms(said)
    return any(
        _has_name(said, word) if word[0].isupper() else stem(word.lower()) in terms
        for word in _subjects_of(question)
    )


def _names_nobody(sentence: str, question: str) -> bool:
    """Whether nobody is in it who is not in the question, although it has capital letters."""
    if sentence == sentence.lower():
        return False
    names = [name for found in _PERSON_NAMED.findall(sentence) for name in found if name]
    return all(stem(name.lower()) in extract_terms(question) for name in names)


def _has_name(said: str, name: str) -> bool:
    """Whether the name is there, as it is written: Carole is not Carol, and who flies is not Fly.
    Some people write everything small."""
    words = re.findall(r"\w+", said)
    return name in words or (said == said.lower() and name.lower() in words)


def _later(answer: Seen, own: Sequence[Seen], question: str) -> list[Seen]:
    """Of the statements that came after `answer` and may have changed it, in words that no program
    knows: the newest, and before it that with most words of the answer and the question. Such a
    statement has two words of the answer, or somebody or something of the person's that the
    question names, or it ends what is asked about, or has a number of it."""
    asked = set(extract_terms(question)) - _NO_SUBJECT - _LIGHT
    terms = set(extract_terms(answer.turn.content)) - _NO_SUBJECT
    has_number = bool(_numbers(answer.turn.content))
    ordered = _oldest_first(own)
    later: list[tuple[int, Seen]] = []
    for seen in ordered[ordered.index(answer) + 1 :]:
        text = seen.turn.content
        there = set(extract_terms(text))
        ends = _ENDS.search(text) or (has_number and _numbers(text))
        if (
            (_names_subject(text, question) or (asked & there and ends) or len(terms & there) > 1)
            and not asks(text)
            and not stands_in(text, answer.turn.content)
        ):
            later.append((len((terms | asked) & there), seen))
    nearest = sorted(later, key=itemgetter(0))  # of equal ones, the newest is last
    return [seen for _, seen in dict.fromkeys((*nearest[-1:], *later[-1:]))]


def _earlier(answer: Seen, own: Sequence[Seen], question: str) -> list[Seen]:
    """What came before `answer` and has all that the question asks about, newest first; or if
    `answer` ends something, two of its words: who left a group does not say who is in it."""
    ordered, ends = _oldest_first(own), _ENDS.search(answer.turn.content)
    asked = set(extract_terms(question)) - _GENERAL - _LIGHT
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
    return bool(followed) and all(_later(seen, own, sight.question) for seen in followed)


def _lists(answer: str, listed: Sequence[Seen]) -> bool:
    """Whether it has at least half of the words of each, and says nothing else."""
    there = set(extract_terms(answer))
    wanted = [set(extract_terms(seen.turn.content)) for seen in listed]
    return all(2 * len(terms & there) >= len(terms) for terms in wanted) and is_grounded(
        about_user(_CITED.sub("", answer)), [seen.turn for seen in listed]
    )


def _answers(seen: Seen, sight: Sight) -> bool:
    return any(_may_be_said(sentence, sight) for sentence in _statements(seen.turn))


def _is_quotable(seen: Seen, before: Sequence[Seen], sight: Sight) -> bool:
    """Whether a sentence of it answers a question, and has each of its telling words, or what it
    changes has them."""
    old = " ".join(seen.turn.content for seen in before)
    for question in _questions_in(sight.question):
        kind = {stem(found[1].lower())} if (found := _KIND.match(question)) else set()
        terms = set(extract_terms(question)) - _GENERAL - _LIGHT
        wanted = terms - kind if _subjects_of(question) else terms
        last = _LAST.findall(question.rstrip("?"))
        names = [word for word in _subjects_of(question) if word[0].isupper()]
        if any(
            not is_echo(sentence, question)  # asked before, and not taken for a question
            and wanted <= set(extract_terms(f"{sentence} {old}"))
            and all(_has_name(f"{sentence} {old}", name) for name in names)
            and not (_WHO.match(question) and _names_nobody(sentence, question))
            and set(last) <= set(sentence.split())
            and _may_be_said(sentence, sight)
            for sentence in _statements(seen.turn)
        ):
            return True
    return False


def _may_be_said(sentence: str, sight: Sight, places: Collection[str] = ()) -> bool:
    """Whether it may answer one of the questions in the message, by what stands at `places`. A line
    that a dream put in other words counts only where the person's own words do not answer."""
    there = tuple(seen for seen in sight.said if not places or seen.place in places)
    return any(
        may_be_said(sentence, question, _evidence(there, question))
        for question in _questions_in(sight.question)
    )


@lru_cache(maxsize=32)
def _questions_in(message: str) -> list[str]:
    sentences = SENTENCE_END.split(message)
    parts = [part for sentence in sentences for part in _NEXT_QUESTION.split(sentence)]
    return [without_introduction(part) for part in parts if asks(part)] or [message]


@lru_cache(maxsize=32)  # each sentence of an answer, and each statement, is held against the same
def _evidence(there: tuple[Seen, ...], question: str) -> list[Turn]:
    """The evidence for a question, oldest first: the person's own words if they answer it, or else
    all."""
    own = [seen.turn for seen in _oldest_first([seen for seen in there if seen.is_own])]
    if any(may_be_said(text, question, own) for turn in own for text in _statements(turn)):
        return own
    return [seen.turn for seen in _oldest_first(there)]


def _statements(turn: Turn) -> list[str]:
    return [without_request(sentence) for sentence in SENTENCE_END.split(turn.content)]


def bears_on(question: str, said: str) -> bool:
    """Whether `said` is about what `question` asks: it has all terms of it, or two and half of
    them. A term for the kind of answer is not counted, nor a verb that says little.

    >>> bears_on("What is my wife's name?", "My landlord's name is Mr Hansen.")
    False
    >>> bears_on("Which instrument do I play?", "I play the cello.")
    True
    """
    kind = {stem(found[1].lower())} if (found := _KIND.match(question)) else set()
    terms = set(extract_terms(question)) - _GENERAL
    wanted, there = (terms - kind) or terms, set(extract_terms(said))
    shared = wanted & there
    return 2 <= len(shared) >= len(wanted) / 2 or (wanted - _LIGHT or wanted) <= there


def _tells_of(said: str, question: str) -> bool:
    """Whether `said` has all that the question names, or introduces somebody whom it names. One
    term is too little: who told of a dentist may ask what a dentist is.

    >>> _tells_of("The wifi password is plum-tart.", "What is the wifi password?")
    True
    >>> _tells_of("Our accountant, Petra, was in Oslo.", "How old is Petra?")
    True
    >>> _tells_of("Our accountant, Petra, was in Oslo.", "Where is Oslo?")
    False
    """
    terms = set(extract_terms(question)) - _GENERAL
    introduced = _INTRODUCED.findall(said)
    return (len(terms) > 1 and terms <= set(extract_terms(said))) or any(
        re.search(rf"\b{re.escape(name)}\b", question)
        for names in introduced
        for name in filter(None, names)
    )


def _changes(said: Sequence[Seen], asked: str = "") -> dict[int, int]:
    days = {seen.day: seen.counts_on for seen in said if seen.counts_on}
    return changed_by([seen.stated for seen in said], days, asked)


def _time_of(seen: Seen) -> datetime:
    day = seen.counts_on
    return datetime.fromisoformat(day).replace(tzinfo=UTC) if day else seen.turn.ts


def _oldest_first(said: Sequence[Seen]) -> list[Seen]:
    """By time; a line of a topic has a day alone, so what changes a statement comes after it."""
    after: dict[int, list[datetime]] = defaultdict(list)
    for old, new in _changes(said).items():
        after[new].append(_time_of(said[old]))
    keys = [(max([_time_of(seen), *after[n]]), bool(after[n])) for n, seen in enumerate(said)]
    return [said[n] for n in sorted(range(len(said)), key=keys.__getitem__)]


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
        is_new = not _numbers(sentence) <= _numbers(sight.question)
        turns = _says_back(sentence, sight) and _denials(sentence) != _denials(sight.question)
        return is_new or turns
    was_told = any(
        seen.is_own and _tells_of(seen.turn.content, sight.question) for seen in sight.said
    )
    is_of_person = was_told or SELF.search(sight.question)
    if not (is_question(sight.question) and is_of_person):
        return False
    if is_whole and _is_short(sentence):
        return was_told or not _ADVICE.search(sight.question)
    if was_told and not asked.isdisjoint(terms):
        return True
    of_person = _OF_PERSON.match(sentence) and not _MODAL.search(sentence)
    return bool(of_person) and not asked.isdisjoint(terms)


def _says_back(sentence: str, sight: Sight) -> bool:
    """Whether it says the person's statement back, perhaps turned round: it has no other words."""
    terms = set(extract_terms(_DENIES.sub(" ", sentence)))
    is_of_person = terms and _OF_PERSON.match(sentence)
    return bool(is_of_person) and terms <= set(extract_terms(sight.question))


def _numbers(text: str) -> set[str]:
    return set(re.findall(r"\d+", text))


def _denials(text: str) -> set[str]:
    return set(_DENIES.findall(text.lower()))


def _is_founded(sentence: str, sight: Sight, cited: Collection[str]) -> bool:
    if sight.kept and not sight.looked_up and not sight.results:
        return stands_in(about_user(sentence), sight.question)
    cited = {seen.place for seen in sight.said} & set(cited)  # others are not the person's words
    if not (asks(sight.question) or sight.looked_up or sight.results):
        denies_more = _denials(sentence) - _denials(sight.question)
        return not denies_more and _may_be_said(sentence, sight)
    if _may_be_said(sentence, sight) and (not cited or _may_be_said(sentence, sight, cited)):
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


def asks(text: str) -> bool:
    """Whether a message asks for something; what it says is not evidence.

    >>> asks("Where do I live?"), asks("Tell me where I live."), asks("What a day! I met Ann.")
    (True, True, False)
    """
    return is_question(text) or bool(_REQUEST.match(text.lstrip()))


def only_states(text: str) -> bool:
    """Whether a message says something, and asks nothing.

    >>> only_states("My cat is Otto."), only_states("My cat is Otto. How old is he?")
    (True, False)
    """
    return states(text) and not any(map(asks, SENTENCE_END.split(text)))


def states(text: str) -> bool:
    """Whether a message says something, perhaps beside a question.

    >>> states("My cat is Otto. How old is he?"), states("How old is Otto? Thanks!")
    (True, False)
    """
    return any(
        not asks(sentence) and len(extract_terms(sentence)) > 1
        for sentence in SENTENCE_END.split(text)
    )
