"""How a test that does not end is stopped."""

import contextlib
import signal
import sys
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import g2c.broken
import g2c.exercise
from g2c.broken import RETRY_S, ImportTooLong
from g2c.course.check.call_recorder import CallRecorder
from g2c.course.check.plugin import MAX_TRACED, cut_traceback
from g2c.course.check.reporter import LOOK_S, WAIT_LIMIT_S, Reporter, TestTooLong
from g2c.course.errors import SHOWN_CALLS, in_short
from g2c.paths import project_root

Limit = Callable[[], contextlib.AbstractContextManager[None]]

MAX_ATTEMPTS = 5
"""At the limit itself no handler can be called. A few calls higher up, it can."""


@pytest.fixture
def of_tests(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Limit:
    monkeypatch.setattr(g2c.exercise, "exercise", g2c.exercise.exercise)
    reporter = Reporter(tmp_path / "events.jsonl", CallRecorder())
    return lambda: reporter._time_limit(lambda says: None)


@pytest.fixture
def of_imports() -> Limit:
    return lambda: g2c.broken._time_limit("x.py")


@pytest.mark.parametrize(
    ("limit", "number", "timer", "stop"),
    [
        ("of_tests", signal.SIGPROF, signal.ITIMER_PROF, TestTooLong),
        ("of_imports", signal.SIGVTALRM, signal.ITIMER_VIRTUAL, ImportTooLong),
    ],
)
def test_a_recursion_is_stopped_at_its_limit(
    limit: str,
    number: signal.Signals,
    timer: int,
    stop: type[BaseException],
    request: pytest.FixtureRequest,
) -> None:
    attempts = 0

    def deeper() -> None:
        nonlocal attempts
        try:
            deeper()
        except RecursionError:
            attempts += 1
            signal.raise_signal(number)

    with pytest.raises(stop, match="still running"), request.getfixturevalue(limit)():
        assert signal.getitimer(timer)[1] == pytest.approx(RETRY_S, abs=0.01)
        deeper()
    assert attempts <= MAX_ATTEMPTS


def test_only_looks_count_and_not_a_pause_between_two(of_tests: Limit) -> None:
    looks = WAIT_LIMIT_S // LOOK_S
    with pytest.raises(TestTooLong, match="still running after 30"), of_tests():
        assert signal.getitimer(signal.ITIMER_REAL)[1] == pytest.approx(LOOK_S, abs=0.1)
        for _ in range(looks - 1):
            signal.raise_signal(signal.SIGALRM)
        looks = 1
        signal.raise_signal(signal.SIGALRM)
    assert looks == 1, "Ctrl-Z for a minute is one look of the 30"


def test_the_middle_of_a_long_traceback_is_left_out(request: pytest.FixtureRequest) -> None:
    def deeper() -> None:
        deeper()

    limit = sys.getrecursionlimit()
    request.addfinalizer(lambda: sys.setrecursionlimit(limit))
    sys.setrecursionlimit(5 * MAX_TRACED)
    with pytest.raises(RecursionError) as caught:
        deeper()
    caught.value.__cause__ = caught.value
    cut_traceback(caught.value)
    cut_traceback(None)
    calls = [code.f_code for code, _ in traceback.walk_tb(caught.value.__traceback__)]
    assert len(calls) < 2 * MAX_TRACED + 3 and calls[-1] is deeper.__code__


def test_a_student_sees_both_ends_of_a_long_traceback() -> None:
    code = "def up(n):\n    return down(n)\ndef down(n):\n    return up(n - 1) if n else 1 / 0\n"
    room: dict[str, Any] = {}
    exec(compile(code, str(project_root() / "g2c/agent/run.py"), "exec"), room)
    with pytest.raises(ZeroDivisionError) as caught:
        room["up"](100)
    first, *calls = in_short(caught.value).splitlines()
    shown = [line for line in calls if "in up" in line or "in down" in line]
    assert "ZeroDivisionError" in first and len(shown) == 2 * SHOWN_CALLS
    assert "in down" in shown[-1] and f"{202 - 2 * SHOWN_CALLS} more calls" in "\n".join(calls)
