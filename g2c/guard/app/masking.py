"""Removes the secrets that your `find_secrets` finds from texts that are stored, sent or handed
in."""

from collections.abc import Mapping, Sequence
from typing import Any

from g2c.guard.app.forms import MIN_LETTERS, leaves, words_in
from g2c.guard.core.provenance import RunText
from g2c.guard.find_secrets import find_secrets
from g2c.redaction import REDACTED, redacted


def masked(text: str) -> str:
    """The text without the secrets that 25.6 finds or that the course's own few patterns match."""
    try:
        spans = sorted((int(start), int(end)) for start, end in find_secrets(text))
    except Exception:  # not written yet, or wrong: the patterns below still apply
        spans = []
    parts, at = [], 0
    for start, end in spans:
        parts += [text[at : max(start, at)], REDACTED]
        at = max(end, at)
    return redacted("".join([*parts, text[at:]]))


def secret_lines(text: str) -> list[int]:
    """The numbers of the lines, from 1, in which something looks like a secret."""
    return [number for number, line in enumerate(text.split("\n"), 1) if masked(line) != line]


def has_secret(arguments: Mapping[str, Any], texts: Sequence[RunText]) -> bool:
    """Whether the arguments have a secret of a text, in any form, that no trusted text has."""
    known = set().union(*(words_in(text.text) for text in texts if text.trusted))
    secrets = set().union(*(_secret_words(text.text) for text in texts if not text.trusted))
    return any(secrets - known & words_in(text) for text in leaves(arguments))


def _secret_words(text: str) -> set[str]:
    hidden = masked(text)
    return {word for word in words_in(text) - words_in(hidden) if len(word) >= MIN_LETTERS}
