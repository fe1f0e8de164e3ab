"""The permission of a call before a person is asked, by your `permit` and `trace_origins`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from typing import get_args
from urllib.parse import urlsplit

from g2c.guard.assembled.rules import in_one_form, rules_for
from g2c.guard.permission import permit
from g2c.guard.provenance import trace_origins
from g2c.guard.provided.permission import Permission, ProposedCall, Rule
from g2c.guard.provided.provenance import RunText
from g2c.tools import Tool

ALLOWED, ASKED = Rule("allow"), Rule("ask")
"""The default rules: for the course's own tools, and for all others."""


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
    a person is asked. Rules and call are compared in one form, that of `tool` if it has one.
    """
    compared = replace(call, arguments=in_one_form(call.arguments, tool))
    found = permit(compared, rules_for(rules, tool), (), now)
    if found not in get_args(Permission):
        return "deny"
    return "ask" if found == "allow" and sends and origins_of(call, texts) != () else found


def origins_of(call: ProposedCall, texts: Sequence[RunText]) -> tuple[str, ...]:
    """The names of the untrusted texts that a call repeats, by your `trace_origins`. The host of a
    `url` is checked, too."""
    host = _host_of(str(call.arguments.get("url", "")))
    return trace_origins({**call.arguments, "host of the url": host}, texts)


def _host_of(url: str) -> str:
    try:
        return urlsplit(url).hostname or ""
    except ValueError:
        return ""
