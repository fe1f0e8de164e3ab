"""The texts that a run has seen, and when each was said."""

import sys
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from g2c.memory.app.outdated import changed_by
from g2c.memory.core.questions import asks
from g2c.memory.core.sources import SENTENCE_END
from g2c.memory.core.terms import extract_terms
from g2c.memory.core.types import Turn
from g2c.text import one_line


@dataclass(frozen=True)
class Seen:
    """Something that was said, and where it stands, such as `2026-11-27.jsonl:1`; in this
    conversation, if nowhere. `is_own`: in the person's own words. `line` is how a topic has it.
    If a wrong clock dated it, it `counts_on` another day. `outdated` says when it changed."""

    turn: Turn
    place: str = ""
    is_own: bool = True
    line: str = ""
    counts_on: str = ""
    outdated: str = ""

    @property
    def day(self) -> str:
        return f"{self.turn.ts.astimezone(UTC):%Y-%m-%d}"

    @property
    def stated(self) -> tuple[str, Path, int]:
        """The text with its file and line, for `changed_by`. This conversation comes last."""
        here = f"{self.day}.jsonl:{sys.maxsize}"
        file, _, number = (self.place or here).rpartition(":")
        return self.line or self.turn.content, Path(file), int(number)

    def quoted(self) -> str:
        """The turn, word for word, with its day and place.

        >>> turn = Turn(datetime(2026, 11, 27, tzinfo=UTC), "", "user", "My cat is Otto.")
        >>> Seen(turn, "2026-11-27.jsonl:1").quoted()
        'You said on 27 November 2026: "My cat is Otto." (2026-11-27.jsonl:1)'
        """
        day = self.turn.ts.astimezone(UTC)
        said = f'You said on {day.day} {day:%B %Y}: "{one_line(self.turn.content)}"'
        changed = f" [older: {self.outdated}]" if self.outdated else ""
        return f"{said} ({self.place}){changed}" if self.place else said


@dataclass(frozen=True)
class Sight:
    """The texts that a run has seen: the question; what the person said, in this conversation and
    as memory gave it; and the results of other tools. `looked_up` says whether any of it was looked
    up, and `kept` whether something was. If the question is what the person said, on a day or about
    a thing, then `listed` is that, oldest first. `of_day` is what they said of a day that it asks
    about."""

    question: str
    said: tuple[Seen, ...] = ()
    results: tuple[Turn, ...] = ()
    looked_up: bool = False
    kept: bool = False
    listed: tuple[Seen, ...] | None = None
    of_day: tuple[Seen, ...] = ()


def changes_in(said: Sequence[Seen], asked: str = "") -> dict[int, int]:
    days = {seen.day: seen.counts_on for seen in said if seen.counts_on}
    return changed_by([seen.stated for seen in said], days, asked)


def time_of(seen: Seen) -> datetime:
    day = seen.counts_on
    return datetime.fromisoformat(day).replace(tzinfo=UTC) if day else seen.turn.ts


def oldest_first(said: Sequence[Seen]) -> list[Seen]:
    """By time; a line of a topic has a day alone, so what changes a statement comes after it."""
    after: dict[int, list[datetime]] = defaultdict(list)
    for old, new in changes_in(said).items():
        after[new].append(time_of(said[old]))
    keys = [(max([time_of(seen), *after[n]]), bool(after[n])) for n, seen in enumerate(said)]
    return [said[n] for n in sorted(range(len(said)), key=keys.__getitem__)]


def only_states(text: str) -> bool:
    """Whether a message says something, and asks nothing.

    >>> only_states("My cat is Otto."), only_states("My cat is Otto. How old is he?")
    (True, False)
    """
    return states(text) and not any(map(asks, SENTENCE_END.split(text)))


def states(text: str) -> bool:
    """Whether a message says something, perhaps beside a question.

    >>> states("Not selling Otto. Too old."), states("How old is Otto? Thanks!")
    (True, False)
    """
    stated = [sentence for sentence in SENTENCE_END.split(text) if not asks(sentence)]
    return len(extract_terms(" ".join(stated))) > 1
