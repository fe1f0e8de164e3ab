"""22.6: go through the file names of both sides, and check every rule on what changed.

A loop over one side alone would miss files that are only on the other. An unchanged file is skipped
before any rule, because an old fault is not this change's fault. After that no rule returns early,
so the log shows all reasons. Half is written as twice the new length, because `len(old) // 2` would
round down and let one character too many disappear.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping

from g2c.loop.core.credentials import find_credentials
from g2c.loop.core.identity import CONSTITUTION, GROWTH, ROOM, WRITABLE, Rule, explain


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
