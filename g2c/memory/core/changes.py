"""Whether a statement changes an earlier one."""

from __future__ import annotations

import re

from g2c.memory.core.sources import SENTENCE_END
from g2c.memory.core.terms import extract_terms

_DIGIT = re.compile(r"\d")
_VALUES = frozenset(
    extract_terms(
        "monday tuesday wednesday thursday friday saturday sunday january february march april may "
        "june july august september october november december one two three four five six seven "
        "eight nine ten eleven twelve"
    )
)
CHANGES = re.compile(
    r"\b(?:actually|moved|changed|now|instead|no longer|any ?more|any longer)\b", re.IGNORECASE
)
"""Words of a sentence that may change what was said before. A new value without one changes
nothing: both stay, with their days."""

_CLAUSE_END = re.compile(r"[,;]? (?:so|and|but) |[,;] ")
_BY_SELF = re.compile(r"(?:(?:actually|now|instead),? )?(?:I|we|the user)\b(?!'s\b)", re.IGNORECASE)
_MOVED = re.compile(
    r"\b(?:I|we|the user)(?:'ve| have| has)?(?: \w+)? moved (?:back )?(?:to|from|in)\b",
    re.IGNORECASE,
)
_ENDED = re.compile(
    r"\b(?:I|we|the user)(?:'ve| have| has)?(?: \w+)? "
    r"(?:sold|lost|cancel\w+|quit|gave (?:up|away)|threw away|got rid of) (.+)",
    re.IGNORECASE,
)
_HOME = frozenset(extract_terms("live moved"))
"""Terms of one subject: a home, and a move."""


def changes(newer: str, older: str) -> bool:
    """Whether a sentence of `newer` has a word that changes, and the subject of `older`.

    >>> changes("My sister moved to Oslo.", "My sister lives in Bergen.")
    True
    >>> changes("My sister lives in Oslo.", "My sister lives in Bergen.")
    False
    >>> changes("I sold the bike.", "My bike is in the shed.")
    True
    >>> changes("Rex died, so I have only one dog now.", "I have two dogs: Rex and Ada.")
    True
    """
    return any(
        _on_one_subject(part, was)
        for sentence in SENTENCE_END.split(newer)
        if not sentence.endswith("?")
        for part in _with_clauses(sentence)
        if CHANGES.search(part) or _ENDED.search(part)
        for was in _with_clauses(older)
    )


def part_about(text: str, asked: str) -> str:
    """The clause of `text` with the most words of what is asked; all of it if none has one.

    >>> part_about("My name is Ann and I live in Galway.", "Where do I live?")
    'I live in Galway.'
    """
    words = set(extract_terms(asked))
    counts = {part: len(words.intersection(extract_terms(part))) for part in _with_clauses(text)}
    most = max(counts.values())
    return text if not most else [part for part in counts if counts[part] == most][-1]


def searches_for_changes(older: str) -> list[str]:
    """Words to look for what changes `older`: its own, and those that stand in their place.

    >>> searches_for_changes("I live in Galway.")
    ['I live in Galway.', 'moved to']
    """
    return [older] if _HOME.isdisjoint(extract_terms(older)) else [older, "moved to"]


def _with_clauses(text: str) -> tuple[str, ...]:
    return text, *_CLAUSE_END.split(text)


def _on_one_subject(newer: str, older: str) -> bool:
    """Whether both are about the same: the person themselves and half of the words, or the first
    thing that `newer` names; and both with a number, or both without. What somebody sold, lost or
    gave up is a subject, too."""
    terms = [
        term
        for term in extract_terms(CHANGES.sub(" ", newer))
        if not term.isdigit() and term not in _VALUES and term != "user"
    ]
    there = set(extract_terms(older))
    if ended := _ENDED.search(newer):
        return not there.isdisjoint(extract_terms(ended[1])[:1])
    by_self = bool(_BY_SELF.match(newer))
    if by_self != bool(_BY_SELF.match(older)):
        return False
    if by_self and _MOVED.search(newer):
        return not _HOME.isdisjoint(there)
    if bool(_DIGIT.search(newer)) != bool(_DIGIT.search(older)):
        return False
    some = terms if by_self else terms[:1]
    return 0 < len(some) <= 2 * sum(term in there for term in some)
