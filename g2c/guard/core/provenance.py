"""The texts that a run has read, what each was made of, and how texts are compared."""

import re
import unicodedata
from dataclasses import dataclass
from functools import lru_cache

from g2c.text import search_fold

RUN = 6
"""So many words in a row are not a coincidence."""
SHORTEST = 4
"""Shorter pieces occur everywhere and say nothing about their origin."""

# A comma between digits belongs to the number: 1,200.
_WORD = re.compile(r"""(?:[^\s,;:/\\|=?&#"'`\u2018-\u201f«»<>(){}\[\]]|(?<=\d),(?=\d{3}(?!\d)))+""")
_NUMBER = re.compile(r"\d+(?:,\d{3})*(?:\.\d+)?")
_END = re.compile(r"[^\W_]")


@dataclass(frozen=True)
class RunText:
    """A text that a run has read: the person's words, what a tool gave, a memory.

    `trusted`: whether its author may tell the agent what to do. `made_of` names the texts that it
    was made from, such as the notes in a summary, or the mail behind a memory. Names are unique in
    a run.
    """

    name: str
    text: str
    trusted: bool = False
    made_of: tuple[str, ...] = ()


def words_of(text: str) -> list[str]:
    """The words of a text in lower case, without the signs around them. A number is one word,
    however it is written; an address is one, and a path is several.

    >>> words_of("Pay 1,200.00 to <EVE@cave.example>, see docs/plan.md.")
    ['pay', '1200', 'to', 'eve@cave.example', 'see', 'docs', 'plan.md']
    """
    return list(_words_of(text))


@lru_cache(1_000)
def _words_of(text: str) -> tuple[str, ...]:
    folded = search_fold(text)  # too many origins cost a question, and a missing one the secret
    if not folded.isascii():
        folded = "".join(char for char in folded if unicodedata.category(char) != "Cf")
    return tuple(word for part in _WORD.findall(folded) if (word := _bare(part)))


def _bare(part: str) -> str:
    ends = [found.start() for found in _END.finditer(part)]
    word = part[ends[0] : ends[-1] + 1] if ends else ""
    if "." in word and _NUMBER.fullmatch(word):
        word = word.rstrip("0").rstrip(".")
    return word.replace(",", "")
