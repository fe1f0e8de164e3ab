"""Races: 16 processes do the same at once. Nothing may be lost, and there must be one winner."""

import json
import os
import random
import sys
from collections.abc import Callable
from dataclasses import dataclass
from multiprocessing import get_context
from multiprocessing.synchronize import Barrier, Semaphore
from pathlib import Path

from g2c.agent import Agent
from g2c.inference import ScriptedBackend
from g2c.loop import Budget, LoopConfig, LoopError, LoopRunner, read_state, read_ticks
from g2c.memory import MemoryIndex, MemoryStore, TranscriptLog
from g2c.memory.core.dreams import read_state as read_dreams
from g2c.memory.core.index import pointer_of
from g2c.tools import ToolRegistry
from maintain.crash.checks import (
    NOON,
    believed,
    body_of,
    check_pointers,
    check_topics,
    check_turns,
    plan_text,
    turn,
)
from maintain.crash.lives import Death, Life, Outcome, Say, at_lines, live

PROCESSES = 16
TIMES = 12
OFTEN = 0.1
"""The share of the program's lines before which a process lets others run."""

give_way = getattr(os, "sched_yield", lambda: None)
PATIENCE_S = 20
"""How long a winner waits for the losers. It waits that long only if there are two winners."""


@dataclass(frozen=True)
class Start:
    """The state that the processes of a race share: a common start, and a count of the losers."""

    together: Barrier
    losers: Semaphore

    def hold(self) -> None:
        """Return when all the others have lost."""
        for _ in range(PROCESSES - 1):
            if not self.losers.acquire(timeout=PATIENCE_S):
                return


def race(seed: int, outcome: Outcome, run: Callable[[int, Start, Say], None]) -> list[Life]:
    """Let `PROCESSES` processes do `run`, each with its number, and begin at once.

    At random lines a process lets the others run, so that they overtake it in places where they
    rarely would.
    """
    context = get_context("fork")
    start = Start(context.Barrier(PROCESSES), context.Semaphore(0))

    def runner(number: int) -> Callable[[Say], None]:
        def work(say: Say) -> None:
            chance = random.Random(f"{seed}-{number}")
            start.together.wait()
            sys.settrace(at_lines(lambda line: give_way() if chance.random() < OFTEN else None))
            run(number, start, say)

        return work

    lives = live([(runner(number), Death()) for number in range(PROCESSES)])
    outcome.counts["processes"] += len(lives)
    for life in lives:
        outcome.expect(life.code == 0, f"a process ended with {life.code}")
    return lives


def race_writers(seed: int, folder: Path) -> Outcome:
    """All processes append turns to one transcript, and read its end."""
    outcome = Outcome()
    log = TranscriptLog(folder)
    numbers = random.Random(seed).sample(range(1_000), 5 * TIMES)

    def run(number: int, start: Start, say: Say) -> None:
        for which in numbers:
            one = turn(f"{number}-{which}", long=which % 50 == 0)
            log.append(one)
            say(one.agent_id)
        if len(log.tail(len(numbers))) < len(numbers):
            raise RuntimeError("turns that were just written cannot be read")

    acknowledged = [name for life in race(seed, outcome, run) for name in life.acknowledged]
    outcome.counts["acknowledged"] = len(acknowledged)
    check_turns(outcome, log, acknowledged, damaged=0)
    return outcome


def race_index(seed: int, folder: Path) -> Outcome:
    """All upsert pointers, to their own files and to a few shared ones."""
    outcome = Outcome()
    index = MemoryIndex(folder / "MEMORY.md")
    shared = random.Random(seed).sample(range(TIMES), TIMES // 2)

    def run(number: int, start: Start, say: Say) -> None:
        for time in range(TIMES):
            file = f"topics/{'all' if time in shared else number}-{time}.md"
            index.upsert(file, f"from {number}")
            say(file)
            if not all(map(pointer_of, index.read())):
                raise RuntimeError("a line of the index is damaged")

    acknowledged = {file for life in race(seed, outcome, run) for file in life.acknowledged}
    files = [pointer.file for pointer in index.pointers]
    # Their own files and some shared ones: fewer than the index can have.
    lost, doubled = acknowledged - set(files), len(files) - len(set(files))
    outcome.counts.update(acknowledged=PROCESSES * TIMES, lost=len(lost), doubled=doubled)
    outcome.expect(not lost, f"{len(lost)} pointers are lost")
    outcome.expect(not doubled, f"{doubled} pointers are there twice")
    return outcome


def race_topics(seed: int, folder: Path) -> Outcome:
    """All write the same topics, and each writes one of its own."""
    outcome = Outcome()
    store = MemoryStore(folder, now=lambda: NOON)

    def run(number: int, start: Start, say: Say) -> None:
        for time in range(TIMES):
            version = seed * 1_000 + number * TIMES + time
            name = f"own-{number}" if time % 2 else "shared"
            topic = store.write_topic(name, f"version {version}", body_of(name, version))
            say([topic.slug, version])
            if time % 5 == 0:
                seen = Outcome()
                check_topics(seen, store)
                if seen.faults:
                    raise RuntimeError(seen.faults[0])

    said = [event for life in race(seed, outcome, run) for event in life.acknowledged]
    outcome.counts["acknowledged"] = len(said)
    versions = check_topics(outcome, store)
    check_pointers(outcome, store, exactly=True)
    newest = {slug: version for slug, version in said if slug != "shared"}
    lost = [slug for slug, version in newest.items() if versions.get(slug) != version]
    outcome.counts["lost"] = len(lost)
    outcome.expect(not lost and "shared" in versions, f"{len(lost)} topics are lost")
    return outcome


def race_sessions(seed: int, folder: Path) -> Outcome:
    """All count sessions in one file."""
    outcome = Outcome()
    store = MemoryStore(folder)

    def run(number: int, start: Start, say: Say) -> None:
        for _ in range(TIMES):
            say(store.start_session())

    said = [count for life in race(seed, outcome, run) for count in life.acknowledged]
    there = read_dreams(store.state_file).session_count
    outcome.counts.update(acknowledged=len(said), lost=len(said) - there)
    outcome.counts["doubled"] = len(said) - len(set(said))
    outcome.expect(sorted(said) == [*range(1, there + 1)], f"{there} sessions of {len(said)}")
    return outcome


@believed()
def race_dreams(seed: int, folder: Path) -> Outcome:
    """All try to dream. The winner dreams until all others are refused. In every second round a
    dead process has left its lock."""
    outcome = Outcome()
    store = MemoryStore(folder, now=lambda: NOON)
    store.log_turn("user", "Remember the harbour.")
    if seed % 2:
        live([(lambda say: say(store.lock.acquire()), Death())])  # and never released

    def run(number: int, start: Start, say: Say) -> None:
        def answer(prompt: str) -> str:
            say("dreams")
            start.hold()
            return plan_text(seed, number, ())

        result = store.maybe_dream(ScriptedBackend([answer]), force=True)
        if not result.dreamed:
            start.losers.release()
        say("won" if result.dreamed else ", ".join(result.closed))

    said = [word for life in race(seed, outcome, run) for word in life.acknowledged]
    outcome.counts["winners"] = said.count("won")
    outcome.expect(
        sorted(said) == sorted(["dreams", "won", *["lock"] * (PROCESSES - 1)]),
        f"{said.count('dreams')} dreamed at once",
    )
    check_topics(outcome, store)
    check_pointers(outcome, store, exactly=True)
    return outcome


@believed()
def race_many_dreams(seed: int, folder: Path) -> Outcome:
    """All dream again and again, whenever they get the lock. Two may never dream at once."""
    outcome = Outcome()
    store = MemoryStore(folder, now=lambda: NOON)
    mark = folder / "dreaming"

    def run(number: int, start: Start, say: Say) -> None:
        def answer(prompt: str) -> str:
            os.close(os.open(mark, os.O_CREAT | os.O_EXCL))  # fails if another one dreams
            there = [topic.slug for topic in store.topics.list()]
            plan = plan_text(seed, number, there)
            mark.unlink()
            return plan

        for _ in range(TIMES // 2):
            result = store.maybe_dream(ScriptedBackend([answer]), force=True)
            say(result.dreamed)
            if not (result.dreamed or result.closed == ("lock",)):
                raise RuntimeError(result.reason)

    said = [dreamed for life in race(seed, outcome, run) for dreamed in life.acknowledged]
    outcome.counts["acknowledged"] = said.count(True)
    outcome.expect(any(said), "nobody dreamed")
    check_topics(outcome, store)
    check_pointers(outcome, store, exactly=True)
    return outcome


def race_loops(seed: int, folder: Path) -> Outcome:
    """All start the same loop. The winner's agent works until all others are refused."""
    outcome = Outcome()
    ticks = 1 + seed % 3

    def run(number: int, start: Start, say: Say) -> None:
        def work(prompt: str) -> str:
            start.hold()
            return f"Action: update_state\nAction Input: {json.dumps({'text': str(number)})}"

        backend = ScriptedBackend([work, *["Final Answer: done"] * ticks])
        runner = LoopRunner(
            lambda tools: Agent(backend, ToolRegistry(tools), plan=False),
            None,
            LoopConfig(evolve=False),
            folder,
            now=lambda: NOON,
            on_tick=lambda state, record: say(record.tick),
        )
        try:
            runner.run(f"The goal of {number}.", Budget(ticks=ticks))
            say("won")
        except LoopError:
            start.losers.release()
            say("refused")

    said = [word for life in race(seed, outcome, run) for word in life.acknowledged]
    outcome.counts.update(winners=said.count("won"), acknowledged=ticks)
    expected = [*range(1, ticks + 1), "won", *["refused"] * (PROCESSES - 1)]
    outcome.expect(sorted(map(str, said)) == sorted(map(str, expected)), f"they said {said}")
    logged = [tick.tick for tick in read_ticks(folder / "ticks.jsonl")]
    state = read_state(folder / "state.md")
    outcome.expect(logged == [*range(1, ticks + 1)], f"the ticks are {logged}")
    outcome.expect(state.goal == f"The goal of {state.body}.", "two loops in one folder")
    return outcome
