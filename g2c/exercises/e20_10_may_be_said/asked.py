"""Questions about what a person said weeks before, with answers, invented from a seed: some are so,
others say something else.

The program that makes an answer knows what it is worth, so no model has to decide. Each matter is
asked about in three worlds: the person said it, they said it and then changed it, or they never
said it, but something like it. The words are in `asked.toml` and `claims.toml`. The public seed
uses only the first part of each list, so learning its words by heart does not help.
"""

import tomllib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

from g2c.exercises.e20_8_is_grounded.claims import Words, filled, first_part, words_of
from g2c.memory.core.types import Turn

ROUNDS = 6
"""How often each matter comes up, each time with other words."""


@dataclass(frozen=True)
class Answer:
    """An answer, and its kind of lie; `lie` is empty if it is so."""

    text: str
    lie: str = ""


@dataclass(frozen=True)
class Case:
    """The turns, oldest first, the question, and the answers. `told` are the sentences on the
    matter, and `newest` is the one that has the answer; "" if nothing was said of it."""

    told: tuple[str, ...]
    said: tuple[Turn, ...]
    question: str
    newest: str
    answers: tuple[Answer, ...]


def make_cases(seed: int) -> list[Case]:
    """The cases of a seed, the same ones each time."""
    matters = matters_of(seed)
    return [
        case
        for number, matter in enumerate(matters)
        for again in range(ROUNDS)
        for case in cases_about(matter, matters, Random(f"{seed}/{number}/{again}"), words_of(seed))
    ]


def cases_about(
    matter: Mapping[str, Any], matters: Sequence[Mapping[str, Any]], draw: Random, slots: Words
) -> Iterator[Case]:
    """The matter in each of its worlds, among two others.

    Raises:
        IndexError: there are too few words in `slots`.
    """
    start = datetime(2026, draw.randint(1, 12), draw.randint(1, 27), 12, tzinfo=UTC)
    words = _drawn(draw, slots)
    said, beside = filled(matter["said"], words), filled(matter["beside"], words)
    question = filled(draw.choice(matter["asked"]), words)
    truths = [filled(line, words) for line in matter["truths"]]
    lies = [
        Answer(filled(text, words), kind)
        for kind, _, text in (line.partition(": ") for line in matter["lies"])
    ]
    used = " ".join([said, beside, question, *truths, *(lie.text for lie in lies)]).lower()
    around = _others(matter, matters, draw, words_without(used, slots))

    def case(told: Sequence[str], newest: str, answers: Sequence[Answer]) -> Case:
        turns = tuple(
            Turn(start + timedelta(days=3 * n), "chat", "user", text)
            for n, text in enumerate([*around[:1], *told[:2], *around[1:], *told[2:]])
        )
        return Case(tuple(told), turns, question, newest, tuple(answers))

    told = draw.sample([said, beside], 2)
    yield case(told, said, [*map(Answer, truths), *lies])
    if "newer" in matter:
        newer = filled(draw.choice(matter["newer"]), words)
        new = [Answer(filled(line, words)) for line in matter["newer_truths"]]
        old = [Answer(line, "old") for line in truths]
        yield case([*told, newer], newer, [*new, *old, *lies])
    unsaid = [Answer(line, "unsaid") for line in truths]
    yield case([beside], "", [*unsaid, *lies])


def _others(
    matter: Mapping[str, Any], matters: Sequence[Mapping[str, Any]], draw: Random, slots: Words
) -> list[str]:
    """Turns on two other subjects."""
    found: list[str] = []
    for other in draw.sample(matters, len(matters)):
        if other is not matter and len(found) < 2:
            with suppress(IndexError):  # too few words are left
                found.append(filled(other["said"], _drawn(draw, slots)))
    return found


def words_without(used: str, slots: Words) -> Words:
    """The words that a text in small letters does not have, so that nothing else answers it."""
    return {
        name: [word for word in words if word.lower() not in used] for name, words in slots.items()
    }


def _drawn(draw: Random, slots: Words) -> Words:
    """Words for each slot, in random order."""
    return {name: draw.sample(words, len(words)) for name, words in slots.items()}


@cache
def matters_of(seed: int) -> Sequence[Mapping[str, Any]]:
    """The matters that a seed uses."""
    text = Path(__file__).with_suffix(".toml").read_text("utf-8")
    matters: Sequence[Mapping[str, Any]] = tomllib.loads(text)["matters"]
    return first_part(matters, seed)
