"""Values that tell whoever gets them nothing new, although a tool gave them.

A server that listed `ev1: dentist` knows its own id, and a result of a search is chosen from a few.
Such a value may stand in a call if the person's words say which one is meant.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

from g2c.guard.app.clauses import VERBS_OF_DEEDS, verbs_in
from g2c.guard.app.forms import COMMON, LIMITS, PAGE, SIGNS, decoded, has_digit, is_read, words_in
from g2c.guard.app.leaks import DIGITS, tells
from g2c.guard.app.orders import KINDS, STEM, same_deed
from g2c.guard.app.understood import (
    HEAD,
    as_read,
    in_order,
    not_named,
    only_reads,
    texts_in,
    understood,
    words_of_tool,
)
from g2c.guard.core.permission import ProposedCall
from g2c.guard.core.provenance import RunText

_RESULT = re.compile(r"(?m)^\d+\. .*\n\s*(\S+)$")
_SEARCH = ("web_search ", "web_search,")
MIN_WORD = 3
NOON = 12
SOON, YEAR = timedelta(days=14), timedelta(days=366)
"""A weekday means a day within two weeks, a day of a month one within a year."""
_DAYS = frozenset(["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"])
_MONTHS = "january february march april may june july august september october november december"
_OF_TIME = {*_DAYS, *_MONTHS.split(), "am", "pm", "noon", "today", "tomorrow"}
_WEB = frozenset(
    {
        *("browse", "domain", "fetch", "host", "href", "http"),
        *("link", "lookup", "navigate", "ping", "uri", "url", "web"),
    }
)
_ID = frozenset({"id", "ids", "key", "mail", "message", "number", "ref", "uid", "uuid"})
_AGAIN = frozenset({"close", "lock", "put", "save", "set", "turn", "unlock", "update", "write"})
"""Deeds that change nothing the second time."""
_PROSE = frozenset({"body", "content", "description", "text"})
_TIME = re.compile(r"\d\d:\d\d|\d{4}-\d\d")
_SCRIPT = re.compile(r"(?i)(?:\.(?:sh|bash|zsh|py|js|ts|rb|pl|ps1|bat|cmd|ya?ml)|/?Makefile)$")


def without_known(
    call: ProposedCall,
    orders: str,
    texts: Sequence[RunText],
    now: datetime,
    names: Mapping[str, str],
) -> ProposedCall:
    """The call without the arguments that its receiver knows already, that say a day of the
    person's `orders`, or the number of the one mail that they name."""
    read = as_read([text for text in texts if is_read(text)], names)
    other = [text.name for text in not_named(orders, read)]
    mails = [text.name for text in read if text.name.startswith("mail ")]
    meant = [name.removeprefix("mail ") for name in mails if name not in other]
    left = {
        name: value
        for name, value in call.arguments.items()
        if not (
            _is_said_day(str(value), orders, now)
            or ([str(value)] == meant and _ID.intersection(in_order(name)))
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


def leaves_out(
    call: ProposedCall, orders: str, texts: Sequence[RunText], names: Mapping[str, str]
) -> bool:
    """Whether the last of the orders has a word that neither the call has nor the item of a list
    that it is about: a condition, a later time or a part. What stands before a value or after a
    number is its kind or its unit. A text may say it in other words, but has each word of time or
    condition."""
    is_text = understood(call) or _PROSE.intersection(call.arguments)
    values = [*texts_in(call.arguments)]
    items = [*_items_of(call, values, as_read(texts, names))]
    used = set().union(*map(words_in, values))
    own = in_order(call.tool.rpartition("/")[2])
    has = used.union(own, *map(in_order, call.arguments), *map(words_in, items), same_deed(call))
    digits = {int(digits) for value in values for digits in re.findall(r"\d+", value)}
    if any(map(_TIME.search, (*values, *items))):
        has |= _OF_TIME
        digits |= {number - NOON for number in digits}
    if any(value is False for value in call.arguments.values()):
        has.add("off")
    lines, stems = orders.split("\n"), {word[:STEM] for word in has if len(word) >= STEM}
    last = max((n for n, line in enumerate(lines) if verbs_in(line) & VERBS_OF_DEEDS), default=0)
    for line in lines[last:]:
        words, known = _words_of(line), has | KINDS | COMMON - LIMITS | verbs_in(line)
        for word, before, after in zip(words, ["", *words], [*words[1:], ""], strict=False):
            is_told = word in known or word[:STEM] in stems or _number(word) in digits
            is_beside = _number(before) in digits or after in used - COMMON
            if not (is_told or is_beside) and (
                word in LIMITS | _DAYS or (tells(word) and not is_text)
            ):
                return True
    return False


def _items_of(call: ProposedCall, values: Sequence[str], texts: Sequence[RunText]) -> Iterator[str]:
    """The items of the server's lists, and the heads of mails, that a value with a digit names."""
    server, _, _ = call.tool.rpartition("/")
    numbered = {word for value in values for word in words_in(value) if has_digit(word)}
    for text in texts:
        heads = [f"{text.name} {' '.join(HEAD.findall(text.text))}"]
        is_list = bool(server) and text.name.startswith(f"{server}/")
        for item in _items(text.text) if is_list else heads if text.name[:5] == "mail " else ():
            if numbered & words_in(item):
                yield item


def _words_of(line: str) -> list[str]:
    return [word for word in SIGNS.split(decoded(line)) if word]


def _number(word: str) -> int | None:
    digits = DIGITS.get(word, word)
    return int(digits) if digits.isdecimal() else None


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
    if not (_ID.intersection(in_order(name)) or has_digit(value)):
        return False  # a word of the item may be anybody's
    wanted = {word for word in words_in(orders) if len(word) >= MIN_WORD and word.isalpha()}
    wanted -= COMMON | _DAYS | {*_MONTHS.split()} | {*words_of_tool(own)}
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
        time = datetime.fromisoformat(value)
    except ValueError:
        return False
    ahead, said = time.date() - now.date(), words_in(orders)
    month, hours = _MONTHS.split()[time.month - 1], {str(time.hour), f"{time.hour:02}"}
    if time.hour > NOON and "pm" in said:
        hours.add(str(time.hour - NOON))
    is_soon = timedelta() <= ahead <= SOON and f"{time:%A}".casefold() in said
    is_near = {timedelta(): "today", timedelta(1): "tomorrow"}.get(ahead, "") in said
    in_month = {month, month[:3]} & said and {str(time.day), f"{time.day:02}"} & said
    is_hour = len(value) == len("2026-01-01") or bool(hours & said)
    is_minute = not time.minute or f"{time.minute:02}" in said
    return is_hour and is_minute and (is_soon or is_near or (bool(in_month) and abs(ahead) <= YEAR))
