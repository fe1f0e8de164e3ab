"""20.8: compare each clause of the note with each clause of what was said.

A bag of words is not enough. Words of two statements can make a third that nobody made, and one
small word can reverse a statement. So the clauses are compared one by one, with the few words that
reverse their meaning, and with their names in order. Undecidable lines are refused.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from g2c.memory.core.questions import is_question
from g2c.memory.core.sources import without_request
from g2c.memory.core.terms import STOP_WORDS, split_words, stem
from g2c.memory.core.types import Turn

_DAY = re.compile(r"(\d{4}-\d\d-\d\d): ")
_SENTENCE = re.compile(r"(?<=[.!?]) +|\n")
_CLAUSE = re.compile(r",? (?:and|but) |[,;] ")
_NAME = re.compile(r"\b(?:[A-Z]\w+|\d+)\b")
_OF_ANOTHER = re.compile(r"\b[Tt]he (\w+) of ((?:my|our|his|her|their|the user's) \w+|[A-Z]\w+)")
_NOBODY_BUT = re.compile(r"\b(nobody|nothing|none) but\b", re.IGNORECASE)


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


_NOT = _set("no not never nobody none nothing neither nor without cannot t")
_UNSURE = _set("maybe perhaps if might suppose imagine wondering hope whether")
_TURNING = _set("from instead used ends before after until about almost")
_RESTS = _NOT | _set("to on in at from for with since")
_TIMES = _set(
    "monday tuesday wednesday thursday friday saturday sunday january february march april may "
    "june july august september october november december"
)
_COUNTED = "one two three four five six seven eight nine ten eleven twelve"
_DIGITS = {word: str(number) for number, word in enumerate(_COUNTED.split(), 1)}


_SHORT = 2
"""Terms of an answer that says nothing without its question; a longer one is a sentence."""


@dataclass(frozen=True)
class _Clause:
    """The terms of a clause, each with the turning word before it; its names in order, and as they
    are written; whether it denies; whether it speaks of the person; whether the words before it
    belong to it."""

    terms: dict[str, str]
    names: list[str]
    written: frozenset[str]
    denies: bool
    of_person: bool
    is_rest: bool


def is_grounded(line: str, said: Sequence[Turn]) -> bool:
    day = _DAY.match(line)
    heard = [
        _clauses(sentence)
        for sentence, turn in _statements(said)
        if day is None or f"{turn.ts:%Y-%m-%d}" == day[1]
    ]
    sentences = _SENTENCE.split(line[day.end() :] if day else line)
    claims = [claim for sentence in sentences for claim in _clauses(sentence)]
    return not any(map(is_question, sentences)) and all(
        any(_follows(claim, clauses) or clauses == claims for clauses in heard) for claim in claims
    )


def _statements(said: Sequence[Turn]) -> Iterator[tuple[str, Turn]]:
    """The sentences that say that something is so; a short answer together with its question."""
    question = ""
    for turn in said:
        if turn.role not in ("assistant", "action"):
            for sentence in _SENTENCE.split(turn.content):
                if not is_question(sentence) and _UNSURE.isdisjoint(split_words(sentence)):
                    yield without_request(sentence), turn
                    if question and len(_read(sentence).terms) <= _SHORT:
                        yield f"{question} {sentence}", turn
        is_asked = turn.role == "assistant" and turn.content.endswith("?")
        question = turn.content[:-1] if is_asked else ""


def _clauses(sentence: str) -> list[_Clause]:
    parts = _CLAUSE.split(_NOBODY_BUT.sub("only", sentence))
    return [_read(part) for part in parts if split_words(part)]


def _read(text: str) -> _Clause:
    text = _OF_ANOTHER.sub(r"\2's \1", text)  # whose it is comes first, as in "my brother's cat"
    words = split_words(text)
    terms: dict[str, str] = {}
    turning = ""
    for word in words:
        if word in _TURNING:
            turning = word
        elif word not in STOP_WORDS | _NOT | {"user"}:
            term = _DIGITS.get(word, stem(word))
            terms.setdefault(term, turning)
            turning = ""
    names = [name.lower() for name in _NAME.findall(text)]
    return _Clause(
        terms,
        [stem(name) for name in names if name not in _TIMES and stem(name) in terms],
        frozenset(name for name in names if name.removesuffix("s") not in _TIMES),
        not _NOT.isdisjoint(words),
        not {"i", "we"}.isdisjoint(words) or bool(re.search(r"\buser(?!.s\b)", text)),
        bool(words) and words[0] in _RESTS,
    )


def _is_code(term: str) -> bool:
    """Whether it is a number that needs the word before it: the code is 4711."""
    return term.isdigit() and len(term) > 1


def _names_another(names: frozenset[str], there: frozenset[str]) -> bool:
    """Whether one of `names` has an ending that it does not have there: Jonas is not Jona."""
    return not {stem(name) for name in names - there}.isdisjoint(map(stem, there - names))


def _follows(claim: _Clause, statement: Sequence[_Clause]) -> bool:
    """Whether a clause of the statement, with its preceding words, says it."""
    for clause in statement:
        head = statement[0] if clause.is_rest else clause
        there = head.terms | clause.terms
        subject = next(iter(head.terms), "")
        if (
            claim.terms.keys() <= there.keys()
            and not claim.terms.keys().isdisjoint(clause.terms)
            and all(there[term] == turning for term, turning in claim.terms.items())
            and claim.denies == clause.denies
            and not _names_another(claim.written, head.written | clause.written)
            and all(
                a in claim.terms for a, b in pairwise(there) if b in claim.terms and _is_code(b)
            )
            and (head is not clause or claim.names == [n for n in there if n in claim.names])
            and (head.of_person or (subject in claim.terms and not claim.of_person))
        ):
            return True
    return False
