"""The permission of a call before a person is asked, by your `permit` and `trace_origins`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from typing import get_args
from urllib.parse import urlsplit

from g2c.guard.app.forms import names_its_host, readings, said_again
from g2c.guard.app.rules import in_one_form, rules_for
from g2c.guard.core.permission import Permission, ProposedCall, Rule
from g2c.guard.core.provenance import RunText
from g2c.guard.permit import permit
from g2c.guard.trace_origins import trace_origins
from g2c.tools import Tool

ALLOWED, ASKED = Rule("allow"), Rule("ask")
"""The default rules: for the course's own tools, and for all others."""
STRICTNESS: tuple[Permission, ...] = ("allow", "ask", "deny")


def with_default(rules: Sequence[Rule], default: Rule) -> tuple[Rule, ...]:
    """A person's rules, followed by `default` unless one of them is about all tools."""
    has_default = any(rule.tool == "*" and not rule.argument for rule in rules)
    return tuple(rules) if has_default else (*rules, default)


def permission_of(
    call: ProposedCall,
    rules: Sequence[Rule],
    texts: Sequence[RunText],
    sends: bool,
    now: datetime,
    tool: Tool | None = None,
) -> Permission:
    """The permission of a call before a person is asked, by your `permit` and `trace_origins`.

    A call that repeats untrusted texts may stay within this home without a question. If it `sends`,
    a person is asked, also about a web address whose host no trusted text names. Rules and call are
    compared in one form, that of `tool` if it has one, and a rule that restricts an argument holds
    for all of its `readings`.
    """
    compared = replace(call, arguments=in_one_form(call.arguments, tool))
    found = permit(compared, rules_for(rules, tool), (), now)
    if found not in get_args(Permission):
        return "deny"
    found = max(found, _of_readings(compared, rules_for(rules, tool), now), key=STRICTNESS.index)
    if found == "allow" and sends:
        is_own = names_its_host(call.arguments, texts, rules) and origins_of(call, texts) == ()
        return "allow" if is_own else "ask"
    return found


def _of_readings(call: ProposedCall, rules: Sequence[Rule], now: datetime) -> Permission:
    """The strictest permission that a rule about an argument gives to another reading of it."""
    found: Permission = "allow"
    folded = [replace(rule, value=next(readings(rule.value))) for rule in rules if rule.argument]
    for name in {rule.argument for rule in folded if rule.permission != "allow"}:
        if name not in call.arguments:
            continue
        for value in {one for one in readings(call.arguments[name]) if one != call.arguments[name]}:
            about = replace(call, arguments={**call.arguments, name: value})
            said = permit(about, [*folded, ALLOWED], (), now)
            if said in STRICTNESS:
                found = max(found, said, key=STRICTNESS.index)
    return found


def origins_of(call: ProposedCall, texts: Sequence[RunText]) -> tuple[str, ...]:
    """The names of the untrusted texts that a call repeats, by your `trace_origins`. The host of a
    `url` is checked, too."""
    host = _host_of(str(call.arguments.get("url", "")))
    found = trace_origins({**call.arguments, "host of the url": host}, texts)
    again = said_again(call.arguments, texts)
    if not isinstance(found, tuple) or not again:
        return found
    return tuple(text.name for text in texts if text.name in found or text.name in again)


def _host_of(url: str) -> str:
    try:
        return urlsplit(url).hostname or ""
    except ValueError:
        return ""
