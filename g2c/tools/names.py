"""File names as a person sees them, for a model that copies what it sees.

Two names may look alike and differ on the disk: macOS stores letters and accents apart, a calendar
writes narrow spaces, an emoji has joiners. A model writes the plain form. So a name that does not
exist means the one that looks the same.
"""

import os
import unicodedata
from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path

from g2c.text import one_line

_PLAIN = {
    **dict.fromkeys(map(ord, "\u2018\u2019\u201b\u2032"), "'"),
    **dict.fromkeys(map(ord, "\u201c\u201d\u2033"), '"'),
    **dict.fromkeys(map(ord, "\u2010\u2011\u2013\u2014\u2212"), "-"),
}
_UNSEEN = {
    0x034F,
    *(0x115F, 0x1160, 0x3164, 0xFFA0),  # fillers of Hangul
    *range(0x180B, 0x1810),
    *range(0xFE00, 0xFE10),  # the second part of many an emoji
    *range(0xE0100, 0xE01F0),
}
"""The characters, besides format characters, that Unicode says to ignore if they cannot be
shown."""

_BLANK = "\u2800"  # Braille blank; looks like a space
_MAX_LOOKED_AT = 10_000
"""The most names of a folder that are compared."""


def look_of(name: str) -> str:
    """A key that is equal for names that look the same.

    >>> look_of("note 9.00\u202fAM.txt") == look_of("note 9.00 AM.txt")
    True
    """
    return one_line(_visible(unicodedata.normalize("NFC", name)).translate(_PLAIN))


def plain_name(name: str) -> str:
    """The name in its usual letters and spaces, without invisible characters. If that cannot be
    printed, its `repr`.

    >>> plain_name("soft\u00adhyphen.txt"), plain_name("a\\nb")
    ('softhyphen.txt', "'a\\\\nb'")
    """
    plain = _visible(unicodedata.normalize("NFC", name))
    return plain if plain.isprintable() else ascii(name)


def _visible(text: str) -> str:
    """The text with plain spaces, and without joiners, soft hyphens, direction marks and variation
    selectors."""
    kinds = [(unicodedata.category(char), char) for char in text if ord(char) not in _UNSEEN]
    return "".join(
        " " if kind[0] == "Z" or char == _BLANK else char for kind, char in kinds if kind != "Cf"
    )


def shown_names(names: Iterable[str]) -> Mapping[str, str]:
    """How each name of a folder is shown: as its `plain_name`. If two names would look the same,
    those that are not plain are shown as their `repr`. So is a name that would look empty, or like
    the folder above."""
    plain = {name: plain_name(name) for name in names}
    counts = Counter(plain.values())
    return {
        name: ascii(name)
        if seen.strip() in ("", ".", "..") or (name != seen and counts[seen] > 1)
        else seen
        for name, seen in plain.items()
    }


def shown_name(path: Path) -> str:
    """How the name at `path` is shown, among the others in its folder.

    Raises:
        OSError: the folder cannot be read.
    """
    name = path.name
    # The folder is listed only if the other names matter.
    return shown_names([name] if plain_name(name) == name else os.listdir(path.parent))[name]  # noqa: PTH208


def names_like(folder: Path, part: str) -> list[str]:
    """The names in `folder` that `part` may mean: itself, or those that look the same."""
    if os.path.lexists(folder / part):
        return [part]
    try:
        with os.scandir(folder) as entries:
            names = [entry.name for entry, _ in zip(entries, range(_MAX_LOOKED_AT), strict=False)]
    except OSError:
        return []
    as_shown = [name for name, shown in shown_names(names).items() if shown == part]
    look = look_of(part)  # once: a model's name may be longer than all those in the folder
    return as_shown or sorted(name for name in names if look_of(name) == look)
