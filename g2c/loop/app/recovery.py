"""Carries out the healer's decisions: reads a loop's folder, asks your `decide`, and acts.

It works from outside, on a loop that no process runs. Each layer fails to a more visible one. A
failed tick is an entry in a log. A failed loop is restored. If that is impossible, a flare goes to
the outbox. If the flare cannot be written, a sentence on the terminal and an exit code remain. A
limit on recoveries works only if each is counted before it happens, so the log gets one line before
a recovery begins and one when it is complete.
"""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import nullcontext
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import Literal

from g2c.clocks import not_after
from g2c.files import append_line, diff_of, read_bytes, replace_bytes
from g2c.foreign_json import load_json
from g2c.json_files import record_from, record_of
from g2c.loop.core.folder import LoopFiles, exclusive
from g2c.loop.core.journal import (
    list_snapshots,
    read_conversation,
    read_ticks,
    write_conversation,
    write_note,
)
from g2c.loop.core.state import StateError, read_state, render_state, write_state
from g2c.loop.core.types import (
    DEFAULTS,
    Decision,
    HealConfig,
    HealerNote,
    HealHistory,
    LoopError,
    LoopState,
)
from g2c.loop.core.words import clip
from g2c.loop.decide import decide
from g2c.text import reason_of

MAX_ERROR_CHARS = 300
"""How much of a tick's error goes into the note, and so into a prompt."""


@dataclass(frozen=True)
class HealResult:
    """A healer's decision, and the actions it took or would take.

    `message` is a sentence for people. `diff` is the change of the state file. `unsent` is a flare
    that could not be written to the outbox; it is empty if all is well.
    """

    decision: Decision
    message: str
    diff: str = ""
    unsent: str = ""


def read_history(root: Path) -> HealHistory:
    """The healer's knowledge of the loop in `root`.

    Ticks above the state file's number were never committed and do not count. Snapshots with an
    unreadable state do not count. A recovery that a crash cut short will be made again, so it does
    not count yet, unless the loop went on after it.

    Raises:
        OSError: a file cannot be read.
    """
    files = LoopFiles(root)
    events = read_events(files.healer_log)
    state, trouble = _state_of(files)
    loop, tick = (_name(state), state.tick) if state else ("", None)
    complete = {event.id for event in events if event.kind == "recovered"}
    begun = {event.id: event for event in events if event.kind == "recovery"}
    ours = [event.tick for event in events if event.loop == loop and event.id in complete]
    return HealHistory(
        ticks=read_ticks(files.ticks, tick),
        snapshots=tuple(filter(lambda n: _is_sound(files, n), list_snapshots(files))),
        recoveries=tuple(
            event.ts
            for event in begun.values()
            if event.id in complete or (event.loop, event.tick) != (loop, tick)
        ),
        panic_flares=tuple(event.ts for event in events if event.kind == "panic"),
        recovered_tick=max(ours, default=0),
        trouble=trouble,
    )


def heal(
    root: Path, now: datetime, *, config: HealConfig = DEFAULTS, dry_run: bool = False
) -> HealResult:
    """Ask `decide` about the loop in `root` and do what it says. With `dry_run`, only report it.

    Only a loop whose state is running or failed can be healed. A restore that fails becomes a
    panic.

    Raises:
        LoopError: there is no loop, or another process is at work on it.
        OSError: a file that the decision needs cannot be read.
    """
    files = LoopFiles(root)
    if not files.state.exists():
        begin = f"g2c loop start{files.options}"
        raise LoopError(f"There is no loop in {root}; {begin} begins one.")
    with nullcontext() if dry_run else exclusive(files.lock):
        if not dry_run:
            _bound_times(files.healer_log, now)
        history = read_history(root)
        state, _ = _state_of(files)
        if state and state.status not in ("running", "failed"):
            decision = Decision("none", f"The loop is {state.status.replace('_', ' ')}.")
        else:
            decision = decide(history, now, config)
        try:
            return apply(root, decision, now, dry_run=dry_run)
        except (OSError, LoopError) as error:
            trouble = f"The snapshot {decision.snapshot} cannot be restored: {reason_of(error)}"
            decision = decide(replace(history, trouble=trouble), now, config)
            return apply(root, decision, now, dry_run=dry_run)


def apply(root: Path, decision: Decision, now: datetime, *, dry_run: bool = False) -> HealResult:
    """Do what was decided for the loop in `root`. With `dry_run`, only report it.

    A restore takes body, directive, feedback and conversation from the snapshot. Goal, budget, tick
    number and costs stay. Replacing the state file is the commit point. If a crash comes before it,
    the recovery is made again; if after it, only the messages are missing.

    A flare that cannot be written to the outbox is returned as `unsent`.

    Raises:
        LoopError: the snapshot cannot be read.
        OSError: a file of the loop cannot be read or written.
    """
    files = LoopFiles(root)
    if decision.action == "restore" and decision.snapshot is not None:
        return _restore(files, decision, decision.snapshot, now, dry_run)
    if decision.action == "none":
        return HealResult(decision, f"Nothing to do: {decision.reason}")
    message = f"The loop in {root} needs you: {decision.reason}"
    if dry_run or not decision.flare:
        return HealResult(decision, message)
    state, _ = _state_of(files)
    event = _event("panic", state, now, message)
    # The log has the flare too, so that emptying the outbox does not cause the next one.
    return HealResult(decision, message, unsent=_send(event, (files.healer_log, files.flares)))


def _restore(
    files: LoopFiles, decision: Decision, number: int, now: datetime, dry_run: bool
) -> HealResult:
    source = replace(files, root=files.snapshot(number))
    good, now_there = read_state(source.state), read_state(files.state)
    restored = replace(
        now_there,
        status="running",
        updated=now,
        body=good.body,
        directive=good.directive,
        feedback=good.feedback,
    )
    name = files.state.name
    diff = diff_of({name: render_state(now_there)}, {name: render_state(restored)}) + "\n"
    what = (
        f"{files.conversation} and, in {files.state}, body, directive and feedback as they were "
        f"after tick {number}, from {source.root}"
    )
    if dry_run:
        message = (
            f"{decision.reason} Would restore {what}; leave a note to the next tick in "
            f"{files.healer_note}; and put a flare into {files.flares}."
        )
        return HealResult(decision, message, diff)
    message = f"{decision.reason} Restored {what}. To go on: g2c loop resume{files.options}."
    begun = _event("recovery", now_there, now, message)
    append_event(files.healer_log, begun)
    write_note(files.healer_note, HealerNote(begun.id, now, _note(files, now_there, number)))
    write_conversation(files.conversation, read_conversation(source.conversation))
    write_state(files.state, restored)
    unsent = _send(begun, (files.flares,)) if decision.flare else ""
    append_event(files.healer_log, replace(begun, kind="recovered", text=""))
    return HealResult(decision, message, diff, unsent)


def _note(files: LoopFiles, state: LoopState, number: int) -> str:
    ticks = read_ticks(files.ticks, state.tick)
    error = " ".join(ticks[-1].error.split()) if ticks else ""
    return (
        f"The last ticks failed, up to tick {state.tick}: {clip(error, MAX_ERROR_CHARS)}\n"
        f"Your state is again as it was after tick {number}; the files that you work on are not. "
        "Look at them first, and do it in another way."
    )


def _send(event: HealEvent, logs: Iterable[Path]) -> str:
    """Add the event to the logs. Returns its text if a log could not be written, else nothing."""
    try:
        for log in logs:
            append_event(log, event)
    except OSError as error:
        return f"{event.text} (No flare could be sent: {reason_of(error)})"
    return ""


def _event(kind: EventKind, state: LoopState | None, now: datetime, text: str) -> HealEvent:
    loop, tick = (_name(state), state.tick) if state else ("", 0)
    return HealEvent(kind, f"{loop}-{tick}", now, loop, tick, text)


def _name(state: LoopState) -> str:
    """A distinct name for each loop that used the same folder."""
    return f"{state.started:%Y%m%dT%H%M%S.%f}"


def _state_of(files: LoopFiles) -> tuple[LoopState | None, str]:
    try:
        return read_state(files.state), ""
    except StateError as error:
        return None, str(error)


def _is_sound(files: LoopFiles, number: int) -> bool:
    try:
        read_state(files.snapshot(number) / files.state.name)
    except (StateError, OSError):
        return False
    return True


EventKind = Literal["recovery", "recovered", "panic"]


@dataclass(frozen=True)
class HealEvent:
    """A line of a log: a recovery begins, a recovery is complete, or the healer panics.

    Both lines of a recovery have the same `id`. `loop` is when the loop was started, `tick` its
    last tick, and `text` is for a person.
    """

    kind: EventKind
    id: str
    ts: datetime
    loop: str
    tick: int
    text: str = ""


def read_events(file: Path) -> tuple[HealEvent, ...]:
    """The events in `file`, oldest first. Torn lines are skipped; without a file there are none."""
    lines = read_bytes(file).split(b"\n") if file.exists() else []
    return tuple(event for line in lines if (event := _event_of(line)))


def _bound_times(file: Path, now: datetime) -> None:
    """Write down that events of the future happened now. A clock that was ahead wrote them, and as
    new ones they would stop each recovery until the clock is there again."""
    lines = read_bytes(file).split(b"\n") if file.exists() else []
    bounded = [
        _line_of(replace(event, ts=not_after(event.ts, now))).encode("utf-8", "backslashreplace")
        if (event := _event_of(line)) and event.ts > now
        else line
        for line in lines
    ]
    if bounded != lines:
        replace_bytes(file, b"\n".join(bounded))


def append_event(file: Path, event: HealEvent) -> None:
    """Add `event` at the end of `file`, and wait until it is on the disk.

    Raises:
        OSError: it could not be written.
    """
    append_line(file, _line_of(event))


def _line_of(event: HealEvent) -> str:
    return record_of(vars(event))


def _event_of(line: bytes) -> HealEvent | None:
    try:
        return record_from(load_json(line), HealEvent)
    except ValueError:
        return None
