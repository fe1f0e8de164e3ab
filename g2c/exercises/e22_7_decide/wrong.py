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
)
wrong(
    "Restoring changes the state, and the row of failures is what the ticks say.",
    (" if tick.tick > history.recovered_tick", ""),
)
wrong(
    "After a recovery one failure more shows that it did not help.",
    (FEW, "row < (1 if history.recovered_tick else config.failures)"),
)
wrong("Five failures are allowed, and the sixth is too many.", (FEW, "row <= config.failures"))
wrong(
    "The healer looks after every tick, so it sees the fifth failure and never a sixth.",
    (FEW, "row != config.failures"),
)
wrong(
    "A tick that went well lets the loop continue; whatever else there is broke it.",
    ('tick.outcome == "failed"', 'tick.outcome != "continue"'),
)
wrong(
    "A list of snapshots is in the order in which they were made.",
    ("max(history.snapshots)", "history.snapshots[-1]"),
)
wrong(
    "With the recovery that is about to be made there are three, and three are the limit.",
    (SPENT, "recent + 1 >= config.recoveries"),
)
wrong(
    "With three recoveries the limit of three is kept, so the healer goes on.",
    (SPENT, "recent > config.recoveries"),
)
wrong(
    "Three recoveries a day means three with today's date.",
    (YOUNG, "moment.astimezone(UTC).date() >= now.astimezone(UTC).date()"),
)
wrong(
    "Within 24 hours includes the recovery of exactly 24 hours ago.",
    (YOUNG, "age(moment) <= window"),
)
wrong(
    "A loop that was recovered three times has had its chances.",
    (RECENT, "len(history.recoveries)"),
)
wrong(
    "The newest recoveries stand at the end, so the count stops at an old one.",
    (
        RECENT,
        "len([*takewhile(lambda recovery: age(recovery) < window, reversed(history.recoveries))])",
    ),
)
wrong(
    "Recent is what lies between 24 hours ago and now.",
    (YOUNG, "timedelta(0) <= age(moment) < window"),
)
wrong(
    "What holds for recoveries holds for flares: a negative age is less than the pause.",
    ("timedelta(0) <= age(moment)", "age(moment)"),
)
wrong(
    "A healer that may not recover any more has to say so at once.",
    (FEW, f"{FEW} and recent < config.recoveries"),
)
wrong("Panic is to call for help, so it always comes with a flare.", ("not is_told", "True"))
wrong("A panic is told once; whoever reads it knows.", (TOLD, "bool(history.panic_flares)"))
wrong(
    "Flares are listed as they were sent, so the last one is what counts.",
    (TOLD, TOLD.replace("flares", "flares[-1:]")),
)
wrong(
    "Flares come at most once an hour, whatever for.",
    (TROUBLE, f"{PAUSE}    {TROUBLE}"),
    ("flare=True", "flare=not is_told"),
)
wrong(
    "Whatever is broken, five ticks will fail over it, and that is the time to ask why.",
    (TROUBLE, "if history.trouble and row >= config.failures:"),
)
wrong(
    "Times with a zone can be subtracted, and Python does what is right.",
    (AGE, "return now - moment"),
)
wrong(
    "Times are checked where they are used; a loop that works needs none.",
    (CHECK, "def check(moment):"),
    (AGE, f"check(now)\n        check(moment)\n        {AGE}"),
)
wrong(
    "How many failures are too many is for the config to say; a day is a day.",
    ("window = ", "config = HealConfig(failures=config.failures)\n    window = "),
)
