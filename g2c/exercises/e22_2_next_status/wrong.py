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
)
wrong(
    "A claim is not proof, so only the success command ends a loop as done.",
    (DONE, "signals.success"),
)
wrong(
    "The success command checks the agent's claim, so there has to be one.",
    (DONE, 'signals.success is not False and outcome == "done"'),
)
wrong(
    "A tick that failed cannot have finished the work.", (DONE, f'outcome != "failed" and ({DONE})')
)
wrong(
    "What a person asks for comes before everything else.",
    (f"    if {DONE}", f"{STOPPED}    if {DONE}"),
)
wrong(
    "What has used up its budget has not succeeded, whatever it says.",
    (DONE, "signals.success"),
    ('"running"', f'"done" if {DONE} else "running"'),
)
wrong(
    "A loop that failed or used up its budget has ended already; there is nothing to stop.",
    (STOPPED, ""),
    (LAST, LAST + STOPPED),
)
wrong(
    "The budget is a hard bound, so it is looked at before failures are.",
    (FAILED, ""),
    (LAST, LAST + FAILED),
)
wrong(
    "The tick's outcome and the loop's status have the same name for it: failed.",
    ("if failures_in_a_row", 'if outcome == "failed" or failures_in_a_row'),
)
wrong(
    "max_failures is the most failures that there may be, so it takes one more.",
    (">= max_failures", "> max_failures"),
)
wrong("A loop has failed after five failures.", (">= max_failures", ">= 5"))
wrong(
    "The status is called budget_exceeded, so more must be spent than the budget has.",
    ("used >= bound", "used > bound"),
)
wrong(
    "A loop's budget is how often it may run.",
    (BUDGET, "budget.ticks is not None and spent.ticks >= budget.ticks"),
)
wrong(
    "If the agent says done and the success command says no, the loop has to go on.",
    (f"    if {DONE}", f"{CONTRADICTED}    if {DONE}"),
)
wrong(
    "A loop can only fail by a tick that failed.",
    ("if failures_in_a_row", 'if outcome == "failed" and failures_in_a_row'),
)
