"""The tests of module 23's exercises, in their order.

A failure says what your function seems to believe, and what is true. `g2c check 23.1` runs the
tests of one exercise.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from math import comb
from random import Random
from typing import Any, get_args

import pytest
from cases import each

from g2c.course.scored import Score
from g2c.evaluation.build_spans import build_spans
from g2c.evaluation.core.pairs import Solved
from g2c.evaluation.core.preferences import Pair, Tally, Verdict
from g2c.evaluation.core.rates import PassRates
from g2c.evaluation.core.ratings import Label, Weights
from g2c.evaluation.core.spans import UNFINISHED, Row, Span
from g2c.evaluation.core.stakes import FALSE_ALARM, Counts, Decision
from g2c.evaluation.decide import decide
from g2c.evaluation.judge_pairs import judge_pairs
from g2c.evaluation.kappa import kappa
from g2c.evaluation.pass_rates import pass_rates
from g2c.evaluation.profile import profile
from g2c.evaluation.sequential_test import sequential_test
from g2c.exercises.e23_7_decide.goal import GOAL as DECISIONS
from g2c.exercises.e23_7_decide.naive import decide as first_decide
from g2c.inference import BackendError
from g2c.tracing import Event


class TestBuildSpans:
    """Exercise 23.1."""

    def test_a_span_that_begins_inside_another_is_its_child(self) -> None:
        log = _Log().begin(1, "agent").begin(2, "model").end(2).begin(3, "tool").end(3).end(1)
        assert _parents(log) == {1: None, 2: 1, 3: 1}, (
            "the call 2 had ended when the tool 3 began, so 3 hangs below the agent and not below 2"
        )

    def test_a_delegates_run_hangs_below_the_call_that_asked_it(self) -> None:
        log = _Log().begin(1, "agent").begin(2, "tool").begin(3, "agent").begin(4, "model")
        log.end(4).end(3).end(2).begin(5, "model").end(5).end(1)
        assert _parents(log) == {1: None, 2: 1, 3: 2, 4: 3, 5: 1}, (
            "an agent that runs inside a tool call is that call's child, and its model call is its "
            "own, not the outer agent's"
        )

    def test_each_worker_nests_by_itself(self) -> None:
        log = _Log().begin(1, "agent").begin(2, "tool", worker=1).begin(3, "tool", worker=2)
        log.begin(4, "model", worker=1).end(3, worker=2).end(4, worker=1)
        log.end(2, worker=1).end(1)
        assert _parents(log) == {1: None, 2: 1, 3: 1, 4: 2}, (
            "lines of several workers take turns: 3 began while 2 was open, but in another worker, "
            "and 4 belongs to 2, which its own worker has open"
        )
        assert _ends(log)[2] == 6.0, "2 ended with its own end, not with that of another worker"

    def test_a_worker_with_nothing_open_works_for_the_first_span(self) -> None:
        log = _Log().begin(1, "command").begin(2, "agent").begin(3, "model", worker=1)
        log.end(3, worker=1).end(2).end(1)
        assert _parents(log)[3] == 1, (
            "worker 1 has nothing open, and no line says who sent it: it hangs below the log's "
            "first span, not below what another worker has open, and not below nothing"
        )

    def test_a_later_span_counts_after_the_first_is_over(self) -> None:
        log = _Log().begin(1, "command").end(1).begin(2, "model").end(2)
        assert _parents(log) == {1: None, 2: 1}, "a log has one root: its first span"

    def test_start_and_end_are_those_of_its_two_events(self) -> None:
        log = _Log().begin(1, "agent").begin(2, "model").end(2).end(1)
        spans = _built(log)
        assert [(span.start, span.end) for span in spans] == [(0.0, 3.0), (1.0, 2.0)]
        assert [span.seconds for span in spans] == [3.0, 1.0]

    def test_spans_come_in_the_order_in_which_they_began(self) -> None:
        log = _Log().begin(7, "agent").begin(3, "model").end(3).begin(5, "tool").end(5).end(7)
        assert [span.id for span in _built(log)] == [7, 3, 5], (
            "the order is that of the beginnings, not of the ends and not of the ids"
        )

    def test_kind_and_name_are_the_beginnings(self) -> None:
        log = _Log().begin(1, "tool", name="calculator").end(1)
        assert [(span.kind, span.name) for span in _built(log)] == [("tool", "calculator")]

    def test_a_tools_error_is_not_the_runs(self) -> None:
        log = _Log().begin(1, "agent").begin(2, "tool").end(2, error="tool_error")
        log.begin(3, "model").end(3).end(1, outcome="final_answer")
        errors = {span.id: span.error for span in _built(log)}
        assert errors == {1: "", 2: "tool_error", 3: ""}, (
            "the agent read of the tool's error and went on: the run has none"
        )

    def test_an_outcome_is_its_own(self) -> None:
        log = _Log().begin(1, "agent").begin(2, "agent").end(2, outcome="max_steps")
        log.end(1, outcome="final_answer")
        assert {span.id: span.outcome for span in _built(log)} == {
            1: "final_answer",
            2: "max_steps",
        }

    def test_tokens_are_counted_where_they_were_spent(self) -> None:
        log = _Log().begin(1, "agent").begin(2, "model").end(2, tokens=(900, 40)).end(1)
        spans = {span.id: (span.input_tokens, span.output_tokens) for span in _built(log)}
        assert spans[2] == (900, 40)
        assert spans[1] == (None, None), (
            "the agent read no token itself: who adds up a trace would count the call twice"
        )

    def test_nobody_knows_is_not_zero(self) -> None:
        log = _Log().begin(1, "model").end(1)
        assert _built(log)[0].input_tokens is None, "a model that does not tell did not read 0"

    def test_a_killed_step_is_in_the_trace(self) -> None:
        log = _Log().begin(1, "command").begin(2, "agent").begin(3, "model")
        found = [(span.id, span.error, span.end) for span in _built(log)]
        assert found == [(1, UNFINISHED, 2.0), (2, UNFINISHED, 2.0), (3, UNFINISHED, 2.0)], (
            "what never ended is what one looks for: it lasted at least until the log's last event"
        )

    def test_an_open_span_ends_with_its_parent(self) -> None:
        log = _Log().begin(1, "agent").begin(2, "tool").begin(3, "model").end(1, error="KeyError")
        log.begin(4, "model").end(4)
        spans = {span.id: span for span in _built(log)}
        assert [(spans[id].end, spans[id].error) for id in (2, 3)] == [(3.0, UNFINISHED)] * 2, (
            "2 and 3 never ended, and cannot last longer than the run that they were part of"
        )
        assert (spans[1].error, spans[1].end) == ("KeyError", 3.0), "1 has an end of its own"
        assert spans[4].parent == 1, "2 and 3 are over: nothing can hang below them any more"

    def test_another_workers_open_span_does_not_end(self) -> None:
        log = _Log().begin(1, "agent").begin(2, "tool", worker=1).end(1).begin(3, "model", worker=1)
        log.end(3, worker=1)
        spans = {span.id: span for span in _built(log)}
        assert (spans[2].end, spans[2].error) == (4.0, UNFINISHED), (
            "worker 1 worked on after the run had ended: only its own worker closes it"
        )
        assert spans[3].parent == 2

    def test_an_unfinished_span_has_neither_outcome_nor_tokens(self) -> None:
        log = _Log().begin(1, "agent").begin(2, "model").end(1, outcome="stopped", tokens=(1, 2))
        one = {span.id: span for span in _built(log)}[2]
        assert (one.outcome, one.input_tokens, one.output_tokens) == ("", None, None), (
            "the end that closed it was another's"
        )

    def test_an_end_without_a_beginning_counts_for_nothing(self) -> None:
        log = _Log().end(9).begin(1, "agent").end(8).begin(2, "model").end(2).end(1).end(1)
        assert _parents(log) == {1: None, 2: 1}, "a log may begin in the middle of a run"
        assert _ends(log) == {1: 5.0, 2: 4.0}, "8 never began, so it ends nothing"

    def test_texts_only_for_who_asks(self) -> None:
        log = _Log().begin(1, "model", text="my sister is ill").end(1, text="I am sorry")
        assert [(span.input, span.output) for span in build_spans(log.events)] == [("", "")], (
            "a trace is shown to others; what was said stays out unless it is asked for"
        )
        told = build_spans(log.events, with_text=True)
        assert [(span.input, span.output) for span in told] == [("my sister is ill", "I am sorry")]

    def test_an_unfinished_span_keeps_its_input(self) -> None:
        log = _Log().begin(1, "agent").begin(2, "model", text="a question").end(1, text="an answer")
        one = build_spans(log.events, with_text=True)[1]
        assert (one.input, one.output) == ("a question", ""), "the answer is another span's"

    def test_no_event_is_not_a_span(self) -> None:
        assert build_spans([]) == ()

    def test_events_may_come_one_by_one(self) -> None:
        log = _Log().begin(1, "agent").end(1)
        assert len(build_spans(iter(log.events))) == 1, "they are read once, from first to last"

    def test_a_long_log_takes_a_moment(self) -> None:
        log = _Log().begin(0, "command")
        for number in range(1, 20_001):
            log.begin(number, "model").end(number)
        spans = build_spans(log.events)
        assert len(spans) == 20_001, "the command never ended, and has a span all the same"
        assert {span.parent for span in spans[1:]} == {0}, "an id of 0 is an id like any other"


class _Log:
    """Events a second apart, from 0."""

    def __init__(self) -> None:
        self.events: list[Event] = []

    def begin(self, id: int, kind: str, *, worker: int = 0, name: str = "", text: str = "") -> _Log:
        at = float(len(self.events))
        self.events.append(Event(at, worker, id, "begin", kind, name, text=text))
        return self

    def end(
        self,
        id: int,
        *,
        worker: int = 0,
        error: str = "",
        outcome: str = "",
        tokens: tuple[int | None, int | None] = (None, None),
        text: str = "",
    ) -> _Log:
        at = float(len(self.events))
        event = Event(at, worker, id, "end", "", "", error, outcome, *tokens, text)
        self.events.append(event)
        return self


def _built(log: _Log) -> tuple[Span, ...]:
    spans = build_spans(log.events)
    assert isinstance(spans, tuple), f"spans come as a tuple, not as {type(spans).__name__}"
    return spans


def _parents(log: _Log) -> dict[int, int | None]:
    return {span.id: span.parent for span in _built(log)}


def _ends(log: _Log) -> dict[int, float]:
    return {span.id: span.end for span in _built(log)}


class TestProfile:
    """Exercise 23.2."""

    def test_time_in_children_is_not_a_spans_own_time(self) -> None:
        rows = _rows(_span(1, None, "agent", 0, 10), _span(2, 1, "model", 1, 8))
        assert rows["agent"].self_s == 3.0, (
            "the agent lasted 10 s, and 7 of them were the model's: 3 are its own"
        )
        assert rows["model"].self_s == 7.0

    def test_only_what_is_directly_below_is_taken_off(self) -> None:
        rows = _rows(
            _span(1, None, "command", 0, 10), _span(2, 1, "agent", 0, 8), _span(3, 2, "model", 1, 6)
        )
        assert rows["command"].self_s == 2.0, "the model's 5 s are within the agent's 8"
        assert rows["agent"].self_s == 3.0

    def test_two_side_by_side_are_taken_off_once(self) -> None:
        rows = _rows(
            _span(1, None, "agent", 0, 10), _span(2, 1, "tool", 2, 7), _span(3, 1, "tool", 4, 9)
        )
        assert rows["agent"].self_s == 3.0, (
            "from 2 to 9 something ran below the agent: 7 s, though the tools' add up to 10"
        )
        assert rows["tool"].self_s == 10.0, "each tool worked its own 5 s"

    def test_a_child_that_ends_as_the_next_begins_was_waited_for(self) -> None:
        rows = _rows(
            _span(1, None, "agent", 0, 10), _span(2, 1, "tool", 0, 4), _span(3, 1, "model", 4, 10)
        )
        waited = [rows[kind].critical_s for kind in ("agent", "tool", "model")]
        assert waited == [0.0, 4.0, 6.0], (
            "the tool ended at 4, just when the model began: it had ended by then, and the agent "
            f"waited for nothing of its own; you have {waited}"
        )

    def test_a_gap_between_children_is_its_own(self) -> None:
        rows = _rows(
            _span(1, None, "agent", 0, 10), _span(2, 1, "tool", 1, 3), _span(3, 1, "model", 6, 9)
        )
        assert rows["agent"].self_s == 5.0, "from 3 to 6 nothing ran below the agent"

    def test_one_inside_the_time_of_another_changes_nothing(self) -> None:
        rows = _rows(
            _span(1, None, "agent", 0, 10), _span(2, 1, "tool", 1, 9), _span(3, 1, "model", 3, 4),
            _span(4, 1, "model", 9, 10),
        )  # fmt: skip
        assert rows["agent"].self_s == 1.0, (
            "from 1 to 10 something ran below the agent, whether or not another ran inside its "
            f"time: 1 s is its own; you have {rows['agent'].self_s}"
        )

    def test_a_child_that_outlives_its_parent(self) -> None:
        rows = _rows(_span(1, None, "agent", 0, 4), _span(2, 1, "tool", 3, 9))
        assert rows["agent"].self_s == 3.0, "after 4 there is no agent that could have waited"
        assert rows["tool"].self_s == 6.0, "the tool ran from 3 to 9, whoever began it"

    def test_nobody_waits_for_the_faster_of_two(self) -> None:
        rows = _rows(
            _span(1, None, "agent", 0, 10), _span(2, 1, "tool", 2, 5), _span(3, 1, "model", 2, 9)
        )
        assert rows["tool"].critical_s == 0.0, (
            "the tool ran beside the model, which ended later: without it the run takes as long"
        )
        waited = [rows[kind].critical_s for kind in ("model", "agent")]
        assert waited == [7.0, 3.0], (
            "the agent waited for the model from 2 to 9, and before and after that for itself; "
            f"you have {waited}"
        )

    def test_before_the_slow_one_began_the_other_was_waited_for(self) -> None:
        rows = _rows(
            _span(1, None, "agent", 0, 10), _span(2, 1, "tool", 1, 4), _span(3, 1, "model", 5, 10)
        )
        assert rows["tool"].critical_s == 3.0, "it had ended before the model began: both count"
        assert rows["agent"].critical_s == 2.0, (
            "from 0 to 1, and from 4 to 5, it waited for nothing below it; you have "
            f"{rows['agent'].critical_s}"
        )

    def test_one_that_was_still_running_when_the_next_began_is_off_the_path(self) -> None:
        rows = _rows(
            _span(1, None, "agent", 0, 10), _span(2, 1, "tool", 1, 6), _span(3, 1, "model", 5, 10),
            _span(4, 1, "plan", 0, 2),
        )  # fmt: skip
        assert rows["tool"].critical_s == 0.0, (
            "whoever ended last is waited for until it began, at 5; the tool had not ended by then"
        )
        assert rows["plan"].critical_s == 2.0, "it had ended last by then"
        assert rows["agent"].critical_s == 3.0

    def test_the_end_decides_and_not_the_length(self) -> None:
        rows = _rows(
            _span(1, None, "agent", 0, 10), _span(2, 1, "tool", 0, 8), _span(3, 1, "model", 5, 10)
        )
        assert rows["model"].critical_s == 5.0, "the model ended last, though the tool was longer"
        assert rows["agent"].critical_s == 5.0, "when the model began, the tool had not ended"

    def test_the_path_goes_down(self) -> None:
        rows = _rows(
            _span(1, None, "command", 0, 10), _span(2, 1, "agent", 1, 10),
            _span(3, 2, "model", 2, 5), _span(4, 2, "tool", 6, 9),
        )  # fmt: skip
        critical = {kind: row.critical_s for kind, row in rows.items()}
        assert critical == {"command": 1.0, "agent": 3.0, "model": 3.0, "tool": 3.0}, (
            "the command waited for the agent, and the agent for what is below it"
        )

    def test_below_what_nobody_waited_for_nobody_is_waited_for(self) -> None:
        rows = _rows(
            _span(1, None, "agent", 0, 10), _span(2, 1, "tool", 0, 8), _span(3, 2, "model", 1, 7),
            _span(4, 1, "plan", 0, 10),
        )  # fmt: skip
        waited = [rows[kind].critical_s for kind in ("tool", "model", "plan")]
        assert waited == [0.0, 0.0, 10.0], (
            "the agent waited for the plan from 0 to 10, and so neither for the tool, which had "
            f"ended before, nor for the model, on which only the tool waited; you have {waited}"
        )

    def test_one_that_ends_after_its_parent_was_not_waited_for(self) -> None:
        rows = _rows(_span(1, None, "agent", 0, 4), _span(2, 1, "tool", 1, 9))
        assert rows["agent"].critical_s == 4.0, "the agent ended at 4 without the tool"
        assert rows["tool"].critical_s == 0.0, "it ended at 9, when nobody waited any more"

    def test_the_rows_add_up_to_the_run(self) -> None:
        for seed in range(30):
            spans = _random_spans(Random(seed))
            total = sum(row.critical_s for row in profile(spans))
            whole = sum(span.seconds for span in spans if span.parent is None)
            assert abs(total - whole) < 1e-6, (
                f"each moment of a run has one span that is waited for, so the rows add up to its "
                f"{whole:g} s, not to {total:g}"
            )

    def test_two_runs_in_one_trace_are_both_waited_for(self) -> None:
        rows = _rows(_span(1, None, "agent", 0, 4), _span(2, None, "agent", 6, 9))
        assert (rows["agent"].critical_s, rows["agent"].self_s) == (7.0, 7.0), (
            "nothing ran from 4 to 6, so nobody waited"
        )

    def test_tokens_are_added_up_by_kind(self) -> None:
        rows = _rows(
            _span(1, None, "agent", 0, 4),
            _span(2, 1, "model", 0, 1, tokens=(900, 40)),
            _span(3, 1, "model", 1, 2, tokens=(950, None)),
        )
        assert (rows["model"].input_tokens, rows["model"].output_tokens) == (1850, 40), (
            "a count that nobody knows is 0 here"
        )
        assert (rows["agent"].input_tokens, rows["agent"].output_tokens) == (0, 0), (
            "the agent's calls are the model's row; nobody pays for them twice"
        )

    def test_spans_are_counted(self) -> None:
        rows = _rows(*(_span(n, None, "model", n, n + n % 2) for n in range(1, 4)))
        assert rows["model"].spans == 3, (
            "three spans are of this kind, and one that took no time is one of them; you have "
            f"{rows['model'].spans}"
        )

    def test_the_longest_wait_comes_first(self) -> None:
        rows = profile(
            [_span(1, None, "agent", 0, 10), _span(2, 1, "tool", 0, 9), _span(3, 1, "plan", 0, 8.5)]
        )
        assert [row.kind for row in rows] == ["tool", "agent", "plan"], (
            "the plan worked 8.5 s, and nobody waited for it"
        )

    def test_equal_rows_come_in_the_order_of_their_kinds(self) -> None:
        spans = [_span(n, None, kind, n, n + 1) for n, kind in enumerate(["tool", "draft", "plan"])]
        kinds = [row.kind for row in profile(spans)]
        assert kinds == ["draft", "plan", "tool"], (
            "each was waited for 1 s, so the names of the kinds decide, and not which came first; "
            f"you have {kinds}"
        )

    def test_spans_may_come_in_any_order(self) -> None:
        spans = list(_random_spans(Random(7)))
        wanted = profile(spans)
        Random(8).shuffle(spans)
        for row, other in zip(profile(spans), wanted, strict=True):
            assert row.kind == other.kind, "a trace is not a sorted list"
            assert row.critical_s == pytest.approx(other.critical_s), "a trace is not a sorted list"
            assert row.self_s == pytest.approx(other.self_s), "a trace is not a sorted list"

    def test_nothing_is_not_a_row(self) -> None:
        assert profile([]) == (), "a trace without spans has no kinds"

    def test_a_long_row_of_spans_inside_each_other(self) -> None:
        spans = [_span(n, n - 1 or None, "agent", n, 20_000 - n) for n in range(1, 3_000)]
        says = "agents that ask agents that ask agents: no depth is too great"
        try:
            rows = profile(spans)
        except RecursionError as error:
            error.add_note(says)
            raise
        assert rows[0].critical_s == pytest.approx(19_998.0), says


def _span(
    id: int,
    parent: int | None,
    kind: str,
    start: float,
    end: float,
    *,
    tokens: tuple[int | None, int | None] = (None, None),
) -> Span:
    return Span(id, parent, kind, kind, float(start), float(end), "", "", *tokens)


def _rows(*spans: Span) -> dict[str, Row]:
    rows = profile(spans)
    assert isinstance(rows, tuple), f"rows come as a tuple, not as {type(rows).__name__}"
    return _Rows({row.kind: row for row in rows})


class _Rows(dict[str, Row]):
    def __missing__(self, kind: str) -> Row:
        pytest.fail(f"each kind of a span has a row, and {kind!r} has none among {list(self)}")


def _random_spans(random: Random) -> Iterable[Span]:
    spans = [_span(1, None, "command", 0, 100)]
    for id in range(2, 40):
        above = random.choice(spans)
        start, end = sorted(random.uniform(above.start, above.end) for _ in range(2))
        kind = random.choice(["agent", "model", "tool"])
        spans.append(_span(id, above.id, kind, start, end))
    return spans


class Asked:
    """A judge that replies as `prefers` does, and notes what it was asked.

    `does` is what a failure says of it.
    """

    def __init__(self, prefers: Callable[[str, str], str], does: str) -> None:
        self.prefers, self.does = prefers, does
        self.calls: list[tuple[object, ...]] = []

    def __call__(self, *asked: str, **named: str) -> str:
        assert not named, f"the judge takes three texts in their order, and was given {named}"
        self.calls.append(asked)
        return self.prefers(*asked[-2:])

    def __repr__(self) -> str:
        return f"<a judge that {self.does}>"


def longest() -> Asked:
    def prefers(first: str, second: str) -> str:
        if len(first) == len(second):
            return "tie"
        return "first" if len(first) > len(second) else "second"

    return Asked(prefers, "takes the longer answer")


def always(reply: str) -> Asked:
    return Asked(lambda *_: reply, f"always says {reply!r}")


def replying(*replies: str) -> Asked:
    left = iter(replies)
    return Asked(lambda *_: next(left), f"says {', then '.join(map(repr, replies))}")


SHORT_LONG = Pair("say it", "short", "much longer")
LONG_SHORT = Pair("say it", "much longer", "short")


class TestJudgePairs:
    """Exercise 23.3."""

    def test_both_orders_are_asked_and_nothing_is_told_beside_the_answers(self) -> None:
        judge = longest()
        judge_pairs([Pair("why?", "one", "other"), Pair("when?", "1", "2")], judge)
        expected = [("why?", "one", "other"), ("why?", "other", "one")]
        assert sorted(judge.calls[:2]) == expected, (
            "a judge reads each pair twice, once with each answer first, and then the next pair. "
            "It is told the task and the two answers as they are: a name such as 'A:' tells it "
            f"whom to prefer. You asked first about {judge.calls[:2]}"
        )
        assert sorted(judge.calls[2:]) == [("when?", "1", "2"), ("when?", "2", "1")], (
            "each pair is read twice, and with its own task"
        )
        judge_pairs([SHORT_LONG, SHORT_LONG], judge)
        assert len(judge.calls[4:]) == 4, (
            "a pair that comes twice is judged four times: a judge does not always say the same"
        )

    def test_the_reply_with_a_first_is_kept_as_that(self) -> None:
        [verdict] = judge_pairs([SHORT_LONG], longest()).verdicts
        assert (verdict.a_first, verdict.b_first) == ("second", "first"), (
            "b is longer. With a first the judge says second, and with b first it says first; a "
            "verdict keeps the replies as they were, under the order in which they were given"
        )

    def test_a_pair_that_a_won(self) -> None:
        found = judge_pairs([LONG_SHORT], longest())
        assert found == Tally((Verdict("first", "second", "a"),), 0.0), (
            "a is longer: it is preferred in both orders, and nothing goes to b"
        )

    def test_a_is_asked_about_first(self) -> None:
        [verdict] = judge_pairs([SHORT_LONG], replying("first", "tie")).verdicts
        assert (verdict.a_first, verdict.b_first) == ("first", "tie"), (
            "the first call has a first, and the second call has b first"
        )

    def test_after_the_swap_the_same_answer_has_the_other_place(self) -> None:
        found = judge_pairs([SHORT_LONG, LONG_SHORT], longest())
        assert [verdict.winner for verdict in found.verdicts] == ["b", "a"], (
            "first and then second are the same answer, because the places were exchanged. Two "
            "equal replies are the same place, and two different answers"
        )

    @each(["first", "second"], "reply")
    def test_a_judge_that_looks_at_the_place_prefers_nobody(self, reply: str) -> None:
        found = judge_pairs([SHORT_LONG, LONG_SHORT, SHORT_LONG], always(reply))
        assert [verdict.winner for verdict in found.verdicts] == ["split"] * 3, (
            "a judge that takes the same place whatever stands there has preferred no answer"
        )
        assert found.share_b == 0.5, (
            "a split gives half to each side. Where it counts for a, or for b, or for nobody, a "
            "judge that never looked at the answers makes a winner, or no figure at all"
        )

    def test_a_tie_is_an_answer(self) -> None:
        found = judge_pairs([SHORT_LONG, Pair("t", "1", "2")], longest())
        assert [verdict.winner for verdict in found.verdicts] == ["b", "tie"], (
            "a judge that says twice that neither is better has judged, and has not failed"
        )
        assert found.share_b == 0.75, "a tie counts half for each side: (1 + 1/2) / 2"

    @each([("tie", "first"), ("tie", "second"), ("first", "tie"), ("second", "tie")], "replies")
    def test_a_preference_in_one_order_alone_does_not_survive(
        self, replies: tuple[str, str]
    ) -> None:
        found = judge_pairs([SHORT_LONG], replying(*replies))
        assert found.verdicts[0].winner == "split", (
            "in one order the judge preferred an answer and in the other it did not: that is no "
            "win, and no tie, for the judge did not say so twice"
        )
        assert found.share_b == 0.5, "a split counts half for each side"

    @each(
        [("", "first"), ("second", "?"), ("tie", "both"), ("no", "no"), ("a", "b"),
         (" first", "second"), ("First", "second"), ("TIE", "tie"), ("tie.", "tie")],
        "replies",
    )  # fmt: skip
    def test_an_unreadable_verdict_is_not_a_vote(self, replies: tuple[str, str]) -> None:
        found = judge_pairs([SHORT_LONG], replying(*replies))
        assert found.verdicts[0].winner == "unread", (
            "with one order unread nobody knows whether the other survives the swap. The pair is "
            "neither won by the order that was read, nor a tie, nor a split"
        )
        assert (found.verdicts[0].a_first, found.verdicts[0].b_first) == replies, (
            "the replies stay as they came, so that somebody can see why they were not read"
        )

    def test_an_unread_pair_is_not_in_the_mean(self) -> None:
        replies = replying("second", "first", "", "first", "second", "first", "?", "?")
        found = judge_pairs([SHORT_LONG] * 4, replies)
        assert found.share_b == 1, (
            "b won both pairs that were read. A pair without a vote is in neither part of the "
            "fraction; as half a point or as none it would pull a good answer down"
        )

    @each([0, 2], "pairs")
    def test_without_a_vote_there_is_no_share(self, pairs: int) -> None:
        found = judge_pairs([SHORT_LONG] * pairs, always("I cannot say."))
        assert found.share_b is None, "0 would say that a won, and 1/2 that both are as good"
        assert len(found.verdicts) == pairs, "each pair has its verdict, also one that was not read"
        assert isinstance(found.verdicts, tuple), "a tally is frozen, and a list in it is not"

    def test_an_unread_order_does_not_spare_the_other(self) -> None:
        judge = replying("", "first")
        found = judge_pairs([SHORT_LONG], judge)
        assert found.verdicts[0].b_first == "first" and len(judge.calls) == 2, (
            "both replies of a pair are kept; whoever counts how often the first place was taken "
            "needs the one that could be read"
        )

    def test_the_answer_is_the_winner_and_not_the_judges_last_word(self) -> None:
        pairs = [SHORT_LONG, LONG_SHORT, LONG_SHORT, LONG_SHORT, Pair("t", "x", "y")]
        found = judge_pairs(pairs, longest())
        assert found.share_b == pytest.approx(0.3), (
            "of five pairs b won one, a three, and one is a tie: (1 + 0 + 0 + 0 + 1/2) / 5"
        )
        assert [verdict.winner for verdict in found.verdicts] == ["b", "a", "a", "a", "tie"], (
            "the verdicts stand in the order of the pairs"
        )

    def test_a_judge_that_breaks_is_heard(self) -> None:
        def breaks(task: str, first: str, second: str) -> str:
            raise BackendError("no model answers")

        with pytest.raises(BackendError, match="no model answers"):
            judge_pairs([SHORT_LONG], breaks)
            pytest.fail(
                "a judge that cannot be asked is an error for the caller, and no unread reply"
            )

    def test_equal_answers_are_asked_about_too(self) -> None:
        found = judge_pairs([Pair("t", "same", "same")], always("first"))
        assert found.verdicts[0].winner == "split", (
            "two equal answers are the best test of a judge: this one takes the first place, and "
            "that is not to be hidden behind a tie that it never gave"
        )


FOUR = (["x"] * 6 + ["y"] * 4, ["x"] * 5 + ["y"] * 4 + ["x"])


class TestKappa:
    """Exercise 23.4."""

    def test_agreement_is_counted_beyond_chance(self) -> None:
        assert kappa(*FOUR) == pytest.approx(1 - 0.2 / 0.48), (
            "the two disagree on 2 of 10. By chance they would on 0.6 * 0.4 + 0.4 * 0.6 = 0.48; "
            "kappa is 1 - 0.2 / 0.48, not a share of the items"
        )

    def test_a_judge_that_always_says_the_frequent_label_gets_nothing(self) -> None:
        assert kappa(["good"] * 95 + ["bad"] * 5, ["good"] * 100) == pytest.approx(0), (
            "the two agree on 95 of 100, and so would anybody who says good and does not look"
        )

    def test_chance_is_made_of_what_each_rater_uses(self) -> None:
        a, b = ["x"] * 9 + ["y"], ["x"] * 3 + ["y"] * 7
        by_chance = 0.9 * 0.7 + 0.1 * 0.3
        assert kappa(a, b) == pytest.approx(1 - 0.6 / by_chance), (
            "x is 90 % of one rater's labels and 30 % of the other's. Chance draws from each "
            "rater's own labels: not from both together, and not from all classes alike"
        )

    def test_chance_may_draw_any_two_labels(self) -> None:
        assert kappa(["x", "y"], ["x", "y"]) == pytest.approx(1), "they agree on all items"
        assert kappa(["x", "y", "y"], ["x", "x", "y"]) == pytest.approx(1 - 3 / 5), (
            "of the nine pairs of a label of one and a label of the other, 5 differ. The labels of "
            "one item are one of the pairs, as any other"
        )

    @each([(["a", "b", "b"], ["a", "b", "split"]), (["c", "a", "b"], ["a", "a", "b"])], "labels")
    def test_a_class_that_one_rater_never_uses_counts(
        self, labels: tuple[list[str], list[str]]
    ) -> None:
        one, other = labels
        differ = sum(x != y for x in one for y in other) / 9
        assert kappa(one, other) == pytest.approx(1 - (1 / 3) / differ), (
            "an item with a label that only one rater uses is a disagreement, and its label is "
            "part of what chance can draw; leaving it out makes the rater better than it is"
        )

    def test_raters_that_share_no_label_disagree_as_chance_would(self) -> None:
        assert kappa(["a", "a"], ["b", "b"]) == 0, (
            "they disagree on all items, and by chance they would on all, too: that is 0, and it "
            "is defined"
        )

    def test_perfect_agreement_is_one(self) -> None:
        assert kappa(["a", "b", "c", "a"], ["a", "b", "c", "a"]) == 1, "there is no disagreement"

    @each(["none", "linear", "quadratic"], "weights")
    def test_one_label_alone_shows_nothing(self, weights: Weights) -> None:
        assert kappa([3, 3, 3], [3, 3, 3], weights=weights) is None, (
            "with one and the same label on every item nobody could have disagreed. 1 would praise "
            "a judge that was not tried, 0 would blame it, and 0 / 0 is not a number"
        )

    def test_less_than_chance_is_below_zero(self) -> None:
        assert kappa(["x", "y", "x", "y"], ["y", "x", "y", "x"]) == pytest.approx(-1), (
            "who says the opposite each time agrees less than chance: that is worth knowing, and "
            "is below 0"
        )

    @each(["none", "linear", "quadratic"], "weights")
    def test_it_does_not_matter_which_rater_is_which(self, weights: Weights) -> None:
        a, b = [1, 1, 2, 5, 5, 5], [1, 2, 2, 5, 1, 2]
        assert kappa(a, b, weights=weights) == pytest.approx(kappa(b, a, weights=weights)), (
            "agreement has no side: the labels of a person and those of a judge may change places"
        )

    def test_the_distance_is_that_of_the_scores(self) -> None:
        a, b = [1, 2, 9, 9], [1, 9, 9, 2]
        by_chance = (0 + 8 + 8 + 1 + 1 + 7 + 7 + 0 + 8 + 0 + 0 + 7 + 8 + 0 + 0 + 7) / 16
        assert kappa(a, b, weights="linear") == pytest.approx(1 - (14 / 4) / by_chance), (
            "between 2 and 9 lie 7 points, also if no score between them was given. The places of "
            "1, 2 and 9 in the list of scores that were seen say nothing about their distance"
        )

    def test_a_large_error_costs_more_than_a_small_one(self) -> None:
        truth, near, far = [1, 2, 3, 4], [2, 2, 3, 4], [4, 2, 3, 4]
        assert kappa(truth, near) == pytest.approx(kappa(truth, far), abs=0.1), (
            "without weights one item is wrong in both"
        )
        close, wide = kappa(truth, near, weights="linear"), kappa(truth, far, weights="linear")
        assert close is not None and wide is not None and close > wide + 0.3, (
            "a judge that gives 2 for a 1 is nearer than one that gives 4: with weights the "
            "distance counts"
        )

    def test_quadratic_squares_the_distance_of_each_pair(self) -> None:
        a, b = [1, 2, 3, 7], [2, 2, 5, 5]
        squares = sum((x - y) ** 2 for x in a for y in b) / 16
        assert kappa(a, b, weights="quadratic") == pytest.approx(1 - (9 / 4) / squares), (
            "each distance is squared before the mean, among the items and by chance"
        )
        plain = sum(abs(x - y) for x in a for y in b) / 16
        assert kappa(a, b, weights="linear") == pytest.approx(1 - (5 / 4) / plain), (
            "linear takes the distances as they are"
        )

    def test_labels_are_compared_and_not_measured_unless_asked(self) -> None:
        assert kappa([1, 5, 1], [1, 5, 5]) == kappa(["x", "y", "x"], ["x", "y", "y"]), (
            "without weights a score is a class as any other: 1 and 5 differ, no more than x and y"
        )

    @each([(1, "1"), ("x", "x "), ("x", "X"), (0, "")], "labels")
    def test_labels_are_the_same_only_if_they_are_equal(self, labels: tuple[Label, Label]) -> None:
        one, other = labels
        assert kappa([one, other, one], [other, other, one]) == kappa(
            ["x", "y", "x"], ["y", "y", "x"]
        ), f"{one!r} and {other!r} are two labels, as any other two"

    def test_fractions_of_a_point_and_scores_below_zero_are_scores(self) -> None:
        a, b = [-0.5, 0.25, 1.0], [-0.5, 1.0, 0.25]
        shifted = [10 * x + 7 for x in a], [10 * x + 7 for x in b]
        for weights in ("linear", "quadratic"):
            assert kappa(a, b, weights=weights) == pytest.approx(
                kappa(*shifted, weights=weights)
            ), "kappa does not depend on the unit of a score, nor on where its 0 is"

    @each([(["x"], []), ([], ["x"]), (["x", "y"], ["x"]), ([], [])], "labels")
    def test_labels_that_do_not_pair_are_refused(self, labels: tuple[list[str], list[str]]) -> None:
        with pytest.raises(ValueError):
            kappa(*labels)
            pytest.fail("some item has the label of one rater alone, or there is no item at all")

    def test_unknown_weights_are_refused(self) -> None:
        with pytest.raises(ValueError):
            kappa([1, 2], [1, 2], weights="cubic")  # type: ignore[arg-type]
            pytest.fail("a slip in `weights` must not be read as one of the three")

    def test_the_labels_are_left_as_they_were(self) -> None:
        a, b = ["y", "x", "y"], ["x", "y", "y"]
        kappa(a, b)
        assert (a, b) == (["y", "x", "y"], ["x", "y", "y"]), "the lists belong to the caller"

    def test_any_sequence_will_do(self) -> None:
        assert kappa((True, True), (False, False)) == 0, (
            "labels may come as a tuple, and True and False are labels"
        )


def must_refuse(call: Callable[[], Any], why: str) -> None:
    """Fail unless `call` raises a ValueError with a sentence."""
    try:
        value = call()
    except ValueError as error:
        assert " " in str(error), f"say in a sentence what is wrong, not {str(error)!r}"
        return
    except ArithmeticError as error:
        pytest.fail(f"{why}; say so with a ValueError, before anything is computed: {error}")
    pytest.fail(f"{why}; a ValueError is due, and you returned {value!r}")


A_WINS: Solved = (True, False)
B_WINS: Solved = (False, True)


def wins_in(letters: str) -> list[Solved]:
    """Pairs of outcomes: who won each task, `+` for both and `-` for neither."""
    return [("a+".find(letter) >= 0, "b+".find(letter) >= 0) for letter in letters]


def named_of_equals(alpha: float, length: int) -> float:
    """The exact share of all runs of so many coins that ever get a name, with a look after each."""
    named, open_runs = 0.0, [[]] if length else []
    for tasks in range(1, length + 1):
        longer = [[*run, pair] for run in open_runs for pair in (A_WINS, B_WINS)]
        open_runs = [run for run in longer if sequential_test(run, alpha) is None]
        named += (len(longer) - len(open_runs)) / 2**tasks
    return named


def coins(seed: int, runs: int, length: int, wins_of_b: float) -> list[list[Solved]]:
    """Invented runs in which the two differ on each task; B wins this share of the tasks."""
    random = Random(seed)
    return [
        [B_WINS if random.random() < wins_of_b else A_WINS for _ in range(length)]
        for _ in range(runs)
    ]


def is_ever_named(run: list[Solved], alpha: float) -> bool:
    """Whether the run gets a name at one of ten looks."""
    step = max(1, len(run) // 10)
    looks = range(step, len(run) + 1, step)
    return any(sequential_test(run[:tasks], alpha) for tasks in looks)


class TestSequentialTest:
    """Exercise 23.5."""

    def test_twelve_wins_without_a_loss_are_enough(self) -> None:
        got = sequential_test([B_WINS] * 12), sequential_test([A_WINS] * 12)
        assert got == ("b", "a"), (
            "a coin falls twelve times on the same side once in 2,048 times, so 12 to 0 is clear; "
            f"for 12 wins of B and then of A you say {got}"
        )

    def test_five_wins_without_a_loss_are_not(self) -> None:
        got = sequential_test([B_WINS] * 5)
        assert got is None, (
            "two coins of 32 begin with five alike, five heads or five tails: that is 0.0625, and "
            f"alpha is 0.05. You say {got!r}. A and B can each win by chance, so both ends count"
        )

    @each([0.05, 0.2, 0.5, 0.9], "alpha")
    def test_alpha_of_all_runs_of_equals_get_a_name(self, alpha: float) -> None:
        share = named_of_equals(alpha, 12)
        assert share <= alpha, (
            f"of all 4,096 ways in which 12 wins may fall between equals, {share:.1%} get a name "
            f"if one asks after each task, and alpha is {alpha:.0%}. Is each look allowed to err "
            "by itself? Is a bet placed after its outcome is known? May both ends err by alpha?"
        )

    def test_long_runs_of_equals_do_not_get_a_name_more_often(self) -> None:
        runs = coins(1, 800, 250, 0.5)
        share = sum(is_ever_named(run, 0.2) for run in runs) / len(runs)
        assert share <= 0.23, (
            f"of 800 runs of 250 tasks between equals, {share:.0%} get a name at one of ten looks, "
            "and alpha is 20 %. A rule that is right for one look is wrong for ten: each look is "
            "another chance to be fooled"
        )

    def test_a_name_that_was_given_stays(self) -> None:
        run = [B_WINS] * 12
        later = [sequential_test(run + [A_WINS] * more) for more in (0, 1, 6, 12, 24)]
        assert later == ["b"] * 5, (
            "after 12 wins of B in a row the run has its answer, and somebody acted on it. Whoever "
            "asks only later must be told the same, or the answer depends on who looked when. With "
            f"0, 1, 6, 12 and 24 wins of A after them you say {later}"
        )

    def test_a_difference_is_found(self) -> None:
        runs = coins(2, 200, 100, 0.75)
        found = sum(sequential_test(run) == "b" for run in runs)
        assert found > 100, (
            "B wins three in four of 100 tasks on which the two differ, and of 200 such runs you "
            f"find {found}. A rule that hardly ever speaks makes no false alarm and is of no use"
        )

    def test_tasks_on_which_both_did_the_same_change_nothing(self) -> None:
        names = [
            sequential_test(wins_in(run))
            for run in ("b" * 12, "+-" * 2_000 + "b" * 12, ("b" + "+-" * 200) * 12, "b" * 12 + "-")
        ]
        assert names == ["b"] * 4, (
            "what both solved, or neither, does not tell them apart: it is evidence neither for a "
            "difference nor against one. Twelve wins of B alone, after 4000 such tasks, with 400 "
            f"after each, and before one: you say {names}"
        )

    def test_equal_tasks_are_not_wins(self) -> None:
        got = sequential_test(wins_in("+" * 50)), sequential_test(wins_in("-" * 50))
        assert got == (None, None), (
            "both solved all of 50 tasks, and then neither solved any: nobody won a task, and you "
            f"say {got}"
        )

    def test_exchanging_the_two_exchanges_the_names(self) -> None:
        runs = [*coins(3, 30, 40, 0.8), *coins(4, 30, 40, 0.2)]
        names = [sequential_test(run) for run in runs]
        other = [sequential_test([(b, a) for a, b in run]) for run in runs]
        swapped = [{"a": "b", "b": "a", None: None}[name] for name in other]
        wrong = sum(one != two for one, two in zip(names, swapped, strict=True))
        assert not wrong, (
            f"in {wrong} of 60 runs the answer depends on which of the two is called A. The rule "
            "may not lean to one of them"
        )

    def test_the_winner_is_who_won_more(self) -> None:
        run = wins_in("ab" + "b" * 20)
        got = sequential_test(run)
        assert got == "b", f"B wins 21 of 22 tasks, and A one of the first; you say {got!r}"

    def test_a_smaller_alpha_waits_longer(self) -> None:
        firsts = []
        for alpha in (0.2, 0.05, 0.001):
            tasks = range(1, 60)
            firsts.append(next((n for n in tasks if sequential_test([B_WINS] * n, alpha)), 60))
        in_order = firsts[0] < firsts[1] < firsts[2] < 60
        assert in_order, (
            "who may err once in a thousand runs needs more wins in a row than who may err once in "
            f"five; at alpha 0.2, 0.05 and 0.001 you need {firsts}"
        )

    def test_very_long_runs_have_an_answer_too(self) -> None:
        even, won = wins_in("ab" * 600), [A_WINS] * 1200
        try:
            got = sequential_test(even), sequential_test(won)
        except OverflowError as error:
            pytest.fail(f"a run of 1,200 tasks: {error}; 2**1200 is not a float's business")
        assert got == (None, "a"), (
            "1,200 tasks that went to A and B in turn show nothing, and 1,200 wins of A show A; "
            f"you say {got}. 2**1200 is more than a float can hold, and 0.5**1200 is 0"
        )

    def test_a_run_without_tasks_shows_nothing(self) -> None:
        assert sequential_test([]) is None, "nothing was asked yet, so nothing is shown"

    @each([0, 1, -0.1, 5, float("nan")])
    def test_an_alpha_that_is_not_a_probability_is_rejected(self, alpha: float) -> None:
        must_refuse(
            lambda: sequential_test([A_WINS], alpha),
            f"the share of false alarms lies between 0 and 1, and alpha is {alpha}; 5 per cent is "
            "0.05",
        )

    def test_the_pairs_are_left_as_they_are(self) -> None:
        run = wins_in("a+b-" * 5)
        sequential_test(run)
        assert run == wins_in("a+b-" * 5), (
            "the pairs were changed; the comparison goes on with them after you have answered"
        )


def tried(solved: int, of: int) -> list[bool]:
    """The tries of a task, the solved ones first."""
    return [True] * solved + [False] * (of - solved)


def mean_rates(p: float, tries: int, k: int) -> PassRates:
    """The average of your rates for one task, over all possible outcomes of its tries."""
    once = every = 0.0
    for solved in range(tries + 1):
        chance = comb(tries, solved) * p**solved * (1 - p) ** (tries - solved)
        found = pass_rates([tried(solved, tries)], k)
        once, every = once + chance * found.once, every + chance * found.every
    return PassRates(once, every)


def near_rates(found: PassRates, once: float, every: float) -> bool:
    return abs(found.once - once) < 1e-9 and abs(found.every - every) < 1e-9


class TestPassRates:
    """Exercise 23.6."""

    @each([(0.3, 5, 3), (0.5, 4, 2), (0.9, 6, 4)], "p, tries, k")
    def test_the_rates_are_right_on_average(self, case: tuple[float, int, int]) -> None:
        p, tries, k = case
        found = mean_rates(p, tries, k)
        once, every = 1 - (1 - p) ** k, p**k
        assert near_rates(found, once, every), (
            f"a task is solved with a chance of {p} at each try. Over all samples of {tries} tries "
            f"your rates of {k} are {found.once:.4f} and {found.every:.4f} on average, and "
            f"{once:.4f} and {every:.4f} are right. The share of a sample, raised to a power, is "
            "not the power of the chance: three tries of one sample cannot be the same try thrice"
        )

    def test_k_tries_of_k_are_what_they_are(self) -> None:
        found = [pass_rates([tried(solved, 3)], 3) for solved in (0, 1, 3)]
        assert found == [PassRates(0, 0), PassRates(1, 0), PassRates(1, 1)], (
            "three tries were made and three are asked about: with none solved, one, and three, it "
            f"is known what happened. You say {found}"
        )

    def test_a_task_that_was_tried_more_often_counts_with_all_of_its_tries(self) -> None:
        found = pass_rates([[True, True], [False, False, True, True]], 2)
        assert near_rates(found, (1 + 5 / 6) / 2, (1 + 1 / 6) / 2), (
            "the second task was tried four times, and the other two tries tell as much about it "
            f"as the first two; you say {found}"
        )

    def test_both_rates_are_the_share_with_one_try(self) -> None:
        found = pass_rates([tried(3, 4)], 1)
        assert near_rates(found, 0.75, 0.75), (
            f"of one try, once at least and every time are the same, 3 of 4 here; you say {found}"
        )

    def test_a_draw_has_no_try_twice(self) -> None:
        found = pass_rates([tried(1, 4)], 2)
        assert near_rates(found, 0.5, 0), (
            "one of four tries solved it. Of the six ways to take two of them, three have it; and "
            "none has two that did, for there is one only. So it is 0.5 and 0; you say "
            f"{found.once:.4f} and {found.every:.4f}"
        )

    def test_the_two_rates_are_not_exchanged(self) -> None:
        found = pass_rates([tried(3, 4)], 2)
        assert near_rates(found, 1, 0.5), (
            "three of four tries solved it: two of them always have one that did, and three of the "
            f"six pairs have two. Once is 1 and every is 0.5; you say {found}"
        )

    def test_a_rate_is_a_mean_over_tasks(self) -> None:
        found = pass_rates([tried(4, 4), tried(0, 4)], 3)
        assert near_rates(found, 0.5, 0.5), (
            "one task is always solved and one never, so three tries change nothing: half of the "
            "tasks are solved once, and half every time. Averaging the successes first invents a "
            f"task that is solved half of the time; you say {found}"
        )

    def test_tasks_may_have_different_numbers_of_tries(self) -> None:
        found = pass_rates([tried(2, 2), tried(4, 4), tried(0, 3)], 2)
        assert near_rates(found, 2 / 3, 2 / 3), (
            "2 of 2, 4 of 4 and 0 of 3 tries: two tasks are always solved and one never, each by "
            f"its own number of tries. You say {found}"
        )

    def test_a_task_with_more_tries_counts_as_one(self) -> None:
        found = pass_rates([tried(2, 2), tried(0, 98)], 1)
        assert near_rates(found, 0.5, 0.5), (
            "one task was solved in 2 of 2 tries, the other in 0 of 98. More tries make a rate "
            f"surer, and no task more important: it is half of two tasks; you say {found}"
        )

    def test_tasks_that_were_never_solved_count(self) -> None:
        found = pass_rates([tried(3, 3), tried(0, 3), tried(0, 3), tried(0, 3)], 2)
        assert near_rates(found, 0.25, 0.25), (
            f"three of four tasks were never solved, and they are tasks as well; you say {found}"
        )

    def test_the_order_of_the_tries_changes_nothing(self) -> None:
        orders = ([True, False, False], [False, True, False], [False, False, True])
        found = [pass_rates([order], 2) for order in orders]
        is_one = found[0] == found[1] == found[2]
        assert is_one, (
            "one of three tries solved it, the first, the second or the third. All tries count, "
            f"and not the first two alone, so the rates are the same each time; you say {found}"
        )

    def test_thousands_of_tries_are_not_an_obstacle(self) -> None:
        try:
            found = pass_rates([tried(4000, 4000), tried(0, 4000)], 2000)
        except OverflowError as error:
            pytest.fail(
                f"4,000 tries, 2,000 of them drawn: {error}. There are more ways to do so than a "
                "float can count; Python's whole numbers have no end"
            )
        assert near_rates(found, 0.5, 0.5), (
            "one task was solved in each of 4,000 tries and one in none, so half of the tasks is "
            f"solved once in 2,000, and each time; you say {found}"
        )

    @each([3, 4, 100], "k")
    def test_more_than_was_tried_is_refused(self, k: int) -> None:
        must_refuse(
            lambda: pass_rates([tried(2, 4), tried(2, 2)], k),
            f"a task was tried twice, and nobody knows what {k} tries of it do: leaving it out "
            "changes the tasks, and one more try may go either way",
        )

    @each([0, -1], "k")
    def test_no_tries_are_refused(self, k: int) -> None:
        must_refuse(
            lambda: pass_rates([tried(1, 3)], k),
            f"{k} tries solve nothing and fail at nothing; k is 1 or more",
        )

    def test_no_tasks_are_refused(self) -> None:
        must_refuse(
            lambda: pass_rates([], 1),
            "without a task there is no rate: 0 would say that all tasks fail",
        )


class TestDecide:
    """Exercise 23.7."""

    def test_the_answer_is_one_of_four(self) -> None:
        for seen in (Counts(), Counts(1, 0, 4), Counts(2, 9, 30), Counts(60, 20, 10)):
            got = decide(seen, 100, 0.03)
            is_decision = got in get_args(Decision)
            assert is_decision, (
                f"the answer is one of {get_args(Decision)}; of {seen} it is {got!r}"
            )

    def test_without_a_task_nothing_can_be_said(self) -> None:
        got = decide(Counts(), 100, 0.03)
        assert got == "go on", (
            "nothing was asked yet, and a task costs 0.03 points, where a difference may be worth "
            f"10 or 20: you say {got!r}"
        )

    def test_a_clear_lead_is_named(self) -> None:
        got = decide(Counts(2, 38, 20), 100, 0.1), decide(Counts(38, 2, 20), 100, 0.1)
        assert got == ("b", "a"), (
            "38 wins to 2 are not luck, and every further task costs 0.1: say who it is. For 38 "
            f"wins of B and then of A you say {got}"
        )

    @each([Counts(1, 0, 4), Counts(0, 1, 0), Counts(7, 5, 20), Counts(5, 1, 20)], "seen")
    def test_a_small_lead_is_not_named(self, seen: Counts) -> None:
        got = decide(seen, 100, 0.03)
        is_named = got in ("a", "b")
        assert not is_named, (
            f"{seen}: between equals somebody is ahead nearly always, and half of the comparisons "
            f"are between equals. Naming one costs {FALSE_ALARM:g} then; you say {got!r}"
        )

    @each([Counts(11, 14, 25), Counts(2, 7, 21)], "seen")
    def test_the_last_task_forces_no_name(self, seen: Counts) -> None:
        got = decide(seen, 0, 0.03)
        is_named = got in ("a", "b")
        assert not is_named, (
            f"no task is left, and {seen.only_a} to {seen.only_b} is what coins do. Nobody must "
            f'name one: "no telling" costs the difference, if there is one, and a name costs '
            f"{FALSE_ALARM:g} if there is none. You say {got!r}"
        )

    def test_a_clear_lead_is_named_at_the_last_task_too(self) -> None:
        got = decide(Counts(4, 30, 16), 0, 0.03)
        assert got == "b", (
            f"30 wins to 4 are clear, whether or not a task is left; you say {got!r}, and what was "
            "paid for 50 tasks is lost"
        )

    def test_equals_are_given_up_before_the_last_task(self) -> None:
        got = decide(Counts(20, 20, 160), 200, 0.1)
        assert got == "no telling", (
            "20 to 20 after 200 tasks: if there is a difference, it is small, and the next 200 "
            f"tasks cost 20 points; you say {got!r}"
        )

    def test_the_price_of_a_task_decides(self) -> None:
        seen = Counts(2, 5, 23)
        cheap, dear = decide(seen, 300, 0.001), decide(seen, 300, 3.0)
        assert (cheap, dear != "go on") == ("go on", True), (
            f"{seen}: a hundred more tasks cost 0.1 points at a price of 0.001, and 300 points at "
            f"a price of 3, more than any difference is worth. You say {cheap!r} and {dear!r}"
        )

    def test_tasks_without_a_winner_do_not_weaken_the_wins(self) -> None:
        got = decide(Counts(0, 14, 186), 100, 0.1)
        assert got == "b", (
            "14 wins to 0: between equals this comes once in 8,192 times, however many tasks both "
            "solved. It is a small difference, 7 points, and it is there; what both did alike says "
            f"how large it is, and not whether it is there. You say {got!r}"
        )

    def test_exchanging_the_two_exchanges_the_names(self) -> None:
        names = {"a": "b", "b": "a"}
        for a, b, same in ((1, 9, 10), (3, 20, 30), (0, 6, 60), (15, 40, 100), (2, 4, 3)):
            one, other = decide(Counts(a, b, same), 50, 0.03), decide(Counts(b, a, same), 50, 0.03)
            assert names.get(other, other) == one, (
                f"at {a} to {b} you say {one!r}, and at {b} to {a} {other!r}; neither of the two "
                "is more likely to be the better one, so only the name may differ"
            )

    def test_each_comparison_is_decided_by_its_own_tasks(self) -> None:
        clear, even, begun = Counts(1, 30, 20), Counts(20, 20, 160), Counts(3, 2, 5)
        order = (begun, clear, begun, even, clear, even, begun)
        got = [decide(seen, 100, 0.03) for seen in order]
        is_same = got[0] == got[2] == got[6] and got[1] == got[4] and got[3] == got[5]
        assert is_same, (
            f"three comparisons, asked about in turn, and the answers are {got}: what is left from "
            "the call before?"
        )

    def test_it_is_better_than_the_first_version(self) -> None:
        found, first = map(DECISIONS.score_for_tests, (decide, first_decide))
        is_better = found.points > first.points
        assert is_better, (
            f"yours has {found}, and the first version, which g2c break 23.7 shows, {first}. "
            + most_lost(found, "23.7")
        )

    def test_it_reaches_the_target(self) -> None:
        found = DECISIONS.score_for_tests(decide)
        target = DECISIONS.target
        is_enough = found.points >= target
        assert is_enough, f"yours has {found}, and the target is {target:g}. " + most_lost(
            found, "23.7"
        )


def most_lost(found: Score, exercise: str) -> str:
    lost = "\n".join(found.lost[:3])
    return f"Most was lost here:\n{lost}\ng2c score {exercise} shows more."
