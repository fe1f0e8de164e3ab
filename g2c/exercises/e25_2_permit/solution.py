"""25.2: each condition is a prefix of a path, and one relation answers two questions.

A tool is the way from its server to its name, and an argument the way from its name along its path.
A rule names a prefix of each. It applies to a call if the call's ways begin with them, and another
rule is narrower if its ways do. Ways consist of whole names: `privateer` begins with `private` but
is not in it. The order of rules does not matter, so a later rule cannot undo an earlier one. It
compares each pair of rules about the call.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import datetime
from pathlib import PurePosixPath
from posixpath import normpath
from typing import TypeAlias

from g2c.guard.core.permission import Approval, Permission, ProposedCall, Rule

Way: TypeAlias = tuple[str, ...]
STRICTNESS: tuple[Permission, ...] = ("allow", "ask", "deny")
END = ""
"""Ends a way. No part of a path is empty."""


def permit(
    call: ProposedCall, rules: Sequence[Rule], approvals: Sequence[Approval], now: datetime
) -> Permission:
    about = {rule: _of_rule(rule) for rule in rules if _is_about(rule, call)}
    left = [
        rule.permission
        for rule, ways in about.items()
        if not any(ways != others and _begin(ways, others) for others in about.values())
    ]
    default: Permission = "deny" if call.effect else "allow"
    decided = max(left, key=STRICTNESS.index, default=default)
    asked = _identity(call)
    if decided == "ask" and any(_identity(a.call) == asked and now < a.until for a in approvals):
        return "allow"
    return decided


def _identity(call: ProposedCall) -> tuple[str, str, str]:
    # As JSON, which distinguishes 1, 1.0 and true; to Python they are equal
    return call.actor, call.tool, json.dumps(call.arguments, sort_keys=True)


def _is_about(rule: Rule, call: ProposedCall) -> bool:
    value = call.arguments.get(rule.argument)
    argument = _of_path(rule.argument, value, END) if isinstance(value, str) else ()
    return _begin(_of_rule(rule), (_of_tool(call.tool), argument))


def _of_rule(rule: Rule) -> tuple[Way, Way]:
    end = () if rule.value.endswith("/") else (END,)
    return _of_tool(rule.tool), _of_path(rule.argument, rule.value, *end) if rule.argument else ()


def _of_tool(name: str) -> Way:
    server, slash, own = name.rpartition("/")  # a server's name may have slashes
    if own == "*":
        return (server + slash,) if slash else ()
    return server + slash, own


def _of_path(name: str, path: str, *end: str) -> Way:
    parts = PurePosixPath(normpath(path).replace("//", "/")).parts  # a path may begin with two
    if not path.startswith("/"):
        out = parts.count("..")  # after normpath they are in front
        parts = (f"{out} up", *parts[out:])
    return (name, *parts, *end)


def _begin(ways: tuple[Way, Way], longer: tuple[Way, Way]) -> bool:
    return all(long[: len(way)] == way for way, long in zip(ways, longer, strict=True))
