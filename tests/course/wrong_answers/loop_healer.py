"""22.7 gone wrong."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from functools import partial
from itertools import takewhile

from g2c.loop.base import Decision, HealConfig, HealHistory, TickRecord
from g2c.loop.healer import DEFAULTS

from . import wrong

wrong = partial(wrong, "22.7")


def check_zones(history: HealHistory, now: datetime) -> None:
    for moment in (now, *history.recoveries, *history.panic_flares):
        if moment.utcoffset() is None:
            raise ValueError(f"{moment} has no time zone")


def age(moment: datetime, now: datetime) -> timedelta:
    return now.astimezone(UTC) - moment.astimezone(UTC)


def failures_at_the_end(ticks: Iterable[TickRecord], after: int = 0) -> int:
    ours = [tick.outcome == "failed" for tick in ticks if tick.tick > after]
    return sum(takewhile(bool, reversed(ours)))


def count(moments: Iterable[datetime], now: datetime, within: timedelta) -> int:
    return sum(age(moment, now) < within for moment in moments)


def is_told(history: HealHistory, now: datetime, config: HealConfig) -> bool:
    pause = timedelta(minutes=config.flare_minutes)
    return any(timedelta(0) <= age(flare, now) < pause for flare in history.panic_flares)


def answer(
    history: HealHistory,
    now: datetime,
    config: HealConfig,
    *,
    failures: int | None = None,
    recent: int | None = None,
    told: bool | None = None,
    snapshot: int | None = None,
) -> Decision:
    """The right decision, but for what is given."""
    check_zones(history, now)
    if failures is None:
        failures = failures_at_the_end(history.ticks, history.recovered_tick)
    if recent is None:
        recent = count(history.recoveries, now, timedelta(hours=config.window_hours))
    if told is None:
        told = is_told(history, now, config)
    panic = Decision("panic", history.trouble or "Help.", flare=not told)
    if history.trouble:
        return panic
    if failures < config.failures:
        return Decision("none", "All is well.")
    if recent >= config.recoveries or not history.snapshots:
        return panic
    newest = max(history.snapshots) if snapshot is None else snapshot
    return Decision("restore", "It broke.", newest, flare=True)


@wrong(
    caught_by="test_only_failures_in_a_row_count",
    says="each row of failures ended with a tick that went well",
)
def five_failures_are_five(
    history: HealHistory, now: datetime, config: HealConfig = DEFAULTS
) -> Decision:
    """Five ticks that failed since the last recovery are five too many."""
    ours = [tick for tick in history.ticks if tick.tick > history.recovered_tick]
    failures = sum(tick.outcome == "failed" for tick in ours)
    return answer(history, now, config, failures=failures)


@wrong(
    caught_by="test_only_failures_in_a_row_count",
    says="what counts is the row that ends with the newest tick",
)
def the_longest_row(history: HealHistory, now: datetime, config: HealConfig = DEFAULTS) -> Decision:
    """A loop that once failed five times in a row is one that needs healing."""
    longest = row = 0
    for tick in history.ticks:
        if tick.tick > history.recovered_tick:
            row = row + 1 if tick.outcome == "failed" else 0
            longest = max(longest, row)
    return answer(history, now, config, failures=longest)


@wrong(
    caught_by="test_a_recovery_settles_what_failed_before_it",
    says="the next look would restore again what has just been restored",
)
def a_row_is_a_row(history: HealHistory, now: datetime, config: HealConfig = DEFAULTS) -> Decision:
    """Restoring changes the state, and the row of failures is what the ticks say."""
    return answer(history, now, config, failures=failures_at_the_end(history.ticks))


@wrong(
    caught_by="test_after_a_recovery_a_row_begins_anew",
    says="Of those after it 4 are too few, and 5 are enough",
)
def a_recovered_loop_has_one_more_chance_in_all(
    history: HealHistory, now: datetime, config: HealConfig = DEFAULTS
) -> Decision:
    """After a recovery one failure more shows that it did not help."""
    failures = failures_at_the_end(history.ticks, history.recovered_tick)
    if history.recovered_tick and failures:
        failures = config.failures
    return answer(history, now, config, failures=failures)


@wrong(caught_by="test_five_failures_in_a_row_are_healed", says="and five are enough")
def more_than_five_failures(
    history: HealHistory, now: datetime, config: HealConfig = DEFAULTS
) -> Decision:
    """Five failures are allowed, and the sixth is too many."""
    failures = failures_at_the_end(history.ticks, history.recovered_tick)
    return answer(history, now, config, failures=failures - 1)


@wrong(caught_by="test_more_than_five_are_no_fewer", says="8 failures in a row are 5 or more")
def exactly_five_failures(
    history: HealHistory, now: datetime, config: HealConfig = DEFAULTS
) -> Decision:
    """The healer looks after every tick, so it sees the fifth failure and never a sixth."""
    failures = failures_at_the_end(history.ticks, history.recovered_tick)
    failures = failures if failures == config.failures else 0
    return answer(history, now, config, failures=failures)


@wrong(
    caught_by="test_a_tick_that_was_done_ends_a_row_too",
    says="failed is the one outcome that is a failure",
)
def only_going_on_is_well(
    history: HealHistory, now: datetime, config: HealConfig = DEFAULTS
) -> Decision:
    """A tick that went well lets the loop continue; whatever else there is broke it."""
    ours = [tick.outcome != "continue" for tick in history.ticks[history.recovered_tick :]]
    return answer(history, now, config, failures=sum(takewhile(bool, reversed(ours))))


@wrong(
    caught_by="test_the_newest_snapshot_has_the_highest_number",
    says="wherever it stands among the others",
)
def the_last_is_the_newest(
    history: HealHistory, now: datetime, config: HealConfig = DEFAULTS
) -> Decision:
    """A list of snapshots is in the order in which they were made."""
    snapshot = history.snapshots[-1] if history.snapshots else None
    return answer(history, now, config, snapshot=snapshot)


@wrong(
    caught_by="test_a_third_recovery_within_a_day_is_made",
    says="two recoveries so far leave room for a third",
)
def this_one_counts_too(
    history: HealHistory, now: datetime, config: HealConfig = DEFAULTS
) -> Decision:
    """With the recovery that is about to be made there are three, and three are the limit."""
    recent = count(history.recoveries, now, timedelta(hours=config.window_hours))
    return answer(history, now, config, recent=recent + 1)


@wrong(
    caught_by="test_a_fourth_recovery_within_a_day_is_refused",
    says="a fourth would make a loop out of the healer",
)
def three_are_not_too_many(
    history: HealHistory, now: datetime, config: HealConfig = DEFAULTS
) -> Decision:
    """At most three recoveries: with three the limit is kept, and so it goes on."""
    recent = count(history.recoveries, now, timedelta(hours=config.window_hours))
    return answer(history, now, config, recent=recent - 1)


@wrong(
    caught_by="test_a_day_is_24_hours_back_from_now",
    says="the limit is on any 24 hours, and midnight does not lift it",
)
def three_a_day(history: HealHistory, now: datetime, config: HealConfig = DEFAULTS) -> Decision:
    """Three recoveries a day: those with today's date count."""
    recent = sum(
        moment.astimezone(UTC).date() >= now.astimezone(UTC).date() for moment in history.recoveries
    )
    return answer(history, now, config, recent=recent)


@wrong(
    caught_by="test_a_recovery_of_24_hours_ago_no_longer_counts",
    says="24:00:00 does not",
)
def up_to_24_hours(history: HealHistory, now: datetime, config: HealConfig = DEFAULTS) -> Decision:
    """Within 24 hours includes the recovery of exactly 24 hours ago."""
    window = timedelta(hours=config.window_hours)
    recent = sum(age(moment, now) <= window for moment in history.recoveries)
    return answer(history, now, config, recent=recent)


@wrong(
    caught_by="test_recoveries_of_long_ago_do_not_add_up",
    says="none within the last 24 hours",
)
def three_are_the_limit_for_good(
    history: HealHistory, now: datetime, config: HealConfig = DEFAULTS
) -> Decision:
    """A loop that was recovered three times has had its chances."""
    return answer(history, now, config, recent=len(history.recoveries))


@wrong(
    caught_by="test_recoveries_stand_in_no_order",
    says="those at the end need not be the newest",
)
def the_last_three(history: HealHistory, now: datetime, config: HealConfig = DEFAULTS) -> Decision:
    """The newest recoveries stand at the end, and if the third from there is old, all is well."""
    recent = 0
    for moment in reversed(history.recoveries):
        if age(moment, now) >= timedelta(hours=config.window_hours):
            break
        recent += 1
    return answer(history, now, config, recent=recent)


@wrong(
    caught_by="test_recoveries_in_the_future_use_up_the_limit",
    says="so that the limit holds whatever the clock says",
)
def a_future_recovery_never_was(
    history: HealHistory, now: datetime, config: HealConfig = DEFAULTS
) -> Decision:
    """Recent is what lies between 24 hours ago and now."""
    window = timedelta(hours=config.window_hours)
    recent = sum(timedelta(0) <= age(moment, now) < window for moment in history.recoveries)
    return answer(history, now, config, recent=recent)


@wrong(
    caught_by="test_a_flare_in_the_future_silences_nobody",
    says="In doubt one flare too many is better",
)
def a_future_flare_is_recent(
    history: HealHistory, now: datetime, config: HealConfig = DEFAULTS
) -> Decision:
    """What holds for recoveries holds for flares: younger than the pause is younger than now."""
    told = bool(count(history.panic_flares, now, timedelta(minutes=config.flare_minutes)))
    return answer(history, now, config, told=told)


@wrong(
    caught_by="test_with_nothing_to_heal_the_limit_does_not_matter",
    says="panic is for a loop that needs another one",
)
def used_up_is_panic(
    history: HealHistory, now: datetime, config: HealConfig = DEFAULTS
) -> Decision:
    """A healer that may not recover any more has to say so at once."""
    failures = None
    if count(history.recoveries, now, timedelta(hours=config.window_hours)) >= config.recoveries:
        failures = config.failures
    return answer(history, now, config, failures=failures)


@wrong(caught_by="test_panic_goes_on_in_silence", says="still a panic, but without a flare")
def panic_is_a_flare(
    history: HealHistory, now: datetime, config: HealConfig = DEFAULTS
) -> Decision:
    """Panic is to call for help, so it always comes with a flare."""
    return answer(history, now, config, told=False)


@wrong(caught_by="test_panic_goes_on_in_silence", says="still a panic, but without a flare")
def no_flare_no_panic(
    history: HealHistory, now: datetime, config: HealConfig = DEFAULTS
) -> Decision:
    """Where the flare was sent less than an hour ago there is nothing to do."""
    decision = answer(history, now, config)
    if decision.action == "panic" and not decision.flare:
        return Decision("none", "It was told.")
    return decision


@wrong(
    caught_by="test_after_an_hour_panic_is_told_again",
    says="whoever flares only once may be overlooked for ever",
)
def one_flare_for_one_panic(
    history: HealHistory, now: datetime, config: HealConfig = DEFAULTS
) -> Decision:
    """A panic is told once; whoever reads it knows."""
    return answer(history, now, config, told=bool(history.panic_flares))


@wrong(
    caught_by="test_the_newest_flare_counts_wherever_it_stands",
    says="the times stand in no order",
)
def the_last_flare_is_the_newest(
    history: HealHistory, now: datetime, config: HealConfig = DEFAULTS
) -> Decision:
    """Flares are listed as they were sent, so the last one is what counts."""
    pause = timedelta(minutes=config.flare_minutes)
    last = history.panic_flares[-1:]
    told = any(timedelta(0) <= age(flare, now) < pause for flare in last)
    return answer(history, now, config, told=told)


@wrong(caught_by="test_a_restore_is_always_told", says="only panic flares are limited")
def one_flare_an_hour(
    history: HealHistory, now: datetime, config: HealConfig = DEFAULTS
) -> Decision:
    """Flares come at most once an hour, whatever for."""
    decision = answer(history, now, config)
    if decision.action == "restore" and is_told(history, now, config):
        return Decision("restore", decision.reason, decision.snapshot)
    return decision


@wrong(
    caught_by="test_trouble_is_a_reason_to_panic_by_itself",
    says="no tick can run, so none will fail",
)
def trouble_shows_in_the_ticks(
    history: HealHistory, now: datetime, config: HealConfig = DEFAULTS
) -> Decision:
    """Whatever is broken, five ticks will fail over it, and then is the time to ask why."""
    if failures_at_the_end(history.ticks, history.recovered_tick) < config.failures:
        check_zones(history, now)
        return Decision("none", history.trouble or "All is well.")
    return answer(history, now, config)


@wrong(
    caught_by="test_hours_are_hours_that_passed",
    says="over the night in which summer time begins 23 hours pass",
)
def python_knows_zones(
    history: HealHistory, now: datetime, config: HealConfig = DEFAULTS
) -> Decision:
    """Times with a zone can be subtracted, and Python does what is right."""
    check_zones(history, now)
    window = timedelta(hours=config.window_hours)
    recent = sum(now - moment < window for moment in history.recoveries)
    return answer(history, now, config, recent=recent)


@wrong(
    caught_by="test_a_recovery_of_24_hours_ago_no_longer_counts",
    says="a recovery of 23:59:59 hours ago does",
)
def whole_hours(history: HealHistory, now: datetime, config: HealConfig = DEFAULTS) -> Decision:
    """Nobody counts the seconds of a day."""
    hours = [round(age(moment, now) / timedelta(hours=1), 2) for moment in history.recoveries]
    return answer(history, now, config, recent=sum(h < config.window_hours for h in hours))


@wrong(
    caught_by="test_a_time_without_a_zone_is_refused",
    says="a time without a zone may be off by hours, and is refused",
)
def checked_when_needed(
    history: HealHistory, now: datetime, config: HealConfig = DEFAULTS
) -> Decision:
    """Times are checked where they are used; a loop that works needs none."""
    failures = failures_at_the_end(history.ticks, history.recovered_tick)
    if failures < config.failures and not history.trouble:
        return Decision("none", "All is well.")
    return answer(history, now, config)


@wrong(caught_by="test_all_limits_are_arguments", says="the config has other limits")
def the_usual_limits(
    history: HealHistory, now: datetime, config: HealConfig = DEFAULTS
) -> Decision:
    """How many failures are too many is for the config to say; a day is a day."""
    return answer(history, now, HealConfig(failures=config.failures))


@wrong(
    caught_by="test_a_time_without_a_zone_is_refused",
    says="with trouble='The disk is full.' you returned",
)
def trouble_comes_first(
    history: HealHistory, now: datetime, config: HealConfig = DEFAULTS
) -> Decision:
    """Where something is broken a person is needed, and times only matter for the flare."""
    if history.trouble and not history.panic_flares:
        return Decision("panic", history.trouble, flare=True)
    return answer(history, now, config)
