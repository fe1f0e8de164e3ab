"""Let an agent change its own files, on the disk: it removes one, and empties another."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from pathlib import Path

from g2c.course.breaks import RESULT, WANTED, Seen
from g2c.loop.core.credentials import find_credentials
from g2c.loop.core.identity import (
    CONSTITUTION,
    GROWTH,
    ROOM,
    WRITABLE,
    ensure_config,
    explain,
    read_texts,
)

QUESTION = "Which files does this function check, and which does it miss?"


def check_invariants(
    before: Mapping[str, str], after: Mapping[str, str], *, writable: Collection[str] = WRITABLE
) -> tuple[str, ...]:
    sentences = []
    for name in sorted(after):
        was, will_be = before.get(name, ""), after[name]
        if was != will_be and name not in writable:
            sentences.append(explain("read-only", name))
        if len(will_be) > max(ROOM, len(was) * GROWTH):
            sentences.append(explain("growth", name))
        if len(will_be) < len(was) / 2 and len(was) > ROOM:
            sentences.append(explain("shrinkage", name))
        if will_be.count("```") % 2:
            sentences.append(explain("fences", name))
        if find_credentials(will_be):
            sentences.append(explain("credentials", name))
    return tuple(sentences)


def show(folder: Path) -> Seen:
    ensure_config(folder)
    before = read_texts(folder)
    yield "before", ", ".join(before)
    (folder / CONSTITUTION).unlink()
    (folder / "persona.md").write_text("", encoding="utf-8")
    after = read_texts(folder)
    yield "after", ", ".join(after)
    gone = [name for name in before if not after.get(name, "").strip()]
    broken = check_invariants(before, after)
    said = " ".join(broken) or "nothing, so the change may be made"
    yield RESULT, f"{said}; without text now: {', '.join(name for name in gone if before[name])}"
    yield WANTED, "a sentence about each of the two, the constitution above all"
