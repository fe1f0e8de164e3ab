"""The forms in which a value may take effect, whatever form it is written in.

A server undoes percent-encoding, a bank joins the groups of an IBAN, and a mail program takes an
address out of what surrounds it. So a call is compared with rules and with what was read after both
sides went through the same functions here.
"""

from __future__ import annotations

import quopri
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from html import unescape
from typing import Any
from urllib.parse import unquote, unquote_plus, urlsplit

from g2c.guard.core.permission import Rule
from g2c.guard.core.provenance import RunText, words_of
from g2c.text import ascii_host, is_unseen, search_fold

MAX_DECODED = 3
"""So often something may be encoded again."""
SAME_LETTERS = 24
"""So many letters and digits in a row, signs between them aside, are no coincidence."""
SAME_DIGITS = 8
"""So many digits at the end of a number identify it: what stands before them may be a code of a
country."""
MIN_DIGITS = 5

_NUMBER = re.compile(r"\d(?:[ .,'()/-]?\d)*")
_WORD = re.compile(r"[^\s<>,;:\"()\[\]]+")
_SIGNS = re.compile(r"[\W_]+")
_PAGE = re.compile(r"\s*https?:[/\\]*[^\s]+\s*", re.IGNORECASE)


def plain(text: str) -> str:
    r"""`text` without what is invisible, in one form of Unicode and in small letters.

    >>> plain("EVE@ca\u00adve\uff0eexample")
    'eve@cave.example'
    """
    if not text.isascii():
        text = "".join(" " if char.isspace() else char for char in text)
        text = "".join(char for char in text if not is_unseen(char))
    return search_fold(text)


def decoded(text: str) -> str:
    """`text` without percent-encoding, HTML's escapes and quoted-printable, however often."""
    for _ in range(MAX_DECODED):
        before = text
        text = unescape(unquote_plus(text))
        if re.search(r"=(?:[0-9A-F]{2}|\r?\n)", text):
            text = quopri.decodestring(text.encode("utf-8", "replace")).decode("utf-8", "replace")
        if text == before:
            break
    return plain(text)


def said_again(arguments: Mapping[str, Any], texts: Sequence[RunText]) -> tuple[str, ...]:
    """The names of the untrusted texts with a number, an address, or `SAME_LETTERS` letters in a
    row, that the arguments have in any form, and no trusted text has."""
    forms = {form for text in leaves(arguments) for form in (plain(text), decoded(text))}
    wanted = {piece for form in forms for piece in _pieces(form)}
    has = {read.name: wanted & set(_pieces(plain(read.text))) for read in texts if wanted}
    vouched = set().union(*(has[read.name] for read in texts if wanted and read.trusted))
    return tuple(name for name, pieces in has.items() if pieces - vouched)


def names_its_host(
    arguments: Mapping[str, Any], texts: Sequence[RunText], rules: Sequence[Rule]
) -> bool:
    """Whether a trusted text, or a rule that allows something, names the host of each web address
    among the arguments. Outside a run there are no texts, and nobody could have named it."""
    if not texts:
        return True
    known = [read.text for read in texts if read.trusted and not read.made_of]
    known += [rule.value for rule in rules if rule.permission == "allow"]
    named = {_host(word) for text in known for word in words_of(text)}
    return all(
        _host(_host_of(text)) in named for text in leaves(arguments) if _PAGE.fullmatch(text)
    )


def readings(value: Any) -> Iterator[str]:
    """What a rule's value may be compared with, for an argument that says the same in another way:
    in a list, with a name beside the address, encoded, with other letters."""
    for text in leaves(value):
        for form in dict.fromkeys((plain(text), decoded(text))):
            short = form.strip().replace("\\", "/")
            yield short
            yield re.sub("^(?:file:(?://)?|mailto:)", "", short)
            yield from _addresses(short)


def leaves(value: Any) -> Iterator[str]:
    """The texts and numbers in a JSON value, with the keys inside."""
    waiting = [*value.values()] if isinstance(value, Mapping) else [value]
    while waiting:
        match waiting.pop():
            case str() as text:
                yield text
            case bool() | None:
                pass
            case Mapping() as inner:
                waiting += [*inner, *inner.values()]
            case list() | tuple() as inner:
                waiting += inner
            case number:
                yield str(number)


def _pieces(text: str) -> Iterator[str]:
    for number in _NUMBER.findall(text):
        digits = re.sub(r"\D", "", number)
        if len(digits) >= MIN_DIGITS:
            yield digits[-SAME_DIGITS:]
    yield from _addresses(text)
    letters = _SIGNS.sub("", text)
    for start in range(len(letters) - SAME_LETTERS + 1):
        yield letters[start : start + SAME_LETTERS]


def _addresses(text: str) -> Iterator[str]:
    return (word.rstrip(".") for word in _WORD.findall(text) if "@" in word)


def _host_of(url: str) -> str:
    with suppress(ValueError):
        return unquote(urlsplit(url.strip().replace("\\", "/")).hostname or "")
    return ""


def _host(name: str) -> str:
    return ascii_host(name).rstrip(".").removeprefix("www.")
