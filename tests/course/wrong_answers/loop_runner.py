"""22.3 gone wrong."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from g2c.loop.base import Budget, LoopState, LoopStatus, TickOutcome
from g2c.loop.runner import LoopRunner
from g2c.loop.status import next_status

from . import wrong

wrong = partial(wrong, "22.3")


def ask(loop: LoopRunner, outcome: TickOutcome, failures: int, state: LoopState) -> LoopStatus:
    most = loop.config.max_failures
    return next_status(outcome, failures, state.budget, state.spent, loop._signals(), most)


def judged(loop: LoopRunner, outcome: TickOutcome, failures: int, state: LoopState) -> LoopState:
    return replace(state, status=ask(loop, outcome, failures, state))


@wrong(
    caught_by="test_what_was_spent_before_counts",
    says="seven of nine ticks were spent before this process began",
)
def a_budget_is_a_range(
    self: LoopRunner, goal: str | None = None, budget: Budget | None = None
) -> LoopState:
    """A budget of nine ticks is a loop that goes round nine times."""
    with self._alone():
        state = self._open(goal, budget)
        failures = self._failures_in_a_row(state)
        try:
            if state.status == "running":
                state = judged(self, "continue", failures, state)
            for _ in range(state.budget.ticks or 10**6):
                if state.status != "running":
                    break
                left = replace(state.budget, ticks=None)
                state, record = self._tick(state)
                failures = failures + 1 if record.outcome == "failed" else 0
                status = ask(self, record.outcome, failures, replace(state, budget=left))
                state = replace(state, status=status)
                self._commit(state, record)
                if state.status == "running":
                    state = self._review(state)
            if state.status == "running":
                state = replace(state, status="budget_exceeded")
        except KeyboardInterrupt:
            state = self._interrupted()
        self._close(state)
        return state


@wrong(
    caught_by="test_a_stop_file_that_lies_there_is_seen_before_the_first_tick",
    says="does not begin one more tick first",
)
def first_a_tick_then_a_question(
    self: LoopRunner, goal: str | None = None, budget: Budget | None = None
) -> LoopState:
    """Before the first tick nothing has happened that could end the loop."""
    with self._alone():
        state = self._open(goal, budget)
        failures = self._failures_in_a_row(state)
        try:
            while state.status == "running":
                state, record = self._tick(state)
                failures = failures + 1 if record.outcome == "failed" else 0
                state = judged(self, record.outcome, failures, state)
                self._commit(state, record)
                if state.status == "running":
                    state = self._review(state)
        except KeyboardInterrupt:
            state = self._interrupted()
        self._close(state)
        return state


@wrong(
    caught_by="test_a_loop_that_has_ended_is_not_run_again",
    says="has no tick more, and stays what it was",
)
def the_question_decides(
    self: LoopRunner, goal: str | None = None, budget: Budget | None = None
) -> LoopState:
    """next_status knows every reason to end, so what the status was does not matter."""
    with self._alone():
        state = self._open(goal, budget)
        failures = self._failures_in_a_row(state)
        try:
            state = judged(self, "continue", failures, state)
            while state.status == "running":
                state, record = self._tick(state)
                failures = failures + 1 if record.outcome == "failed" else 0
                state = judged(self, record.outcome, failures, state)
                self._commit(state, record)
                if state.status == "running":
                    state = self._review(state)
        except KeyboardInterrupt:
            state = self._interrupted()
        self._close(state)
        return state


@wrong(
    caught_by="test_an_end_that_a_crash_cut_short_is_completed",
    says="a loop that has ended is closed, once, by whoever opens it",
)
def what_has_ended_is_over(
    self: LoopRunner, goal: str | None = None, budget: Budget | None = None
) -> LoopState:
    """A loop that has ended was closed when it ended."""
    with self._alone():
        state = self._open(goal, budget)
        if state.status != "running":
            return state
        failures = self._failures_in_a_row(state)
        try:
            state = judged(self, "continue", failures, state)
            while state.status == "running":
                state, record = self._tick(state)
                failures = failures + 1 if record.outcome == "failed" else 0
                state = judged(self, record.outcome, failures, state)
                self._commit(state, record)
                if state.status == "running":
                    state = self._review(state)
        except KeyboardInterrupt:
            state = self._interrupted()
        self._close(state)
        return state


@wrong(
    caught_by="test_failures_are_counted_across_restarts",
    says="gives a broken loop new lives at every restart",
)
def a_fresh_start(
    self: LoopRunner, goal: str | None = None, budget: Budget | None = None
) -> LoopState:
    """A new process begins with no failures."""
    with self._alone():
        state = self._open(goal, budget)
        failures = 0
        try:
            if state.status == "running":
                state = judged(self, "continue", failures, state)
            while state.status == "running":
                state, record = self._tick(state)
                failures = failures + 1 if record.outcome == "failed" else 0
                state = judged(self, record.outcome, failures, state)
                self._commit(state, record)
                if state.status == "running":
                    state = self._review(state)
        except KeyboardInterrupt:
            state = self._interrupted()
        self._close(state)
        return state


@wrong(
    caught_by="test_a_good_tick_ends_a_row_of_failures",
    says="a tick that goes well starts the count again",
)
def every_failure_counts(
    self: LoopRunner, goal: str | None = None, budget: Budget | None = None
) -> LoopState:
    """A loop may have so many failures, and no more."""
    with self._alone():
        state = self._open(goal, budget)
        failures = self._failures_in_a_row(state)
        try:
            if state.status == "running":
                state = judged(self, "continue", failures, state)
            while state.status == "running":
                state, record = self._tick(state)
                failures += record.outcome == "failed"
                state = judged(self, record.outcome, failures, state)
                self._commit(state, record)
                if state.status == "running":
                    state = self._review(state)
        except KeyboardInterrupt:
            state = self._interrupted()
        self._close(state)
        return state


@wrong(
    caught_by="test_a_failed_tick_is_committed_too",
    says="a healer learns from the record that it failed",
)
def only_good_ticks_are_kept(
    self: LoopRunner, goal: str | None = None, budget: Budget | None = None
) -> LoopState:
    """A tick that failed has nothing to hand on, so it is made again from the old state."""
    with self._alone():
        state = self._open(goal, budget)
        failures = self._failures_in_a_row(state)
        try:
            if state.status == "running":
                state = judged(self, "continue", failures, state)
            while state.status == "running":
                after, record = self._tick(state)
                if record.outcome == "failed":
                    failures += 1
                    state = judged(self, record.outcome, failures, state)
                    continue
                failures = 0
                state = judged(self, record.outcome, failures, after)
                self._commit(state, record)
                if state.status == "running":
                    state = self._review(state)
        except KeyboardInterrupt:
            state = self._interrupted()
        self._close(state)
        return state


@wrong(
    caught_by="test_a_tick_is_committed_with_the_status_that_it_led_to",
    says="the status goes into the same write",
)
def commit_then_ask(
    self: LoopRunner, goal: str | None = None, budget: Budget | None = None
) -> LoopState:
    """A tick is put on the disk as soon as it is over; what follows from it is a later matter."""
    with self._alone():
        state = self._open(goal, budget)
        failures = self._failures_in_a_row(state)
        try:
            if state.status == "running":
                state = judged(self, "continue", failures, state)
            while state.status == "running":
                state, record = self._tick(state)
                self._commit(state, record)
                failures = failures + 1 if record.outcome == "failed" else 0
                state = judged(self, record.outcome, failures, state)
                if state.status == "running":
                    state = self._review(state)
        except KeyboardInterrupt:
            state = self._interrupted()
        self._close(state)
        return state


@wrong(
    caught_by="test_a_review_comes_after_the_commit",
    says="a process that dies in it must not take the tick along",
)
def review_then_commit(
    self: LoopRunner, goal: str | None = None, budget: Budget | None = None
) -> LoopState:
    """With the review before it, one write does for both."""
    with self._alone():
        state = self._open(goal, budget)
        failures = self._failures_in_a_row(state)
        try:
            if state.status == "running":
                state = judged(self, "continue", failures, state)
            while state.status == "running":
                state, record = self._tick(state)
                failures = failures + 1 if record.outcome == "failed" else 0
                state = judged(self, record.outcome, failures, state)
                if state.status == "running":
                    state = self._review(state)
                self._commit(state, record)
        except KeyboardInterrupt:
            state = self._interrupted()
        self._close(state)
        return state


@wrong(
    caught_by="test_the_next_tick_has_what_the_reviewer_said",
    says="that is the state to go on with",
)
def the_review_is_on_the_disk(
    self: LoopRunner, goal: str | None = None, budget: Budget | None = None
) -> LoopState:
    """The review is written to the disk, where the next tick finds it."""
    with self._alone():
        state = self._open(goal, budget)
        failures = self._failures_in_a_row(state)
        try:
            if state.status == "running":
                state = judged(self, "continue", failures, state)
            while state.status == "running":
                state, record = self._tick(state)
                failures = failures + 1 if record.outcome == "failed" else 0
                state = judged(self, record.outcome, failures, state)
                self._commit(state, record)
                if state.status == "running":
                    self._review(state)
        except KeyboardInterrupt:
            state = self._interrupted()
        self._close(state)
        return state


@wrong(
    caught_by="test_a_loop_that_has_ended_is_not_reviewed",
    says="nobody would read what the reviewer says",
)
def a_review_at_the_end(
    self: LoopRunner, goal: str | None = None, budget: Budget | None = None
) -> LoopState:
    """self._review knows itself when a checkpoint is due."""
    with self._alone():
        state = self._open(goal, budget)
        failures = self._failures_in_a_row(state)
        try:
            if state.status == "running":
                state = judged(self, "continue", failures, state)
            while state.status == "running":
                state, record = self._tick(state)
                failures = failures + 1 if record.outcome == "failed" else 0
                state = judged(self, record.outcome, failures, state)
                self._commit(state, record)
                state = self._review(state)
        except KeyboardInterrupt:
            state = self._interrupted()
        self._close(state)
        return state


@wrong(
    caught_by="test_ctrl_c_in_a_tick_stops_the_loop",
    says="self._interrupted() marks the loop as stopped",
)
def stopped_is_a_word(
    self: LoopRunner, goal: str | None = None, budget: Budget | None = None
) -> LoopState:
    """Whoever is interrupted has the last state in hand, and only has to call it stopped."""
    with self._alone():
        state = self._open(goal, budget)
        failures = self._failures_in_a_row(state)
        try:
            if state.status == "running":
                state = judged(self, "continue", failures, state)
            while state.status == "running":
                state, record = self._tick(state)
                failures = failures + 1 if record.outcome == "failed" else 0
                state = judged(self, record.outcome, failures, state)
                self._commit(state, record)
                if state.status == "running":
                    state = self._review(state)
        except KeyboardInterrupt:
            state = replace(state, status="stopped")
        self._close(state)
        return state


@wrong(
    caught_by="test_ctrl_c_after_a_tick_loses_nothing",
    says="Ctrl-C, in a tick or after one, ends the loop",
)
def only_a_tick_takes_long(
    self: LoopRunner, goal: str | None = None, budget: Budget | None = None
) -> LoopState:
    """What can be interrupted is the tick; the rest is over in a moment."""
    with self._alone():
        state = self._open(goal, budget)
        failures = self._failures_in_a_row(state)
        if state.status == "running":
            state = judged(self, "continue", failures, state)
        while state.status == "running":
            try:
                state, record = self._tick(state)
            except KeyboardInterrupt:
                state = self._interrupted()
                break
            failures = failures + 1 if record.outcome == "failed" else 0
            state = judged(self, record.outcome, failures, state)
            self._commit(state, record)
            if state.status == "running":
                state = self._review(state)
        self._close(state)
        return state


@wrong(caught_by="test_other_errors_pass_through", says="so it is not closed")
def finally_close(
    self: LoopRunner, goal: str | None = None, budget: Budget | None = None
) -> LoopState:
    """What has to be done in any case belongs into a finally."""
    with self._alone():
        state = self._open(goal, budget)
        try:
            failures = self._failures_in_a_row(state)
            if state.status == "running":
                state = judged(self, "continue", failures, state)
            while state.status == "running":
                state, record = self._tick(state)
                failures = failures + 1 if record.outcome == "failed" else 0
                state = judged(self, record.outcome, failures, state)
                self._commit(state, record)
                if state.status == "running":
                    state = self._review(state)
        except KeyboardInterrupt:
            state = self._interrupted()
        finally:
            self._close(state)
        return state


@wrong(
    caught_by="test_other_errors_pass_through",
    says="nothing that a loop can go on with, nor an end of it",
)
def every_error_is_a_failure(
    self: LoopRunner, goal: str | None = None, budget: Budget | None = None
) -> LoopState:
    """A loop that nobody watches must not die of an error: it has failed."""
    with self._alone():
        state = self._open(goal, budget)
        failures = self._failures_in_a_row(state)
        try:
            if state.status == "running":
                state = judged(self, "continue", failures, state)
            while state.status == "running":
                state, record = self._tick(state)
                failures = failures + 1 if record.outcome == "failed" else 0
                state = judged(self, record.outcome, failures, state)
                self._commit(state, record)
                if state.status == "running":
                    state = self._review(state)
        except KeyboardInterrupt:
            state = self._interrupted()
        except Exception:
            state = replace(state, status="failed")
        self._close(state)
        return state


@wrong(
    caught_by="test_all_is_done_alone",
    says="what is read before nobody else can write may be old",
)
def reading_needs_no_lock(
    self: LoopRunner, goal: str | None = None, budget: Budget | None = None
) -> LoopState:
    """The lock keeps others from running ticks, so it is held around the ticks."""
    state = self._open(goal, budget)
    failures = self._failures_in_a_row(state)
    with self._alone():
        try:
            if state.status == "running":
                state = judged(self, "continue", failures, state)
            while state.status == "running":
                state, record = self._tick(state)
                failures = failures + 1 if record.outcome == "failed" else 0
                state = judged(self, record.outcome, failures, state)
                self._commit(state, record)
                if state.status == "running":
                    state = self._review(state)
        except KeyboardInterrupt:
            state = self._interrupted()
    self._close(state)
    return state


@wrong(
    caught_by="test_the_signals_are_asked_after_every_tick",
    says="the stop file came during the second tick",
)
def signals_are_settings(
    self: LoopRunner, goal: str | None = None, budget: Budget | None = None
) -> LoopState:
    """Signals are looked up once, as the budget and the config are."""
    with self._alone():
        state = self._open(goal, budget)
        failures = self._failures_in_a_row(state)
        signals, most = self._signals(), self.config.max_failures
        try:
            outcome: TickOutcome = "continue"
            while state.status == "running":
                status = next_status(outcome, failures, state.budget, state.spent, signals, most)
                state = replace(state, status=status)
                if state.status != "running":
                    break
                state, record = self._tick(state)
                outcome = record.outcome
                failures = failures + 1 if outcome == "failed" else 0
                status = next_status(outcome, failures, state.budget, state.spent, signals, most)
                self._commit(replace(state, status=status), record)
                if status == "running":
                    state = self._review(state)
        except KeyboardInterrupt:
            state = self._interrupted()
        self._close(state)
        return state


@wrong(
    caught_by="test_failures_are_counted_across_restarts",
    says="its record was not in the log yet",
)
def the_log_knows_already(
    self: LoopRunner, goal: str | None = None, budget: Budget | None = None
) -> LoopState:
    """The helper counts failures up to a state, and the state is that after the tick."""
    with self._alone():
        state = self._open(goal, budget)
        try:
            if state.status == "running":
                state = judged(self, "continue", self._failures_in_a_row(state), state)
            while state.status == "running":
                state, record = self._tick(state)
                state = judged(self, record.outcome, self._failures_in_a_row(state), state)
                self._commit(state, record)
                if state.status == "running":
                    state = self._review(state)
        except KeyboardInterrupt:
            state = self._interrupted()
        self._close(state)
        return state
