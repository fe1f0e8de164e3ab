"""The letters of strangers that a call tells: words that were read, and possible codes for them.

What is sent in several calls adds up, so the pieces of a run are kept and counted together.
"""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import unquote, urlsplit

from g2c.guard.app.forms import (
    COMMON,
    MIN_LETTERS,
    PAGE,
    SAME_LETTERS,
    SIGNS,
    decoded,
    has_digit,
    is_read,
    leaves,
    plain,
    windows,
)
from g2c.guard.app.understood import in_order
from g2c.guard.core.provenance import RunText
from g2c.text import search_fold

SPLIT_LETTERS = 10
"""So many letters in a row of a text that was read count, if it is sent in several calls."""
SHORT_LETTERS = 5
"""So many letters of a stranger in a web address, with signs between them, are a word of theirs."""
CODED, IN_PATH, DOES = 6, 4, 2
"""A letter that nobody wrote, in a call that does something, may be a code for more; one of a web
address, too; a digit of a call, for less: it may be a sum."""
CODE_LETTERS = 16
"""A word as long as this is a code."""

NEW_LETTERS = 28
"""So many letters that nobody wrote, in a call that only reads, may be a translation."""
_EMPTY: tuple[object, ...] = ("", None, [], {})
_WEB = ("web_search", "read_page")
"""How texts are named that everybody may read."""
_DIGITS = {
    word: str(digit)
    for words in (
        "zero one two three four five six seven eight nine",
        "null eins zwei drei vier f\u00fcnf sechs sieben acht neun",
        "z\u00e9ro un deux trois quatre cinq six sept huit neuf",
    )
    for digit, word in enumerate(map(search_fold, words.split()))
}
_TENTHS = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
_TENS = {word: str(ten) for ten, word in enumerate(_TENTHS, 2)}
_ROW = re.compile(r"[^\w\s]{5,}|[^\w\s\x00-\x7f]+")


@dataclass(frozen=True)
class Strange:
    """Letters that may be a stranger's, and for how many each counts."""

    letters: str
    weight: int = 1


def has_described_words(arguments: Mapping[str, Any], texts: Sequence[RunText]) -> bool:
    """Whether a call that does something has a word of a tool's description, or of the memory, that
    no trusted text has. A value that is empty or true has its name's meaning."""
    trusted = plain(" ".join(text.text for text in texts if text.trusted))
    told = [text for text in texts if text.name.startswith("tool ") or text.name == "the memory"]
    words = {word for text in told for word in SIGNS.split(plain(text.text)) if _tells(word)}
    given = {
        name: " ".join(in_order(name)) if value is True or value in _EMPTY else value
        for name, value in arguments.items()
    }
    unsaid = (word for text in leaves(given) for word in _unsaid(decoded(text), trusted))
    return any(word in words - COMMON for word in unsaid)


def strange_pieces(arguments: Mapping[str, Any], texts: Sequence[RunText]) -> set[Strange]:
    """The parts of the arguments of a call that only reads from tools' texts and the memory, plain
    or in a code that nobody can undo: the words and parts that it repeats, and very long words of
    nobody. In a web address, each word that no trusted text has, its host aside. A word that was
    read is enough for a question there, as is an address with a user.
    """
    strange = [plain(text.text) for text in texts if is_read(text) or text.name == "the memory"]
    said = " ".join(text.text for text in texts if text.trusted)
    trusted = plain(said)
    is_private = any(is_read(text) and not text.name.startswith(_WEB) for text in texts)
    found: set[Strange] = set()
    for text in leaves(arguments) if strange else ():
        if PAGE.match(text):
            found.update(_of_page(text, strange, said))
            continue
        if is_private:
            found.update(_reworded(text, strange, trusted))
        for piece in _repeated(text, strange, trusted):
            is_code = has_digit(piece) and len(piece) >= MIN_LETTERS
            weight = CODED if is_code else DOES if len(piece) >= CODE_LETTERS else 1
            found.add(Strange(piece, weight))
    return found


def _of_page(url: str, strange: Sequence[str], said: str) -> Iterator[Strange]:
    trusted, path = plain(said), _behind_host(url)
    words = _unsaid(decoded(path, is_page=True), trusted)
    known = set(SIGNS.split(said))
    for word in SIGNS.split(unquote(path)):  # a server may tell capitals from small letters
        if word != word.lower() and word not in known:
            yield Strange(word, CODED)
    is_strangers = _has_short(words, strange, trusted)
    for word in words:
        weight = CODED if has_digit(word) else IN_PATH
        yield Strange(word, SAME_LETTERS if is_strangers else weight)
    if "@" in urlsplit(url.strip().replace("\\", "/")).netloc:
        yield Strange(url, SAME_LETTERS)


def _tells(word: str) -> bool:
    return len(word) > 2 or has_digit(word)


def _unsaid(text: str, trusted: str) -> list[str]:
    """The words that no trusted text has, known ones that are repeated, and long rows of signs."""
    known = set(SIGNS.split(trusted))
    words = [word for word in SIGNS.split(text) if word]
    often = [word * (times - 1) for word, times in Counter(words).items() if times > 1]
    return [
        *(word for word in words if word not in known),
        *often,
        *(row * CODED for row in _ROW.findall(text)),
    ]


def _repeated(text: str, strange: Sequence[str], trusted: str) -> list[str]:
    joined = [SIGNS.sub("", other) for other in strange]
    parts = list(_shared(SIGNS.sub("", decoded(text)), joined, SIGNS.sub("", trusted)))
    theirs = {word for other in strange for word in SIGNS.split(other) if len(word) > 2}
    words = [
        word for word in _unsaid(decoded(text), trusted) if not any(word in part for part in parts)
    ]
    return parts + [word for word in words if word in theirs or len(word) >= CODE_LETTERS]


def _reworded(text: str, strange: Sequence[str], trusted: str) -> Iterator[Strange]:
    """Numbers that were read, spelled in words, and too many words that nobody wrote."""
    words, read = SIGNS.split(decoded(text)), " ".join(strange)
    for number in spelled_numbers(words):
        if re.search(rf"(?<!\d){number}(?!\d)", read) and number not in trusted:
            yield Strange(number, CODED)
    known = set(SIGNS.split(f"{read} {trusted}"))
    new = "".join(word for word in words if len(word) >= MIN_LETTERS and word not in known)
    is_path = not re.search(r"\s", decoded(text).strip())
    if len(new) >= NEW_LETTERS and not is_path:
        yield Strange(new)


def spelled_numbers(words: Sequence[str]) -> list[str]:
    """The numbers of `MIN_LETTERS` digits or more that words in a row spell.

    >>> spelled_numbers("lock four four seventy one oil".split())
    ['4471']
    """
    digits = ""
    for word, after in zip(words, [*words[1:], ""], strict=True):
        tens = _TENS.get(word, "") + ("" if after in _DIGITS else "0") if word in _TENS else ""
        digits += tens or _DIGITS.get(word, " ")
    return [number for number in digits.split() if len(number) >= MIN_LETTERS]


def _has_short(words: Sequence[str], strange: Sequence[str], trusted: str) -> bool:
    said, joined = SIGNS.sub("", trusted), [SIGNS.sub("", other) for other in strange]
    return any(
        piece in other
        for piece in (*words, *windows("".join(words), SHORT_LETTERS))
        if len(piece) >= MIN_LETTERS and piece not in said
        for other in joined
    )


def told_letters(pieces: set[Strange]) -> int:
    """How many letters of strangers these pieces tell, at most."""
    return sum(len(piece.letters) * piece.weight for piece in pieces)


def _behind_host(url: str) -> str:
    """All of an address that is not its scheme or its host."""
    parts = urlsplit(url.strip().replace("\\", "/"))
    user = parts.netloc.rpartition("@")[0]
    return " ".join((user, parts.path, parts.query, parts.fragment))


def _shared(letters: str, strange: Sequence[str], said: str) -> Iterator[str]:
    """The longest parts of `letters`, of `SPLIT_LETTERS` or more, that are in a strange text."""
    ours, theirs = {*windows(letters, SPLIT_LETTERS)}, set[str]()
    for text in strange:
        theirs |= ours.intersection(windows(text, SPLIT_LETTERS))
    theirs.difference_update(windows(said, SPLIT_LETTERS))
    part = ""
    for start in range(len(letters)):
        window = letters[start : start + SPLIT_LETTERS]
        if window in theirs:
            part = part + letters[start + SPLIT_LETTERS - 1] if part else window
        elif part:
            yield part
            part = ""
    if part:
        yield part
