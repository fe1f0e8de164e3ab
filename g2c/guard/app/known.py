"""Values that tell whoever gets them nothing new, although a tool gave them.

A server that listed `ev1: dentist` knows its own id, and a result of a search is chosen from a few.
Such a value may stand in a call if the person's words say which one is meant.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import date, datetime, timedelta
from typing import Any

from g2c.guard.app.forms import PAGE, words_in
from g2c.guard.app.understood import only_reads, understood, words_of_tool
from g2c.guard.core.permission import ProposedCall
from g2c.guard.core.provenance import RunText

_RESULT = re.compile(r"(?m)^\d+\. .*\n\s*(\S+)$")
_SEARCH = ("web_search ", "web_search,")
MIN_WORD = 4
SOON, YEAR = timedelta(days=14), timedelta(days=366)
"""A weekday means a day within two weeks, a day of a month one within a year."""
_DAYS = frozenset(["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"])
_MONTHS = "january february march april may june july august september october november december"
_SMALL = frozenset(
    {
        *("about", "after", "before", "from", "have", "into"),
        *("that", "them", "then", "this", "with", "your"),
    }
)
_WEB = frozenset(
    {
        *("browse", "domain", "fetch", "host", "href", "http"),
        *("link", "lookup", "navigate", "ping", "uri", "url", "web"),
    }
)
_AGAIN = frozenset({"close", "lock", "put", "save", "set", "turn", "unlock", "update", "write"})
"""Deeds that change nothing the second time."""
_SCRIPT = re.compile(r"(?i)(?:\.(?:sh|bash|zsh|py|js|ts|rb|pl|ps1|bat|cmd|ya?ml)|/?Makefile)$")
_HOST = re.compile(r"(?<![\w.@/-])[a-z\d-]+(?:\.[a-z\d-]+)*\.[a-z]{2,}(?![\w(.])", re.I)
_ENDS = frozenset(
    {
        *("py", "sh", "md", "txt", "json", "csv", "log", "toml", "yaml"),
        *("yml", "js", "ts", "html", "css", "xml", "zip", "gz", "pdf"),
    }
)


def without_known(
    call: ProposedCall, orders: str, texts: Sequence[RunText], now: datetime
) -> ProposedCall:
    """The call without the arguments that its receiver knows already, or that say a day of the
    person's `orders`."""
    left = {
        name: value
        for name, value in call.arguments.items()
        if not (
            _is_said_day(str(value), orders, now)
            or _is_own_value(call, name, str(value), orders, texts)
        )
    }
    return replace(call, arguments=left)


def is_found(call: ProposedCall, texts: Sequence[RunText]) -> bool:
    """Whether the call reads a page that a search gave as the address of a result."""
    url = str(call.arguments.get("url"))
    return call.tool == "read_page" and any(
        url in _RESULT.findall(text.text) for text in texts if text.name.startswith(_SEARCH)
    )


def is_repeated(call: ProposedCall, made: Sequence[ProposedCall]) -> bool:
    """Whether the call was `made` before and would have its effect once more."""
    if only_reads(call) or _AGAIN.intersection(words_of_tool(call.tool)):
        return False
    return any(_deed(call) == _deed(other) for other in made)


def has_strange_host(call: ProposedCall, texts: Sequence[RunText]) -> bool:
    """Whether the call writes a script with the name of a computer that only strangers named."""
    if not _SCRIPT.search(str(call.arguments.get("path", ""))):
        return False
    content = str(call.arguments.get("content", call.arguments.get("text", "")))
    hosts = {host.casefold() for host in _HOST.findall(content)}
    hosts = {host for host in hosts if host.rpartition(".")[2] not in _ENDS}
    known, read = (
        " ".join(text.text for text in texts if text.trusted == is_trusted).casefold()
        for is_trusted in (True, False)
    )
    return any(host in read and host not in known for host in hosts)


def _deed(call: ProposedCall) -> object:
    meant = understood(call) or call
    notes = ("note",) if meant.tool == "pay" else ()
    return meant.tool, {key: text for key, text in meant.arguments.items() if key not in notes}


def _is_own_value(
    call: ProposedCall, name: str, value: str, orders: str, texts: Sequence[RunText]
) -> bool:
    if is_found(call, texts):
        return name == "url"
    server, _, own = call.tool.rpartition("/")
    given = [text.text for text in texts if server and text.name.startswith(f"{server}/")]
    here = re.compile(rf"(?<![\w.@-]){re.escape(value)}(?![\w@-])")
    if not value or PAGE.match(value) or _WEB.intersection((name, *words_of_tool(own))):
        return False
    if only_reads(call):
        return any(here.search(text) for text in given)
    wanted = {word for word in words_in(orders) if len(word) >= MIN_WORD and word.isalpha()}
    wanted -= _SMALL | _DAYS | {*_MONTHS.split()} | {*words_of_tool(own)}
    for text in given:
        items = [*_items(text)]
        meant = [item for item in items if wanted & words_in(item)]
        if [item for item in items if here.search(item)] == meant and len(meant) == 1:
            return True
    return False


def _items(text: str) -> Iterator[str]:
    """The items of a server's list: those of its JSON, or else its lines."""
    with suppress(ValueError):
        found: Any = json.loads(text)
        if isinstance(found, dict):
            found = next((value for value in found.values() if isinstance(value, list)), [found])
        if isinstance(found, list):
            yield from (json.dumps(item, ensure_ascii=False) for item in found)
            return
    yield from text.splitlines()


def _is_said_day(value: str, orders: str, now: datetime) -> bool:
    try:
        day, ahead = date.fromisoformat(value), date.fromisoformat(value) - now.date()
    except ValueError:
        return False
    said, month = words_in(orders), _MONTHS.split()[day.month - 1]
    is_soon = timedelta() <= ahead <= SOON and f"{day:%A}".casefold() in said
    in_month = {month, month[:3]} & said and {str(day.day), f"{day.day:02}"} & said
    return is_soon or (bool(in_month) and abs(ahead) <= YEAR)
