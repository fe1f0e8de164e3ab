"""Swarms: a supervisor and its workers die at any moment, or sixteen workers want the same errands.

Each errand takes effect once, whichever process dies. If a worker's result was acknowledged, it is
stored unchanged. No acknowledged line of the record is missing.
"""

import json
import os
import random
from collections.abc import Callable, Sequence
from pathlib import Path

from g2c.json_files import read_object
from g2c.loop.core.folder import exclusive, holder
from g2c.swarm.app.folder import Found, Posted, SwarmFiles, name_of
from g2c.swarm.app.leases import Leases
from g2c.swarm.app.record import Record
from g2c.swarm.app.supervisor import Supervisor
from g2c.swarm.app.worker import Effects, work
from g2c.swarm.core.reading import Errand, File
from g2c.swarm.core.reports import Claim
from maintain.crash.lives import Outcome, Say, live, random_death
from maintain.crash.races import Start, race

ERRANDS = 12
WORKERS = 3
GENERATION_S = 1_000.0
"""The clock moves on by this much after each generation, so that all leases are over."""

LOOKS = 2_000
ALONE = 7
"""The exit code of a supervisor that gave up waiting: its workers are dead."""

ASKED = [Errand(f"the code of room {number}", (f"{number}.txt",)) for number in range(ERRANDS)]


def kill_swarms(seed: int, folder: Path) -> Outcome:
    """A supervisor and three workers, each killed, until all errands have ended."""
    chance = random.Random(seed)
    outcome = Outcome()
    files = SwarmFiles(folder / "swarm")
    acknowledged: list[list[object]] = []
    for generation in range(1_000):
        now = generation * GENERATION_S
        works = [_supervising(files)]
        works += [_working(files, f"w{generation}-{number}", now) for number in range(WORKERS)]
        lives = live([(work, random_death(chance, 3_000, 12)) for work in works])
        outcome.counts.update(lives=len(lives), kills=sum(life.was_killed for life in lives))
        for life in lives[1:]:
            acknowledged += life.acknowledged
        for life in lives:
            ended = life.was_killed or life.code in (0, ALONE)
            outcome.expect(ended, f"a process ended with {life.code}")
        _check(outcome, files, acknowledged)
        if lives[0].code == 0 or outcome.faults:
            break
    done = len(list(files.results()))
    outcome.counts["acknowledged"] = len(acknowledged)
    outcome.counts["lost"] += ERRANDS - done
    outcome.expect(done == ERRANDS, f"{ERRANDS - done} errands have no result")
    return outcome


def race_swarms(seed: int, folder: Path) -> Outcome:
    """All take the errands of one swarm."""
    outcome = Outcome()
    files = SwarmFiles(folder / "swarm")
    for errand in ASKED:
        files.post(Posted(name_of(errand, 1), errand, 10))

    def run(number: int, start: Start, say: Say) -> None:
        _work(files, f"w{number}", float(seed), say, lambda: False)

    acknowledged = [event for life in race(seed, outcome, run) for event in life.acknowledged]
    _check(outcome, files, acknowledged)
    kept = [event for event in acknowledged if event[0] == "kept"]
    outcome.counts.update(acknowledged=len(acknowledged), winners=len(kept))
    outcome.counts["lost"] += ERRANDS - len(kept)
    outcome.expect(len(kept) == ERRANDS, f"{len(kept)} of {ERRANDS} errands were kept")
    return outcome


def _supervising(files: SwarmFiles) -> Callable[[Say], None]:
    def work_on(say: Say) -> None:
        looks = iter(range(LOOKS))

        def wait() -> None:
            if next(looks, None) is None:
                os._exit(ALONE)

        readable = [File(errand.files[0], 5) for errand in ASKED]
        with exclusive(files.lock):
            supervisor = Supervisor(files, readable, at_once=4, budget=100_000, wait=wait)
            replies = supervisor.ask(ASKED)
            values = [claim.value for reply in replies for claim in reply.claims]
            if values != [errand.files[0] for errand in ASKED]:
                raise RuntimeError(f"The supervisor was told {values}.")

    return work_on


def _working(files: SwarmFiles, worker: str, now: float) -> Callable[[Say], None]:
    def work_on(say: Say) -> None:
        looks = iter(range(LOOKS))

        def wait() -> bool:
            return next(looks, None) is not None and holder(files.lock) is not None

        _work(files, worker, now, say, wait)

    return work_on


def _work(files: SwarmFiles, worker: str, now: float, say: Say, wait: Callable[[], bool]) -> None:
    def read(errand: Errand) -> Found:
        claim = Claim(errand.look_for, errand.files[0], errand.files)
        return Found(worker, (claim,), errand.files, tokens=3)

    leases = ReportingLeases(files, GENERATION_S / 2, lambda: now, say)
    with Record(files.record, worker, lambda: now) as record:
        work(files, worker, leases, record, Effects(read, wait))


class ReportingLeases(Leases):
    """Leases that report when an errand ends, before and after its result is stored."""

    def __init__(
        self, files: SwarmFiles, seconds: float, now: Callable[[], float], say: Say
    ) -> None:
        super().__init__(files, seconds, now)
        self._say = say

    def finish(self, name: str, worker: str, number: int, found: Found) -> bool:
        # The line about the result is on the disk before this call.
        self._say(["recorded", name, worker, number])
        if is_kept := super().finish(name, worker, number, found):
            self._say(["kept", name, worker, number])
        return is_kept


def _check(outcome: Outcome, files: SwarmFiles, acknowledged: Sequence[Sequence[object]]) -> None:
    """Check that what was acknowledged is true, and each errand and each line is there once."""
    kept = [tuple(event[1:3]) for event in acknowledged if event[0] == "kept"]
    doubled = len(kept) - len({name for name, _ in kept})
    outcome.counts["doubled"] += doubled
    outcome.expect(not doubled, f"{doubled} errands were kept twice")
    for name, worker in kept:
        result = read_object(files.found / f"{name}.json")
        outcome.expect(
            result.get("worker") == worker, f"{name} was kept for {worker}, and says {result}"
        )
    if not files.record.exists():
        return
    lines = []
    for line in files.record.read_text("utf-8").split("\n"):
        try:
            lines.append(json.loads(line))
        except ValueError:
            continue  # a kill tore it
    there = [(event["errand"], event["agent"]) for event in lines if event["what"] == "found"]
    recorded = [tuple(event[1:3]) for event in acknowledged if event[0] == "recorded"]
    missing = set(recorded) - set(there)
    outcome.counts["lost"] += len(missing)
    outcome.expect(not missing, f"lines of the record are missing: {sorted(missing)[:3]}")
