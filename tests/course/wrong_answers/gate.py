"""20.5 gone wrong."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from functools import partial

from g2c.memory.base import DreamState
from g2c.memory.gate import Gate, GateDecision

from . import wrong

wrong = partial(wrong, "20.5")


def check_zones(state: DreamState, now: datetime) -> None:
    for moment in (now, state.last_dream):
        if moment and moment.utcoffset() is None:
            raise ValueError(f"{moment} has no time zone")


def decide(time: bool, sessions: bool, lock: bool) -> GateDecision:
    """The decision where the gates are open or not as given."""
    gates: dict[Gate, bool] = {"time": time, "sessions": sessions, "lock": lock}
    return GateDecision(tuple(gate for gate, is_open in gates.items() if not is_open))


def passed(state: DreamState, now: datetime) -> timedelta:
    """The time since the last dream; all there can be, where there was none."""
    if state.last_dream is None:
        return timedelta.max
    return now.astimezone(UTC) - state.last_dream.astimezone(UTC)


@wrong(
    caught_by="test_many_days_are_many_hours",
    says="timedelta.seconds is only what is left over beside the whole days",
)
def seconds_of_a_difference(
    state: DreamState, now: datetime, lock_is_held: bool, *, min_hours=24, min_sessions=5
) -> GateDecision:
    """The seconds of a timedelta are its length in seconds."""
    check_zones(state, now)
    hours = None if state.last_dream is None else passed(state, now).seconds / 3600
    is_late = hours is None or (now >= state.last_dream and hours >= min_hours)
    return decide(is_late, state.session_count >= min_sessions, not lock_is_held)


@wrong(caught_by="test_the_bounds_are_arguments", says="2 hours and 1 session do")
def a_dream_a_day(
    state: DreamState, now: datetime, lock_is_held: bool, *, min_hours=24, min_sessions=5
) -> GateDecision:
    """24 hours are a day, and a timedelta has its days."""
    check_zones(state, now)
    is_late = passed(state, now).days >= 1
    return decide(is_late, state.session_count >= min_sessions, not lock_is_held)


@wrong(
    caught_by="test_too_early_closes_the_time_gate",
    says="the gates of a GateDecision are a tuple, such as ('time',), and these are a list",
)
def gates_are_a_list(
    state: DreamState, now: datetime, lock_is_held: bool, *, min_hours=24, min_sessions=5
) -> GateDecision:
    """What is gathered in a list can be handed over as it is."""
    check_zones(state, now)
    is_late = passed(state, now) >= timedelta(hours=min_hours)
    decision = decide(is_late, state.session_count >= min_sessions, not lock_is_held)
    return GateDecision(list(decision.closed))  # type: ignore[arg-type]


@wrong(
    caught_by="test_every_closed_gate_is_named",
    says="should hear all reasons, in the order time, sessions, lock",
)
def one_reason_is_enough(
    state: DreamState, now: datetime, lock_is_held: bool, *, min_hours=24, min_sessions=5
) -> GateDecision:
    """One closed gate holds the dream back, so the others need not be looked at."""
    check_zones(state, now)
    if passed(state, now) < timedelta(hours=min_hours):
        return GateDecision(("time",))
    if state.session_count < min_sessions:
        return GateDecision(("sessions",))
    return GateDecision(("lock",) if lock_is_held else ())


@wrong(caught_by="test_at_24_hours_it_is_time", says="at least 24 hours: 24 hours are enough")
def more_than_24_hours(
    state: DreamState, now: datetime, lock_is_held: bool, *, min_hours=24, min_sessions=5
) -> GateDecision:
    """The hours must be over before it is time."""
    check_zones(state, now)
    is_late = passed(state, now) > timedelta(hours=min_hours)
    return decide(is_late, state.session_count >= min_sessions, not lock_is_held)


@wrong(caught_by="test_five_sessions_are_enough", says="at least 5: 5 are enough")
def more_than_five_sessions(
    state: DreamState, now: datetime, lock_is_held: bool, *, min_hours=24, min_sessions=5
) -> GateDecision:
    """The session under way does not count, so it takes one more."""
    check_zones(state, now)
    is_late = passed(state, now) >= timedelta(hours=min_hours)
    return decide(is_late, state.session_count > min_sessions, not lock_is_held)


@wrong(
    caught_by="test_a_store_that_never_dreamed_passes_no_other_gate",
    says="a first dream also needs sessions to dream of, and to be alone",
)
def the_first_dream_is_free(
    state: DreamState, now: datetime, lock_is_held: bool, *, min_hours=24, min_sessions=5
) -> GateDecision:
    """A store that never dreamed should do so as soon as it can."""
    check_zones(state, now)
    if state.last_dream is None:
        return GateDecision()
    is_late = passed(state, now) >= timedelta(hours=min_hours)
    return decide(is_late, state.session_count >= min_sessions, not lock_is_held)


@wrong(
    caught_by="test_a_store_that_never_dreamed_passes_the_time_gate",
    says="no store would ever have its first",
)
def the_clock_starts_now(
    state: DreamState, now: datetime, lock_is_held: bool, *, min_hours=24, min_sessions=5
) -> GateDecision:
    """Without a last dream the hours count from now on."""
    state = DreamState(state.last_dream or now, state.session_count)
    check_zones(state, now)
    is_late = passed(state, now) >= timedelta(hours=min_hours)
    return decide(is_late, state.session_count >= min_sessions, not lock_is_held)


@wrong(
    caught_by="test_a_dream_in_the_future_closes_the_time_gate",
    says="no time has passed that could be counted",
)
def a_difference_has_no_sign(
    state: DreamState, now: datetime, lock_is_held: bool, *, min_hours=24, min_sessions=5
) -> GateDecision:
    """How far apart two times are does not depend on which comes first."""
    check_zones(state, now)
    is_late = abs(passed(state, now)) >= timedelta(hours=min_hours)
    return decide(is_late, state.session_count >= min_sessions, not lock_is_held)


@wrong(
    caught_by="test_a_dream_in_the_future_closes_the_time_gate",
    says="the last dream is 1 hours ahead of the clock",
)
def a_future_dream_never_was(
    state: DreamState, now: datetime, lock_is_held: bool, *, min_hours=24, min_sessions=5
) -> GateDecision:
    """A dream in the future cannot be true, so the store counts as one that never dreamed."""
    check_zones(state, now)
    since = passed(state, now)
    is_late = since < timedelta(0) or since >= timedelta(hours=min_hours)
    return decide(is_late, state.session_count >= min_sessions, not lock_is_held)


@wrong(caught_by="test_a_second_less_is_too_early", says="is there rounding in it?")
def about_24_hours(
    state: DreamState, now: datetime, lock_is_held: bool, *, min_hours=24, min_sessions=5
) -> GateDecision:
    """Fractions of an hour are noise."""
    check_zones(state, now)
    is_late = round(passed(state, now).total_seconds() / 3600, 1) >= min_hours
    return decide(is_late, state.session_count >= min_sessions, not lock_is_held)


@wrong(
    caught_by="test_hours_are_hours_that_passed",
    says="over the night in which summer time begins 23 hours pass",
)
def python_knows_zones(
    state: DreamState, now: datetime, lock_is_held: bool, *, min_hours=24, min_sessions=5
) -> GateDecision:
    """Times with a zone can be subtracted, and Python does what is right."""
    check_zones(state, now)
    is_late = state.last_dream is None or now - state.last_dream >= timedelta(hours=min_hours)
    return decide(is_late, state.session_count >= min_sessions, not lock_is_held)


@wrong(
    caught_by="test_times_of_different_zones_are_compared_as_moments",
    says="clocks of two zones show different hours at one moment",
)
def zones_are_labels(
    state: DreamState, now: datetime, lock_is_held: bool, *, min_hours=24, min_sessions=5
) -> GateDecision:
    """Once it is sure that both have a zone, the zone is in the way of subtracting them."""
    check_zones(state, now)
    last = state.last_dream and state.last_dream.replace(tzinfo=None)
    is_late = last is None or now.replace(tzinfo=None) - last >= timedelta(hours=min_hours)
    return decide(is_late, state.session_count >= min_sessions, not lock_is_held)


@wrong(
    caught_by="test_a_time_without_a_zone_is_refused",
    says="a time without a zone may be off by hours, so it is refused",
)
def a_bare_time_is_utc(
    state: DreamState, now: datetime, lock_is_held: bool, *, min_hours=24, min_sessions=5
) -> GateDecision:
    """A time without a zone is UTC, as on any server."""
    now = now if now.tzinfo else now.replace(tzinfo=UTC)
    last = state.last_dream
    if last and not last.tzinfo:
        state = DreamState(last.replace(tzinfo=UTC), state.session_count)
    is_late = passed(state, now) >= timedelta(hours=min_hours)
    return decide(is_late, state.session_count >= min_sessions, not lock_is_held)


@wrong(
    caught_by="test_too_few_sessions_close_theirs",
    says="4 sessions are less than 5, however long ago the last dream was",
)
def long_overdue_is_reason_enough(
    state: DreamState, now: datetime, lock_is_held: bool, *, min_hours=24, min_sessions=5
) -> GateDecision:
    """After a week even a few sessions are worth a dream."""
    check_zones(state, now)
    since = passed(state, now)
    is_late = since >= timedelta(hours=min_hours)
    overdue = state.last_dream is not None and since > timedelta(days=7)
    return decide(is_late, overdue or state.session_count >= min_sessions, not lock_is_held)
