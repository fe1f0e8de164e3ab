"""How a loop begins, goes on and ends.

A new loop and one that was killed in its twelfth tick begin alike: from the state on the disk. When
a loop has ended, it becomes a memory, and its lessons may change the agent. A crash can come
between any two of these steps, so each is noted. A step that may safely run twice is noted after it
is done, a step that must not run twice before.
"""

import functools
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from g2c.files import read_bytes
from g2c.foreign_json import load_json
from g2c.inference import Backend
from g2c.json_files import replace_own_json
from g2c.loop.app.evolution import evolve
from g2c.loop.app.lessons import turns_of
from g2c.loop.core.folder import LoopFiles
from g2c.loop.core.identity import ensure_config
from g2c.loop.core.journal import read_ticks
from g2c.loop.core.state import read_state, write_state
from g2c.loop.core.types import Budget, LoopError, LoopState, SessionSummary, Spent, TickRecord
from g2c.loop.core.words import clip
from g2c.loop.summarize import summarize
from g2c.memory import MemoryStore, Topic
from g2c.text import named_reason


def open_loop(
    files: LoopFiles, goal: str | None, budget: Budget | None, now: datetime
) -> LoopState:
    """The state to begin with. It is on the disk when this returns.

    A goal begins a new loop. The files of an earlier loop that has ended move to `past/`; what the
    agent has learned stays. Without a goal the loop in the folder goes on, with a new `budget` if
    one is given. If it was stopped, or had used up its budget, it is running again.

    Raises:
        LoopError: the goal is blank; there is no loop to go on with; the loop to replace has not
            ended; the state cannot be read.
    """
    ensure_config(files.agent)
    if goal is not None:
        if not goal.strip():
            raise LoopError("A loop needs a goal in words.")
        _set_aside(files, now)
        state = LoopState(goal.strip(), "running", 0, budget or Budget(), Spent(), now, now)
    else:
        if not files.state.exists():
            raise LoopError(
                f"There is no loop in {files.root}; g2c loop start{files.options} begins one."
            )
        state = read_state(files.state)
        state = replace(state, budget=budget or state.budget)
        if state.status == "stopped":
            # A crash may have ended the loop and left the request.
            files.stop.unlink(missing_ok=True)
        if state.status in ("stopped", "budget_exceeded"):
            state = replace(state, status="running")
    write_state(files.state, state)
    return state


def check_replaceable(files: LoopFiles) -> LoopState | None:
    """The state of the ended loop that a new one may replace; None if there is no loop.

    Raises:
        LoopError: the loop has not ended, or its state cannot be read.
    """
    if not files.state.exists():
        return None
    old = read_state(files.state)
    if old.status in ("running", "stopped"):
        raise LoopError(
            f"The loop in {files.root} has not ended; go on with g2c loop resume{files.options}, "
            f"end it with g2c loop abandon{files.options}, or begin the new one in another folder."
        )
    return old


def abandon(
    files: LoopFiles, *, store: MemoryStore | None, now: datetime, tell: Callable[[str], None]
) -> Path:
    """End the loop in the folder, whatever its state says, so that a new one can begin. The memory
    keeps it as abandoned. Returns the folder in `past/` to which its files are moved.

    Raises:
        LoopError: the state cannot be read; delete or mend the file that the message names.
        FileNotFoundError: there is no loop.
    """
    state = replace(read_state(files.state), status="stopped", updated=now)
    write_state(files.state, state)
    close_loop(files, state, store=store, backend=None, now=now, tell=tell)
    return _move_to_past(files, state.started)


def _set_aside(files: LoopFiles, now: datetime) -> None:
    old = check_replaceable(files)
    # If the state alone is gone, what lies there is still another loop's.
    if old or files.ticks.exists() or files.snapshots.exists():
        _move_to_past(files, old.started if old else now)


def _move_to_past(files: LoopFiles, began: datetime) -> Path:
    past = files.root / "past" / f"{began:%Y%m%d-%H%M%S-%f}"
    past.mkdir(parents=True, exist_ok=True)
    # The state moves last: as long as it is there, this is done again after a crash.
    parts = (files.ticks, files.conversation, files.snapshots, files.healer_note, files.ended)
    for part in (*parts, files.state):
        if part.exists():
            part.rename(past / part.name)
    for wish in (files.stop, files.day):  # they were about that loop
        wish.unlink(missing_ok=True)
    return past


CLOSED = "closed"
"""The note that no step of a loop's end is left."""


def close_loop(
    files: LoopFiles,
    state: LoopState,
    *,
    store: MemoryStore | None,
    backend: Backend | None,
    now: datetime,
    tell: Callable[[str], None],
    ask: bool = False,
) -> None:
    """Remember in `store` how the loop in `state` ended, and evolve with `backend`. If one of the
    two is None, its step is left out. With `ask`, a change waits for a person. Each step is done
    once per end of the loop, however often this is called.

    If one step fails, `tell` gets a sentence and the other still runs.
    """
    if state.tick == 0:
        return
    end = _end_of(state)
    done = _read(files, end)

    @functools.cache
    def ticks() -> tuple[TickRecord, ...]:
        return read_ticks(files.ticks, state.tick)

    @functools.cache
    def summary() -> SessionSummary:
        return summarize(state, ticks())

    def note(step: str) -> None:
        done.append(step)
        replace_own_json(files.ended, end | {"done": done})

    def remember() -> None:
        if store is not None and "memory" not in done:
            consolidate_session(store, summary())
            note("memory")

    def learn() -> None:
        if backend is not None and "evolution" not in done:
            ended = summary()
            note("evolution")
            evidence = turns_of(ticks())
            result = evolve(files.agent, ended, backend, now, evidence=evidence, ask=ask)
            tell(f"Evolution: {result.reason}")

    for name, step in (("memory", remember), ("evolution", learn)):
        try:
            step()
        except NotImplementedError:
            raise  # an exercise that has no body yet is not a step that went wrong
        except Exception as error:
            tell(f"The loop's {name} was left out ({named_reason(error)}).")
        except KeyboardInterrupt:
            tell(f"The loop's {name} was interrupted.")
    if CLOSED not in done:
        note(CLOSED)


def is_closed(files: LoopFiles, state: LoopState) -> bool:
    """Whether the process that ended the loop took all steps of its end, or there are none."""
    return state.tick == 0 or CLOSED in _read(files, _end_of(state))


def _end_of(state: LoopState) -> dict[str, Any]:
    return {"tick": state.tick, "status": state.status}


def _read(files: LoopFiles, end: dict[str, Any]) -> list[str]:
    """The steps that are noted for this end of the loop."""
    try:
        data = load_json(read_bytes(files.ended))
        return list(data["done"]) if data | end == data else []
    except (OSError, ValueError, TypeError, KeyError):
        return []


MAX_TOPIC_CHARS = 20_000
"""The longest transcript that becomes a topic. With the rest of the topic it is below the limit of
25,000 bytes, as long as the characters are ASCII."""


def consolidate_session(store: MemoryStore, summary: SessionSummary) -> Topic:
    """Keep the loop in the agent's memory, as a topic that recall finds, and return the topic.

    The topic is named after the loop's start, so a second call changes nothing.

    Raises:
        OSError: the memory cannot be written.
    """
    started = summary.started.astimezone(UTC)
    spent = summary.spent
    goal = clip(" ".join(summary.goal.split()), 300)
    ticks = "1 tick" if summary.ticks == 1 else f"{summary.ticks} ticks"
    facts = (
        f"On {started:%Y-%m-%d} a loop had this goal: {goal}\n"
        f"It ended in {summary.outcome} ({summary.status}), after {ticks}, "
        f"{spent.tokens:,} tokens and {spent.seconds:,.0f} seconds."
    )
    most = MAX_TOPIC_CHARS
    if len(summary.transcript.encode("utf-8", "backslashreplace")) > most:
        most //= 6  # a character may be written as \udc80, which takes six bytes
    return store.write_topic(
        f"Loop {started:%Y-%m-%d %H:%M:%S.%f}",
        f"{summary.outcome}: {clip(goal, 100)}",
        f"{facts}\n\n{clip(summary.transcript, most)}",
        type="episode",
    )
