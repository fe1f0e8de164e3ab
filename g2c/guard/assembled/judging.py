"""What holds for a call before anybody is asked, by your `permit` and `trace_origins`."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import get_args
from urllib.parse import urlsplit

from g2c.guard.permission import permit
from g2c.guard.provenance import trace_origins
from g2c.guard.provided.permission import Permission, ProposedCall, Rule
from g2c.guard.provided.provenance import RunText

ALLOWED, ASKED = Rule("allow"), Rule("ask")
"""What holds for the course's own tools, and for all others, where no rule of a person does."""


def with_default(rules: Sequence[Rule], default: Rule) -> tuple[Rule, ...]:
    """A person's rules, and behind them what holds where none of them is about all tools."""
    has_default = any(rule.tool == "*" and not rule.argument for rule in rules)
    return tuple(rules) if has_default else (*rules, default)


def permission_of(
    call: ProposedCall, rules: Sequence[Rule], texts: Sequence[RunText], sends: bool, now: datetime
) -> Permission:
    """What holds for a call, if nobody was asked yet, by your `permit` and `trace_origins`.

    What only strangers wrote may fill a call that stays here. A call that `sends` is asked about.
    """
    found = permit(call, rules, (), now)
    if found not in get_args(Permission):
        return "deny"
    return "ask" if found == "allow" and sends and origins_of(call, texts) != () else found


def origins_of(call: ProposedCall, texts: Sequence[RunText]) -> tuple[str, ...]:
    """The names of the untrusted texts that a call repeats, by your `trace_origins`. Of an address
    the host is looked at, too."""
    host = _host_of(str(call.arguments.get("url", "")))
    return trace_origins({**call.arguments, "host of the url": host}, texts)


def _host_of(url: str) -> str:
    try:
        return urlsplit(url).hostname or ""
    except ValueError:
        return ""
