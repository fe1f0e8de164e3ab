"""From text to terms: what is left of words when case, endings and filler are taken away.

The idea to take away: a question and the note that answers it are rarely in the same words. `What
did Ada paint?` and `Ada painted a sunrise` meet only where both are reduced to `ada` and `paint`,
and where `what` and `did` are taken for what they are: in every question, and about nothing.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

_WORD = re.compile(r"[^\W_]+")

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

# Words that are also about something stay: May, won, mine, one, before, after.
STOP_WORDS = frozenset(
    " ".join((_QUESTIONS, _PRONOUNS, _DETERMINERS, _HELPING_VERBS, _PARTICLES, _CONTRACTED)).split()
)

_SUFFIXES = {"ation": 4, "ing": 3, "ion": 3, "ed": 3, "ly": 3}
"""What is taken off, and how many letters must be left."""

_VOWEL = re.compile(r"[aeiouy]")


def extract_terms(text: str) -> list[str]:
    """The terms of `text` in order, as often as they occur: words without stop words, stemmed.

    A word is a run of letters and digits, in any case. Text in a script that puts no spaces
    between words is one word a run, and found only by the whole run.

    >>> extract_terms("What did Ada paint? She painted Ada's two cities!")
    ['ada', 'paint', 'paint', 'ada', 'two', 'cit']
    """
    return [stem(word) for word in split_words(text) if word not in STOP_WORDS]


def split_words(text: str) -> list[str]:
    """The words of `text` in order, in lower case, with letters that look alike made one.

    >>> split_words("Ada's user_id: \\uff11\\uff12")
    ['ada', 's', 'user', 'id', '12']
    """
    return _WORD.findall(unicodedata.normalize("NFKC", text).casefold())


@lru_cache(maxsize=100_000)
def stem(word: str) -> str:
    """`word` without an English ending: a plural's, then one of a few suffixes, then `e` or `y`.

    It need not give a word, only the same for forms of one; it is lighter than Porter's (1980),
    and knows no exceptions.

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
