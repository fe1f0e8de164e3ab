"""The supervisor of a loop: it runs the loop, heals it, waits, and gives up.

The loop is another process, so what kills the loop does not kill the supervisor. All that the
supervisor must remember is on the disk, in the loop's own state and in one small file. So it can be
killed as well, and the next one continues.
"""

from collections.abc import Callable
from dataclasses import asdict, dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Literal

from g2c.json_files import read_object, record_from, replace_own_json
from g2c.loop.app.recovery import HealResult
from g2c.loop.core.types import LoopState

FIRST_WAIT_S, MAX_WAIT_S = 1.0, 300.0
MAX_RUNS_WITHOUT_TICK = 10
"""Runs in a row, about nine minutes with the waits between them, after which the cause of a loop
that cannot even begin will not go away by itself."""

Move = Literal["run", "heal", "wait for tomorrow", "end"]


@dataclass(frozen=True)
class Day:
    """A day's budget: the date, and the loop's tokens when it began."""

    date: str = ""
    tokens_before: int = 0


def next_move(state: LoopState, *, crashed: bool, per_day: int | None, day: Day) -> Move:
    """Decide what to do with a loop that no process runs. `crashed`: its process ended while its
    state says `running`.

    A stop is a person's wish, so a stopped loop is left alone. A budget that is used up ends the
    work, unless it is the day's.
    """
    if state.status in ("done", "stopped"):
        return "end"
    if state.status == "failed" or crashed:
        return "heal"
    if state.status == "budget_exceeded" and (per_day is None or _is_spent(state)):
        return "end"
    if per_day is not None and state.spent.tokens >= day.tokens_before + per_day:
        return "wait for tomorrow"
    return "run"


def _is_spent(state: LoopState) -> bool:
    """Whether the loop's own budget, which no new day renews, is used up."""
    spent, most = state.spent, state.budget
    pairs = ((most.ticks, spent.ticks), (most.tokens, spent.tokens), (most.seconds, spent.seconds))
    return any(bound is not None and used >= bound for bound, used in pairs)


def wait_after(failures: int) -> float:
    """Seconds to wait after so many runs in a row without a new tick.

    >>> [wait_after(n) for n in (0, 1, 2, 3, 100)]
    [0.0, 1.0, 2.0, 4.0, 300.0]
    """
    return min(FIRST_WAIT_S * 2 ** (min(failures, 20) - 1), MAX_WAIT_S) if failures else 0.0


def today(file: Path, state: LoopState, now: datetime) -> Day:
    """The day's budget in `file`; a new one if the day is new or the file cannot be read. A day
    that is yet to come counts as today."""
    date, tokens_before = now.date().isoformat(), state.spent.tokens
    known = record_from(read_object(file), Day)
    if known and known.date == date:
        return known
    if known and known.date > date:  # a clock was wrong
        tokens_before = known.tokens_before
    day = Day(date, tokens_before)
    replace_own_json(file, asdict(day))
    return day


def until_tomorrow(now: datetime) -> float:
    """Seconds until the next day begins in the zone of `now`."""
    tomorrow = now + timedelta(days=1)
    midnight = tomorrow.replace(hour=0, minute=0, second=0, microsecond=0)
    return (midnight - now).total_seconds()


@dataclass(frozen=True)
class Effects:
    """A supervisor's effects, each a function: read the `state`; `run` the loop with at most so
    many tokens in all, until its process ends, and return the process's last line; `heal` it;
    `wait` seconds, or until somebody asks for the end; say whether somebody did (`is_stop_asked`),
    and whether the loop's end was remembered (`is_closed`); `tell` a person; and give the time
    `now`."""

    state: Callable[[], LoopState]
    run: Callable[[int | None], str]
    heal: Callable[[], HealResult]
    wait: Callable[[float], None]
    is_stop_asked: Callable[[], bool]
    is_closed: Callable[[], bool]
    tell: Callable[[str], None]
    now: Callable[[], datetime]


def supervise(effects: Effects, day_file: Path, per_day: int | None = None) -> bool | None:
    """Keep the loop going until it is over.

    Returns True if it is done, False if it ended otherwise, and None if a person is needed.
    """
    failures, crashed = 0, effects.state().status == "running"
    while True:
        state = effects.state()
        day = today(day_file, state, effects.now()) if per_day else Day()
        move = next_move(state, crashed=crashed, per_day=per_day, day=day)
        if move == "end":
            is_done, failures = state.status == "done", 0
            # A process may have died between the work and its memory. What was stopped stays so.
            while is_done and not effects.is_closed() and failures < MAX_RUNS_WITHOUT_TICK:
                failures += 1
                effects.run(None)
            return is_done
        if move == "wait for tomorrow" and not effects.is_stop_asked():  # a run stops at once
            effects.tell(f"The {per_day:,} tokens of {day.date} are used up; it goes on tomorrow.")
            effects.wait(until_tomorrow(effects.now()))
            crashed = False
            continue
        if move == "heal":
            healed = effects.heal()
            if healed.decision.action != "none":
                effects.tell(healed.message)
            if healed.decision.action == "panic" or effects.state().status == "failed":
                return None
        if seconds := wait_after(failures):
            effects.tell(f"It waits {seconds:g} seconds.")
            effects.wait(seconds)
        last_line = effects.run(day.tokens_before + per_day if per_day else None)
        after = effects.state()
        crashed = after.status == "running"
        if effects.is_stop_asked() and crashed and after.tick == state.tick:
            return False  # asked while the model's server was away; the next run hears it
        failures = 0 if after.tick > state.tick else failures + 1
        if failures >= MAX_RUNS_WITHOUT_TICK and next_move(
            after, crashed=crashed, per_day=per_day, day=day
        ) in ("run", "heal"):
            effects.tell(f"{failures} runs ended without a tick. The last one said: {last_line}")
            return None
