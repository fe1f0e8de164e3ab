"""22.2 gone wrong."""

from __future__ import annotations

from functools import partial

from g2c.loop.base import Budget, LoopStatus, Signals, Spent, TickOutcome

from . import wrong

wrong = partial(wrong, "22.2")


def is_done(outcome: TickOutcome, signals: Signals) -> bool:
    return bool(signals.success) or (signals.success is None and outcome == "done")


def used_up(budget: Budget, spent: Spent) -> list[bool]:
    """Of ticks, tokens and seconds, whether as much is spent as there is."""
    bounds, amounts = vars(budget).values(), vars(spent).values()
    return [b is not None and amount >= b for b, amount in zip(bounds, amounts, strict=True)]


def first(*reasons: tuple[LoopStatus, bool]) -> LoopStatus:
    """The first status whose reason holds."""
    return next((status for status, holds in reasons if holds), "running")


@wrong(caught_by="test_a_claim_is_no_proof", says="the claim counts for nothing")
def the_agent_should_know(
    outcome: TickOutcome,
    failures_in_a_row: int,
    budget: Budget,
    spent: Spent,
    signals: Signals,
    max_failures: int = 5,
) -> LoopStatus:
    """Two ways lead to done: the agent says so, or the success command does."""
    return first(
        ("done", outcome == "done" or bool(signals.success)),
        ("stopped", signals.stop_requested),
        ("failed", failures_in_a_row >= max_failures),
        ("budget_exceeded", any(used_up(budget, spent))),
    )


@wrong(
    caught_by="test_the_word_of_the_agent_counts_where_nothing_else_can_tell",
    says="success is None where there is no success command",
)
def no_proof_no_end(
    outcome: TickOutcome,
    failures_in_a_row: int,
    budget: Budget,
    spent: Spent,
    signals: Signals,
    max_failures: int = 5,
) -> LoopStatus:
    """A claim is no proof, so only the success command ends a loop as done."""
    return first(
        ("done", bool(signals.success)),
        ("stopped", signals.stop_requested),
        ("failed", failures_in_a_row >= max_failures),
        ("budget_exceeded", any(used_up(budget, spent))),
    )


@wrong(
    caught_by="test_the_success_command_needs_no_claim", says="even if the agent has not noticed"
)
def done_when_both_say_so(
    outcome: TickOutcome,
    failures_in_a_row: int,
    budget: Budget,
    spent: Spent,
    signals: Signals,
    max_failures: int = 5,
) -> LoopStatus:
    """The success command checks the agent's claim, so there has to be one."""
    return first(
        ("done", outcome == "done" and signals.success is not False),
        ("stopped", signals.stop_requested),
        ("failed", failures_in_a_row >= max_failures),
        ("budget_exceeded", any(used_up(budget, spent))),
    )


@wrong(
    caught_by="test_a_failed_tick_may_have_reached_the_goal",
    says="the success command looks at the work, and not at how it came about",
)
def what_failed_did_nothing(
    outcome: TickOutcome,
    failures_in_a_row: int,
    budget: Budget,
    spent: Spent,
    signals: Signals,
    max_failures: int = 5,
) -> LoopStatus:
    """A tick that failed cannot have finished the work."""
    return first(
        ("done", outcome != "failed" and is_done(outcome, signals)),
        ("stopped", signals.stop_requested),
        ("failed", failures_in_a_row >= max_failures),
        ("budget_exceeded", any(used_up(budget, spent))),
    )


@wrong(
    caught_by="test_a_goal_that_is_reached_comes_before_everything",
    says="whatever else would have ended the loop, the work is done",
)
def a_person_comes_first(
    outcome: TickOutcome,
    failures_in_a_row: int,
    budget: Budget,
    spent: Spent,
    signals: Signals,
    max_failures: int = 5,
) -> LoopStatus:
    """What a person asks for comes before everything else."""
    return first(
        ("stopped", signals.stop_requested),
        ("done", is_done(outcome, signals)),
        ("failed", failures_in_a_row >= max_failures),
        ("budget_exceeded", any(used_up(budget, spent))),
    )


@wrong(
    caught_by="test_an_agent_that_is_done_is_done",
    says="a loop that is done in its last tick",
)
def the_budget_is_sacred(
    outcome: TickOutcome,
    failures_in_a_row: int,
    budget: Budget,
    spent: Spent,
    signals: Signals,
    max_failures: int = 5,
) -> LoopStatus:
    """What has used up its budget has not succeeded, whatever it says."""
    return first(
        ("done", bool(signals.success)),
        ("stopped", signals.stop_requested),
        ("failed", failures_in_a_row >= max_failures),
        ("budget_exceeded", any(used_up(budget, spent))),
        ("done", is_done(outcome, signals)),
    )


@wrong(
    caught_by="test_a_request_to_stop_comes_before_failure_and_budget",
    says="should read that it came for that",
)
def trouble_before_wishes(
    outcome: TickOutcome,
    failures_in_a_row: int,
    budget: Budget,
    spent: Spent,
    signals: Signals,
    max_failures: int = 5,
) -> LoopStatus:
    """A loop that has failed or used up its budget has ended already; there is nothing to stop."""
    return first(
        ("done", is_done(outcome, signals)),
        ("failed", failures_in_a_row >= max_failures),
        ("budget_exceeded", any(used_up(budget, spent))),
        ("stopped", signals.stop_requested),
    )


@wrong(
    caught_by="test_failure_comes_before_the_budget",
    says="the status is to say what has to be mended",
)
def money_first(
    outcome: TickOutcome,
    failures_in_a_row: int,
    budget: Budget,
    spent: Spent,
    signals: Signals,
    max_failures: int = 5,
) -> LoopStatus:
    """The budget is a hard bound, so it is looked at before failures are."""
    return first(
        ("done", is_done(outcome, signals)),
        ("stopped", signals.stop_requested),
        ("budget_exceeded", any(used_up(budget, spent))),
        ("failed", failures_in_a_row >= max_failures),
    )


@wrong(caught_by="test_a_failed_tick_is_not_the_end", says="one failure may be chance")
def failed_is_failed(
    outcome: TickOutcome,
    failures_in_a_row: int,
    budget: Budget,
    spent: Spent,
    signals: Signals,
    max_failures: int = 5,
) -> LoopStatus:
    """The tick's outcome and the loop's status have the same name for it: failed."""
    return first(
        ("done", is_done(outcome, signals)),
        ("stopped", signals.stop_requested),
        ("failed", outcome == "failed" or failures_in_a_row >= max_failures),
        ("budget_exceeded", any(used_up(budget, spent))),
    )


@wrong(
    caught_by="test_five_failures_in_a_row_are_too_many",
    says="five failed ticks in a row, this one counted, or more are too many",
)
def the_most_that_may_be(
    outcome: TickOutcome,
    failures_in_a_row: int,
    budget: Budget,
    spent: Spent,
    signals: Signals,
    max_failures: int = 5,
) -> LoopStatus:
    """max_failures is the most failures that there may be, so it takes one more."""
    return first(
        ("done", is_done(outcome, signals)),
        ("stopped", signals.stop_requested),
        ("failed", failures_in_a_row > max_failures),
        ("budget_exceeded", any(used_up(budget, spent))),
    )


@wrong(
    caught_by="test_five_failures_in_a_row_are_too_many",
    says="this one counted, or more are too many and four are not; of 7 you said 'running'",
)
def the_fifth_is_the_one(
    outcome: TickOutcome,
    failures_in_a_row: int,
    budget: Budget,
    spent: Spent,
    signals: Signals,
    max_failures: int = 5,
) -> LoopStatus:
    """The count goes up by one, so it is enough to look for the moment when it is full."""
    return first(
        ("done", is_done(outcome, signals)),
        ("stopped", signals.stop_requested),
        ("failed", failures_in_a_row == max_failures),
        ("budget_exceeded", any(used_up(budget, spent))),
    )


@wrong(
    caught_by="test_how_many_failures_are_too_many_is_an_argument",
    says="with 2 failures, where max_failures is 2",
)
def five_as_it_says(
    outcome: TickOutcome,
    failures_in_a_row: int,
    budget: Budget,
    spent: Spent,
    signals: Signals,
    max_failures: int = 5,
) -> LoopStatus:
    """A loop has failed after five failures."""
    return first(
        ("done", is_done(outcome, signals)),
        ("stopped", signals.stop_requested),
        ("failed", failures_in_a_row >= 5),
        ("budget_exceeded", any(used_up(budget, spent))),
    )


@wrong(
    caught_by="test_a_budget_that_is_just_used_up_ends_the_loop",
    says="for another tick nothing is left: equal is enough",
)
def exceeded_means_more_than(
    outcome: TickOutcome,
    failures_in_a_row: int,
    budget: Budget,
    spent: Spent,
    signals: Signals,
    max_failures: int = 5,
) -> LoopStatus:
    """The status is called budget_exceeded, so more must be spent than the budget has."""
    bounds, amounts = vars(budget).values(), vars(spent).values()
    over = any(b is not None and amount > b for b, amount in zip(bounds, amounts, strict=True))
    return first(
        ("done", is_done(outcome, signals)),
        ("stopped", signals.stop_requested),
        ("failed", failures_in_a_row >= max_failures),
        ("budget_exceeded", over),
    )


@wrong(
    caught_by="test_each_bound_of_a_budget_counts_alone",
    says="ticks, tokens and seconds are three bounds",
)
def a_budget_is_ticks(
    outcome: TickOutcome,
    failures_in_a_row: int,
    budget: Budget,
    spent: Spent,
    signals: Signals,
    max_failures: int = 5,
) -> LoopStatus:
    """A loop's budget is how often it may run."""
    return first(
        ("done", is_done(outcome, signals)),
        ("stopped", signals.stop_requested),
        ("failed", failures_in_a_row >= max_failures),
        ("budget_exceeded", budget.ticks is not None and spent.ticks >= budget.ticks),
    )


@wrong(
    caught_by="test_each_bound_of_a_budget_counts_alone",
    says="one that is reached is enough",
)
def something_is_left(
    outcome: TickOutcome,
    failures_in_a_row: int,
    budget: Budget,
    spent: Spent,
    signals: Signals,
    max_failures: int = 5,
) -> LoopStatus:
    """While tokens or seconds are left, there is something to go on with."""
    bounds, amounts = vars(budget).values(), vars(spent).values()
    given = [amount >= b for b, amount in zip(bounds, amounts, strict=True) if b is not None]
    return first(
        ("done", is_done(outcome, signals)),
        ("stopped", signals.stop_requested),
        ("failed", failures_in_a_row >= max_failures),
        ("budget_exceeded", bool(given) and all(given)),
    )


@wrong(
    caught_by="test_a_claim_that_is_wrong_hides_no_other_reason",
    says="does not keep the loop running either",
)
def a_wrong_claim_means_go_on(
    outcome: TickOutcome,
    failures_in_a_row: int,
    budget: Budget,
    spent: Spent,
    signals: Signals,
    max_failures: int = 5,
) -> LoopStatus:
    """If the agent says done and the success command says no, the loop has to go on."""
    if outcome == "done":
        return "running" if signals.success is False else "done"
    return first(
        ("done", bool(signals.success)),
        ("stopped", signals.stop_requested),
        ("failed", failures_in_a_row >= max_failures),
        ("budget_exceeded", any(used_up(budget, spent))),
    )


@wrong(
    caught_by="test_failures_before_the_first_tick_count_too",
    says="the five failures are from the process before it",
)
def a_failure_ends_in_failure(
    outcome: TickOutcome,
    failures_in_a_row: int,
    budget: Budget,
    spent: Spent,
    signals: Signals,
    max_failures: int = 5,
) -> LoopStatus:
    """A loop can only fail by a tick that failed."""
    return first(
        ("done", is_done(outcome, signals)),
        ("stopped", signals.stop_requested),
        ("failed", outcome == "failed" and failures_in_a_row >= max_failures),
        ("budget_exceeded", any(used_up(budget, spent))),
    )
