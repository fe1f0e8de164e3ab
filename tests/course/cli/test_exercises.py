"""The commands around an exercise, in a student's checkout."""

import contextlib
import functools
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterable, Iterator
from operator import attrgetter
from pathlib import Path
from typing import Any

import pytest
import watchfiles
from checkout import COMMAND, ROOT, Checkout
from command import g2c
from ended import TELLS_AND_STAYS, code_when_all_ended
from shipped import as_shipped

from g2c.course.check import progress, watch, worker
from g2c.course.check.results import TestResult, TestRun, read_events
from g2c.course.check.worker import TestWorker
from g2c.course.manifest import Exercise, find_exercise, load_exercises, modules
from g2c.course.stubs import stub_of

EXERCISES = load_exercises()
FIRST, SECOND = EXERCISES[:2]
FIRST_MODULE = [e for e in EXERCISES if e.suite == FIRST.suite]

pytestmark = as_shipped
each_exercise = pytest.mark.parametrize("exercise", EXERCISES, ids=attrgetter("id"))

ALMOST = """
    import re

    print("I read", len(text))
    answer = re.search("Final Answer: (.*)", text)
    return ParsedStep(final_answer=answer and answer[1])
"""


@pytest.fixture
def checkout(tmp_path: Path) -> Checkout:
    return Checkout(tmp_path / "student")


@pytest.fixture
def first_module(checkout: Checkout) -> Checkout:
    """A course as shipped whose later modules were skipped: their tests need no run."""
    here(checkout, "skip", *(m for m in modules() if m != FIRST.module))
    return checkout


@pytest.fixture(scope="module")
def green(tmp_path_factory: pytest.TempPathFactory) -> Checkout:
    """A checkout in which every exercise is done; no test writes into it."""
    done = Checkout(tmp_path_factory.mktemp("green"))
    for exercise in EXERCISES:
        done.solve(exercise.id)
    return done


@pytest.fixture(scope="module")
def almost(tmp_path_factory: pytest.TempPathFactory) -> Checkout:
    """A checkout in which 19.1 is wrong, and so is 19.2; no test writes into it."""
    begun = Checkout(tmp_path_factory.mktemp("almost"))
    begun.write_body("19.1", ALMOST)
    begun.write_body("19.2", "    return ''\n")
    return begun


@pytest.fixture(scope="module")
def every(almost: Checkout) -> str:
    """The output of `g2c check 19.1 --all` there."""
    return here(almost, "check", "19.1", "--all").stdout


def here(checkout: Checkout, *arguments: str, typed: str = "") -> subprocess.CompletedProcess[str]:
    """Run the command in this process. What it checks runs in others, with the checkout's files."""
    return g2c(*arguments, root=checkout.folder, typed=typed, reference=None)


@pytest.mark.slow
def test_next_is_the_first_exercise_that_is_not_green(checkout: Checkout) -> None:
    said = here(checkout, "next").stdout
    assert f"{FIRST.id} {FIRST.title}: not started" in said
    place = re.search(rf"{FIRST.file}:(\d+)", said)
    assert (
        place
        and "@exercise" in checkout.file_of(FIRST.id).read_text().splitlines()[int(place[1]) - 1]
    ), f"file and line are what an editor opens: {said}"
    assert FIRST.lesson in said and f"g2c check {FIRST.id}" in said
    checkout.solve(FIRST.id)
    assert f"{SECOND.id} {SECOND.title}: not started" in here(checkout, "next").stdout
    kept = json.loads((checkout.folder / ".g2c/results.json").read_text("utf-8"))
    assert list(kept) == [FIRST.suite], "what comes after a stub is not next: no test of it ran"


def test_when_all_is_green_the_experiments_are_next(
    green: Checkout, monkeypatch: pytest.MonkeyPatch
) -> None:
    """That all tests pass there is tried below, module by module."""
    tests = tuple(
        f"{identifier}::test_it" for exercise in EXERCISES for identifier in exercise.test_ids
    )
    passed = TestRun(tests, tuple(map(TestResult, tests)))
    runs = dict.fromkeys({exercise.suite for exercise in EXERCISES}, passed)
    monkeypatch.setattr(progress, "current_runs", lambda exercises: runs)
    assert "g2c notebook 19" in here(green, "next").stdout


@pytest.mark.slow
def test_progress_tells_every_kind_of_standing(checkout: Checkout) -> None:
    checkout.write_body("19.1", ALMOST)
    checkout.solve("19.2")
    here(checkout, "skip", "19.3")
    lines = here(checkout, "progress").stdout.splitlines()
    standing = {line.split()[0]: line for line in lines if line.startswith("19.")}
    assert re.search(r"failing \d+ of 58", standing["19.1"]), standing
    assert "passing" in standing["19.2"] and "22/22" in standing["19.2"]
    assert "skipped" in standing["19.3"]
    assert "not started" in standing["19.4"]
    assert f"1 of {len(EXERCISES)} done, 1 skipped" in lines[-1]


def test_a_run_is_kept_until_what_it_depends_on_changes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    runs: list[list[str]] = []

    def run_each(groups: Iterable[list[str]]) -> list[TestRun]:
        suites = [tests[0].partition("::")[0] for tests in groups]
        runs.append([suite.removeprefix("tests/test_").removesuffix(".py") for suite in suites])
        return [
            TestRun(
                (f"{suite}::T::test_x",),
                (TestResult(f"{suite}::T::test_x", used="19.1" if "memory" in suite else ""),),
            )
            for suite in suites
        ]

    def write(name: str, text: str) -> None:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)

    def runs_again(name: str, text: str) -> list[str]:
        write(name, text)
        progress.current_runs(EXERCISES)
        return runs.pop() if runs else []

    monkeypatch.setenv("G2C_ROOT", str(tmp_path))
    monkeypatch.delenv("G2C_REFERENCE", raising=False)
    monkeypatch.setattr(worker, "run_each", lambda groups: run_each(groups) if groups else [])
    every = ["agent", "critic", "evaluation", "guard", "loop", "memory", "swarm"]
    assert runs_again("g2c/agent/parse_react_step.py", "one") == every
    first = progress.current_runs(EXERCISES)
    assert runs_again("g2c/agent/parse_react_step.py", "one") == [], (
        "saved without a change, it is the same"
    )
    assert progress.current_runs(EXERCISES) == first
    assert runs_again("g2c/agent/parse_react_step.py", "two") == ["agent", "memory"], (
        "a test of the memory called 19.1, and no other module's did"
    )
    assert runs_again("g2c/agent/extract_plan.py", "new") == ["agent"]
    assert runs_again("tests/test_loop.py", "new") == ["loop"]
    assert runs_again("g2c/agent/core/types.py", "new") == every, "all may stand on it"
    assert runs_again(".g2c/results.json", "{") == every, "what cannot be read is made again"
    assert runs_again(".g2c/handed-back", "19.1\n") == every, (
        "with the reference in place the same files give another result"
    )
    ids = [exercise.id for exercise in EXERCISES if exercise.module != "20"]
    assert runs_again(".g2c/handed-back", "\n".join(ids)) == ["memory"], (
        "a module that was skipped as a whole needs no run"
    )


def test_only_the_classes_that_a_change_may_affect_run_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The last class belongs to no exercise, and calls 19.2."""
    asked: list[list[str]] = []
    trouble = ""

    def run_each(groups: Iterable[list[str]]) -> list[TestRun]:
        asked.extend(list(tests) for tests in groups)
        classes = {"TestParseReactStep": "", "TestExtractPlan": "", "TestOfAll": "19.2"}
        wanted = [test.partition("::")[2] for test in asked[-1]]
        tests = {f"{FIRST.suite}::{name}::test_x": used for name, used in classes.items()}
        chosen = {t: used for t, used in tests.items() if any(part in t for part in wanted)}
        results = tuple(TestResult(test, used=used) for test, used in chosen.items())
        return [TestRun(tuple(chosen), results, trouble)]

    def runs_again(name: str, text: str) -> list[str]:
        asked.clear()
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
        (run,) = progress.current_runs([FIRST]).values()
        assert sorted(run.classes) == ["TestExtractPlan", "TestOfAll", "TestParseReactStep"]
        return sorted(test.removeprefix(f"{FIRST.suite}::") for tests in asked for test in tests)

    monkeypatch.setenv("G2C_ROOT", str(tmp_path))
    monkeypatch.setenv("G2C_REFERENCE", "")
    monkeypatch.setattr(
        worker, "run_each", lambda groups: [result for own in groups for result in run_each([own])]
    )
    parser, planner = FIRST.file, find_exercise("19.2").file
    assert runs_again(parser, "one") == [FIRST.suite]
    assert runs_again(parser, "two") == ["TestOfAll", "TestParseReactStep"]
    assert runs_again(planner, "one") == ["TestExtractPlan", "TestOfAll"]
    assert runs_again(find_exercise("19.3").file, "one") == ["TestOfAll"]
    assert runs_again(parser, "from .extract_plan import helper") == [
        "TestOfAll",
        "TestParseReactStep",
    ]
    assert runs_again(planner, "def helper(): pass") == [
        "TestExtractPlan",
        "TestOfAll",
        "TestParseReactStep",
    ], "a helper that another of the student's files imports"
    assert runs_again(planner, "def helper(): pass") == []
    assert runs_again(FIRST.suite, "new") == [FIRST.suite]
    trouble = "It broke."
    assert runs_again(FIRST.suite, "newer") == [FIRST.suite]
    assert runs_again(planner, "again") == [FIRST.suite], "what broke may be mended anywhere"


@pytest.mark.slow
def test_a_failure_says_what_it_means_when_asked_or_the_second_time(checkout: Checkout) -> None:
    checkout.write_body("19.1", ALMOST)
    command = ["check", "19.1"]
    meaning = "here is a thought and the answer '42'"
    first, second = (here(checkout, *command).stdout for _ in range(2))
    assert "got       ParsedStep(thought=''" in first and meaning not in first
    assert "--why" in first, "it says how to be told"
    assert meaning in second, "the same test failed again"
    mistaken = checkout.file_of("19.1").read_text()
    here(checkout, "reset", "19.1", "--yes")
    checkout.solve("19.1")
    here(checkout, *command)
    checkout.file_of("19.1").write_text(mistaken)
    assert meaning not in here(checkout, *command).stdout, "it had passed meanwhile"
    (checkout.folder / ".g2c/told.json").unlink()
    assert meaning in here(checkout, *command, "--why").stdout
    (checkout.folder / ".g2c/told.json").write_text("{")
    plain = ["tests/test_agent.py", "-k", "reads_a_final_answer"]
    first, second = (checkout.pytest(*plain).stdout for _ in range(2))
    assert meaning not in first and "--why" in first
    assert meaning in second
    (checkout.folder / ".g2c/told.json").unlink()
    assert meaning in checkout.pytest(*plain, "--why").stdout


def test_check_runs_the_examples_of_the_contract(every: str) -> None:
    assert "✗ its examples hold\n  called    parse_react_step(" in every
    assert "expected  'Paris'" not in every, "a final answer is read"


def test_check_tells_what_was_expected_and_what_came(almost: Checkout, every: str) -> None:
    done = almost.g2c("check", "19.1")
    assert done.returncode == 1
    shown = done.stdout
    assert "reads a final answer" in shown and "test_" not in shown
    assert "called    parse_react_step('Thought: I know it.\\nFinal Answer: 42')" in shown
    assert "expected  ParsedStep(thought='I know it.'" in shown
    assert "got       ParsedStep(thought=''" in shown
    assert "printed   I read 36" in shown, "print is how people look into a function"
    assert "g2c check 19.1 --all" in shown
    assert every.count("✗") > 3 and "--all" not in every
    for noise in ("Traceback", "assert ", "site-packages", "_pytest"):
        assert noise not in every, f"{noise!r} is not the student's"


def test_check_shows_the_students_own_line_of_an_exception(checkout: Checkout) -> None:
    checkout.write_body("19.2", "    return user_message.no_such_thing\n")
    shown = here(checkout, "check", "19.2").stdout
    assert "AttributeError: 'str' object has no attribute 'no_such_thing'" in shown
    assert "return user_message.no_such_thing" in shown and "course/" not in shown


@pytest.mark.slow
def test_check_of_what_passes_succeeds(green: Checkout) -> None:
    last_of_a_module = {exercise.module: exercise for exercise in EXERCISES}.values()
    for exercise in (FIRST, *last_of_a_module):
        done = here(green, "check", exercise.id)
        assert done.returncode == 0, done.stdout
        assert "g2c solution" in done.stdout


BROKEN = {
    "19.1": ("    return (\n", "SyntaxError: '(' was never closed"),
    "19.2": ("    return 1\n\n\nnowhere.x\n", "NameError: name 'nowhere' is not defined"),
    "19.3": ("    return 1\n\n\nraise SystemExit(3)\n", "SystemExit: 3"),
    "19.4": (
        "    return 1\n\n\ndef again():\n    try:\n        again()\n    except Exception:\n"
        "        again()\n\n\nagain()\n",
        "still running after 2 seconds. Is there a loop outside the function?",
    ),
    "19.5": (
        "    return 1\n\n\nwhile True:\n    pass\n",
        "still running after 2 seconds. Is there a loop outside the function?",
    ),
}


@pytest.mark.slow
def test_a_file_that_cannot_be_imported_costs_its_exercise_and_no_other(
    first_module: Checkout,
) -> None:
    checkout = first_module
    for exercise_id, (body, _) in BROKEN.items():
        checkout.write_body(exercise_id, body)
    checkout.solve("19.6")
    told = here(checkout, "progress").stdout
    standing = {line[:4]: line for line in told.splitlines() if line[2:3] == "."}
    assert "passing" in standing["19.6"], standing
    assert "19.1 Read one step: cannot be imported" in here(checkout, "next").stdout
    shown = here(checkout, "check", "19")
    for exercise_id, (_, says) in BROKEN.items():
        assert "cannot be imported" in standing[exercise_id], standing
        where = re.compile(rf"{find_exercise(exercise_id).file}, line \d+: {re.escape(says)}")
        for said in (told, shown.stdout):
            assert where.search(said) and "Traceback" not in said + shown.stderr, said
    assert here(checkout, "check", "19.6").returncode == 0
    assert here(checkout, "check", "22.2").returncode == 0, "neither are the other modules' tests"
    plain = checkout.pytest("tests/test_agent.py", "-k", "Parse").stdout
    first = re.search(r"^=+ cannot be imported =+\n(.*)", plain, re.MULTILINE)
    assert first and "SyntaxError: '(' was never closed" in first[1], plain
    assert "FAILURES" not in plain and "58 failed" in plain.splitlines()[-1], plain


@pytest.mark.slow
def test_a_broken_file_of_a_later_module_does_not_stop_a_chat(checkout: Checkout) -> None:
    checkout.g2c("skip", "19")
    checkout.write_body("22.2", "    return (\n")
    checkout.write_body("20.1", "    return (\n")
    chat = ["chat", "What is 23 * 17?", "--model", "embedded"]
    done = checkout.g2c(*chat)
    assert done.returncode == 0 and "391" in done.stdout, done.stdout + done.stderr
    assert "This session does not remember: g2c/memory/append.py, line" in done.stderr
    assert "g2c/loop" not in done.stderr, "a chat has nothing to do with loops"
    checkout.g2c("skip", "19.1", "--undo")
    checkout.write_body("19.1", "    return (\n")
    done = checkout.g2c(*chat)
    assert done.returncode == 1 and "Traceback" not in done.stderr
    assert "g2c/agent/parse_react_step.py, line" in done.stderr and "SyntaxError" in done.stderr


def test_the_reference_stands_in_for_a_broken_file_that_is_skipped(checkout: Checkout) -> None:
    checkout.write_body("19.1", "    return (\n")
    here(checkout, "skip", "19.1")
    assert here(checkout, "check", "19.1").returncode == 0


@pytest.mark.parametrize("put", [lambda file: None, os.mkfifo], ids=["nothing", "a pipe"])
def test_a_missing_file_costs_only_its_own_exercise(
    checkout: Checkout, put: Callable[[Path], object]
) -> None:
    file = checkout.folder / "g2c/evaluation/kappa.py"
    file.unlink()
    put(file)
    checkout.g2c("skip", *(m for m in modules() if m != "23"))
    checkout.solve("23.6")
    shown = checkout.g2c("progress").stdout
    says = (
        "g2c/evaluation/kappa.py is missing, or is not a file; g2c reset brings an exercise back."
    )
    assert says in " ".join(shown.split()) and re.search("pass_rates .* passing", shown), shown
    assert says in " ".join(checkout.g2c("check", "23.4").stdout.split())
    checkout.g2c("reset", "23.4", "--yes")
    assert re.search("kappa .* not started", checkout.g2c("progress").stdout)


@pytest.mark.slow
def test_an_error_in_a_students_function_looks_the_same_in_every_command(
    checkout: Checkout,
) -> None:
    checkout.g2c("skip", "20")
    checkout.g2c("skip", "20.3", "--undo")
    checkout.write_body("20.3", "    return log.no_such_thing\n")
    (checkout.folder / "memory").mkdir()
    done = checkout.g2c("memory", "grep", "x", "--memory", "memory")
    assert done.returncode == 1 and "Traceback" not in done.stderr, done.stderr
    assert "AttributeError: " in done.stderr and "no_such_thing" in done.stderr
    assert 'File "g2c/memory/grep.py", line' in done.stderr and "course/" not in done.stderr


CATCHES_ALL = "    while True:\n        try:\n            id\n        except:\n            pass\n"


@pytest.mark.slow
def test_a_loop_that_prints_is_stopped_before_it_fills_the_disk(checkout: Checkout) -> None:
    checkout.write_body("19.2", "    while True:\n        print('x' * 1000)\n")
    shown = " ".join(here(checkout, "check", "19.2").stdout.split())
    assert "more was printed or written than may be: is there a loop that nothing ends?" in shown
    assert "extract_plan.py" in shown and "and 20 more" in shown
    assert "not run, because this one was stopped" in shown


@pytest.mark.slow
def test_a_breakpoint_is_named_as_such_in_every_test(checkout: Checkout) -> None:
    checkout.write_body("19.2", "    breakpoint()\n    return None\n")
    shown = here(checkout, "check", "19.2", "--all").stdout
    assert "breakpoint() finds nobody to talk to" in shown and "input()" not in shown


@pytest.mark.slow
def test_a_function_of_another_name_costs_only_its_own_exercise(checkout: Checkout) -> None:
    file = checkout.file_of("19.1")
    file.write_text(file.read_text("utf-8").replace("def parse_react_step", "def parse_step"))
    shown = " ".join(here(checkout, "check", "19.1").stdout.split())
    assert "has no parse_react_step any more; g2c reset 19.1 brings it back" in shown
    assert "Not started" in here(checkout, "check", "19.2").stdout


@pytest.mark.slow
def test_a_recursion_that_is_tried_again_at_its_limit_is_stopped(checkout: Checkout) -> None:
    """The handler that stops it is a call, too, and fails where the recursion is at its limit."""
    again = "parse_react_step(text)"
    body = f"    try:\n        return {again}\n    except Exception:\n        return {again}\n"
    checkout.write_body("19.1", body)
    shown = here(checkout, "check", "19.1").stdout
    assert re.search(
        r"still running after 5 seconds, in g2c/agent/parse_react_step.py, line", shown
    )


@pytest.mark.slow
@pytest.mark.parametrize("body", ["    while True:\n        pass\n", CATCHES_ALL])
def test_a_loop_in_one_exercise_costs_only_that_one(body: str, tmp_path: Path) -> None:
    checkout = Checkout(tmp_path)
    own = [exercise for exercise in EXERCISES if exercise.module == "25"]
    for exercise in own:
        if exercise.id != "25.5":
            checkout.solve(exercise.id)
    checkout.write_body("25.5", body)
    here(checkout, "skip", "19", "20", "21", "22", "23", "24")
    lines = here(checkout, "progress").stdout.splitlines()
    standings = {line.split()[0]: line for line in lines if line.startswith("25.")}
    assert "takes too long" in standings.pop("25.5"), lines
    assert all("passing" in line for line in standings.values()), lines
    shown = here(checkout, "check", "25.5").stdout
    assert "still running after 5 seconds, in g2c/guard/recover_calls.py, line" in shown
    assert "more that say the same" in shown and "not run, because this one was stopped" in shown
    assert "16 of 16 tests pass" in here(checkout, "check", "25.7").stdout


def test_a_run_that_was_stopped_is_not_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []

    def run_each(groups: Iterable[list[str]]) -> list[TestRun]:
        suites = [suite for (suite,) in groups]
        asked.extend(suites)
        return [TestRun(("a::B::c",), (TestResult("a::B::c", "too long"),)) for _ in suites]

    monkeypatch.setenv("G2C_ROOT", str(tmp_path))
    monkeypatch.setenv("G2C_REFERENCE", "")
    monkeypatch.setattr(worker, "run_each", run_each)
    for _ in range(2):
        progress.current_runs([FIRST])
    assert asked == [FIRST.suite] * 2, "the machine may be less busy now"


def test_a_run_is_silent_from_its_last_word(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = iter((0, 119, 120, 121, 200, 240, 241))
    monkeypatch.setattr("g2c.course.check.worker.time.monotonic", lambda: next(clock))
    monkeypatch.setattr("g2c.course.check.worker.LOOK_S", 120)
    with contextlib.closing(TestWorker()) as worker:
        assert [worker.is_silent(120) for _ in range(3)] == [False, False, True]
        worker._events.write_text("{}\n")
        assert [worker.is_silent(120) for _ in range(4)] == [False, False, False, True]


def test_a_pause_between_two_looks_is_not_silence(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = iter((0, 1, 9_000, 9_001))
    monkeypatch.setattr("g2c.course.check.worker.time.monotonic", lambda: next(clock))
    with contextlib.closing(TestWorker()) as worker:
        assert not any(worker.is_silent(4) for _ in range(4)), "Ctrl-Z, or a laptop that slept"


def test_trouble_with_one_file_of_tests_is_not_that_of_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def run_each(groups: Iterable[list[str]]) -> list[TestRun]:
        return [TestRun(trouble="It broke." if "guard" in suite else "") for (suite,) in groups]

    monkeypatch.setenv("G2C_ROOT", str(tmp_path))
    monkeypatch.setenv("G2C_REFERENCE", "")
    monkeypatch.setattr(worker, "run_each", run_each)
    for standing in progress.current_standings(EXERCISES):
        assert bool(standing.run.trouble) == (standing.exercise.module == "25"), (
            standing.exercise.id
        )


def test_each_test_of_a_run_that_ended_early_has_a_result() -> None:
    tests = ("a.py::A::x", "a.py::A::y", "a.py::B::x", "a.py::C::x")
    first = TestRun(tests, (TestResult(tests[0], "failed", "did not end"),))
    assert first.classes_left() == ("a.py::B", "a.py::C")
    second = TestRun(tests[2:], tuple(map(TestResult, tests[2:])))
    whole = first.followed_by(second).completed()
    assert whole.collected == tests and whole.n_passed == 2 and whole.was_stopped
    assert {failure.test: failure.kind for failure in whole.failures} == {
        tests[0]: "failed",
        tests[1]: "not run",
    }
    assert progress.Standing(FIRST, whole, True, False).words == "ended its tests"
    assert TestRun(tests).classes_left() == (), "a run without a result would end so again"


@pytest.mark.slow
def test_skip_of_a_module_leaves_exercises_that_pass(checkout: Checkout) -> None:
    checkout.solve("19.1")
    checkout.write_body("19.2", "    return ''\n")
    said = here(checkout, "skip", "19").stdout
    assert "19.1 passes and stays yours" in said
    assert "19.2 extract_plan: the reference" in said and "19.1 parse" not in said
    assert "19.1 parse_react_step: the reference" in here(checkout, "skip", "19.1").stdout


@pytest.mark.slow
def test_a_partly_written_exercise_is_not_called_not_started(first_module: Checkout) -> None:
    first_module.write_body(
        "19.1",
        "    if text.startswith('Final Answer:'):\n"
        "        return ParsedStep('', final_answer=text[13:].strip())\n"
        "    raise NotImplementedError\n",
    )
    shown = here(first_module, "check", "19.1").stdout
    assert "\nNot started" not in shown and "a final answer ends at the next marker" in shown
    assert re.search(r"failing \d+ of 58", here(first_module, "progress").stdout)


def test_an_earlier_failure_that_is_not_called_is_not_blamed(almost: Checkout) -> None:
    shown = here(almost, "check", "19.2").stdout
    assert "tests pass" in shown and "before it does not pass" not in shown


@pytest.mark.slow
def test_an_earlier_failure_is_named_as_a_likely_cause(checkout: Checkout) -> None:
    checkout.write_body("19.1", ALMOST)
    checkout.solve("19.2")
    checkout.write_body("19.3", "    return str(pad)\n")
    checkout.solve("19.4")
    shown = here(checkout, "check").stdout
    assert "19.1 Read one step" in shown, "without an id it is the one that is next"
    shown = here(checkout, "check", "19.4").stdout
    assert "19.1, 19.3 before it does not pass, and may be why" in shown
    assert re.search(r"called +run\('.*'\), and the model says\n +'.+'", shown), (
        "of the loop, the question and the model's script are what it was given"
    )


def test_a_function_that_ends_the_process_is_told_from_one_that_fails(checkout: Checkout) -> None:
    checkout.write_body("19.1", "    import os\n    os._exit(0)\n")
    shown = here(checkout, "check", "19.1")
    assert shown.returncode == 1 and "ended the whole process" in shown.stdout


SKIPS = {
    "19.1": "    import pytest\n    pytest.skip('x')\n",
    "19.2": "    import pytest\n    pytest.xfail('x')\n",
    "19.3": "    import unittest\n    raise unittest.SkipTest('x')\n",
    "19.4": "    import pytest\n    pytest.exit('x', 0)\n",
}


@pytest.mark.slow
def test_a_function_that_skips_its_tests_has_not_passed_them(first_module: Checkout) -> None:
    for exercise_id, body in SKIPS.items():
        first_module.write_body(exercise_id, body)
    lines = here(first_module, "progress").stdout.splitlines()
    for exercise_id, body in SKIPS.items():
        (standing,) = (line for line in lines if line.startswith(exercise_id))
        assert "failing" in standing, standing
        shown = here(first_module, "check", exercise_id)
        assert shown.returncode == 1 and "has not passed" in shown.stdout, shown.stdout
        assert body.splitlines()[-1].strip() in shown.stdout, "it is the line that skipped"
    ran = first_module.pytest("tests/test_agent.py")
    last = ran.stdout.splitlines()[-1]
    assert ran.returncode == 1 and "failed" in last, last
    assert not re.search("skipped|xfailed|xpassed", last), last


@pytest.mark.slow
def test_a_file_that_skips_its_tests_when_it_is_imported_is_told(checkout: Checkout) -> None:
    file = checkout.file_of("19.1")
    line = "\n\nimport pytest\n\npytest.skip('x', allow_module_level=True)\n"
    file.write_text(file.read_text("utf-8") + line, "utf-8")
    shown = here(checkout, "check", "19.1")
    assert shown.returncode == 1 and "g2c/agent/parse_react_step.py, line" in shown.stdout, (
        shown.stdout
    )
    ran = checkout.pytest("tests")
    assert ran.returncode != 0 and "g2c/agent/parse_react_step.py, line" in ran.stdout, ran.stdout


def test_a_torn_line_does_not_hide_what_was_told_before() -> None:
    run = read_events(
        '{"event": "collected", "tests": ["a.py::A::x", "a.py::A::y"]}\n'
        '{"event": "started", "test": "a.py::A::x"}\n'
        '{"event": "ended", "result": {"test": "a.py::A::x", "says": ""}}\n'
        '{"event": "started", "test": "a.py::A::y"}\n{"event": "en'
    )
    assert [result.passed for result in run.results] == [True, False]


def test_the_solution_is_shown_to_who_has_one(checkout: Checkout) -> None:
    refused = here(checkout, "solution", "19.1", typed="n\n")
    assert refused.returncode == 1 and "_MARKER" not in refused.stdout
    assert "_MARKER" in here(checkout, "solution", "19.1", "--yes").stdout
    checkout.solve("19.1")
    own = here(checkout, "solution", "19.1")
    assert own.returncode == 0
    assert (ROOT / FIRST.solution_file).read_text("utf-8") in own.stdout, "a pipe gets all of it"
    assert "\n-    given = dict(locals())\n" in own.stdout, "yours is beside it, as a diff"
    assert '\n+        raise TypeError(f"a completion is a string' in own.stdout
    (other,) = FIRST.other_solutions(ROOT)
    assert other.read_text("utf-8") in own.stdout


@pytest.mark.slow
def test_check_hint_and_solution_take_a_module(checkout: Checkout) -> None:
    checkout.solve("19.1")
    checkout.solve("19.2")
    checked = here(checkout, "check", "19")
    heads = [line for line in checked.stdout.splitlines() if re.match(r"19\.\d ", line)]
    assert checked.returncode == 1 and [head[:4] for head in heads] == [
        "19.1", "19.2", "19.3", "19.4", "19.5", "19.6",
    ]  # fmt: skip
    assert "58 of 58 tests pass" in heads[0] and "0 of 34 tests pass" in heads[2]
    assert "19.3 Render the scratchpad, hint 1 of 3" in here(checkout, "hint", "19").stdout
    shown = here(checkout, "solution", "19", "--yes").stdout
    assert all(exercise.solution_file in shown for exercise in EXERCISES if exercise.module == "19")
    assert "Every exercise of module 19 is done" in (
        here(checkout, "skip", "19") and here(checkout, "hint", "19").stderr
    )


@pytest.mark.slow
def test_at_the_end_of_a_module_next_says_what_to_do_with_it(checkout: Checkout) -> None:
    here(checkout, "skip", "19")
    said = checkout.g2c("next", COLUMNS="40").stdout
    assert "Module 19 runs" in said and "reference stands in for 19.1, 19.2" in said
    assert "20.1 Append a turn: not started" in said
    for command in ("g2c chat", "g2c notebook 19", "g2c runs writeup new last --title"):
        assert command in said
    assert "`talk.py` answers two questions" in said, "it is the lesson's deliverable"
    assert "# 20.1 Append a turn" in said, "the lesson's page"
    assert "pytest tests/test_memory.py -k 'TranscriptAppend'" in said, "one line at any width"


def test_reset_can_be_undone(checkout: Checkout) -> None:
    file = checkout.file_of("19.2")
    shipped = file.read_text("utf-8")
    nothing = here(checkout, "reset", "19.2", "--undo", "--yes")
    assert nothing.returncode == 1 and "nothing was reset here" in nothing.stderr
    checkout.write_body("19.2", "    return 1\n")
    mine = file.read_text("utf-8")
    assert "g2c reset 19.2 --undo" in here(checkout, "reset", "19.2", "--yes").stdout
    assert file.read_text("utf-8") == shipped
    assert here(checkout, "reset", "19.2", "--undo", "--yes").returncode == 0
    assert file.read_text("utf-8") == mine


def test_the_solution_is_asked_for_where_the_reference_stands_in(checkout: Checkout) -> None:
    here(checkout, "skip", "19.1")
    assert here(checkout, "solution", "19.1", typed="n\n").returncode == 1


@pytest.mark.parametrize("body", ["    return 1\n", "    return ((\n    # open\n"])
def test_reset_puts_back_the_file_as_shipped_and_keeps_a_copy(
    checkout: Checkout, body: str
) -> None:
    file = checkout.file_of("19.2")
    shipped = file.read_text("utf-8")
    checkout.write_body("19.2", body)
    worked = file.read_text("utf-8").replace("import annotations", "import annotations\nMINE = 1")
    worked += "\n\ndef helper() -> None:\n    pass\n"
    file.write_text(worked, "utf-8")
    done = here(checkout, "reset", "19.2", "--yes")
    assert done.returncode == 0, done.stderr
    assert file.read_text("utf-8") == shipped
    archived = re.search(r"archive/19\.2-extract_plan-\d{8}-\d{6}\.\d+\.py", done.stdout)
    assert archived and (checkout.folder / archived[0]).read_text("utf-8") == worked


def test_reset_brings_back_a_file_or_a_function_that_is_gone(checkout: Checkout) -> None:
    file = checkout.file_of("19.2")
    shipped = file.read_text("utf-8")
    file.write_text("# empty\n")
    assert "archive/19.2-extract_plan" in here(checkout, "reset", "19.2", "--yes").stdout
    assert file.read_text("utf-8") == shipped
    file.unlink()
    done = here(checkout, "reset", "19.2", "--yes")
    assert done.returncode == 0 and "as shipped" in done.stdout, done.stderr
    assert file.read_text("utf-8") == shipped
    done = here(checkout, "reset", "19.2", "--yes")
    assert done.returncode == 1 and "as shipped already" in done.stderr
    file.unlink()
    file.mkdir()
    for command in ("reset", "solution"):
        done = here(checkout, command, "19.2", "--yes")
        assert "is a folder, and a file is needed there." in done.stdout + done.stderr
    assert "Another way" in done.stdout and file.is_dir()


@each_exercise
def test_a_stub_is_the_students_file_as_shipped(exercise: Exercise) -> None:
    assert (ROOT / exercise.file).read_text("utf-8") == stub_of(exercise), (
        "run: python -m maintain.author.stubs"
    )


@pytest.mark.slow
def test_a_skipped_exercise_runs_the_reference_everywhere(checkout: Checkout) -> None:
    here(checkout, "skip", "19.1")
    assert here(checkout, "check", "19.1").returncode == 0
    code = "import g2c.agent as a; print(a.parse_react_step('Final Answer: 7').final_answer)"
    plain = [sys.executable, "-c", code]
    run = functools.partial(
        subprocess.run, plain, cwd=checkout.folder, capture_output=True, text=True
    )
    ran = run(env=checkout.environment())
    assert ran.stdout.strip() == "7", ran.stderr
    ran = run(env=checkout.environment(G2C_REFERENCE=""))
    assert "NotImplementedError" in ran.stderr, "the variable counts, also where it is empty"
    assert "19.1" in here(checkout, "skip").stdout
    assert "19.1 is yours again." in here(checkout, "skip", "19.1", "--undo").stdout
    assert "19.1 was not skipped." in here(checkout, "skip", "19.1", "--undo").stdout
    assert "Nothing is skipped" in here(checkout, "skip").stdout
    assert here(checkout, "check", "19.1").returncode == 1


def test_a_module_is_skipped_and_taken_up_as_a_whole(checkout: Checkout) -> None:
    told = here(checkout, "skip", "19").stdout
    assert [line[:4] for line in told.splitlines()[:-1]] == [
        "19.1", "19.2", "19.3", "19.4", "19.5", "19.6",
    ]  # fmt: skip
    here(checkout, "skip", "19.2", "--undo")
    told = here(checkout, "skip", "19", "--undo").stdout
    assert "19.1 is yours again.\n19.2 was not skipped." in told
    assert "Nothing is skipped" in told


@pytest.mark.slow
def test_the_score_of_what_is_skipped_is_the_references(checkout: Checkout) -> None:
    checkout.write_body("22.8", "    return 0\n")
    yours = checkout.g2c("score", "22.8")
    assert yours.returncode == 1 and "\nyours  " in yours.stdout, yours
    checkout.g2c("skip", "22.8")
    done = checkout.g2c("score", "22.8")
    assert done.returncode == 0 and "yours  " not in done.stdout, done
    row = next(line for line in done.stdout.splitlines() if line.startswith("reference"))
    assert row.endswith(" 100 of 100")
    assert "yours: g2c skip 22.8 --undo" in done.stdout


def test_tests_that_are_missing_are_one_sentence(checkout: Checkout) -> None:
    suite = checkout.folder / "tests/test_agent.py"
    suite.write_text(suite.read_text().replace("class TestExtractPlan", "class TestPlans"))
    said = checkout.g2c("check", "19.2").stdout
    assert "tests/test_agent.py::TestExtractPlan is missing. git checkout tests/test_agent" in said
    suite.unlink()
    assert "tests/test_agent.py is missing. git checkout" in checkout.g2c("next").stdout


@pytest.mark.parametrize(
    "command", ["break", "check", "hint", "solution", "reset", "skip", "watch"]
)
def test_an_exercise_that_there_is_not_is_one_sentence(checkout: Checkout, command: str) -> None:
    done = here(checkout, command, "19.9")
    assert done.returncode == 1 and "There is no exercise '19.9'. Did you mean 19.6?" in done.stderr


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("TestExtractPlan", "19.2"),
        ("parse_react_step", "19.1"),
        ("G2C\\loop\\run.py", "22.3"),
        ("/home/ada/course/g2c/agent/run.py", "19.4"),
        ("run", "19.4 or 22.3"),
    ],
)
def test_a_function_or_a_file_in_place_of_an_id_is_told_its_exercise(
    typed: str, meant: str
) -> None:
    with pytest.raises(ValueError, match=rf"Did you mean {re.escape(meant)}\?"):
        find_exercise(typed)


def test_a_module_where_one_exercise_is_wanted_is_named_as_such(tmp_path: Path) -> None:
    done = g2c("reset", FIRST.module, root=tmp_path)
    says = f"{FIRST.module} is a module. Name one of its exercises: {FIRST.id}, {SECOND.id}, "
    assert done.returncode == 1 and says in done.stderr


@pytest.mark.slow
def test_watch_stays_with_an_exercise_that_was_named(checkout: Checkout) -> None:
    checkout.solve("19.1")
    with watching(checkout, "19.1") as (screen, _):
        assert "58 of 58 tests pass" in screen()
        shutil.copy(ROOT / FIRST.file, checkout.file_of("19.1"))
        shown = screen()
        assert "Not started" in shown and "19.2" not in shown


RUN_TESTS = ("check", "handback 19", "hint", "next", "progress", "solution 19", "watch")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("command", "number"),
    [
        *((command, signal.SIGTERM) for command in RUN_TESTS),
        *(("check", number) for number in (signal.SIGINT, signal.SIGHUP)),
    ],
)
def test_tests_end_with_the_command_that_runs_them(
    checkout: Checkout, tmp_path: Path, command: str, number: signal.Signals
) -> None:
    temporary, pipe = tmp_path / "temporary", tmp_path / "pipe"
    temporary.mkdir()
    checkout.write_body(FIRST.id, TELLS_AND_STAYS.format(pipe=str(pipe)))
    environment = checkout.environment(TMPDIR=str(temporary))
    words = [*COMMAND, *command.split()]
    code = code_when_all_ended(words, number, pipe, 1, cwd=checkout.folder, env=environment)
    assert code == 128 + number and not list(temporary.iterdir())


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
def test_processes_of_the_course_s_own_tests_end_with_them(
    checkout: Checkout, tmp_path: Path, number: signal.Signals
) -> None:
    pipe = tmp_path / "pipe"
    body = TELLS_AND_STAYS.format(pipe=str(pipe))
    (checkout.folder / "tests/test_slow.py").write_text(f"def test_slow():{body}")
    words = [*COMMAND, "test", "--timeout=500", "tests/test_slow.py"]
    environment = checkout.environment()
    assert code_when_all_ended(words, number, pipe, 1, cwd=checkout.folder, env=environment)


@contextlib.contextmanager
def watching(
    checkout: Checkout, *arguments: str
) -> Iterator[tuple[Callable[[], str], subprocess.Popen[str]]]:
    """A function that waits for the next screen of `g2c watch`, and its process."""
    process = subprocess.Popen(
        [*COMMAND, "watch", *arguments],
        cwd=checkout.folder,
        env=checkout.environment(PYTHONUNBUFFERED="1"),
        stdout=subprocess.PIPE,
        text=True,
    )
    guard = threading.Timer(600, process.kill)  # so that a watch that sees nothing fails
    guard.start()

    def screen() -> str:
        lines = []
        for line in process.stdout or ():
            lines.append(line)
            if "Ctrl-C" in line or "last one" in line:
                break
        return "".join(lines)

    try:
        yield screen, process
    finally:
        guard.cancel()
        process.kill()
        process.communicate()


@pytest.mark.slow
def test_watch_sees_a_save_and_goes_on_by_itself(first_module: Checkout) -> None:
    checkout = first_module
    with watching(checkout) as (screen, process):
        assert "Not started" in screen()
        for body, told in ((ALMOST, "reads a final answer"), (SKIPS["19.1"], "has not passed")):
            checkout.write_body("19.1", body)
            assert told in screen()
            shutil.copy(ROOT / FIRST.file, checkout.file_of("19.1"))
            assert "Not started" in screen()
        checkout.solve("19.1")
        both = screen()
        assert "58 of 58 tests pass" in both and "19.2 Read a plan" in both
        for exercise in FIRST_MODULE[2:]:
            checkout.solve(exercise.id)
        checkout.solve("19.2")
        assert any("That was the last one" in screen() for _ in EXERCISES)
        assert process.wait() == 0


@pytest.mark.parametrize("polling", ["", "1"])
def test_the_writes_of_one_save_are_noticed_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, polling: str
) -> None:
    monkeypatch.setenv("WATCHFILES_FORCE_POLLING", polling)
    saved = watch.saves([tmp_path])
    (tmp_path / "parser.pyc").write_text("compiled")
    assert not any(next(saved) for _ in range(20)), "only Python files count"
    for text in ("", "half", "whole"):
        (tmp_path / "parser.py").write_text(text)
    beside = tmp_path / ".parser.swp"
    beside.write_text("whole")
    beside.replace(tmp_path / "parser.py")
    assert any(next(saved) for _ in range(400))
    assert not any(next(saved) for _ in range(20))


def test_saves_in_a_folder_that_was_replaced_are_seen(tmp_path: Path) -> None:
    for name in ("folder", "beside"):
        (tmp_path / name).mkdir()
    saved = watch.saves([tmp_path / "folder", tmp_path / "beside"])
    (tmp_path / "folder").rename(tmp_path / "old")
    assert any(next(saved) for _ in range(400)) and not any(next(saved) for _ in range(20))
    (tmp_path / "beside/a.py").write_text("saved")
    assert any(next(saved) for _ in range(400)), "the others are watched"
    (tmp_path / "folder").mkdir()
    assert any(next(saved) for _ in range(400)) and not any(next(saved) for _ in range(20))
    (tmp_path / "folder/a.py").write_text("saved")
    assert any(next(saved) for _ in range(400))


def test_files_are_polled_if_the_system_watches_no_more(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = watchfiles.watch

    def busy(*folders: Path, force_polling: bool | None, **options: Any) -> Iterator[Any]:
        if not force_polling:
            raise RuntimeError("no more watches")
        yield from whole(*folders, force_polling=True, **options)

    monkeypatch.setattr(watchfiles, "watch", busy)
    saved = watch.saves([tmp_path])
    (tmp_path / "parser.py").write_text("saved")
    assert any(next(saved) for _ in range(400))


@pytest.mark.slow
def test_plain_pytest_is_short_about_what_is_not_started(checkout: Checkout) -> None:
    ran = checkout.pytest("tests/test_agent.py")
    lines = ran.stdout.splitlines()
    assert sum("not started" in line for line in lines) == 1 + len(FIRST_MODULE), ran.stdout
    assert len(lines) < 25 and "Traceback" not in ran.stdout
    assert "185 failed" in lines[-1], "they are all counted"
    following = next(i for i, line in enumerate(lines) if line.strip("= ") == "next")
    assert lines[following + 1].startswith(
        "19.1 parse_react_step in g2c/agent/parse_react_step.py; read "
    )


def test_plain_pytest_tells_what_check_tells(almost: Checkout, every: str) -> None:
    plain = almost.pytest("tests/test_agent.py", "-k", "Parse").stdout
    lines = [line[2:] for line in every.splitlines() if re.match("  (called|expected|got) ", line)]
    assert len(lines) > 10
    assert [line for line in lines if line not in plain.splitlines()] == []


@pytest.mark.slow
def test_nbval_works_as_it_is_typed(checkout: Checkout) -> None:
    found = checkout.pytest("--nbval", "notebooks/19-agent.ipynb", "--collect-only", "-q").stdout
    assert "notebooks/19-agent.ipynb::Cell 0" in found, found


def test_the_manifests_places_are_the_files_places() -> None:
    found = find_exercise("19.3")
    assert (found.suite, found.solution_file) == (
        "tests/test_agent.py",
        "g2c/exercises/e19_3_render/solution.py",
    )
