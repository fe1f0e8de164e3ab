"""A text as a person has to see it who decides about it."""

import re
import unicodedata
from contextlib import suppress

MAX_HOST = 253
"""The characters of a host's name (RFC 1035); a longer one is nobody's."""

_UNSEEN = re.compile(
    r"[\u034f\u115f\u1160\u2800\u3164\uffa0\u180b-\u180f\ufe00-\ufe0f\U000e0100-\U000e01ef]"
)
"""Characters that are not shown and are not format characters: fillers, blanks, selectors."""
_HOST = re.compile(r"(?<=://)[^\s/?#\"\\]+|(?<=[\w.+-]@)[^\s/?#\"\\,;>]+")
_NAME = re.compile(
    r"(?<![\w.-])(?<![^:/\\][/\\])([\w-]+(?:[.\u3002\uff0e\uff61][\w-]+)*"
    r"[.\u3002\uff0e\uff61]([^\W\d_]{2,}))(?![\w-])(/|:\d)?"
)
"""A possible host without `://`, its last part, and a `/` or port, which only follow a host. The
name of a file in a folder is not one."""
_FILE_ENDING = re.compile(
    r"csv|gif|html?|ipynb|jpe?g|jsonl?|log|md|pdf|png|py|svg|toml|txt|xml|ya?ml|zip", re.IGNORECASE
)
_LOOKS_LATIN = (
    *("CYRILLIC", "GREEK", "ARMENIAN", "CHEROKEE", "COPTIC", "LISU"),
    *("LATIN LETTER SMALL CAPITAL", "LATIN SMALL LETTER SCRIPT", "LATIN SMALL LETTER ALPHA"),
)
_LATIN = re.compile(r"[A-Za-z]")
_SLASHES = "\u2044\u2215\u29f8"


def visible(text: str) -> str:
    r"""The text as a person has to see it who decides about it. A character that is invisible, or
    looks like a Latin letter among them, is shown as its escape, and a host as in DNS.

    >>> print(visible("a\u200bb p\u0430y https://b\u0430nk.example/"))
    a\u200bb p\u0430y https://xn--bnk-6cd.example/
    """
    text = _HOST.sub(lambda found: _visible_host(found[0]), text)
    text = _NAME.sub(_visible_name, text)
    text = re.sub(r"\w+", lambda found: _visible_word(found[0]), text)
    text = re.sub(r'[^\s"]+', lambda found: _visible_signs(found[0]), text)
    return "".join(_escape(char) if is_unseen(char) else char for char in text)


def _visible_host(host: str) -> str:
    odd = any(is_unseen(char) or unicodedata.normalize("NFKC", char) != char for char in host)
    if odd:
        return _ascii(host)
    user, at, rest = host.rpartition("@")
    name, colon, port = rest.partition(":")
    return _ascii(user) + at + (name if name.isascii() else ascii_host(name)) + colon + _ascii(port)


def _visible_name(found: re.Match[str]) -> str:
    name, last, follows = found[1], found[2], found[3] or ""
    is_file = not follows and _FILE_ENDING.fullmatch(last)
    begins_a_sentence = not last.isascii() and last[:1].isupper() and not last.isupper()
    is_odd = any(unicodedata.normalize("NFKC", char) != char for char in name)
    is_odd |= any(_visible_word(word) != word for word in re.findall(r"\w+", name))  # shown as such
    if is_file or begins_a_sentence or is_odd or name.isascii():
        return found[0]
    return ascii_host(name) + follows


def _ascii(text: str) -> str:
    return "".join(char if char.isascii() else _escape(char) for char in text)


def _visible_word(word: str) -> str:
    if not _LATIN.search(word):
        return word
    return "".join(
        _escape(char) if unicodedata.name(char, "").startswith(_LOOKS_LATIN) else char
        for char in word
    )


def _visible_signs(word: str) -> str:
    if not _LATIN.search(word):
        return word
    return "".join(_escape(char) if _is_ascii_in_disguise(char) else char for char in word)


def _is_ascii_in_disguise(char: str) -> bool:
    """Whether it is another form of an ASCII character: wide, round, bold, a slash of fractions.
    One that stands higher or lower, as in 10\xb2, is seen to be another."""
    plain = unicodedata.normalize("NFKC", char)
    is_moved = unicodedata.decomposition(char).startswith(("<super>", "<sub>"))
    is_form = plain != char and len(plain) == 1 and plain.isascii() and not is_moved
    return is_form or char in _SLASHES


def is_unseen(char: str) -> bool:
    """Whether nothing of it is seen, or only where what follows goes."""
    if char in "\n\t ":
        return False
    kind = unicodedata.category(char)
    return kind[0] in "CZ" or bool(_UNSEEN.match(char))


def _escape(char: str) -> str:
    return f"\\u{ord(char):04x}" if ord(char) < 0x10000 else f"\\U{ord(char):08x}"


def ascii_host(host: str) -> str:
    """A host's name as DNS has it: small letters, and the punycode of others, as a page's reader
    asks for it (IDNA 2008; what that does not allow is in IDNA 2003's form).

    >>> ascii_host("Stra\u00dfe.example"), ascii_host("b\u0430nk.example")
    ('xn--strae-oqa.example', 'xn--bnk-6cd.example')
    """
    if host.isascii() or len(host) > MAX_HOST:
        return host.lower()
    import httpx  # only for a host that is not in ASCII: it takes long

    with suppress(httpx.InvalidURL):
        return httpx.URL(host=unicodedata.normalize("NFKC", host)).raw_host.decode("ascii")
    try:
        return host.encode("idna").decode("ascii").lower()
    except UnicodeError:  # an empty label, or one that is too long
        return host.lower()
