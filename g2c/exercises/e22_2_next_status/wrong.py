"""22.2 gone wrong."""

from functools import partial

from wrong_answers import wrong

wrong = partial(wrong, "22.2")

DONE = 'signals.success or (signals.success is None and outcome == "done")'
STOPPED = '    if signals.stop_requested:\n        return "stopped"\n'
FAILED = '    if failures_in_a_row >= max_failures:\n        return "failed"\n'
BUDGET = "any(bound is not None and used >= bound for bound, used in bounds)"
LAST = '        return "budget_exceeded"\n'
CONTRADICTED = '    if outcome == "done" and signals.success is False:\n        return "running"\n'

wrong(
    "There are two ways to be done: the agent says so, or the success command does.",
    (DONE, 'signals.success or outcome == "done"'),
    caught_by="test_a_claim_is_not_proof",
    says="the claim does not count",
)
wrong(
    "A claim is not proof, so only the success command ends a loop as done.",
    (DONE, "signals.success"),
    caught_by="test_the_word_of_the_agent_counts_where_nothing_else_can_tell",
    says="success is None where there is no success command",
)
wrong(
    "The success command checks the agent's claim, so there has to be one.",
    (DONE, 'signals.success is not False and outcome == "done"'),
    caught_by="test_the_success_command_needs_no_claim",
    says="even if the agent has not noticed",
)
wrong(
    "A tick that failed cannot have finished the work.",
    (DONE, f'outcome != "failed" and ({DONE})'),
    caught_by="test_a_failed_tick_may_have_reached_the_goal",
    says="the success command looks at the work, and not at how it came about",
)
wrong(
    "What a person asks for comes before everything else.",
    (f"    if {DONE}", f"{STOPPED}    if {DONE}"),
    caught_by="test_a_goal_that_is_reached_comes_before_everything",
    says="whatever else would have ended the loop, the work is done",
)
wrong(
    "What has used up its budget has not succeeded, whatever it says.",
    (DONE, "signals.success"),
    ('"running"', f'"done" if {DONE} else "running"'),
    caught_by="test_an_agent_that_is_done_is_done",
    says="a loop that is done in its last tick",
)
wrong(
    "A loop that failed or used up its budget has ended already; there is nothing to stop.",
    (STOPPED, ""),
    (LAST, LAST + STOPPED),
    caught_by="test_a_request_to_stop_comes_before_failure_and_budget",
    says="should read that it came for that",
)
wrong(
    "The budget is a hard bound, so it is looked at before failures are.",
    (FAILED, ""),
    (LAST, LAST + FAILED),
    caught_by="test_failure_comes_before_the_budget",
    says="the status is to say what has to be mended",
)
wrong(
    "The tick's outcome and the loop's status have the same name for it: failed.",
    ("if failures_in_a_row", 'if outcome == "failed" or failures_in_a_row'),
    caught_by="test_a_failed_tick_is_not_the_end",
    says="one failure may be chance",
)
wrong(
    "max_failures is the most failures that there may be, so it takes one more.",
    (">= max_failures", "> max_failures"),
    caught_by="test_five_failures_in_a_row_are_too_many",
    says="five failed ticks in a row, this one counted, or more are too many",
)
wrong(
    "A loop has failed after five failures.",
    (">= max_failures", ">= 5"),
    caught_by="test_how_many_failures_are_too_many_is_an_argument",
    says="with 2 failures, where max_failures is 2",
)
wrong(
    "The status is called budget_exceeded, so more must be spent than the budget has.",
    ("used >= bound", "used > bound"),
    caught_by="test_a_budget_that_is_just_used_up_ends_the_loop",
    says="for another tick nothing is left: equal is enough",
)
wrong(
    "A loop's budget is how often it may run.",
    (BUDGET, "budget.ticks is not None and spent.ticks >= budget.ticks"),
    caught_by="test_each_bound_of_a_budget_counts_alone",
    says="ticks, tokens and seconds are three bounds",
)
wrong(
    "If the agent says done and the success command says no, the loop has to go on.",
    (f"    if {DONE}", f"{CONTRADICTED}    if {DONE}"),
    caught_by="test_a_claim_that_is_wrong_hides_no_other_reason",
    says="does not keep the loop running either",
)
wrong(
    "A loop can only fail by a tick that failed.",
    ("if failures_in_a_row", 'if outcome == "failed" and failures_in_a_row'),
    caught_by="test_failures_before_the_first_tick_count_too",
    says="the five failures are from the process before it",
)
