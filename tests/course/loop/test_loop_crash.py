"""A loop that is killed, again and again, by SIGKILL, and goes on until its work is done.

Each life of the loop is a fork of this process, which kills itself at a line of the loop's code
that chance has chosen. Every line is a place where a process may die, and between any two files
that are written there is one; the seed makes a failure come again.
"""

from __future__ import annotations

import json
import os
import random
import signal
import sys
from collections.abc import Callable, Iterator, Mapping
from datetime import UTC, datetime
from functools import cache
from importlib import import_module
from pathlib import Path
from types import FrameType
from typing import Any

import pytest
from loops import acting
from references import references

from g2c.inference import BackendError
from g2c.loop.app.runner import LoopRunner
from g2c.loop.core.folder import LoopFiles
from g2c.loop.core.journal import list_snapshots, read_note, read_ticks, write_note
from g2c.loop.core.state import read_state
from g2c.loop.core.types import Budget, HealerNote, LoopConfig, LoopState, TickRecord
from g2c.memory import MemoryStore

NOON = datetime(2026, 4, 21, 12, tzinfo=UTC)
LOOPS = int(os.environ.get("G2C_CRASH_LOOPS", "50"))
SEED = int(os.environ.get("G2C_CRASH_SEED", "0"))
LAST = 8
"""The work: as many files, one in each tick that does not break."""

BREAKS = (3, 4)
"""The ticks whose agent breaks, after it has done its work."""

BUDGET = Budget(ticks=20, tokens=10_000)
READERS = {"state.py", "config.py", "versions.py", "heal.py", "healer_log.py", "base.py"}
"""Most of the loop's lines are theirs, and they write nothing but by way of `g2c.files`."""

pytestmark = [pytest.mark.slow, pytest.mark.skipif(not hasattr(os, "fork"), reason="needs os.fork")]


@pytest.fixture(scope="module", autouse=True)
def reference() -> Iterator[None]:
    with references(fsync=False):
        yield


def work_in(folder: Path) -> Callable[[str, Mapping[str, Callable[..., Any]]], str]:
    """An agent that writes the file after those that its state names, says so, and knows when it
    is done. What it does twice does no harm, as it must be where a tick may run again."""

    def act(prompt: str, tools: Mapping[str, Callable[..., Any]]) -> str:
        number = prompt.count("written: ") + 1
        (folder / f"{number}.txt").write_text(str(number))
        tools["update_state"](text="\n".join(f"written: {n}" for n in range(1, number + 1)))
        if number in BREAKS:
            raise BackendError("The server is gone.")
        if number == LAST:
            tools["finish"](summary="All are written.")
        return f"{number}.txt is written."

    return act


@cache
def writes(file: str) -> bool:
    """Whether the lines of that file of code are counted."""
    path = Path(file)
    is_loops = path.parent.name == "loop" and path.name not in READERS
    return is_loops or path.match("g2c/files.py")


def live(root: Path, killed_at: int, say: Callable[[object], None]) -> None:
    """One life of the loop in `root`; it kills itself before the line number `killed_at`."""
    lines = 0

    def count(frame: FrameType, event: str, argument: object) -> Any:
        nonlocal lines
        if event == "line":
            lines += 1
            if lines == killed_at:
                os.kill(os.getpid(), signal.SIGKILL)
        return count

    def trace(frame: FrameType, event: str, argument: object) -> Any:
        return count if writes(frame.f_code.co_filename) else None

    def on_tick(state: LoopState, record: TickRecord) -> None:
        say([record.tick, state.spent.ticks, state.spent.seconds, state.body])

    clock = iter(range(1_000_000))
    runner = LoopRunner(
        acting(work_in(root / "work")),
        MemoryStore(root / "memory", now=lambda: NOON),
        LoopConfig(evolve=False),
        root,
        now=lambda: NOON,
        clock=lambda: float(next(clock)),
        on_tick=on_tick,
    )
    begun = runner.files.state.exists()
    sys.settrace(trace)
    try:
        state = runner.run(None if begun else "Write the files.", None if begun else BUDGET)
    finally:
        sys.settrace(None)
    say([state.status, lines])


def fork(root: Path, killed_at: int) -> tuple[list[list[Any]], int]:
    """What one life said before it ended, and its exit code."""
    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        try:
            live(root, killed_at, lambda said: os.write(writing, json.dumps(said).encode() + b"\n"))
            os._exit(0)
        except BaseException:
            import traceback

            traceback.print_exc()
            os._exit(1)
    os.close(writing)
    with os.fdopen(reading) as pipe:
        said = [json.loads(line) for line in pipe]
    return said, os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def lines_of_a_life(folder: Path) -> int:
    """How many lines the loop takes where nobody kills it."""
    said, code = fork(folder, 0)
    assert code == 0 and said[-1][0] == "done"
    lines: int = said[-1][1]
    return lines


def assert_sound(root: Path, acknowledged: list[list[Any]]) -> None:
    """What must be so whenever the process has died."""
    if not (root / "state.md").exists():
        assert not acknowledged
        return
    state = read_state(root / "state.md")
    logged = read_ticks(root / "ticks.jsonl")
    assert [tick.tick for tick in logged] == [*range(1, len(logged) + 1)], "numbers without a gap"
    assert len(logged) in (state.tick, state.tick + 1), "at most the last one is not committed"
    assert state.spent.ticks == state.tick, "each number is spent once"
    if acknowledged:
        tick, ticks, seconds, _ = acknowledged[-1]
        assert state.tick >= tick, "what was acknowledged is in the state"
        assert state.spent.ticks >= ticks and state.spent.seconds >= seconds, (
            "nothing is given back"
        )
    for tick, *_, body in acknowledged:
        assert body.count("written") == tick and logged[tick - 1].tick == tick
    for number in list_snapshots(LoopFiles(root)):
        snapshot = read_state(root / "snapshots" / f"{number:06}" / "state.md")
        assert snapshot.tick == number, "a snapshot is there whole or not at all"


def is_running(root: Path) -> bool:
    file = root / "state.md"
    return file.exists() and read_state(file).status == "running"


def ticks_with_note(file: Path) -> set[int]:
    """The numbers in all lines of the log, those of ticks that were not committed included."""
    lines = file.read_bytes().split(b"\n") if file.exists() else []
    ticks = [json.loads(line) for line in lines if line.endswith(b"}")]
    return {tick["tick"] for tick in ticks if tick["note"]}


def test_a_loop_that_is_killed_again_and_again_gets_its_work_done(tmp_path: Path) -> None:
    import_module("yaml")  # once, and not in each fork
    length = lines_of_a_life(tmp_path / "whole")
    chance = random.Random(SEED)
    kills = 0
    for number in range(LOOPS):
        root = tmp_path / str(number)
        acknowledged: list[list[Any]] = []
        shown: set[int] = set()
        is_noted = False
        for _ in range(1_000):
            # Some lives end as they open the loop, most in a tick, and some as they close it.
            said, code = fork(root, chance.randrange(1, chance.choice((length // 3, length))))
            acknowledged += [words for words in said if isinstance(words[0], int)]
            assert_sound(root, acknowledged)
            shown |= ticks_with_note(root / "ticks.jsonl")
            if code == 0:
                break
            assert code == -signal.SIGKILL, f"seed {SEED}, loop {number}: a life ended with {code}"
            kills += 1
            if kills % 3 == 0 and not is_noted and is_running(root):
                is_noted = True
                write_note(root / "healer_note.json", HealerNote("n1", NOON, "Mind the gap."))
        state = read_state(root / "state.md")
        assert (state.status, state.tick) == ("done", LAST), f"seed {SEED}, loop {number}"
        assert said[-1][0] == "done"
        written = {file.name: file.read_text() for file in (root / "work").iterdir()}
        assert written == {f"{n}.txt": str(n) for n in range(1, LAST + 1)}
        assert len(shown) == is_noted, f"a note is for one tick, not for {shown}"
        assert read_note(root / "healer_note.json") is None
        (topic,) = MemoryStore(root / "memory").topics.list()
        assert "success" in topic.description
    assert kills >= 2 * LOOPS, f"only {kills} kills"
    print(f"{kills} kills of {LOOPS} loops, each of {length} lines")
