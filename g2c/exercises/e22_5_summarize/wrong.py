"""22.5 gone wrong."""

from functools import partial

from wrong_answers import wrong

wrong = partial(wrong, "22.5")

COMMITTED = "tick.tick <= state.tick"
TOO_LONG = "if len(transcript) > max_chars:"
STILL_TOO_LONG = "while len(transcript) > max_chars:"
KEPT = "[texts[0], left_out(count), *texts[1 + count :]]"
FEWEST = r'"\n\n".join([texts[0], left_out(len(texts) - 2), texts[-1]])'

wrong(
    "What did not reach its goal has failed.",
    ('"stopped": "abandoned"', '"stopped": "failure"'),
    caught_by="test_each_status_has_its_outcome",
    says="who was stopped by a person",
)
wrong(
    "All that is not done and was not stopped is a failure so far.",
    ('    "failed": "failure",', '    "failed": "failure",\n    "running": "failure",'),
    caught_by="test_a_loop_that_runs_cannot_be_summed_up",
    says="nobody knows how a loop comes out that is running",
)
wrong(
    "A loop has as many ticks as its log.",
    ("ticks=state.tick", "ticks=len(committed)"),
    caught_by="test_the_state_wins_over_the_log",
    says="the log may have been shortened",
)
wrong(
    "A loop ends when its last tick does.",
    ("ended=state.updated", "ended=ticks[-1].ts if ticks else state.updated"),
    caught_by="test_it_lasted_from_its_start_to_its_last_update",
    says="it ended when its state was last updated",
)
wrong(
    "A tick that failed did nothing, so there is nothing to tell.",
    (COMMITTED, f'{COMMITTED} and tick.outcome != "failed"'),
    caught_by="test_failures_are_reported_too",
    says="a failed tick is what the next loop can learn most from",
)
wrong(
    "A number that is there already is a repetition.",
    ("for tick in ticks", "for tick in reversed(ticks)"),
    ("list(committed.values())", "list(committed.values())[::-1]"),
    caught_by="test_the_last_of_two_equal_numbers_counts",
    says="ran again under its number",
)
wrong(
    "All that stands in the log took place.",
    (f" if {COMMITTED}", ""),
    caught_by="test_a_tick_that_was_never_committed_does_not_count",
    says="tick 3 was logged and not committed",
)
wrong(
    "A story is told from its beginning, for as far as there is room.",
    (KEPT, "[*texts[:-count], left_out(count)]"),
    caught_by="test_the_newest_ticks_stay",
    says="the newest stay",
)
wrong(
    "The last ticks say how it came out, so only they matter.",
    (KEPT, "[left_out(count), *texts[count:]]"),
    caught_by="test_the_first_tick_stays",
    says="the first tick says what the agent took the task for",
)
wrong(
    "The bound is for what the ticks say; the mark is the program's.",
    (STILL_TOO_LONG, r'while len("\n\n".join(texts[:1] + texts[1 + count :])) > max_chars:'),
    caught_by="test_the_bound_holds_with_the_mark",
    says="mark and blank lines included",
)
wrong(
    "No tick may take more than a quarter of the room.",
    (TOO_LONG, "if texts:"),
    caught_by="test_a_text_that_fits_is_given_in_full",
    says="not even of a long tick",
)
wrong(
    "Ticks are left out until the rest fits, and only what still does not is clipped.",
    (TOO_LONG, f"{TOO_LONG[:-1]} and len({FEWEST}) > max_chars:"),
    caught_by="test_each_tick_of_a_long_prompt_is_clipped_to_a_quarter",
    says="one long tick is clipped, and takes no other's room",
)
wrong(
    "The place where ticks are missing is all that a mark has to show.",
    ("left_out(count)", '"[...]"'),
    caught_by="test_the_mark_says_how_many_are_missing",
    says="a gap that nobody sees",
)
wrong(
    "A loop that has ended has a first tick and a last.",
    ("    count = 0", "    first, *others = texts\n    count = 0"),
    (KEPT, "[first, left_out(count), *others[count:]]"),
    caught_by="test_a_loop_without_a_tick_has_an_empty_transcript",
    says="before its first tick",
)
wrong(
    "A tick's text is what the log says of it: make the texts of the log, then choose.",
    (
        "tick_texts(list(committed.values()))",
        "[text for tick, text in zip(ticks, tick_texts(ticks)) if tick in committed.values()]",
    ),
    caught_by="test_new_text_in_a_prompt_is_new_since_a_committed_tick",
    says="tick_texts is asked about the ticks that count and no others",
)
