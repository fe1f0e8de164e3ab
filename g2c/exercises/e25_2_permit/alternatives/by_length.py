"""25.2 by numbers: how much of a call a rule spells out, in its tool and in its argument.

All patterns that match one tool are nested, and so are all folders that contain one path. So among
rules that match, the longer pattern and the deeper folder are narrower, and a number is enough for
each. It costs a proof of that, and a second way to tell whether a path is in a folder.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import datetime
from math import inf
from pathlib import PurePosixPath
from posixpath import normpath

from g2c.guard.core.permission import Approval, Permission, ProposedCall, Rule

STRICTNESS: tuple[Permission, ...] = ("allow", "ask", "deny")


def permit(
    call: ProposedCall, rules: Sequence[Rule], approvals: Sequence[Approval], now: datetime
) -> Permission:
    matching = [rule for rule in rules if _matches(rule, call)]
    left = [rule for rule in matching if not any(_narrower(other, rule) for other in matching)]
    default: Permission = "deny" if call.effect else "allow"
    decided = max((rule.permission for rule in left), key=STRICTNESS.index, default=default)
    asked = _identity(call)
    if decided == "ask" and any(_identity(a.call) == asked and now < a.until for a in approvals):
        return "allow"
    return decided


def _identity(call: ProposedCall) -> tuple[str, str, str]:
    return call.actor, call.tool, json.dumps(dict(call.arguments), sort_keys=True)


def _matches(rule: Rule, call: ProposedCall) -> bool:
    same_server = call.tool.rpartition("/")[:2] == rule.tool.rpartition("/")[:2]
    if not (rule.tool in ("*", call.tool) or (_is_open(rule) and same_server)):
        return False
    if not rule.argument:
        return True
    value = call.arguments.get(rule.argument)
    if not isinstance(value, str):
        return False
    path, wished = _parts(value), _parts(rule.value)
    if not rule.value.endswith("/"):
        return path == wished
    below = path[len(wished) :]
    return path[: len(wished)] == wished and below[:1] not in (("..",), ("/",))


def _is_open(rule: Rule) -> bool:
    return rule.tool == "*" or rule.tool.endswith("/*")


def _parts(path: str) -> tuple[str, ...]:
    return PurePosixPath(normpath(path).replace("//", "/")).parts  # normpath leaves two in front


def _narrower(one: Rule, other: Rule) -> bool:
    """Whether `one` replaces `other`, where both match the same call."""
    if other.argument not in ("", one.argument):
        return False
    of_one, of_other = _reach(one), _reach(other)
    return of_one != of_other and of_one[0] >= of_other[0] and of_one[1] >= of_other[1]


def _reach(rule: Rule) -> tuple[float, float]:
    """How much of a call the rule spells out: of its tool, and of its argument."""
    tool = len(rule.tool) if _is_open(rule) else inf
    if not rule.argument:
        return tool, -1
    return tool, len(_parts(rule.value)) if rule.value.endswith("/") else inf
