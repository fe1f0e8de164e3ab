"""Kills: processes that append turns, dream, or run a loop, and die at any moment.

After each death the files are read as the next process would read them. Everything acknowledged
must be there once, and nothing may be damaged.
"""

import json
import random
import time
from collections.abc import Callable
from itertools import count
from pathlib import Path
from typing import Any

from g2c.agent import Agent
from g2c.home.supervisor import Effects, supervise
from g2c.inference import BackendError, ScriptedBackend
from g2c.loop import Budget, LoopConfig, LoopFiles, LoopRunner, heal, read_state, read_ticks
from g2c.loop.app.lifecycle import is_closed
from g2c.loop.core.folder import holder
from g2c.loop.core.journal import list_snapshots, write_note
from g2c.loop.core.types import HealerNote
from g2c.memory import MemoryStore, TranscriptLog
from g2c.tools import ToolRegistry
from maintain.crash.checks import (
    NOON,
    believed,
    check_pointers,
    check_topics,
    check_turns,
    plan_text,
    turn,
    written_in,
)
from maintain.crash.lives import Death, Life, Outcome, Say, live, random_death

WRITERS = 3
TURNS = 200
LIVES = 12
DREAMS = 4
LAST = 8
BREAKS = (3, 4)
"""The numbers of files after which the agent's model does not answer, and the tick fails."""

BUDGET = Budget(ticks=40, tokens=1_000_000)


def kill_writers(seed: int, folder: Path) -> Outcome:
    """Processes append turns to one transcript at the same time. Each is killed; others follow."""
    chance = random.Random(seed)
    outcome = Outcome()
    log = TranscriptLog(folder)
    acknowledged: list[str] = []
    for generation in range(LIVES):
        lives = live(
            [
                (_writing(folder, f"{generation}-{number}"), random_death(chance, 5_000, TURNS))
                for number in range(WRITERS)
            ]
        )
        _note(outcome, lives)
        acknowledged += [name for life in lives for name in life.acknowledged]
    outcome.counts["acknowledged"] = len(acknowledged)
    check_turns(outcome, log, acknowledged, damaged=outcome.counts["kills"])
    return outcome


def _writing(folder: Path, writer: str) -> Callable[[Say], None]:
    def work(say: Say) -> None:
        log = TranscriptLog(folder)
        for number in range(TURNS):
            one = turn(f"{writer}-{number}", long=number % 20 == 0)
            log.append(one)
            say(one.agent_id)

    return work


@believed()
def kill_dreams(seed: int, folder: Path) -> Outcome:
    """One process after the other logs turns and dreams, until it is killed."""
    chance = random.Random(seed)
    outcome = Outcome()
    turns: list[str] = []
    for number in range(LIVES):
        death = random_death(chance, 3_500, 2 * DREAMS)
        (life,) = live([(_dreaming(folder, seed, number * DREAMS), death)])
        _note(outcome, [life])
        turns += [said for said in life.acknowledged if isinstance(said, str)]
        dreams = [said for said in life.acknowledged if isinstance(said, int)]
        outcome.counts["acknowledged"] += len(dreams)
        store = MemoryStore(folder)
        topics = check_topics(outcome, store)
        check_pointers(outcome, store, exactly=not life.was_killed)
        check_turns(outcome, store.transcripts, turns, damaged=outcome.counts["kills"])
        state = store.dream_health()  # reads the dreams' state and the lock
        outcome.expect(bool(state), "the state of the dreams is empty")
        if dreams:
            versions = [topics.get(name.casefold()) for name in written_in(seed, max(dreams))]
            # The next dream may have begun, and it deletes one topic.
            gone = versions.count(None) > life.was_killed
            old = any(version < max(dreams) for version in versions if version is not None)
            outcome.counts["lost"] += gone or old
            outcome.expect(not gone and not old, f"topics of dream {max(dreams)} are gone")
    (last,) = live([(_dreaming(folder, seed, LIVES * DREAMS), Death())])
    outcome.expect(last.code == 0, "a dream after all the kills did not end well")
    store = MemoryStore(folder)
    check_topics(outcome, store)
    check_pointers(outcome, store, exactly=True)
    left = [file.name for file in folder.rglob(".*") if not file.name.endswith(("lock", "guard"))]
    outcome.expect(not left, f"files of dead processes are left: {left}")
    return outcome


def _dreaming(folder: Path, seed: int, first: int) -> Callable[[Say], None]:
    def work(say: Say) -> None:
        store = MemoryStore(folder, now=lambda: NOON)
        for number in range(first + 1, first + 1 + DREAMS):
            store.agent_id = f"turn-{number}"
            store.log_turn("user", "Remember the harbour.")
            say(store.agent_id)
            there = [topic.slug for topic in store.topics.list()]
            backend = ScriptedBackend([plan_text(seed, number, there)])
            result = store.maybe_dream(backend, force=True)
            if not result.dreamed:
                raise RuntimeError(result.reason)
            say(number)

    return work


def kill_loops(seed: int, folder: Path) -> Outcome:
    """A loop is killed and resumed until its work is done. Once, a healer leaves it a note."""
    chance = random.Random(seed)
    outcome = Outcome()
    files = LoopFiles(folder)
    acknowledged: list[Any] = []
    is_noted, with_note = False, set[int]()
    for _ in range(1_000):
        (life,) = live([(_running(folder), random_death(chance, chance.choice((1_200, 4_200)), 4))])
        _note(outcome, [life])
        acknowledged += life.acknowledged
        _check_loop(outcome, folder, [tick for tick, *_ in acknowledged])
        with_note |= _ticks_with_note(files.ticks)
        if life.code == 0 or outcome.faults:
            break
        seconds = max((spent for _, spent, _ in acknowledged), default=0.0)
        is_begun = files.state.exists()
        outcome.expect(
            not is_begun or read_state(files.state).spent.seconds >= seconds,
            "seconds that were spent are given back",
        )
        if acknowledged and not is_noted and read_state(files.state).status == "running":
            is_noted = True
            write_note(files.healer_note, HealerNote("n1", NOON, "Mind the gap."))
    outcome.expect(len(with_note) == is_noted, f"the healer's note is in the ticks {with_note}")
    _check_end(outcome, folder, [tick for tick, *_ in acknowledged])
    return outcome


def _ticks_with_note(file: Path) -> set[int]:
    """The numbers in all lines of the log, those of ticks that were not committed included."""
    lines = file.read_bytes().split(b"\n") if file.exists() else []
    ticks = [json.loads(line) for line in lines if line.endswith(b"}")]
    return {tick["tick"] for tick in ticks if tick["note"]}


def kill_supervisors(seed: int, folder: Path) -> Outcome:
    """A supervisor keeps a loop going. Both are killed, each on its own, until the work is done."""
    chance = random.Random(seed)
    outcome = Outcome()
    # The loop is there before its supervisor, as `g2c loop start` has it.
    live([(_running(folder), Death(messages=1))])
    acknowledged: list[int] = [1]
    for number in range(1_000):
        death = random_death(chance, 2_000, 5)
        (life,) = live([(_supervising(folder, seed + number), death)])
        _note(outcome, [life])
        acknowledged += life.acknowledged
        _check_loop(outcome, folder, acknowledged)
        if life.code == 0 or outcome.faults:
            break
    _check_end(outcome, folder, acknowledged)
    return outcome


def _supervising(folder: Path, seed: int) -> Callable[[Say], None]:
    """Supervise a loop whose process dies at random; pass on what the loop acknowledges."""
    chance = random.Random(seed)
    files = LoopFiles(folder)

    def run(say: Say) -> None:
        while holder(files.lock):  # of a loop whose supervisor was killed
            time.sleep(0.01)
        (loop,) = live([(_running(folder), random_death(chance, 4_200, 6))])
        for tick, *_ in loop.acknowledged:
            say(tick)

    def work(say: Say) -> None:
        effects = Effects(
            state=lambda: read_state(files.state),
            run=lambda tokens: run(say),
            heal=lambda: heal(folder, NOON),
            wait=lambda seconds: None,
            is_stop_asked=lambda: False,
            is_closed=lambda: is_closed(files, read_state(files.state)),
            tell=lambda sentence: None,
            now=lambda: NOON,
        )
        if not supervise(effects, folder / "day.json", per_day=1_000_000):
            raise RuntimeError("The supervisor gave up.")

    return work


def _check_end(outcome: Outcome, folder: Path, ticks: list[int]) -> None:
    outcome.counts["acknowledged"] = len(ticks)
    outcome.counts["doubled"] = len(ticks) - len(set(ticks))
    state = read_state(folder / "state.md")
    written = [f"written: {number}" for number in range(1, LAST + 1)]
    outcome.expect((state.status, state.tick) == ("done", LAST), f"the loop is {state.status}")
    outcome.expect(state.body.split("\n") == written, f"the state says {state.body!r}")
    outcome.expect(len(ticks) == len(set(ticks)), "a tick was acknowledged twice")
    there = {file.name: file.read_text() for file in (folder / "work").iterdir()}
    wanted = {f"{n}.txt": str(n) for n in range(1, LAST + 1)}
    outcome.expect(there == wanted, f"the files are {there}")
    kept = [topic.description for topic in MemoryStore(folder / "memory").topics.list()]
    outcome.expect(len(kept) == 1 and "success" in kept[0], f"the memory has of it: {kept}")


def _running(folder: Path) -> Callable[[Say], None]:
    def work(say: Say) -> None:
        clock = count()
        runner = LoopRunner(
            lambda tools: Agent(_model(folder / "work"), ToolRegistry(tools), plan=False),
            MemoryStore(folder / "memory", now=lambda: NOON),
            LoopConfig(evolve=False),
            folder,
            now=lambda: NOON,
            clock=lambda: float(next(clock)),
            on_tick=lambda state, record: say([record.tick, state.spent.seconds, state.body]),
        )
        is_new = not runner.files.state.exists()
        runner.run("Write the files." if is_new else None, BUDGET if is_new else None)

    return work


def _model(work: Path) -> ScriptedBackend:
    """A model that writes the next file after those in the state, and notes it in the state."""
    number = 0

    def write(prompt: str) -> str:
        nonlocal number
        number = prompt.count("written: ") + 1
        (work / f"{number}.txt").write_text(str(number))
        text = "\n".join(f"written: {n}" for n in range(1, number + 1))
        return f"Action: update_state\nAction Input: {json.dumps({'text': text})}"

    def end(prompt: str) -> str:
        if number in BREAKS:
            raise BackendError("The server is gone.")
        if number == LAST:
            return 'Action: finish\nAction Input: {"summary": "All are written."}'
        return f"Final Answer: {number}.txt is written."

    return ScriptedBackend([write, end, "Final Answer: All are written."])


def _check_loop(outcome: Outcome, folder: Path, acknowledged: list[int]) -> None:
    files = LoopFiles(folder)
    if not files.state.exists():
        outcome.expect(not acknowledged, "ticks were acknowledged, and there is no state")
        return
    state = read_state(files.state)
    logged = [tick.tick for tick in read_ticks(files.ticks)]
    lost = len(set(acknowledged) - set(logged[: state.tick]))
    outcome.counts["lost"] += lost
    outcome.expect(not lost, f"{lost} ticks were acknowledged and are not there")
    outcome.expect(logged == [*range(1, len(logged) + 1)], f"the ticks are numbered {logged}")
    outcome.expect(len(logged) - state.tick in (0, 1), "more than one tick is not committed")
    outcome.expect(state.spent.ticks == state.tick, "a tick was spent twice, or not at all")
    for number in list_snapshots(files):
        kept = read_state(files.snapshot(number) / "state.md")
        outcome.expect(kept.tick == number, f"the snapshot {number} holds tick {kept.tick}")


def _note(outcome: Outcome, lives: list[Life]) -> None:
    outcome.counts["lives"] += len(lives)
    outcome.counts["kills"] += sum(life.was_killed for life in lives)
    for life in lives:
        outcome.expect(life.was_killed or life.code == 0, f"a process ended with {life.code}")
