"""Lines of notes with the turns that they rest on, invented from a seed: some are true to the
turns, others say more, less or something else.

The program that makes a line knows whether it is true, so no model has to decide. The words are in
`claims.toml`. The public seed uses only the first part of each list, so learning its words by heart
does not help with other seeds.
"""

import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import cache
from math import ceil
from pathlib import Path
from random import Random
from typing import Any

from g2c.course.scored import PUBLIC_SEED
from g2c.memory.core.types import Turn

Words = Mapping[str, Sequence[str]]
"""The words of each slot of a sentence."""

ROUNDS = 6
"""How often each subject comes up, each time with other words."""

PUBLIC_PART = 0.6
"""The share of each list that the public seed uses."""

_COUNTED = "three four five six seven eight nine ten eleven twelve"
_DIGITS = {word: number for number, word in enumerate(_COUNTED.split(), 3)}
_SLOT = re.compile(r"\{(?:(digits):)?([a-z]+)(\d?)\}")


@dataclass(frozen=True)
class Claim:
    """A line of a note, the turns that it rests on, oldest first, and its kind of lie; `lie` is
    empty if it is true."""

    line: str
    said: tuple[Turn, ...]
    lie: str = ""


def make_claims(seed: int) -> list[Claim]:
    """The claims of a seed, the same ones each time."""
    words = _words(seed)
    matters: Sequence[Mapping[str, Any]] = words["matters"]
    return [
        claim
        for number, matter in enumerate(matters)
        for again in range(ROUNDS)
        for claim in _Talk(Random(f"{seed}/{number}/{again}"), words).about(matter)
    ]


class _Talk:
    """Invents a conversation about one subject, and lines about it."""

    def __init__(self, draw: Random, words: Mapping[str, Any]) -> None:
        self.draw = draw
        self.words = words
        self.start = datetime(2026, draw.randint(1, 12), draw.randint(1, 27), 12, tzinfo=UTC)

    def about(self, matter: Mapping[str, Any]) -> Iterator[Claim]:
        words = self._drawn()
        others = [
            candidate
            for candidate in self.words["matters"]
            if candidate is not matter and "before" not in candidate
        ]
        other = self.draw.choice(others)
        beside = ("user", filled(other["said"], self._drawn()))
        said = filled(matter["said"], words)
        asked = [matter["before"]] if "before" in matter else []
        before = [("assistant", filled(text, words)) for text in asked]
        chat = ("user", self.draw.choice(self.words["chatter"]))
        truths = [filled(line, words) for line in matter["truths"]]
        heard = self._turns([*self.draw.sample([beside, chat], 1), *before, ("user", said)])
        today, yesterday = (
            f"{(heard[-1].ts - timedelta(days=days)).date()}"
            for days in (0, self.draw.randint(1, 9))
        )
        for line in truths:
            yield Claim(line, heard)
        yield Claim(f"{today}: {truths[0]}", heard)
        yield Claim(f"{yesterday}: {truths[0]}", heard, "day")
        for lie in matter["lies"]:
            kind, _, line = lie.partition(": ")
            yield Claim(filled(line, words), heard, kind)
        if mixed := _mixed(truths[0], words, self._drawn()):
            line, word = mixed
            also = self._turns([*before, ("user", said), ("user", f"{word} is not far from here.")])
            yield Claim(line, also, "mixed")
        agent = self.draw.choice(self.words["agent"]) + said
        yield Claim(truths[0], self._turns([chat, ("assistant", agent)]), "agent")
        question = filled(matter["asked"], words)
        yield Claim(truths[0], self._turns([chat, *before, ("user", question)]), "question")
        if not before:
            kept = self.draw.choice(self.words["kept"]).replace("%", _inside(matter["said"]))
            kept = filled(kept, words)
            yield Claim(truths[0], self._turns([chat, ("user", kept)]))
            unsure = self.draw.choice(self.words["unsure"]).replace("%", _inside(matter["said"]))
            unsure = filled(unsure, words)
            yield Claim(truths[0], self._turns([("user", unsure), chat]), "unsure")

    def _drawn(self) -> dict[str, list[str]]:
        """Words for each slot, in random order."""
        slots: Mapping[str, list[str]] = self.words["slots"]
        return {name: self.draw.sample(words, len(words)) for name, words in slots.items()}

    def _turns(self, said: Sequence[tuple[str, str]]) -> tuple[Turn, ...]:
        return tuple(
            Turn(self.start + timedelta(seconds=20 * n), "chat", role, text)
            for n, (role, text) in enumerate(said)
        )


def filled(text: str, words: Words) -> str:
    """The sentence with words in its slots, and a capital letter at its start."""

    def word(slot: re.Match[str]) -> str:
        found = words[slot[2]][int(slot[3] or 1) - 1]
        return str(_DIGITS[found]) if slot[1] else found

    sentence = _SLOT.sub(word, text)
    return sentence[0].upper() + sentence[1:]


def words_of(seed: int) -> Words:
    """The words for slots that a seed uses."""
    slots: Words = _words(seed)["slots"]
    return slots


def first_part(some: Sequence[Any], seed: int) -> Sequence[Any]:
    """The part of a list that a seed uses: the first part, or all."""
    return some[: ceil(len(some) * PUBLIC_PART)] if seed == PUBLIC_SEED else some


def _mixed(
    line: str, words: Mapping[str, Sequence[str]], others: Mapping[str, Sequence[str]]
) -> tuple[str, str] | None:
    """The line with another name or town, and that name; None if it has neither."""
    for slot in ("name", "town"):
        own = words[slot][0]
        if own in line:
            other = next(word for word in others[slot] if word not in words[slot][:3])
            return line.replace(own, other), other
    return None


def _inside(sentence: str) -> str:
    """A sentence in the form that it has inside another one."""
    return sentence if sentence.startswith("I ") else sentence[0].lower() + sentence[1:]


@cache
def _words(seed: int) -> Mapping[str, Any]:
    words = tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))
    lists = {name: first_part(some, seed) for name, some in words.items() if name != "slots"}
    slots = {name: first_part(some, seed) for name, some in words["slots"].items()}
    return {"slots": slots, **lists}
