"""Helpers of kills and races: texts that show damage, and checks of what must be true."""

import hashlib
import json
import random
import warnings
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from unittest.mock import patch

from g2c.memory import MemoryStore, TranscriptLog, Turn
from g2c.memory.app import dream
from g2c.memory.app.evidence import Sifted
from maintain.crash.lives import Outcome

NOON = datetime(2026, 4, 21, 12, tzinfo=UTC)
TOPICS = ("Harbour", "Ferry", "Ticket", "Weather", "Café", "日本")
LONG = 200_000
"""Characters of a long turn. A kill can fall into the middle of writing it."""


def turn(name: str, *, long: bool = False) -> Turn:
    """A turn that can be identified by its agent's id."""
    return Turn(NOON, name, "user", f"{name} " + "häfen\n" * (LONG // 6 if long else 2))


def check_turns(
    outcome: Outcome, log: TranscriptLog, acknowledged: Sequence[str], *, damaged: int
) -> None:
    """Check that each acknowledged turn is there once, and no other turn twice. At most `damaged`
    lines may be unreadable."""
    lines = [line for _, file in log.days() for line in file.read_bytes().split(b"\n") if line]
    there: Counter[str] = Counter()
    torn = 0
    for line in lines:
        try:
            there[json.loads(line)["agent_id"]] += 1
        except ValueError:
            torn += 1
    lost = sum(there[name] == 0 for name in acknowledged)
    doubled = sum(number > 1 for number in there.values())
    outcome.counts["lost"] += lost
    outcome.counts["doubled"] += doubled
    outcome.expect(not lost, f"{lost} turns were acknowledged and are not there")
    outcome.expect(not doubled, f"{doubled} turns are there more than once")
    outcome.expect(torn <= damaged, f"{torn} lines are damaged")
    read = len(log.tail(len(lines) + 1))
    outcome.expect(read == there.total(), f"tail reads {read} turns of {there.total()}")


def body_of(slug: str, version: int) -> str:
    """A topic's body, whose last line is a digest of the others."""
    text = "\n".join([f"version {version}", *[f"- {slug}, line {n}." for n in range(20)]])
    return f"{text}\n{hashlib.sha256(text.encode()).hexdigest()}"


def written_in(seed: int, version: int) -> list[str]:
    """The names of the topics that this dream's plan writes."""
    return random.Random(f"{seed}-{version}").sample(TOPICS, 3)


def plan_text(seed: int, version: int, there: Collection[str]) -> str:
    """A dream's plan as its model writes it. It writes some topics and deletes another."""
    written = written_in(seed, version)
    others = sorted(set(there) - {name.casefold() for name in written})
    plan = {
        "upserts": [
            {
                "name": name,
                "description": f"version {version}",
                "type": "note",
                "body": body_of(name.casefold(), version),
            }
            for name in written
        ],
        "deletes": others[version % (len(others) or 1) :][:1],
        "summary": f"Dream {version}.",
    }
    return json.dumps(plan)


@contextmanager
def believed() -> Iterator[None]:
    """Make dreams accept every line of a plan: only what it does to files matters here."""
    with (
        patch.object(dream, "with_said_names", lambda plan, known, turns: plan),
        patch.object(dream, "sift", lambda plan, *_: Sifted(plan, ())),
        patch.object(dream, "with_user_statements", lambda plan, known, turns: plan),
    ):
        yield


def check_topics(outcome: Outcome, store: MemoryStore) -> dict[str, int]:
    """Check that each topic can be read and is undamaged. Return their versions."""
    versions = {}
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # a head that cannot be read is a warning
        for topic in store.topics.list():
            version = int(topic.body.partition("\n")[0].removeprefix("version ") or -1)
            versions[topic.slug] = version
            is_whole = topic.body == body_of(topic.slug, version)
            outcome.expect(
                is_whole and topic.description == f"version {version}",
                f"the topic {topic.slug} is damaged",
            )
    return versions


def check_pointers(outcome: Outcome, store: MemoryStore, *, exactly: bool) -> None:
    """Check that each pointer leads to a file. If `exactly`, each topic must have one pointer."""
    files = [pointer.file for pointer in store.index.pointers]
    missing = [file for file in files if not (store.root / file).exists()]
    outcome.expect(not missing, f"pointers lead nowhere: {missing}")
    outcome.expect(len(files) == len(set(files)), "the index has two pointers to one file")
    topics = {f"topics/{topic.slug}.md" for topic in store.topics.list()}
    if exactly:
        outcome.expect(topics <= set(files), f"topics without a pointer: {topics - set(files)}")
