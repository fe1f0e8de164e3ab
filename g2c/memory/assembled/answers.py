"""Whether an answer says only what was seen, and what a program can say in its place.

A model that has the right line before it may answer with another one, or turn it round. So an
answer is held against what was said just as a note is, by your `is_grounded`. Where it says
something else, the program does not guess. It quotes the person, or has nothing.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from datetime import UTC
from pathlib import Path

from g2c.memory.assembled.outdated import changed_by
from g2c.memory.grounding import is_grounded
from g2c.memory.provided.sources import SELF, SENTENCE_END, as_note, stands_in
from g2c.memory.provided.terms import extract_terms, stem
from g2c.memory.provided.types import Turn
from g2c.text import one_line

NOTHING = "I have nothing about that."
MAX_SHORT_TERMS = 3
"""An answer with so few terms beside numbers may need its question to say something."""

_CITED = re.compile(r"\(([\w-]+\.(?:md|jsonl)):([1-9][0-9]{0,8})\)")
_YOU, _YOUR = re.compile(r"\byou(?:'re)?\b", re.IGNORECASE), re.compile(r"\byours?\b", re.I)
_ASKING = re.compile(
    r"^(?:(?:what|who|whose|when|where|how|why)(?: (?:is|are|was|were|do|does|did))?"
    r"|(?:which|what) \w+(?: (?:is|are|do|does|did))?|do|does|did|is|are|am|was|were|have|has)\b ?",
    re.IGNORECASE,
)
_REQUEST = re.compile(
    r"(?:please,? )?(?:what|whats|who|whose|when|where|which|how|why|do|does|did|is|are|can|could|"
    r"tell|give|show|list|find|name|say|read|look|search|write|summari[sz]e|explain|check|describe|"
    r"compare|count|remind)\b",
    re.IGNORECASE,
)
_WHICH = re.compile(r"(?:what|which|who)\b", re.IGNORECASE)
_LIST = re.compile(r"\b\w+(?:, \w+){1,50},? and \w+")
_ADMITS = re.compile(
    r"\b(?:nothing|no|not|cannot|\w+n't)\b.*"
    r"\b(?:know|known|find|found|information|records?|memory|mention\w*|told|tell|remember)\b",
    re.IGNORECASE,
)
_YES_NO = re.compile(r"^(yes|no)\b[,.!]? *", re.IGNORECASE)
_KIND = re.compile(r"^(?:what|which) (\w+) (?:do|does|did|is|are|was|were|has|have)\b", re.I)
_OF_PERSON = re.compile(r"(?:your?|my|i|we|our)\b", re.IGNORECASE)
_MODAL = re.compile(r"\b(?:should|can|could|may|might|would|will|must|need)\b", re.IGNORECASE)
_ADVICE = re.compile(rf"{_MODAL.pattern}|^how do (?:I|we)\b", re.IGNORECASE)
_VALUE = re.compile(r"\b(?:\d\d+|[A-Z][a-z]\w+)\b")
_GENERAL = frozenset(
    extract_terms(
        "name number time day date kind colour color address code know remember say use own"
    )
)
"""Words for what is asked of a subject; an answer has the value instead."""


@dataclass(frozen=True)
class Seen:
    """Something that was said, and where it stands, such as `2026-11-27.jsonl:1`; in this
    conversation, if nowhere. `is_own`: in the person's own words. `line` is how a topic has it."""

    turn: Turn
    place: str = ""
    is_own: bool = True
    line: str = ""

    @property
    def stated(self) -> tuple[str, Path, int]:
        """The text with its file and line, for `changed_by`. This conversation comes last."""
        here = f"{self.turn.ts.astimezone(UTC):%Y-%m-%d}.jsonl:{sys.maxsize}"
        file, _, number = (self.place or here).rpartition(":")
        return self.line or self.turn.content, Path(file), int(number)

    def quoted(self) -> str:
        """What was said, word for word, with its day and place.

        >>> from datetime import datetime
        >>> turn = Turn(datetime(2026, 11, 27, tzinfo=UTC), "", "user", "My cat is Otto.")
        >>> Seen(turn, "2026-11-27.jsonl:1").quoted()
        'You said on 27 November 2026: "My cat is Otto." (2026-11-27.jsonl:1)'
        """
        day = self.turn.ts.astimezone(UTC)
        said = f'You said on {day.day} {day:%B %Y}: "{one_line(self.turn.content)}"'
        return f"{said} ({self.place})" if self.place else said


@dataclass(frozen=True)
class Sight:
    """What a run has seen: the question; what the person said, in this conversation and as memory
    gave it; and the results of other tools. `looked_up` says whether any of it was looked up, and
    `kept` whether something was."""

    question: str
    said: tuple[Seen, ...] = ()
    results: tuple[Turn, ...] = ()
    looked_up: bool = False
    kept: bool = False


def unfounded(answer: str, sight: Sight) -> str:
    """The first sentence of `answer` that claims something which was not seen; "" if there is none.

    A sentence claims if something was looked up or kept, or if the question or the sentence is
    about the person. What memory gave must also be about what was asked, and not outdated. If a
    sentence cites a line that was seen, only that line counts for it. A list must be whole.
    """
    for line in filter(str.strip, answer.split("\n")):
        cited = {f"{file}:{number}" for file, number in _CITED.findall(line)}
        sentences: list[str] = SENTENCE_END.split(_CITED.sub("", line).strip())
        for sentence in filter(None, sentences):
            is_whole = sentence == _CITED.sub("", answer).strip()
            if _claims(sentence, sight, is_whole) and not _is_founded(sentence, sight, cited):
                return sentence
    return answer.strip() if _is_cut_short(answer, sight) else ""


def _is_cut_short(answer: str, sight: Sight) -> bool:
    """Whether it has some items of a list that the question asks for, and not all."""
    if not (sight.looked_up and _WHICH.match(sight.question)):
        return False
    terms = set(extract_terms(answer))
    lists = (
        set(extract_terms(found[0]))
        for one in sight.said
        if bears_on(sight.question, one.turn.content)
        for found in _LIST.finditer(one.turn.content)
    )
    return any(items & terms and not items <= terms for items in lists)


def own_words(sight: Sight) -> str:
    """What the person said about the question, word for word, with the newest word first; "" if
    they said nothing about it."""
    own = [one for one in sight.said if one.is_own]
    bearing = (n for n, one in enumerate(own) if bears_on(sight.question, one.turn.content))
    if (first := next(bearing, None)) is None:
        return ""
    newest = changed_by([one.stated for one in own]).get(first)
    if newest is None:
        return own[first].quoted()
    return f"{own[newest].quoted()}\nBefore that: {own[first].quoted()}"


def bears_on(question: str, said: str) -> bool:
    """Whether `said` is about what `question` asks: it has all terms of it, or two and half of
    them. A term for the kind of answer is not counted.

    >>> bears_on("What is my wife's name?", "My landlord's name is Mr Hansen.")
    False
    >>> bears_on("Which instrument do I play?", "I play the cello.")
    True
    """
    kind = {stem(found[1].lower())} if (found := _KIND.match(question)) else set()
    terms = set(extract_terms(question)) - _GENERAL
    wanted = (terms - kind) or terms
    shared = wanted & set(extract_terms(said))
    return shared == wanted or 2 <= len(shared) >= len(wanted) / 2


def about_person(sentence: str) -> str:
    """The sentence of an answer as a note has it: "you" and "I" are the user.

    >>> about_person("Your cat is Otto, and I am Ben.")
    "the user's cat is Otto, and the user am Ben."
    """
    return as_note(_YOUR.sub("the user's", _YOU.sub("the user", sentence)))


def _claims(sentence: str, sight: Sight, is_whole: bool) -> bool:
    """Whether a sentence says something that can be held against what was seen. `is_whole`: it is
    all of the answer."""
    terms = set(extract_terms(sentence))
    asked = set(extract_terms(sight.question))
    if sentence.endswith("?") or _ADMITS.search(sentence):
        return False
    if sight.looked_up:
        known = asked.union(*(extract_terms(one.turn.content) for one in sight.said))
        return (
            (is_whole and _is_short(sentence))
            or bool(_values(sentence))
            or not known.isdisjoint(terms)
        )
    if sight.kept:
        return not asked.isdisjoint(terms)
    if not (sight.question.rstrip().endswith("?") and SELF.search(sight.question)):
        return False
    if is_whole and _is_short(sentence):
        return not _ADVICE.search(sight.question)
    of_person = _OF_PERSON.match(sentence) and not _MODAL.search(sentence)
    return bool(of_person) and not asked.isdisjoint(terms)


def _is_founded(sentence: str, sight: Sight, cited: Collection[str]) -> bool:
    if sight.kept and not sight.looked_up:
        return stands_in(about_person(sentence), sight.question)
    changed = changed_by([one.stated for one in sight.said])
    cited = {one.place for one in sight.said} & set(cited)  # others are not the person's words
    bearing = set(range(len(sight.said)))
    if asks(sight.question):
        said = enumerate(sight.said)
        bearing = {n for n, one in said if bears_on(sight.question, one.turn.content)}
        # What changes such a line is about the question, too, though it may name less of it.
        bearing |= {changed[n] for n in bearing if n in changed}
    counting = [
        one.turn
        for n, one in enumerate(sight.said)
        if n in bearing and n not in changed and (not cited or one.place in cited)
    ]
    if any(is_grounded(form, counting) for form in _forms(sentence, sight.question)):
        return True
    return bool(sight.results) and not cited and _stands_in_results(sentence, sight)


def _stands_in_results(sentence: str, sight: Sight) -> bool:
    """Whether it follows from the results of tools, or has no name and no number of its own and
    most of its words from them. A summary is never a copy."""
    if is_grounded(sentence, sight.results):
        return True
    texts = " ".join([sight.question, *(turn.content for turn in sight.results)])
    terms, there = set(extract_terms(sentence)), set(extract_terms(texts))
    return _values(sentence) <= set(_VALUE.findall(texts)) and 2 * len(terms & there) >= len(terms)


def _forms(sentence: str, question: str) -> Iterator[str]:
    """The sentence as a note, and a short one together with its question."""
    yield about_person(sentence)
    asked = about_person(_ASKING.sub("", question.strip().rstrip("?")))
    if reply := _YES_NO.match(sentence):
        rest = about_person(sentence[reply.end() :])
        # "No" to a question that denies says nothing that can be decided.
        yield f"{asked}{' not' if reply[1].lower() == 'no' else ''}. {rest}".strip()
    elif _is_short(sentence):
        yield f"{asked} {sentence}"


def _is_short(sentence: str) -> bool:
    return sum(not term.isdigit() for term in extract_terms(sentence)) <= MAX_SHORT_TERMS


def _values(sentence: str) -> set[str]:
    """Its names and its numbers of more than one digit; the first word may be any word."""
    return set(_VALUE.findall(sentence.partition(" ")[2]))


def asks(text: str) -> bool:
    """Whether a message asks for something; what it says is no evidence.

    >>> asks("Where do I live?"), asks("Tell me where I live."), asks("I live in Oslo.")
    (True, True, False)
    """
    return text.rstrip().endswith("?") or bool(_REQUEST.match(text.lstrip()))
