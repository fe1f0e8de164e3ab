"""Whether a statement changes an earlier one."""

import re

from g2c.memory.core.questions import is_question
from g2c.memory.core.sources import SENTENCE_END
from g2c.memory.core.terms import extract_terms

_DIGIT = re.compile(r"\d")
WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
MONTHS = (
    *("january", "february", "march", "april", "may", "june"),
    *("july", "august", "september", "october", "november", "december"),
)
NUMBERS = "one two three four five six seven eight nine ten eleven twelve"
_VALUES = frozenset(extract_terms(" ".join((*WEEKDAYS, *MONTHS, NUMBERS))))
_PUT_OFF = r"moved|changed|postponed|rescheduled|put (?:off|back)|brought forward"
_BACK = r"turned up|(?:came|come|is|are) back|(?:was|were|been|have|I) found"
CHANGES = re.compile(
    rf"\b(?:actually|now|instead|no longer|any ?more|any longer|{_PUT_OFF}|{_BACK})\b",
    re.IGNORECASE,
)
"""Words of a sentence that may change what was said before. A new value without one changes
nothing: both stay, with their days."""

_NAMES_AT_END = r"(?:[A-Z]\w+,? and )?[A-Z]\w+(?:[.!]|$)"
_CLAUSE_END = re.compile(rf"(?:[,;]? (?:so|and|but) |[,;] )(?!{_NAMES_AT_END})")
_BY_SELF = re.compile(r"(?:(?:actually|now|instead),? )?(?:I|we|the user)\b(?!'s\b)", re.IGNORECASE)
_MOVED = re.compile(
    r"\b(?:I|we|the user)(?:'ve| have| has)?(?: \w+)? moved (?:back )?(?:to|from|in)\b",
    re.IGNORECASE,
)
_ENDED = re.compile(
    r"\b(?:I|we|the user)(?:'ve| have| has)?(?: \w+)? "
    r"(?:sold|lost|cancel\w+|dropped|quit|g[ai]ven? (?:up|away)|threw away|got rid of) "
    rf"(?!\d|(?:{NUMBERS.replace(' ', '|')})\b)(.+)"  # some of them are left
    r"|^(?:my |our |the )?(\w+)(?: has| have)? died\b",
    re.IGNORECASE,
)
_MISSING = re.compile(
    r"\b(?:lost|mislaid|stole|find) (.+)"
    r"|(.+?) (?:is|are|was|were|been|got|went) (?:missing|gone|lost|stolen)\b",
    re.IGNORECASE,
)
_IS_BACK = re.compile(rf"\b(?:{_BACK})\b", re.IGNORECASE)
_OBJECT = re.compile(
    rf"\b(?:{_PUT_OFF}) (?:my|our|the|[\w-]+'s) (.+?)(?: (?:to|from|until|by)\b|$)", re.IGNORECASE
)
_WHEN = re.compile(rf"\b(?:(?:{'|'.join(WEEKDAYS)})s?|{'|'.join(MONTHS)})\b", re.IGNORECASE)
_HEAD = re.compile(r"(.+?) (?:am|is|are|was|were|has|have|moved|changed|now)\b", re.IGNORECASE)
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
        if not is_question(sentence)
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
    """Whether both are about the same: the person themselves and half of the words; what `newer`
    puts off; or the first thing that it names, and one more thing in common. Both have a number, a
    day or a month, or neither has. What somebody sold, lost or found is a subject, too."""
    terms = _terms_of_subject(newer)
    there = set(extract_terms(older))
    if ended := _ENDED.search(newer):
        return not there.isdisjoint(extract_terms(ended[1] or ended[2])[:1])
    if _IS_BACK.search(newer) and (missing := _MISSING.search(older)):
        return not set(terms).isdisjoint(extract_terms(missing[1] or missing[2])[:1])
    by_self = bool(_BY_SELF.match(newer))
    moved = _OBJECT.search(newer)
    is_moved = moved is not None and set() < set(_terms_of_subject(moved[1])) <= there
    if moved and not by_self:
        terms = _terms_of_subject(newer[: moved.start()])
    if by_self != bool(_BY_SELF.match(older)) and not is_moved:
        return False
    if by_self and _MOVED.search(newer):
        return not _HOME.isdisjoint(there)
    are_dated = bool(_WHEN.search(newer) and _WHEN.search(older))
    if bool(_DIGIT.search(newer)) != bool(_DIGIT.search(older)) and not are_dated:
        return False
    if by_self:
        return is_moved or 0 < len(terms) <= 2 * sum(term in there for term in terms)
    in_common = there.intersection(terms)
    return is_moved or (
        bool(in_common.intersection(terms[:1]))
        and (
            are_dated
            or bool(_DIGIT.search(newer))
            or len(in_common) > 1
            or not (_HOME.isdisjoint(there) or _HOME.isdisjoint(extract_terms(newer)))
            or _head(newer) == _head(older) != set()
        )
    )


def _terms_of_subject(text: str) -> list[str]:
    return [
        term
        for term in extract_terms(CHANGES.sub(" ", text))
        if not term.isdigit() and term not in _VALUES and term != "user"
    ]


def _head(text: str) -> set[str]:
    """The terms before the verb."""
    return set(_terms_of_subject(found[1])) if (found := _HEAD.match(text)) else set()
