"""A pattern that a person typed, and the lines of a block that it matches.

Most searches are for a word, and most text does not contain it. So a search first checks, in one
call for many lines, whether the word can be there at all.
"""

import re
from collections.abc import Iterable, Iterator

from g2c.memory.core.types import MemoryStoreError

MAX_CHARS = 1_000
"""The longest pattern, in characters. The time to compile one grows faster than its length."""

_SPECIAL = frozenset("\\.^$*+?{}[]|()\n")
_GAP = re.compile(r"\.[*+]?\??|\^|\$")
_FOLDS_TO_ASCII = "\u0130\u0131\u017f\u212a"
"""The four characters outside ASCII that equal an i, an s or a k if case is ignored."""


class LinePattern:
    r"""A Python regular expression that is matched against one line at a time.

    It sees characters, not bytes: `caf.` matches "café", and with `ignore_case` `É` equals `é`. It
    never sees the next line, so `[^a]*` ends where the line ends.

    Raises:
        MemoryStoreError: `pattern` is not a regular expression, or is longer than `MAX_CHARS`.

    >>> list(LinePattern("^b").lines_in(b"a b\nb\n\nbc"))
    [(1, b'b'), (3, b'bc')]
    """

    def __init__(self, pattern: str, *, ignore_case: bool = False) -> None:
        if len(pattern) > MAX_CHARS:
            raise MemoryStoreError(
                f"The pattern has {len(pattern):,} characters, and at most {MAX_CHARS:,} are read."
            )
        try:
            self._regex = re.compile(pattern, re.IGNORECASE if ignore_case else 0)
        except (re.error, OverflowError, RecursionError) as error:
            raise MemoryStoreError(
                f"The pattern {pattern!r} is not a regular expression: {error}. "
                "To search for a character such as ( or * as it is, write \\ before it."
            ) from None
        self._ignore_case = ignore_case
        word = _needed_word(pattern)
        self._is_word = word == pattern
        self._word: bytes | None = None
        if word and (word.isascii() or not ignore_case):
            self._word = (word.lower() if ignore_case else word).encode("utf-8", "surrogatepass")
        # The bytes that each letter of the word can be.
        spellings = [self._word or b""] + [(self._word or b"").upper()] * ignore_case
        self._letters = set(zip(*spellings, strict=True))
        self._odd = [
            char.encode()
            for char in (_FOLDS_TO_ASCII if self._word and ignore_case else "")
            if re.search(char, word, re.IGNORECASE)
        ]

    def lines_in(self, block: bytes) -> Iterator[tuple[int, bytes]]:
        """The lines of `block` that match, each with its number in the block, from 0.

        `block` is whole lines in UTF-8; the last newline may be missing. Lines are given without
        their newlines, and blank lines never. Bytes that are not UTF-8 are read as U+FFFD.
        """
        if self._word is None or (not block.isascii() and any(odd in block for odd in self._odd)):
            lines: Iterable[tuple[int, bytes]] = enumerate(block.split(b"\n"))
        else:
            lines = self._with_word(block, self._word)
            if self._is_word:
                yield from lines
                return
        for place, line in lines:
            if line and self._regex.search(line.decode("utf-8", "replace")):
                yield place, line

    def _with_word(self, block: bytes, word: bytes) -> Iterator[tuple[int, bytes]]:
        # A search for one byte is many times faster than a search for a word, and than folding.
        if not all(any(map(block.__contains__, cases)) for cases in self._letters):
            return
        folded = block.lower() if self._ignore_case else block
        place = start = 0
        while (found := folded.find(word, start)) >= 0:
            place += count_lines(block[start:found])
            start = max(start, block.rfind(b"\n", start, found) + 1)
            end = block.find(b"\n", found)
            end = len(block) if end < 0 else end
            yield place, block[start:end]
            place, start = place + 1, end + 1


def _needed_word(pattern: str) -> str:
    """The longest text that every match contains, if that is easy to see; else the empty text.

    >>> [_needed_word(pattern) for pattern in ("tea", "^Tea.*milk$", "tea|milk", "teas?")]
    ['tea', 'milk', '', '']
    """
    words = _GAP.split(pattern)
    if all(_SPECIAL.isdisjoint(word) for word in words):
        return max(words, key=len)
    return ""


def count_lines(block: bytes) -> int:
    r"""How many newlines are in `block`.

    >>> count_lines(b"a\nb\nc")
    2
    """
    # Until Python 3.13, bytes.count compares byte by byte; replace jumps from one to the next.
    return len(block) - len(block.replace(b"\n", b""))
