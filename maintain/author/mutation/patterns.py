"""Regular expressions that accept a little more than a given one, or a little less."""

import re
from collections.abc import Iterator

_TOKEN = re.compile(
    r"\[\^?\]?(?:\\.|[^\]\\])*\]|\(\?[a-zA-Z=!<:]+|\(|\)|\\.|\{\d*,?\d*\}|.", re.DOTALL
)
_MEMBER = re.compile(r"\\.|.-.|.", re.DOTALL)
_REPEATED = {"*": ("+", "", "?"), "+": ("*", ""), "?": ("", "*")}
_ESCAPES = {r"\d": (r"\w",), r"\s": (r"[ \t]",), r"\w": (r"\S",)}


def changed_patterns(pattern: str) -> Iterator[str]:
    r"""Patterns that differ from `pattern` in one token. Some may be invalid.

    >>> sorted(changed_patterns(r"^\d+"))
    ['\\d+', '^\\d', '^\\d*', '^\\w+']
    """
    tokens = _TOKEN.findall(pattern)
    for place, token in enumerate(tokens):
        before = tokens[place - 1] if place else ""
        for other in _others(token, is_lazy_mark=token == "?" and before in ("*", "+", "?")):
            yield "".join([*tokens[:place], other, *tokens[place + 1 :]])


def _others(token: str, is_lazy_mark: bool) -> Iterator[str]:
    """The tokens that may replace one."""
    if is_lazy_mark or token in ("^", "$"):
        yield ""
    elif token in _REPEATED:
        yield from _REPEATED[token]
    elif bounds := re.fullmatch(r"\{(\d+),(\d+)\}", token):
        low, high = map(int, bounds.groups())
        yield from (f"{{{low},{high + 1}}}", f"{{{low + 1},{max(high, low + 1)}}}")
    elif token in _ESCAPES:
        yield from _ESCAPES[token]
    elif token.startswith("["):
        yield from _classes(token)


def _classes(token: str) -> Iterator[str]:
    """A class of characters without one member; for a class of spaces, all other white space."""
    negation = "^" if token.startswith("[^") else ""
    members = _MEMBER.findall(token[1 + len(negation) : -1])
    if len(members) > 1:
        for place in range(len(members)):
            yield f"[{negation}{''.join(members[:place] + members[place + 1 :])}]"
    if set(members) <= {" ", r"\t", "\t", "*"} and not negation:
        yield rf"[{''.join(members)}\s]"
