"""22.6 with each rule as a name and a function of a change, in a table.

A rule is added or removed in one line, and no rule can keep the others from being checked. It costs
functions where the reference has lines, and added or removed files still need their own cases.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping

from g2c.loop.core.credentials import find_credentials
from g2c.loop.core.identity import CONSTITUTION, GROWTH, ROOM, WRITABLE, Rule, explain


def _shrinks(old: str, new: str) -> bool:
    is_emptied = bool(old.strip()) and not new.strip()
    return is_emptied or (len(old) > ROOM and 2 * len(new) < len(old))


def _has_an_open_fence(old: str, new: str) -> bool:
    return sum(line.lstrip(" ").startswith("```") for line in new.split("\n")) % 2 == 1


_RULES: Mapping[Rule, Callable[[str, str], object]] = {
    "growth": lambda old, new: len(new) > max(GROWTH * len(old), ROOM),
    "shrinkage": _shrinks,
    "fences": _has_an_open_fence,
    "credentials": lambda old, new: find_credentials(new) - find_credentials(old),
}


def check_invariants(
    before: Mapping[str, str], after: Mapping[str, str], *, writable: Collection[str] = WRITABLE
) -> tuple[str, ...]:
    broken: list[tuple[str, Rule]] = []
    for file in sorted({*before, *after}):
        if before.get(file) == after.get(file):
            continue
        if file not in after:
            broken.append((file, "removed"))
            continue
        if file not in before:
            broken.append((file, "added"))
            continue
        if file == CONSTITUTION or file not in writable:
            broken.append((file, "read-only"))
        old, new = before[file], after[file]
        broken += [(file, rule) for rule, is_broken in _RULES.items() if is_broken(old, new)]
    return tuple(explain(rule, file) for file, rule in broken)
