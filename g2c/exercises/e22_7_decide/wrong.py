"""22.7 gone wrong."""

from functools import partial

from wrong_answers import wrong

wrong = partial(wrong, "22.7")

CHECK = "for moment in (now, *history.recoveries, *history.panic_flares):"
AGE = "return now.astimezone(UTC) - moment.astimezone(UTC)"
ROW = 'sum(1 for _ in takewhile(lambda tick: tick.outcome == "failed", open_ticks))'
RECENT = "sum(age(moment) < window for moment in history.recoveries)"
YOUNG = "age(moment) < window"
TROUBLE = "if history.trouble:"
FEW = "row < config.failures"
SPENT = "recent >= config.recoveries"
TOLD = "any(timedelta(0) <= age(moment) < pause for moment in history.panic_flares)"
PAUSE = f"pause = timedelta(minutes=config.flare_minutes)\n    is_told = {TOLD}\n"

wrong(
    "Five ticks that failed since the last recovery are five too many.",
    (ROW, 'sum(tick.outcome == "failed" for tick in open_ticks)'),
    caught_by="test_only_failures_in_a_row_count",
    says="each row of failures ended with a tick that went well",
)
wrong(
    "Restoring changes the state, and the row of failures is what the ticks say.",
    (" if tick.tick > history.recovered_tick", ""),
    caught_by="test_a_recovery_settles_what_failed_before_it",
    says="the next look would restore again what has just been restored",
)
wrong(
    "After a recovery one failure more shows that it did not help.",
    (FEW, "row < (1 if history.recovered_tick else config.failures)"),
    caught_by="test_after_a_recovery_a_row_begins_anew",
    says="Of those after it 4 are too few, and 5 are enough",
)
wrong(
    "Five failures are allowed, and the sixth is too many.",
    (FEW, "row <= config.failures"),
    caught_by="test_five_failures_in_a_row_are_healed",
    says="and five are enough",
)
wrong(
    "The healer looks after every tick, so it sees the fifth failure and never a sixth.",
    (FEW, "row != config.failures"),
    caught_by="test_more_than_five_are_not_fewer",
    says="8 failures in a row are 5 or more",
)
wrong(
    "A tick that went well lets the loop continue; whatever else there is broke it.",
    ('tick.outcome == "failed"', 'tick.outcome != "continue"'),
    caught_by="test_a_tick_that_was_done_ends_a_row_too",
    says="failed is the one outcome that is a failure",
)
wrong(
    "A list of snapshots is in the order in which they were made.",
    ("max(history.snapshots)", "history.snapshots[-1]"),
    caught_by="test_the_newest_snapshot_has_the_highest_number",
    says="wherever it stands among the others",
)
wrong(
    "With the recovery that is about to be made there are three, and three are the limit.",
    (SPENT, "recent + 1 >= config.recoveries"),
    caught_by="test_a_third_recovery_within_a_day_is_made",
    says="two recoveries so far leave room for a third",
)
wrong(
    "With three recoveries the limit of three is kept, so the healer goes on.",
    (SPENT, "recent > config.recoveries"),
    caught_by="test_a_fourth_recovery_within_a_day_is_refused",
    says="a fourth would make a loop out of the healer",
)
wrong(
    "Three recoveries a day means three with today's date.",
    (YOUNG, "moment.astimezone(UTC).date() >= now.astimezone(UTC).date()"),
    caught_by="test_a_day_is_24_hours_back_from_now",
    says="the limit is on any 24 hours, and midnight does not lift it",
)
wrong(
    "Within 24 hours includes the recovery of exactly 24 hours ago.",
    (YOUNG, "age(moment) <= window"),
    caught_by="test_a_recovery_of_24_hours_ago_no_longer_counts",
    says="24:00:00 does not",
)
wrong(
    "A loop that was recovered three times has had its chances.",
    (RECENT, "len(history.recoveries)"),
    caught_by="test_recoveries_of_long_ago_do_not_add_up",
    says="none within the last 24 hours",
)
wrong(
    "The newest recoveries stand at the end, so the count stops at an old one.",
    (
        RECENT,
        "len([*takewhile(lambda recovery: age(recovery) < window, reversed(history.recoveries))])",
    ),
    caught_by="test_recoveries_stand_in_no_order",
    says="those at the end need not be the newest",
)
wrong(
    "Recent is what lies between 24 hours ago and now.",
    (YOUNG, "timedelta(0) <= age(moment) < window"),
    caught_by="test_recoveries_in_the_future_use_up_the_limit",
    says="so that the limit holds whatever the clock says",
)
wrong(
    "What holds for recoveries holds for flares: a negative age is less than the pause.",
    ("timedelta(0) <= age(moment)", "age(moment)"),
    caught_by="test_a_flare_in_the_future_silences_nobody",
    says="In doubt one flare too many is better",
)
wrong(
    "A healer that may not recover any more has to say so at once.",
    (FEW, f"{FEW} and recent < config.recoveries"),
    caught_by="test_with_nothing_to_heal_the_limit_does_not_matter",
    says="panic is for a loop that needs another one",
)
wrong(
    "Panic is to call for help, so it always comes with a flare.",
    ("not is_told", "True"),
    caught_by="test_panic_goes_on_in_silence",
    says="still a panic, but without a flare",
)
wrong(
    "A panic is told once; whoever reads it knows.",
    (TOLD, "bool(history.panic_flares)"),
    caught_by="test_after_an_hour_panic_is_told_again",
    says="whoever flares only once may be overlooked for ever",
)
wrong(
    "Flares are listed as they were sent, so the last one is what counts.",
    (TOLD, TOLD.replace("flares", "flares[-1:]")),
    caught_by="test_the_newest_flare_counts_wherever_it_stands",
    says="the times stand in no order",
)
wrong(
    "Flares come at most once an hour, whatever for.",
    (TROUBLE, f"{PAUSE}    {TROUBLE}"),
    ("flare=True", "flare=not is_told"),
    caught_by="test_a_restore_is_always_told",
    says="only panic flares are limited",
)
wrong(
    "Whatever is broken, five ticks will fail over it, and that is the time to ask why.",
    (TROUBLE, "if history.trouble and row >= config.failures:"),
    caught_by="test_trouble_is_a_reason_to_panic_by_itself",
    says="no tick can run, so none will fail",
)
wrong(
    "Times with a zone can be subtracted, and Python does what is right.",
    (AGE, "return now - moment"),
    caught_by="test_hours_are_hours_that_passed",
    says="over the night in which summer time begins 23 hours pass",
)
wrong(
    "Times are checked where they are used; a loop that works needs none.",
    (CHECK, "def check(moment):"),
    (AGE, f"check(now)\n        check(moment)\n        {AGE}"),
    caught_by="test_a_time_without_a_zone_is_refused",
    says="a time without a zone may be off by hours, and is refused",
)
wrong(
    "How many failures are too many is for the config to say; a day is a day.",
    ("window = ", "config = HealConfig(failures=config.failures)\n    window = "),
    caught_by="test_all_limits_are_arguments",
    says="the config has other limits",
)
