"""25.5 with a word for each call, and a letter for each of the call's lines.

A word is the history of one call. So one pattern checks the order, and the last letter gives the
answer. It costs the whole history of each call in memory, and the reader has to remember the
letters.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from typing import Literal

from g2c.guard.core.unanswered import Began, Ended, JournalLine, Recovery, Told

ORDERLY = re.compile(r"B[Byn]*(e[eyn]*)?")
"""A call begins, perhaps several times, and does not begin after its end."""


def recover_calls(
    journal: Sequence[JournalLine], repeatable: Collection[str]
) -> tuple[Recovery, ...]:
    words: dict[str, list[str]] = {}
    tools: dict[str, set[str]] = {}
    for line in journal:
        words.setdefault(line.call, []).append(_letter(line))
        if isinstance(line, Began):
            tools.setdefault(line.call, set()).add(line.tool)
    may_repeat, found = set(repeatable), []
    for call, letters in words.items():
        word = "".join(letters)
        if not ORDERLY.fullmatch(word) or len(tools[call]) > 1:
            raise ValueError(f"{call} has lines that do not follow each other: {word}.")
        if "e" not in word:
            is_safe = tools[call] <= may_repeat
            found.append(Recovery(call, _action(word[-1], is_safe)))
    return tuple(found)


def _letter(line: JournalLine) -> str:
    if isinstance(line, Told):
        return "y" if line.happened else "n"
    return "e" if isinstance(line, Ended) else "B"


def _action(last: str, is_safe: bool) -> Literal["repeat", "ask", "tell"]:
    if last == "y":
        return "tell"
    return "repeat" if last == "n" or is_safe else "ask"
