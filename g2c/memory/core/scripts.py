"""The boundaries of words, in any script.

Python's `\\w` ends a word at each combining mark: it cuts Hindi and Thai at their vowels. Chinese
and Thai have no spaces, so a run of letters is a whole sentence. There, each two adjacent
characters count as a word, in texts and in questions (Nie et al. 2000, "On the use of words and
n-grams for Chinese information retrieval").
"""

import re
import unicodedata
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from g2c.text import search_fold

_WORD = re.compile(r"[^\W_]+")
_WORD_WITH_LOW_LINES = re.compile(r"\w+")

_UNSPACED = (
    "\u0e00-\u0eff"  # Thai, Lao
    "\u1000-\u109f\ua9e0-\ua9ff\uaa60-\uaa7f"  # Burmese
    "\u1780-\u17ff"  # Khmer
    "\u3005-\u3007\u3041-\u30ff\u31f0-\u31ff\uff66-\uff9f"  # Japanese
    "\u3100-\u312f\u31a0-\u31bf\u3400-\u4dbf\u4e00-\u9fff"  # Chinese
    "\uf900-\ufaff\U00020000-\U0003ffff"
)
_UNWRITTEN = re.compile(
    "[\u200c\u200d\ufe00-\ufe0f\U000e0100-\U000e01ef"  # joiners; variants of a letter
    "\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7"  # Hebrew niqqud and cantillation
    "\u0610-\u061a\u0640\u064b-\u0652\u0656-\u065f\u0670"  # Arabic tashkil and tatweel
    "\u06d6-\u06dc\u06df-\u06e8\u06ea-\u06ed\u08ca-\u08e1\u08e3-\u08ff]"
)
"""Marks that most people leave out when they write."""


_ACCENT = re.compile("[\u0300-\u036f]")
_LIGATURES = str.maketrans({"ø": "o", "ł": "l", "đ": "d", "æ": "ae", "œ": "oe"})


class _Patterns(NamedTuple):
    odd: re.Pattern[str]
    """A character for which `_WORD` is wrong."""
    word: re.Pattern[str]
    """A word, or, as its group 1, a run of a script without spaces."""
    character: re.Pattern[str]
    """A character of such a run, with its marks."""


def split_words(text: str) -> list[str]:
    """The words of `text` in order, in lower case; variants of a letter become the same letter.

    Vowel signs and accents belong to their word. The points of Hebrew and Arabic are left out, and
    the Turkish i has one form. In a script without spaces, each two adjacent characters are a word,
    and so is a single one. The time is linear.

    >>> split_words("Ada's user_id: \\uff11\\uff12")
    ['ada', 's', 'user', 'id', '12']
    >>> split_words("हिन्दी, İzmir, 東京都, 茶")
    ['हिन्दी', 'izmir', '東京', '京都', '茶']
    """
    text = _plain(text)
    if _is_usual(text):
        return _WORD.findall(text)
    return [word for _, word in _words_of_any_script(text)]


def words_in(text: str) -> Iterator[tuple[int, str]]:
    """The words of `text` unchanged, each with its position; an underscore counts as a letter."""
    if _is_usual(text):
        return ((found.start(), found[0]) for found in _WORD_WITH_LOW_LINES.finditer(text))
    return _words_of_any_script(text)


def without_accents(text: str) -> str:
    """The words of `text` that ASCII can spell once their accents are left out, and only those.

    >>> without_accents("Zoë, Łódź, Ελλάδα, cœur, trà")
    'zoe lodz coeur tra'
    """
    words = (word for word in split_words(text) if not word.isascii())
    plain = (unicodedata.normalize("NFD", word).translate(_LIGATURES) for word in words)
    return " ".join(word for word in (_ACCENT.sub("", word) for word in plain) if word.isascii())


def unspaced_characters(text: str) -> list[str]:
    """The characters of `text` that belong to a script without spaces, with their marks."""
    text = _plain(text)
    return [] if _is_usual(text) else _patterns().character.findall(text)


def _plain(text: str) -> str:
    """The text in lower case, without what is often left out, and with one form of each letter."""
    text = search_fold(text)
    if text.isascii():
        return text
    text = _UNWRITTEN.sub("", text).replace("i\u0307", "i").replace("\u0131", "i")
    return unicodedata.normalize("NFC", text)


def _is_usual(text: str) -> bool:
    """Whether `_WORD` finds all words of `text`."""
    return text.isascii() or not _patterns().odd.search(text)


def _words_of_any_script(text: str) -> Iterator[tuple[int, str]]:
    for found in _patterns().word.finditer(text):
        if not found[1]:
            yield found.start(), found[0]
            continue
        chars = list(_patterns().character.finditer(text, *found.span()))
        for one, two in zip(chars, chars[1:] or chars, strict=False):
            yield one.start(), text[one.start() : two.end()]


@cache
def _patterns() -> _Patterns:
    """Compiled at the first text that needs them: looking up the category of every character is
    slow."""
    codes = [*range(0x300, 0xFE00), *range(0xFE10, 0x1F000)]
    signs = "".join(char for char in map(chr, codes) if unicodedata.category(char) in ("Mn", "Mc"))
    marks = f"[{signs}\u200c\u200d\ufe00-\ufe0f\U000e0100-\U000e01ef]"
    unspaced = rf"(?:(?=[{_UNSPACED}])[^\W_]{marks}*)"
    spaced = rf"(?![{_UNSPACED}])[^\W_]"
    return _Patterns(
        odd=re.compile(f"[{_UNSPACED}{signs}\u200c]"),  # an emoji has other joiners, too
        word=re.compile(f"({unspaced}+)|{spaced}(?:{spaced}|{marks})*"),
        character=re.compile(unspaced),
    )
