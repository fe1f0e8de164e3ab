"""Values that tell whoever gets them nothing new, although a tool gave them.

A server that listed `ev1: dentist` knows its own id, and a result of a search is chosen from a few.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from g2c.guard.app.clauses import VERBS_OF_DEEDS, verbs_in
from g2c.guard.app.forms import COMMON, LIMITS, PAGE, SIGNS, decoded, has_digit, is_read, words_in
from g2c.guard.app.understood import HEAD, only_reads, texts_in, understood, words_of_tool
from g2c.guard.core.permission import ProposedCall
from g2c.guard.core.provenance import RunText

_RESULT = re.compile(r"(?m)^\d+\. .*\n\s*(\S+)$")
_SEARCH = ("web_search ", "web_search,")
_DAYS = frozenset(["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"])
_OF_TIME = {*_DAYS, "today", "tomorrow", "tonight"}
_WEB = frozenset(
    {
        *("browse", "domain", "fetch", "host", "href", "http"),
        *("link", "lookup", "navigate", "ping", "uri", "url", "web"),
    }
)
_AGAIN = frozenset({"close", "lock", "put", "save", "set", "turn", "unlock", "update", "write"})
"""Deeds that change nothing the second time."""
_TIME = re.compile(r"\d\d:\d\d|\d{4}-\d\d")
_SCRIPT = re.compile(r"(?i)(?:\.(?:sh|bash|zsh|py|js|ts|rb|pl|ps1|bat|cmd|ya?ml)|/?Makefile)$")


def without_known(call: ProposedCall, texts: Sequence[RunText]) -> ProposedCall:
    """The call without the arguments that its receiver knows already."""
    left = {
        name: value
        for name, value in call.arguments.items()
        if not _is_own_value(call, name, str(value), texts)
    }
    return replace(call, arguments=left)


def is_found(call: ProposedCall, texts: Sequence[RunText]) -> bool:
    """Whether the call reads a page that a search gave as the address of a result."""
    url = str(call.arguments.get("url"))
    return call.tool == "read_page" and any(
        url in _RESULT.findall(text.text) for text in texts if text.name.startswith(_SEARCH)
    )


def leaves_out(call: ProposedCall, orders: str, texts: Sequence[RunText]) -> bool:
    """Whether the last of the orders has a word of time or condition, such as "later" or "once",
    that neither the call has nor the head of a mail. In front of a value, or behind a number, it
    says which one, or counts."""
    used = set().union(*map(words_in, texts_in(call.arguments)))
    heads = (" ".join(HEAD.findall(text.text)) for text in texts)
    has = used.union(call.arguments, *map(words_in, heads))
    has |= _OF_TIME if any(map(_TIME.search, texts_in(call.arguments))) else set()
    lines = orders.split("\n")
    last = max((n for n, line in enumerate(lines) if verbs_in(line) & VERBS_OF_DEEDS), default=0)
    for line in lines[last:]:
        words = [word for word in SIGNS.split(decoded(line)) if word]
        for word, before, after in zip(words, ["", *words], [*words[1:], ""], strict=False):
            is_beside = has_digit(before) or after in used - COMMON
            if word in LIMITS | _DAYS and word not in has and not is_beside:
                return True
    return False


def is_repeated(call: ProposedCall, made: Sequence[ProposedCall]) -> bool:
    """Whether the call was `made` before and would have its effect once more."""
    if only_reads(call) or _AGAIN.intersection(words_of_tool(call.tool)):
        return False
    return any(_deed(call) == _deed(other) for other in made)


def has_strange_commands(
    call: ProposedCall, texts: Sequence[RunText], names: Mapping[str, str]
) -> bool:
    """Whether the call writes a script with a word that only strangers wrote, and not in a file
    that the person named."""
    if not _SCRIPT.search(str(call.arguments.get("path", ""))):
        return False
    content = str(call.arguments.get("content", call.arguments.get("text", "")))
    said = " ".join(text.text for text in texts if text.trusted)
    named = [text for text in texts if _file_of(text, names) and _file_of(text, names) in said]
    known = words_in(said).union(*(words_in(text.text) for text in named))
    read = set().union(*(words_in(text.text) for text in texts if is_read(text)))
    return any(len(word) > 1 for word in (words_in(content) & read) - known - COMMON)


def _file_of(text: RunText, names: Mapping[str, str]) -> str:
    kind, _, path = names.get(text.name, text.name).partition("file ")
    return "" if kind else path


def _deed(call: ProposedCall) -> object:
    meant = understood(call) or call
    notes = ("note",) if meant.tool == "pay" else ()
    return meant.tool, {key: text for key, text in meant.arguments.items() if key not in notes}


def _is_own_value(call: ProposedCall, name: str, value: str, texts: Sequence[RunText]) -> bool:
    if is_found(call, texts):
        return name == "url"
    server, _, own = call.tool.rpartition("/")
    given = [text.text for text in texts if server and text.name.startswith(f"{server}/")]
    here = re.compile(rf"(?<![\w.@-]){re.escape(value)}(?![\w@-])")
    if not value or PAGE.match(value) or _WEB.intersection((name, *words_of_tool(own))):
        return False
    return any(here.search(text) for text in given)
