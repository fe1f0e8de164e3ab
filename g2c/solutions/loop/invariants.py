"""22.6: file by file over the names of both sides, and every rule asked of what changed.

The names are those of before and after together: a loop over one side never sees what is only on
the other. A file that did not change is left out before any rule is asked, because an old fault is
not this change's. After that no rule returns early, so a person who reads the log sees all reasons.
Half is written as twice: `len(old) // 2` would round, and let one character too many go.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping

from g2c.loop.config import CONSTITUTION, WRITABLE
from g2c.loop.credentials import find_credentials
from g2c.loop.invariants import GROWTH, ROOM, Rule, explain


def check_invariants(
    before: Mapping[str, str], after: Mapping[str, str], *, writable: Collection[str] = WRITABLE
) -> tuple[str, ...]:
    return tuple(
        explain(rule, name)
        for name in sorted(before.keys() | after.keys())
        for rule in _broken(name, before.get(name), after.get(name), writable)
    )


def _broken(file: str, old: str | None, new: str | None, writable: Collection[str]) -> list[Rule]:
    if old == new:
        return []
    if new is None:
        return ["removed"]
    if old is None:
        return ["added"]
    broken: list[Rule] = []
    if file == CONSTITUTION or file not in writable:
        broken.append("read-only")
    if len(new) > max(GROWTH * len(old), ROOM):
        broken.append("growth")
    if (len(old) > ROOM and 2 * len(new) < len(old)) or (old.strip() and not new.strip()):
        broken.append("shrinkage")
    fences = [line for line in new.split("\n") if line.lstrip(" ").startswith("```")]
    if len(fences) % 2:
        broken.append("fences")
    if find_credentials(new) - find_credentials(old):
        broken.append("credentials")
    return broken
