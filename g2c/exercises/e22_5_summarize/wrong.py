"""22.5 gone wrong."""

from functools import partial

from wrong_answers import wrong

wrong = partial(wrong, "22.5")

COMMITTED = "tick.tick <= state.tick"
TOO_LONG = "if len(transcript) > max_chars:"
STILL_TOO_LONG = "while len(transcript) > max_chars:"
KEPT = "[texts[0], left_out(count), *texts[1 + count :]]"
FEWEST = r'"\n\n".join([texts[0], left_out(len(texts) - 2), texts[-1]])'

wrong("What did not reach its goal has failed.", ('"stopped": "abandoned"', '"stopped": "failure"'))
wrong(
    "All that is not done and was not stopped is a failure so far.",
    ('    "failed": "failure",', '    "failed": "failure",\n    "running": "failure",'),
)
wrong("A loop has as many ticks as its log.", ("ticks=state.tick", "ticks=len(committed)"))
wrong(
    "A loop ends when its last tick does.",
    ("ended=state.updated", "ended=ticks[-1].ts if ticks else state.updated"),
)
wrong(
    "A tick that failed did nothing, so there is nothing to tell.",
    (COMMITTED, f'{COMMITTED} and tick.outcome != "failed"'),
)
wrong(
    "A number that is there already is a repetition.",
    ("for tick in ticks", "for tick in reversed(ticks)"),
    ("list(committed.values())", "list(committed.values())[::-1]"),
)
wrong("All that stands in the log took place.", (f" if {COMMITTED}", ""))
wrong(
    "A story is told from its beginning, for as far as there is room.",
    (KEPT, "[*texts[:-count], left_out(count)]"),
)
wrong(
    "The last ticks say how it came out, so only they matter.",
    (KEPT, "[left_out(count), *texts[count:]]"),
)
wrong(
    "The bound is for what the ticks say; the mark is the program's.",
    (STILL_TOO_LONG, r'while len("\n\n".join(texts[:1] + texts[1 + count :])) > max_chars:'),
)
wrong("No tick may take more than a quarter of the room.", (TOO_LONG, "if texts:"))
wrong(
    "Ticks are left out until the rest fits, and only what still does not is clipped.",
    (TOO_LONG, f"{TOO_LONG[:-1]} and len({FEWEST}) > max_chars:"),
)
wrong(
    "The place where ticks are missing is all that a mark has to show.",
    ("left_out(count)", '"[...]"'),
)
wrong(
    "A loop that has ended has a first tick and a last.",
    ("    count = 0", "    first, *others = texts\n    count = 0"),
    (KEPT, "[first, left_out(count), *others[count:]]"),
)
wrong(
    "A tick's text is what the log says of it: make the texts of the log, then choose.",
    (
        "tick_texts(list(committed.values()))",
        "[text for tick, text in zip(ticks, tick_texts(ticks)) if tick in committed.values()]",
    ),
)
