"""20.8 by the order of words: a line is grounded if it is what was said, with words left out.

The reference reads the clauses of both, so it has to know which words belong together. Here their
order is enough. A note states a part of what was said, and nothing else, if it keeps the order,
begins where its clause begins and leaves out no word that turns another. It costs true lines in
another order: they are refused, and the person's own sentence takes their place.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from g2c.memory.core.sources import without_request
from g2c.memory.core.terms import STOP_WORDS, split_words, stem
from g2c.memory.core.types import Turn

_DAY = re.compile(r"(\d{4}-\d\d-\d\d): ")
_SENTENCE = re.compile(r"(?<=[.!?]) +|\n")
_CLAUSE = re.compile(r",? (?:and|but) |[,;] ")
_WHOSE = re.compile(r"\b((?:my )?\w+)'s (\w+)", re.IGNORECASE)
_UNSURE = re.compile(r"\b(maybe|perhaps|if|might|suppose|imagine|wondering|hope|whether)\b", re.I)
_TURNING = (
    "not no never nobody none nothing without cannot t only from instead used ends before after "
    "until about almost"
)
_TURNS = frozenset(_TURNING.split())
_COUNTED = "one two three four five six seven eight nine ten eleven twelve"
_SAME = {word: str(number) for number, word in enumerate(_COUNTED.split(), 1)}
_SAME |= {"we": "i", "our": "my", "don": "not", "doesn": "not"}
_LEFT_OUT = STOP_WORDS - _TURNS - {"i", "we", "my", "our"} - {"don", "doesn"} | {"t"}


def is_grounded(line: str, said: Sequence[Turn]) -> bool:
    day = _DAY.match(line)
    heard = [
        _words(clause)
        for text, turn in _statements(said)
        if day is None or f"{turn.ts:%Y-%m-%d}" == day[1]
        for clause in _CLAUSE.split(text)
    ]
    claims = [
        _words(clause)
        for sentence in _SENTENCE.split(line[day.end() :] if day else line)
        for clause in _CLAUSE.split(sentence)
    ]
    return all(any(_shortens(claim, words) for words in heard) for claim in filter(None, claims))


def _statements(said: Sequence[Turn]) -> Iterator[tuple[str, Turn]]:
    question = ""
    for turn in said:
        if turn.role not in ("assistant", "action"):
            for text in _SENTENCE.split(turn.content):
                if not text.endswith("?") and not _UNSURE.search(text):
                    yield without_request(text), turn
                    if question and len(_words(text)) <= 2:
                        yield f"{question} {text}", turn
        asked = turn.role == "assistant" and turn.content.endswith("?")
        question = re.sub(r"\byour\b", "my", turn.content[:-1]) if asked else ""


def _words(clause: str) -> list[str]:
    clause = re.sub(r"\b[Tt]he user\b", "I", re.sub(r"\b[Tt]he user's\b", "my", clause))
    clause = _WHOSE.sub(r"\2 of \1", clause)
    return [_SAME.get(word, stem(word)) for word in split_words(clause) if word not in _LEFT_OUT]


def _shortens(claim: list[str], words: list[str]) -> bool:
    """Whether the claim is `words` with some left out, but none that turns another."""
    if not claim or not words or claim[0] != words[0]:
        return False
    rest = iter(words)
    left: list[str] = []
    for word in claim:
        for other in rest:
            if other == word:
                break
            left.append(other)
        else:
            return False
    return not _TURNS & {*left, *rest}
