"""A month of turns between a person and an agent, invented from a seed, with the questions of the
month after it.

The program that makes the month knows what each turn says about which subject, so no model has to
decide whether a question could be answered. The words are in `month.toml`. The public seed uses
only the first part of each list, so learning its words by heart does not help with other seeds.
"""

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import cache
from math import ceil
from pathlib import Path
from random import Random
from typing import Any, Literal

from g2c.course.scored import PUBLIC_SEED
from g2c.memory.core.types import Turn

DAYS = 30
PUBLIC_PART = 0.6
"""The share of each list of words that the public seed uses."""

Kind = Literal["settled", "changed", "passing", "wondered", "mistaken"]
"""The kind of a claim: settled; outdated by a change; true for a while only; merely considered; or
a mistake of the agent."""


@dataclass(frozen=True)
class Claim:
    """The statement of a turn: that `matter` is `value`."""

    matter: int
    value: str
    kind: Kind


@dataclass(frozen=True)
class Question:
    """A question of the following month: its text, how often it is asked, its subject, and the
    right answer."""

    text: str
    times: int
    matter: int
    value: str


@dataclass(frozen=True)
class Month:
    """The turns, oldest first; their claims, by the turns' numbers; and the later questions."""

    turns: tuple[Turn, ...]
    claims: Mapping[int, Claim]
    questions: tuple[Question, ...]


_Line = tuple[str, str, Claim | None]
"""A role, a text, and its claim."""


def make_months(seed: int, count: int) -> list[Month]:
    """`count` months, the same ones for the same seed."""
    return [_Diary(Random(f"{seed}/{number}"), _words(seed)).write() for number in range(count)]


class _Diary:
    """Invents one month."""

    def __init__(self, draw: Random, words: Mapping[str, Any]) -> None:
        self.draw = draw
        self.words: Mapping[str, Sequence[str]] = words["words"]
        self.errands: Sequence[tuple[str, str]] = words["errands"]
        self.kinds: Mapping[str, Any] = words["matters"]
        names = draw.sample(self.words["names"], len(self.words["names"]))
        self.friends, self.strangers = names[:7], names[7:]
        self.exchanges: list[tuple[float, list[_Line]]] = []
        self.questions: list[Question] = []

    def write(self) -> Month:
        """The whole month."""
        matters = [
            (kind, subject) for kind in self.kinds.values() for subject in self._subjects(kind)
        ]
        for number, (kind, subject) in enumerate(matters):
            _Matter(self, number, kind, subject).live()
        self._noise([subject for _, subject in matters])
        said = [
            (when, n, turn)
            for when, turns in sorted(self.exchanges)
            for n, turn in enumerate(turns)
        ]
        first = datetime(2026, self.draw.randint(1, 11), 1, tzinfo=UTC)
        turns, claims = [], {}
        for number, (when, n, (role, text, claim)) in enumerate(said):
            ts = first + timedelta(seconds=round(when * 86_400) + 20 * n)
            turns.append(Turn(ts, f"run-{int(when) + 1}", role, text))
            if claim:
                claims[number] = claim
        return Month(tuple(turns), claims, tuple(self.questions))

    def any(self, words: str, **filled: str) -> str:
        """One item of the list of that name, as a sentence."""
        return as_sentence(self.draw.choice(self.words[words]).format(**filled))

    def chance(self, probability: float) -> bool:
        return self.draw.random() < probability

    def day_from(self, day: int) -> int:
        """A day after `day`, or the last day."""
        return self.draw.randint(min(day + 1, DAYS - 1), DAYS - 1)

    def add(self, day: int, *lines: _Line) -> None:
        """Add these lines to that day, between seven and nineteen o'clock."""
        self.exchanges.append((day + self.draw.uniform(0.3, 0.8), list(lines)))

    def print_out(self, subjects: Sequence[str]) -> _Line:
        """A tool's result: long, and about many things."""
        lines = [
            self.draw.choice(self.words["tool"]).format(s=self.draw.choice(subjects))
            for _ in range(self.draw.randint(4, 25))
        ]
        return ("tool", "\n".join(lines), None)

    def _subjects(self, kind: Mapping[str, Any]) -> list[str]:
        subjects = self.friends if kind.get("who") else kind["subjects"]
        return self.draw.sample(subjects, min(kind["share"], len(subjects)))

    def _noise(self, subjects: Sequence[str]) -> None:
        draw = self.draw
        for _ in range(14):
            lines: list[_Line] = [("user", self.any("chat"), None)]
            if self.chance(0.6):
                lines.append(("assistant", self.any("chat_answer"), None))
            self.add(draw.randrange(DAYS), *lines)
        for _ in range(10):
            self.add(draw.randrange(DAYS), ("user", self.any("event"), None))
        for name in self.strangers[:4]:
            self.add(draw.randrange(DAYS), ("user", self.any("event_with", s=name), None))
        for _ in range(10):
            asked, answer = draw.choice(self.errands)
            lines = [("user", asked, None)]
            if self.chance(0.4):
                lines.append(self.print_out(subjects))
            lines.append(("assistant", answer, None))
            if self.chance(0.4):
                lines.append(("user", self.any("thanked"), None))
            self.add(draw.randrange(DAYS), *lines)
        for what in draw.sample(self.words["trouble"], 3):
            day = draw.randrange(DAYS)  # they talk about nothing else for a day
            for text in draw.sample(self.words["trouble_said"], 5):
                self.add(day, ("user", as_sentence(text.format(s=what)), None))


class _Matter:
    """A subject that has a value, and its story in a month."""

    def __init__(self, diary: _Diary, number: int, kind: Mapping[str, Any], subject: str) -> None:
        self.diary, self.number, self.kind, self.subject = diary, number, kind, subject
        self.is_person = bool(kind.get("who"))
        self.values = diary.draw.sample(kind["values"], len(kind["values"]))
        self.settled: list[tuple[float, str]] = []
        """Its values and their first days, oldest first."""

    def live(self) -> None:
        """Add the turns and the later questions about it."""
        diary, draw = self.diary, self.diary.draw
        interest = draw.choices((0, 1, 2, 3, 4), (46, 14, 20, 12, 8))[0]
        is_for_good = diary.chance(0.4 if interest else 0.04)
        changes = draw.choices((0, 1, 2), (50, 33, 17))[0] if interest else 0
        days = sorted(draw.sample(range(DAYS - 4), 1 + changes))
        self._settle(days, is_for_good)
        if interest:
            for _ in range(draw.choice((0, 1)) if is_for_good else self._about(interest)):
                self._come_up(diary.day_from(days[0]))
            if diary.chance(0.3):
                self._say(diary.day_from(days[0]), "passing", diary.any("passing"))
            if diary.chance(0.15):
                self._say(diary.day_from(days[0]), "wondered", diary.any("wondered"))
            if diary.chance(0.3):
                self._deny(diary.day_from(days[0]))
        elif diary.chance(0.2):
            self._come_up(diary.day_from(days[0]))
        times = self._about(interest) if interest else int(diary.chance(0.05))
        if times:
            value = self.settled[-1][1]
            diary.questions.append(Question(self._asked(), times, self.number, value))

    def _about(self, interest: int) -> int:
        return max(1, interest + self.diary.draw.choice((-1, 0, 0, 1)))

    def _settle(self, days: Sequence[int], is_for_good: bool) -> None:
        """Add turns that state the value, and changes on later days."""
        diary = self.diary
        for number, day in enumerate(days):
            value = self.values[number]
            prefix = ""
            if number and diary.chance(0.6):
                prefix = diary.any("changed", o=self.values[number - 1])
            elif is_for_good and not number:
                prefix = diary.any("lasting")
            kind: Kind = "settled" if number == len(days) - 1 else "changed"
            claim = Claim(self.number, value, kind)
            if not number and diary.chance(0.2):  # the agent finds the value, and the person agrees
                looked = diary.print_out([self.subject])
                found = ("assistant", diary.any("found", s=self.subject, v=value), claim)
                agreed = ("user", diary.any("confirmed"), None)
                diary.add(day, ("user", self._asked(), None), looked, found, agreed)
            else:
                noted = [("assistant", diary.any("noted"), None)] if diary.chance(0.5) else []
                diary.add(day, ("user", self._stated(value, prefix), claim), *noted)
            self.settled.append((diary.exchanges[-1][0], value))

    def _come_up(self, day: int) -> None:
        """Add turns that mention it, or ask for it and get the value of that day."""
        diary = self.diary
        if diary.chance(0.5):
            went = diary.any("person_went" if self.is_person else "thing_went", s=self.subject)
            diary.add(day, ("user", went, None))
            return
        diary.add(day, ("user", self._asked(), None))
        when, asked = diary.exchanges[-1]
        value = [value for since, value in self.settled if since <= when][-1]
        kind: Kind = "settled" if value == self.settled[-1][1] else "changed"
        told = diary.any("told", s=self.subject, v=value)
        asked.append(("assistant", told, Claim(self.number, value, kind)))
        if diary.chance(0.4):
            asked.append(("user", diary.any("thanked"), None))

    def _say(self, day: int, kind: Kind, prefix: str) -> None:
        value = self._another()
        claim = Claim(self.number, value, kind)
        self.diary.add(day, ("user", self._stated(value, prefix), claim))

    def _deny(self, day: int) -> None:
        """Add a mistake of the agent, which the person corrects."""
        value = self._another()
        claim = Claim(self.number, value, "mistaken")
        claimed = self.diary.any("claimed", s=self.subject, v=value)
        denied = self.diary.any("denied")
        self.diary.add(day, ("assistant", claimed, claim), ("user", denied, None))

    def _another(self) -> str:
        """A value that it never had."""
        value: str = self.diary.draw.choice(self.values[len(self.settled) :])
        return value

    def _stated(self, value: str, prefix: str) -> str:
        template: str = self.diary.draw.choice(self.kind["said"])
        said = template.format(s=self.subject, v=value)
        return as_sentence(prefix + (as_sentence(said) if prefix.endswith(". ") else said))

    def _asked(self) -> str:
        asked: str = self.diary.draw.choice(self.kind["asked"])
        return as_sentence(asked.format(s=self.subject))


def as_sentence(text: str) -> str:
    """With a capital letter at its start."""
    return text[:1].upper() + text[1:]


@cache
def _words(seed: int) -> Mapping[str, Any]:
    text = Path(__file__).with_name("month.toml").read_text("utf-8")
    words: Mapping[str, Any] = tomllib.loads(text)
    return _first_part(words) if seed == PUBLIC_SEED else words


def _first_part(words: Any) -> Any:
    if isinstance(words, Mapping):
        return {name: _first_part(inner) for name, inner in words.items()}
    return words[: ceil(PUBLIC_PART * len(words))] if isinstance(words, list) else words
