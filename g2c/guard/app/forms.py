"""The forms in which a value may take effect, whatever form it is written in.

A server undoes percent-encoding, a bank joins the groups of an IBAN, and a mail program takes an
address out of what surrounds it. So a call is compared with rules and with what was read after both
sides went through the same functions here.
"""

from __future__ import annotations

import os
import quopri
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from html import unescape
from pathlib import Path
from typing import Any
from urllib.parse import unquote, unquote_plus, urlsplit

from g2c.guard.core.permission import Rule
from g2c.guard.core.provenance import RunText, words_of
from g2c.text import ascii_host, is_unseen, search_fold

MAX_DECODED = 4
"""So often something may be encoded again."""
SAME_LETTERS = 24
"""So many letters and digits in a row, signs between them aside, are not a coincidence."""
SAME_DIGITS = 8
"""So many digits at the end of a number identify it: what stands before them may be a code of a
country."""
SPLIT_LETTERS = 10
"""The same, for a part of a text that is sent in several calls."""
MIN_LETTERS, SHORT_LETTERS = 4, 5
"""The shortest word of a stranger in a web address, and so many letters with signs between them."""
CODED, IN_PATH, DOES = 6, 4, 2
"""A letter that nobody wrote, in a call that does something, may be a code for more; one of a web
address, too; a digit of a call, for less: it may be a sum."""
CODE_LETTERS = 16
"""A word as long as this is a code."""
USUAL_PORTS = ("", "80", "443")
MIN_DIGITS = 5

_NUMBER = re.compile(r"\d(?:[ .,'()/-]?\d)*")
_LONG = re.compile(rf"(?<!\w)\+?([a-z]{{0,4}})({_NUMBER.pattern})(?!\w)")
_WORD = re.compile(r"[^\s<>,;:\"()\[\]]+")
_ROW = re.compile(r"[^\w\s]{5,}|[^\w\s\x00-\x7f]+")
_NOT_READ = ("tool ", "answer ", "the memory")
"""How texts are named that no tool gave in this run or before."""
_SIGNS = re.compile(r"[\W_]+")
_PAGE = re.compile(r"\s*https?:", re.IGNORECASE)
_LINK = re.compile(
    r"(?:https?:|www\.|\b[\w-]+(?:\.[\w-]+)+/)[^\s<>\"']+|\b\d{1,3}(?:\.\d{1,3}){3}\b"
)


@dataclass(frozen=True)
class Strange:
    """Letters that may be a stranger's, and for how many each counts."""

    letters: str
    weight: int = 1


def plain(text: str) -> str:
    r"""`text` without what is invisible, in one form of Unicode and in small letters.

    >>> plain("EVE@ca\u00adve\uff0eexample")
    'eve@cave.example'
    """
    if not text.isascii():
        text = "".join(" " if char.isspace() else char for char in text)
        text = "".join(char for char in text if not is_unseen(char))
    return search_fold(text)


def decoded(text: str, *, is_page: bool = False) -> str:
    """`text` without percent-encoding, HTML's escapes and, unless it `is_page`, in which `=07` is a
    value, quoted-printable, however often."""
    for _ in range(MAX_DECODED):
        before = text
        text = unescape(unquote_plus(text))
        if not is_page and re.search(r"=(?:[0-9A-F]{2}|\r?\n)", text):
            text = quopri.decodestring(text.encode("utf-8", "replace")).decode("utf-8", "replace")
        if text == before:
            break
    return plain(text)


def said_again(arguments: Mapping[str, Any], texts: Sequence[RunText]) -> tuple[str, ...]:
    """The names of the untrusted texts with a number, an address, or `SAME_LETTERS` letters in a
    row, that the arguments have in any form, and no trusted text has."""
    forms = {form for text in leaves(arguments) for form in (plain(text), decoded(text))}
    return _with_pieces_of(forms, texts)


def is_disguised(arguments: Mapping[str, Any], texts: Sequence[RunText]) -> bool:
    """Whether the arguments have a piece of an untrusted text only after decoding."""
    shown = {plain(text) for text in leaves(arguments)}
    hidden = {decoded(text) for text in leaves(arguments)} - shown
    return set(_with_pieces_of(hidden, texts)) > set(_with_pieces_of(shown, texts))


def has_link(arguments: Mapping[str, Any], texts: Sequence[RunText]) -> bool:
    """Whether the arguments have a web address that no trusted text has."""
    known = " ".join(plain(text.text) for text in texts if text.trusted)
    forms = " ".join(decoded(text, is_page=True) for text in leaves(arguments))
    return any(link not in known for link in _LINK.findall(forms))


def has_codes(
    arguments: Mapping[str, Any], texts: Sequence[RunText], others: Sequence[RunText]
) -> bool:
    """Whether the arguments have a number or a word with digits that only the untrusted ones of
    `others` have."""
    files = [text for text in others if not text.trusted]
    wanted = set().union(*map(_codes, leaves(arguments))) & set().union(
        *(_codes(file.text) for file in files)
    )
    return bool(wanted) and not wanted <= set().union(
        *(_codes(text.text) for text in texts if text not in files)
    )


def _codes(text: str) -> set[str]:
    numbers = (re.sub(r"\D", "", number) for number in _NUMBER.findall(decoded(text)))
    return {
        code
        for code in (*words_in(text), *numbers)
        if len(code) >= MIN_LETTERS and _has_digit(code)
    }


def as_told(value: str, told: str) -> str:
    """`value` as `told` spells it, if that has the same number in other groups.

    >>> as_told("+49 171 5550100", "Call 0171 555 0100."), as_told("DE12 34", "DE 1234")
    ('0171 555 0100', 'DE12 34')
    """
    if number := _LONG.fullmatch(plain(value).strip()):
        digits = _digits_of(number[2])
        for known in _LONG.finditer(plain(told)):
            same = _digits_of(known[2])
            if known[1] != number[1] or min(len(digits), len(same)) < SAME_DIGITS:
                continue
            if digits == same or (not number[1] and digits.endswith(same)):
                return known[0]
    return value


def _digits_of(number: str) -> str:
    return re.sub(r"\D", "", number).lstrip("0")


def _with_pieces_of(forms: set[str], texts: Sequence[RunText]) -> tuple[str, ...]:
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
    pages = [*leaves({"url": arguments.get("url")}), *filter(_PAGE.match, leaves(arguments))]
    said = set().union(*map(words_of, known))
    return all(
        _host(_host_of(text)) in named and _port_of(text) in {*USUAL_PORTS, *said} for text in pages
    )


def is_read(text: RunText) -> bool:
    """Whether a tool gave the text, in this run or before."""
    return not text.trusted and not text.name.startswith(_NOT_READ)


def words_in(text: str) -> set[str]:
    """The words of `text` in the form in which they take effect."""
    return {word for word in _SIGNS.split(decoded(text)) if word}


def strange_pieces(
    arguments: Mapping[str, Any], texts: Sequence[RunText], *, only_reads: bool
) -> set[Strange]:
    """The parts of the arguments from tools' texts, plain or in a code that nobody can undo.

    A call that `only_reads` has the words and parts that it repeats, and very long words of nobody.
    Any other has each word that no trusted text has, and so has a web address, its host aside. A
    word that was read is enough for a question there, as is an address with a user, and any address
    in a call that does something.
    """
    strange = [plain(text.text) for text in filter(is_read, texts)]
    said = " ".join(text.text for text in texts if text.trusted)
    trusted = plain(said)
    kept = [plain(text.text) for text in texts if text.name == "the memory"]
    words_read = {word for text in strange + kept for word in _SIGNS.split(text) if _tells(word)}
    found: set[Strange] = set()
    for text in leaves(arguments) if strange or not only_reads else ():
        if _PAGE.match(text):
            found.update(_of_page(text, strange, said, only_reads=only_reads) if strange else ())
        elif only_reads:
            for piece in _repeated(text, strange, trusted):
                found.add(Strange(piece, DOES if len(piece) >= CODE_LETTERS else 1))
        else:
            for word in _unsaid(decoded(text), trusted):
                weight = SAME_LETTERS if word in words_read else DOES if word.isdigit() else CODED
                if strange or word in words_read:
                    found.add(Strange(word, weight))
    return found


def _of_page(url: str, strange: Sequence[str], said: str, *, only_reads: bool) -> Iterator[Strange]:
    trusted, path = plain(said), _behind_host(url)
    words = _unsaid(decoded(path, is_page=True), trusted)
    known = set(_SIGNS.split(said))
    for word in _SIGNS.split(unquote(path)):  # a server may tell capitals from small letters
        if word != word.lower() and word not in known:
            yield Strange(word, CODED)
    is_strangers = not only_reads or _has_short(words, strange, trusted)
    for word in words:
        weight = CODED if _has_digit(word) else IN_PATH
        yield Strange(word, SAME_LETTERS if is_strangers else weight)
    if not only_reads or "@" in urlsplit(url.strip().replace("\\", "/")).netloc:
        yield Strange(url, SAME_LETTERS)


def _tells(word: str) -> bool:
    return len(word) > 2 or _has_digit(word)


def _has_digit(word: str) -> bool:
    return any(map(str.isdigit, word))


def _unsaid(text: str, trusted: str) -> list[str]:
    """The words that no trusted text has, known ones that are repeated, and long rows of signs."""
    known = set(_SIGNS.split(trusted))
    words = [word for word in _SIGNS.split(text) if word]
    often = [word * (times - 1) for word, times in Counter(words).items() if times > 1]
    return [
        *(word for word in words if word not in known),
        *often,
        *(row * CODED for row in _ROW.findall(text)),
    ]


def _repeated(text: str, strange: Sequence[str], trusted: str) -> list[str]:
    joined = [_SIGNS.sub("", other) for other in strange]
    parts = list(_shared(_SIGNS.sub("", decoded(text)), joined, _SIGNS.sub("", trusted)))
    theirs = {word for other in strange for word in _SIGNS.split(other) if len(word) > 2}
    words = [
        word for word in _unsaid(decoded(text), trusted) if not any(word in part for part in parts)
    ]
    return parts + [word for word in words if word in theirs or len(word) >= CODE_LETTERS]


def _has_short(words: Sequence[str], strange: Sequence[str], trusted: str) -> bool:
    said, joined = _SIGNS.sub("", trusted), [_SIGNS.sub("", other) for other in strange]
    return any(
        piece in other
        for piece in (*words, *_windows("".join(words), SHORT_LETTERS))
        if len(piece) >= MIN_LETTERS and piece not in said
        for other in joined
    )


def told_letters(pieces: set[Strange]) -> int:
    """How many letters of strangers these pieces tell, at most."""
    return sum(len(piece.letters) * piece.weight for piece in pieces)


def places(value: str) -> Iterator[str]:
    """The place of a path on this computer, with its links followed. A server that was started here
    takes it so, too."""
    is_folder = value.replace("\\", "/").endswith("/")
    for form in dict.fromkeys((value, unquote(value))):
        path = re.sub("^file:(?://)?", "", form.strip().replace("\\", "/"))
        with suppress(OSError, ValueError, RuntimeError):  # somebody's home is unknown
            yield plain(os.path.realpath(Path(path).expanduser())) + "/" * is_folder


def readings(value: Any) -> Iterator[str]:
    """The texts with which a rule's value is compared, if an argument says the same in another way:
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


def _port_of(url: str) -> str:
    server = urlsplit(url.strip().replace("\\", "/")).netloc.rpartition("@")[2]
    return re.sub(r"^(?:\[.*\]|[^:]*):?", "", server)


def _behind_host(url: str) -> str:
    """All of an address that is not its scheme or its host."""
    parts = urlsplit(url.strip().replace("\\", "/"))
    user = parts.netloc.rpartition("@")[0]
    return " ".join((user, parts.path, parts.query, parts.fragment))


def _windows(letters: str, length: int) -> Iterator[str]:
    for start in range(len(letters) - length + 1):
        yield letters[start : start + length]


def _shared(letters: str, strange: Sequence[str], said: str) -> Iterator[str]:
    """The longest parts of `letters`, of `SPLIT_LETTERS` or more, that are in a strange text."""
    ours, theirs = {*_windows(letters, SPLIT_LETTERS)}, set[str]()
    for text in strange:
        theirs |= ours.intersection(_windows(text, SPLIT_LETTERS))
    theirs.difference_update(_windows(said, SPLIT_LETTERS))
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


def _pieces(text: str) -> Iterator[str]:
    for number in _NUMBER.findall(text):
        digits = re.sub(r"\D", "", number)
        if len(digits) >= MIN_DIGITS:
            yield digits[-SAME_DIGITS:]
    yield from _addresses(text)
    letters = _SIGNS.sub("", text)
    yield from _windows(letters, SAME_LETTERS)


def _addresses(text: str) -> Iterator[str]:
    return (word.rstrip(".") for word in _WORD.findall(text) if "@" in word)


def _host_of(url: str) -> str:
    with suppress(ValueError):
        return unquote(urlsplit(url.strip().replace("\\", "/")).hostname or "")
    return ""


def _host(name: str) -> str:
    return ascii_host(name).rstrip(".").removeprefix("www.")
