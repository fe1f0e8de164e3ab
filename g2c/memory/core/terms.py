"""From text to terms, and from a term to the texts that contain it.

A question and the note that answers it rarely use the same words. `What did Ada paint?` and `Ada
painted a sunrise` match only as `ada` and `paint`. `what` and `did` occur in every question and say
nothing about its subject, so they are left out.
"""

import re
from collections.abc import Sequence
from functools import lru_cache

from g2c.memory.core.scripts import split_words as split_words
from g2c.memory.core.scripts import unspaced_characters, without_accents

_QUESTIONS = "how many much what when where which who whom whose why"

_PRONOUNS = """\
i me my myself you your yours yourself yourselves he him his himself she her hers herself it its
itself we us our ours ourselves they them their theirs themselves"""

_DETERMINERS = "a an the this that these those there here all any both each every few more most"

_HELPING_VERBS = """\
am is are was were be been being do does did doing have has had having can could might must shall
should will would"""

_PARTICLES = """\
about also and as at because but by for from if in into just no nor not now of off on once only or
other out over own same so some such than then through to too under until up very while with"""

_CONTRACTED = "d didn doesn don hasn haven isn ll m re s t ve wasn weren wouldn"  # don't, he's

# Words that can carry meaning are not stop words: May, won, mine, one, before, after.
STOP_WORDS = frozenset(
    " ".join((_QUESTIONS, _PRONOUNS, _DETERMINERS, _HELPING_VERBS, _PARTICLES, _CONTRACTED)).split()
)

_SUFFIXES = {"ation": 4, "ing": 3, "ion": 3, "ed": 3, "ly": 3}
"""Each suffix that is removed, and how many letters must be left."""

_VOWEL = re.compile(r"[aeiouy]")


def extract_terms(text: str) -> list[str]:
    """The terms of `text` in order, with repeats: its stemmed words without stop words.

    A word is a run of letters and digits, in any case; see `split_words`.

    >>> extract_terms("What did Ada paint? She painted Ada's two cities!")
    ['ada', 'paint', 'paint', 'ada', 'two', 'cit']
    """
    return [stem(word) for word in split_words(text) if word not in STOP_WORDS]


def indexed_terms(text: str) -> set[str]:
    """The terms under which `text` is found: its own; without accents, since a keyboard may have
    none; and, in a script without spaces, each character, since a question may have a single one.

    >>> sorted(indexed_terms("two teas: 緑茶")), sorted(indexed_terms("café"))
    (['tea', 'two', '緑', '緑茶', '茶'], ['caf', 'café'])
    """
    terms = {*extract_terms(text), *unspaced_characters(text)}
    return terms if text.isascii() else terms | set(extract_terms(without_accents(text)))


@lru_cache(maxsize=100_000)
def stem(word: str) -> str:
    """`word` without an English ending: a plural's, then one of a few suffixes, then `e` or `y`.

    The result need not be a word; it is only the same for all forms of a word. This stemmer has
    fewer rules than Porter's (1980), and no exceptions.

    >>> [stem(word) for word in ("paint", "paints", "painted", "painting", "stopped", "created")]
    ['paint', 'paint', 'paint', 'paint', 'stop', 'creat']
    >>> [stem(word) for word in ("city", "cities", "create", "creation", "class", "bus", "king")]
    ['cit', 'cit', 'creat', 'creat', 'class', 'bus', 'king']
    """
    if len(word) < 4:
        return word
    if word.endswith("ies"):
        word = word[:-3] + "y"
    elif word.endswith("s") and not word.endswith(("ss", "us", "is")):
        word = word[:-1]
    for suffix, least in _SUFFIXES.items():
        rest = word.removesuffix(suffix)
        if least <= len(rest) < len(word) and _VOWEL.search(rest):
            word = rest
            if word[-1] == word[-2] and word[-1] not in "lsz":  # stopped, but not called
                word = word[:-1]
            break
    return word[:-1] if len(word) > 3 and word[-1] in "ey" else word


class InvertedIndex:
    """For each term, the numbers of the texts that contain it. The texts themselves are not kept.

    Each new text gets the next number. No number is given twice, even after a text is removed.

    >>> index = InvertedIndex()
    >>> [index.add(text) for text in ("A green door", "A red door", "Doors, doors")]
    [0, 1, 2]
    >>> list(index.postings("door")), list(index.postings("window"))
    ([0, 1, 2], [])
    """

    def __init__(self) -> None:
        self._postings: dict[str, list[int]] = {}
        self._added = 0
        self._removed = 0

    def __repr__(self) -> str:
        return f"<InvertedIndex of {len(self)} texts: {dict(sorted(self._postings.items()))}>"

    def __len__(self) -> int:
        """How many texts there are."""
        return self._added - self._removed

    def postings(self, term: str) -> Sequence[int]:
        """The numbers of the texts that contain `term`, each once, oldest first.

        It is the index's own list, so do not change it. It is empty if no text has the term.
        """
        return self._postings.get(term, ())

    def add(self, text: str) -> int:
        """Add a text and return its number. The cost depends on this text alone."""
        number = self._added
        self._added += 1
        for term in indexed_terms(text):
            self._postings.setdefault(term, []).append(number)
        return number

    def remove(self, number: int, text: str) -> None:
        """Remove the text that was added under `number`."""
        for term in indexed_terms(text):
            self._postings[term].remove(number)
        self._removed += 1
