"""The forms in which a value may take effect, whatever form it is written in.

A server undoes percent-encoding, a bank joins the groups of an IBAN, and a mail program takes an
address out of what surrounds it. So a call is compared with rules and with what was read after both
sides went through the same functions here.
"""

import os
import quopri
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from html import unescape
from pathlib import Path
from typing import Any
from urllib.parse import unquote, unquote_plus, urlsplit

from g2c.guard.app.clauses import without
from g2c.guard.core.permission import Rule
from g2c.guard.core.provenance import RunText, words_of
from g2c.text import search_fold
from g2c.visible import ascii_host, is_unseen

MAX_DECODED = 4
"""So often something may be encoded again."""
SAME_LETTERS = 24
"""So many letters and digits in a row, signs between them aside, are not a coincidence."""
SAME_DIGITS = 8
"""So many digits at the end of a number identify it: what stands before them may be a code of a
country."""
MIN_LETTERS = 4
"""The shortest word, or number, that tells anything."""
_COMMON = (
    "a about again all also am an and any are as at be been best both but by can "
    "come could dear do down each for from good had has have hello her here him "
    "his how i if in into is it its just know like make may me mine more most my new next "
    "now of on one or other our over please regards same see send she so some such than "
    "thank thanks that the their them then there these they this time to too two "
    "under us very was we well were what where which who will with work would you "
    "your"
)
_LIMITS = (
    "after before day days every first if last later once only soon today tomorrow tonight unless "
    "until week when"
)
LIMITS = frozenset(_LIMITS.split())
COMMON = LIMITS.union(_COMMON.split())
"""Words that say nothing by themselves, so anybody may use them. "not" turns a sentence."""
USUAL_PORTS = ("", "80", "443")
MIN_DIGITS = 5

_YEAR = re.compile(r"(?:19|20)\d\d")
_NO = "cannot dont jamais kein keine ne never nicht nie no not pas wont"
_TURNS = frozenset(_NO.split())
_NUMBER = re.compile(r"\d(?:[ .,'()/-]?\d)*")
_LONG = re.compile(rf"(?<!\w)\+?([a-z]{{0,4}})({_NUMBER.pattern})(?!\w)")
_WORD = re.compile(r"[^\s<>,;:\"()\[\]]+")
_NOT_READ = ("tool ", "answer ", "the memory")
"""How texts are named that no tool gave in this run or before."""
SIGNS = re.compile(r"[\W_]+")
PAGE = re.compile(r"\s*https?:", re.IGNORECASE)
_LINK = re.compile(
    r"(?:https?:|www\.|\b[\w-]+(?:\.[\w-]+)+/)[^\s<>\"']+|\b\d{1,3}(?:\.\d{1,3}){3}\b"
)


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


def has_strange_words(
    arguments: Mapping[str, Any], texts: Sequence[RunText], others: Sequence[RunText]
) -> bool:
    """Whether the arguments have a word or a number that only the untrusted ones of `others` have,
    or turn a sentence with a word that no trusted text has."""
    files = [text for text in others if not text.trusted]
    used = set().union(*map(_telling, leaves(arguments)))
    wanted = used & set().union(*(_telling(file.text) for file in files))
    wanted -= set().union(*(_telling(text.text) for text in texts if text not in files))
    turns = used & _TURNS - set().union(*(words_in(text.text) for text in texts if text.trusted))
    return bool(wanted or turns)


def _telling(text: str) -> set[str]:
    numbers = (re.sub(r"[.,]0+$|\D", "", number) for number in _NUMBER.findall(decoded(text)))
    words = {word for word in (*words_in(text), *numbers) if len(word) > 2}
    return {word for word in words if not _YEAR.fullmatch(word)} - COMMON | words_in(text) & _TURNS


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
    known = [without("refusal", read.text) for read in texts if read.trusted and not read.made_of]
    known += [rule.value for rule in rules if rule.permission == "allow"]
    named = {_host(word) for text in known for word in words_of(text)}
    pages = [*leaves({"url": arguments.get("url")}), *filter(PAGE.match, leaves(arguments))]
    said = set().union(*map(words_of, known))
    return all(
        _host(_host_of(text)) in named and _port_of(text) in {*USUAL_PORTS, *said} for text in pages
    )


def is_read(text: RunText) -> bool:
    """Whether a tool gave the text, in this run or before."""
    return not text.trusted and not text.name.startswith(_NOT_READ)


def words_in(text: str) -> set[str]:
    """The words of `text` in the form in which they take effect."""
    return {word for word in SIGNS.split(decoded(text)) if word}


def has_digit(word: str) -> bool:
    return any(map(str.isdigit, word))


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


def windows(letters: str, length: int) -> Iterator[str]:
    for start in range(len(letters) - length + 1):
        yield letters[start : start + length]


def _pieces(text: str) -> Iterator[str]:
    for number in _NUMBER.findall(text):
        digits = re.sub(r"\D", "", number)
        if len(digits) >= MIN_DIGITS:
            yield digits[-SAME_DIGITS:]
    yield from _addresses(text)
    letters = SIGNS.sub("", text)
    yield from windows(letters, SAME_LETTERS)


def _addresses(text: str) -> Iterator[str]:
    return (word.rstrip(".") for word in _WORD.findall(text) if "@" in word)


def _host_of(url: str) -> str:
    with suppress(ValueError):
        return unquote(urlsplit(url.strip().replace("\\", "/")).hostname or "")
    return ""


def _host(name: str) -> str:
    return ascii_host(name).rstrip(".").removeprefix("www.")
