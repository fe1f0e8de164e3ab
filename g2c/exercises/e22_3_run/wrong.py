"""22.3 gone wrong."""

from functools import partial

from wrong_answers import wrong

wrong = partial(wrong, "22.3")

EXCLUSIVE = "    with runner.exclusive():\n"
OPEN = """\
        state = runner.open(goal, budget)
        failures = runner.failures_in_a_row(state)
"""
ASK_FIRST = """\
            if state.status == "running":
                state = replace(state, status=_ask(runner, "continue", failures, state))
"""
LOOP = '            while state.status == "running":\n'
TICK = "                state, record = runner.tick(state)\n"
COMMIT = "                runner.commit(state, record)\n"
REVIEW = """\
                if state.status == "running":
                    state = runner.review(state)
"""
INTERRUPT = """\
        except KeyboardInterrupt:
            state = runner.interrupted()
"""

wrong(
    "A budget of nine ticks is a loop that goes round nine times.",
    ("state.budget,", "replace(state.budget, ticks=None),"),
    (
        LOOP,
        "            for _ in range(state.budget.ticks or 10**6):\n"
        '                if state.status != "running":\n'
        "                    break\n",
    ),
    (
        INTERRUPT,
        '            if state.status == "running":\n'
        f'                state = replace(state, status="budget_exceeded")\n{INTERRUPT}',
    ),
    caught_by="test_earlier_spending_counts",
    says="seven of nine ticks were spent before this process began",
)
wrong(
    "Before the first tick nothing has happened that could end the loop.",
    (ASK_FIRST, ""),
    caught_by="test_a_stop_file_that_lies_there_is_seen_before_the_first_tick",
    says="does not begin one more tick first",
)
wrong(
    "next_status knows every reason to end, so what the status was does not matter.",
    (ASK_FIRST, ASK_FIRST.replace('state.status == "running"', "True")),
    caught_by="test_a_loop_that_has_ended_is_not_run_again",
    says="has no tick more, and stays what it was",
)
wrong(
    "A loop that has ended was closed when it ended.",
    (OPEN, f'{OPEN}        if state.status != "running":\n            return state\n'),
    caught_by="test_an_end_that_a_crash_cut_short_is_completed",
    says="a loop that has ended is closed, once, by whoever opens it",
)
wrong(
    "A new process begins with no failures.",
    ("runner.failures_in_a_row(state)", "0"),
    caught_by="test_failures_are_counted_across_restarts",
    says="gives a broken loop new lives at every restart",
)
wrong(
    "A loop may have so many failures, and no more.",
    ("else 0", "else failures"),
    caught_by="test_a_good_tick_ends_a_row_of_failures",
    says="a tick that goes well starts the count again",
)
wrong(
    "A tick that failed has nothing to hand on, so it is made again from the old state.",
    (TICK, f"                before = state\n{TICK}"),
    (
        COMMIT,
        '                if record.outcome == "failed":\n'
        "                    state = replace(before, status=state.status)\n"
        f"                    continue\n{COMMIT}",
    ),
    caught_by="test_a_failed_tick_is_committed_too",
    says="a healer learns from the record that it failed",
)
wrong(
    "A tick is put on the disk as soon as it is over; what follows from it is a later matter.",
    (COMMIT, ""),
    (TICK, TICK + COMMIT),
    caught_by="test_a_tick_is_committed_with_the_status_that_it_led_to",
    says="the status goes into the same write",
)
wrong(
    "With the review before it, one write does for both.",
    (COMMIT + REVIEW, REVIEW + COMMIT),
    caught_by="test_a_review_comes_after_the_commit",
    says="a process that dies in it must not take the tick along",
)
wrong(
    "The review is written to the disk, where the next tick finds it.",
    ("state = runner.review(state)", "runner.review(state)"),
    caught_by="test_the_next_tick_has_what_the_reviewer_said",
    says="that is the state to go on with",
)
wrong(
    "runner.review knows itself when a checkpoint is due.",
    (REVIEW, "                state = runner.review(state)\n"),
    caught_by="test_a_loop_that_has_ended_is_not_reviewed",
    says="nobody would read what the reviewer says",
)
wrong(
    "The last state is in hand after an interruption, and only has to be called stopped.",
    ("runner.interrupted()", 'replace(state, status="stopped")'),
    caught_by="test_ctrl_c_in_a_tick_stops_the_loop",
    says="runner.interrupted() marks the loop as stopped",
)
wrong(
    "Only the tick can be interrupted; the rest is over in a moment.",
    ("        try:", "        if True:"),
    (INTERRUPT, ""),
    (
        TICK,
        "                try:\n"
        "                    state, record = runner.tick(state)\n"
        "                except KeyboardInterrupt:\n"
        "                    state = runner.interrupted()\n"
        "                    break\n",
    ),
    caught_by="test_ctrl_c_after_a_tick_loses_nothing",
    says="Ctrl-C, in a tick or after one, ends the loop",
)
wrong(
    "What has to be done in any case belongs in a finally.",
    ("        runner.close", "        finally:\n            runner.close"),
    caught_by="test_other_errors_pass_through",
    says="so it is not closed",
)
wrong(
    "The lock keeps others from running ticks, so it is held around the ticks.",
    (EXCLUSIVE + OPEN, OPEN.replace("        ", "    ") + EXCLUSIVE),
    caught_by="test_all_is_done_alone",
    says="what is read before nobody else can write may be old",
)
wrong(
    "Signals are looked up once, as the budget and the config are.",
    ("runner.signals()", 'vars(runner).setdefault("looked_up", runner.signals())'),
    caught_by="test_the_signals_are_asked_after_every_tick",
    says="the stop file came during the second tick",
)
wrong(
    "Without a budget, Budget() stands for none.",
    ("runner.open(goal, budget)", "runner.open(goal, budget or Budget())"),
    caught_by="test_a_loop_that_goes_on_keeps_its_budget",
    says="Budget() would take every bound away",
)
