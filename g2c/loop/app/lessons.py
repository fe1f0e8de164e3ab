"""Which lines a model may write into the agent's own files: those that its ticks or a person said.

A proposal that sounds like a lesson need not come from what happened. Your `is_grounded` compares
each new line with what the tools returned; an old line stays. Identity and persona are not lessons:
a person writes them.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from g2c.loop.core.types import TickRecord
from g2c.memory.core.sources import MEMORY_TOOLS, claim_of, turn_behind
from g2c.memory.core.terms import extract_terms
from g2c.memory.core.types import Turn
from g2c.memory.is_grounded import is_grounded

LEARNED = ("knowledge.md", "recovery.md")
"""The files that hold lessons. The others are a person's to write."""

_MIN_TERMS = 2
_ANY_DAY = datetime(1970, 1, 1, tzinfo=UTC)


@dataclass(frozen=True)
class Lessons:
    """The texts of the files that may change, the sources of their new lines (such as `tick 3`),
    and a sentence for each refused line."""

    texts: Mapping[str, str]
    sources: tuple[str, ...]
    refused: tuple[str, ...]


def sift_lessons(
    before: Mapping[str, str], proposed: Mapping[str, str], evidence: Sequence[Turn]
) -> Lessons:
    """Take from the `proposed` texts the lines that follow from `evidence`. A turn's `agent_id` is
    its source.

    A new line that follows is added. An old line is removed only if a new one says as much.
    """
    texts: dict[str, str] = {}
    sources: list[str] = []
    refused: list[str] = []
    for file, text in proposed.items():
        if file not in LEARNED:
            refused.append(f"{file} is a person's to write.")
            continue
        there, new = _lines(before.get(file, "")), []
        for line in _lines(text):
            if line in there:
                continue
            claim = claim_of(line)[1]
            if len(set(extract_terms(claim))) < _MIN_TERMS:
                refused.append(f"{file}: a word alone says nothing: {claim!r}.")
            elif not is_grounded(claim, evidence):
                refused.append(f"{file}: nothing that happened says {claim!r}.")
            else:
                new.append(line)
                sources += _sources(line, evidence)
        stays = [line for line in there if not any(_entails(lesson, line) for lesson in new)]
        texts[file] = "".join(f"{line}\n" for line in dict.fromkeys([*stays, *new]))
    return Lessons(texts, tuple(dict.fromkeys(sources)), tuple(refused))


def turns_of(ticks: Sequence[TickRecord]) -> list[Turn]:
    """The results of each tick's tools, and its error. The model's own words are not evidence,
    so the arguments of a call are left out. The goal is left out too: it is a wish, not a fact."""
    return [
        Turn(tick.ts, f"tick {tick.tick}", "tool", text)
        for tick in ticks
        for text in (*map(_result_of, tick.actions), tick.error)
        if text
    ]


def _result_of(action: str) -> str:
    """A call's result; empty for a memory tool, and if the line was cut before the result."""
    tool, _, rest = action.partition(" ")
    if tool in MEMORY_TOOLS:
        return ""
    try:
        _, end = json.JSONDecoder().raw_decode(rest)
    except ValueError:
        return ""
    return rest[end:].removeprefix(" -> ")


def _lines(text: str) -> list[str]:
    return [line for line in text.split("\n") if line.strip()]


def _sources(line: str, evidence: Sequence[Turn]) -> list[str]:
    """The source of the turn that shares the most words with the line."""
    turn = turn_behind(line, {turn: set(extract_terms(turn.content)) for turn in evidence})
    return [turn.agent_id] if turn else []


def _entails(new: str, old: str) -> bool:
    return is_grounded(claim_of(old)[1], [Turn(_ANY_DAY, "", "tool", claim_of(new)[1])])
