"""The suite that models are measured with: fixed, solvable, and hard to satisfy by accident."""

import itertools
import json
import re
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from checkout import ROOT, Checkout
from suite_scripts import NOT_FOUND, call, play, script, scripted, wrong_answer

from g2c.inference import (
    BackendError,
    BackendUnreachableError,
    InferenceResult,
    ScriptedBackend,
    UnusableAnswerError,
)
from g2c.inference.model_choice import load_prodlm
from g2c.interrupted import PartlyMeasuredError
from g2c.suite.report import about_suite, drawn_from, to_data, to_markdown
from g2c.suite.runner import Attempt, run_suite, run_task
from g2c.suite.suite import FAMILIES, fingerprint, load_suite, without_examples
from g2c.suite.tasks import AgentTask, CheckTask
from g2c.suite.tools import OWN
from g2c.suite.verdicts import Verdict, holds
from g2c.suite.vocabulary import is_held_out, vocabulary

SUITE = load_suite()
FINGERPRINTS = {
    "arithmetic": "6f134492aa8c",
    "word_problem": "91c349989bcc",
    "read_file": "14e520ad4afa",
    "read_compute": "49e92f5cecc0",
    "two_files": "4364fc8309b9",
    "recovery": "b7eb25e449a9",
    "unseen_tool": "9ae4ee3c7205",
    "no_tool": "53617bd9c394",
    "give_up": "6df12056f57e",
    "plans": "34244fc31727",
    "critiques": "b937e4ab6b82",
    "consolidations": "c1846ac23ebd",
    "rerank": "34c26e1796d2",
    "ticks": "c16033d08e65",
    "instructions": "d79f5265848f",
    "conversation": "08626b6649ca",
    "memory": "d8258f39a266",
    "messages": "5a277f75e031",
    "calls": "8054bbd4fb16",
    "checks": "fdcb7372b6e6",
}


def test_the_suite_is_the_same_everywhere_and_always() -> None:
    counts = Counter(task.family for task in SUITE)
    channels = [name for name in FAMILIES for name in (name, *["calls_native"][name != "calls" :])]
    assert list(counts) == channels
    assert len(SUITE) == len({task.id for task in SUITE}) == 376
    prints = {name: fingerprint(load_suite([name])) for name in FAMILIES}
    assert prints == FINGERPRINTS, (
        "the suite has changed: scores from before can no longer be compared with new ones"
    )
    assert fingerprint(SUITE) == "55b291fb56d4"


@pytest.mark.parametrize("family", FAMILIES)
def test_every_task_can_be_solved(family: str) -> None:
    for task in load_suite([family]):
        outcome = play(task, scripted(task))
        assert outcome.verdict.success, f"{task} cannot be solved: {outcome.verdict.why}"
        assert outcome.verdict.parsed and not outcome.verdict.invented


@pytest.mark.parametrize("family", FAMILIES)
def test_a_wrong_answer_solves_nothing(family: str) -> None:
    for task in load_suite([family]):
        wrong = wrong_answer(task)
        verdict = play(task, scripted(task, wrong)).verdict
        assert not verdict.success and verdict.why, f"{task} was solved by {wrong!r}"


def test_an_answer_that_no_tool_gave_is_invented() -> None:
    for task in SUITE:
        if isinstance(task, AgentTask) and task.solution:
            answer = task.expected or NOT_FOUND
            verdict = play(task, ScriptedBackend([f"I know.\nFinal Answer: {answer}"])).verdict
            assert verdict.invented and not verdict.success, f"{task} was solved by guessing"


def test_a_models_text_may_hold_any_character() -> None:
    """Some end a line for `str.splitlines` and for nobody else."""
    task = next(task for task in SUITE if isinstance(task, AgentTask))
    said = "I know.\x85\u2028\x0c\x1c\nFinal Answer: It is 1.\u2029"
    assert run_task(ScriptedBackend([said] * 9), task).calls


def test_every_recovery_begins_with_an_error() -> None:
    for task in load_suite(["recovery"]):
        assert isinstance(task, AgentTask)
        alone = replace(task, solution=task.solution[:1])
        assert play(alone, scripted(alone)).verdict.invented, (
            f"the first call of {task} was to fail, and gave an answer"
        )


def test_a_value_that_stands_beside_the_right_one_makes_an_answer_wrong() -> None:
    tasks = [task for task in load_suite(["read_file"]) if isinstance(task, AgentTask)]
    task = next(task for task in tasks if task.wrong)
    all_of_it = " ".join(task.files.values()).replace("\n", " ")
    assert not play(task, scripted(task, all_of_it)).verdict.success


def test_a_tool_called_for_nothing_is_not_success() -> None:
    task = load_suite(["no_tool"])[0]
    for_nothing = call(("calculator", {"expression": "1 + 1"}))
    assert not play(task, ScriptedBackend([for_nothing, *script(task)])).verdict.success


GIVEN = ("notes", "earlier", "topics", "said", "message")
"""The fields besides its question and its files in which a task may give a number."""


def test_every_number_that_is_given_is_held_out() -> None:
    for task in SUITE:
        given = [task.question, *(str(vars(task).get(name, "")) for name in GIVEN)]
        if not isinstance(task, CheckTask):  # whose files hold results
            given.append(str(vars(task).get("files", "")))
        numbers = [int(number) for text in given for number in re.findall(r"\d+", text)]
        assert all(is_held_out(n) or n < 10 for n in numbers), f"training may have seen {task}"


def test_the_vocabulary_names_all_tools_of_its_own() -> None:
    assert set(vocabulary()["tool_names"]) == set(OWN)


def test_tasks_with_the_same_tools_stand_together() -> None:
    for family in FAMILIES:
        tools = [getattr(task, "tools", ()) for task in load_suite([family])]
        changes = sum(a != b for a, b in itertools.pairwise(tools))
        assert changes == len(set(tools)) - 1, f"{family} changes its tools {changes} times"


def test_a_limit_takes_tasks_from_all_over_a_family() -> None:
    few = load_suite(["recovery", "arithmetic"], limit=5)
    assert [task.family for task in few] == ["arithmetic"] * 5 + ["recovery"] * 5
    assert len({getattr(task, "tools", ()) for task in few[5:]}) >= 3
    with pytest.raises(ValueError, match="no family 'cooking'; there are arithmetic"):
        load_suite(["cooking"])


def test_a_model_that_fails_in_a_call_has_not_solved_the_task_and_the_suite_goes_on() -> None:
    tasks = load_suite(["arithmetic"])[:2]
    cut_off = UnusableAnswerError("it was cut off")
    outcomes = run_suite(ScriptedBackend([*script(tasks[0]), cut_off]), tasks)
    assert [outcome.verdict.success for outcome in outcomes] == [True, False]
    assert "cut off" in outcomes[1].verdict.why
    with pytest.raises(BackendUnreachableError):
        run_suite(ScriptedBackend([BackendUnreachableError("nobody answers")]), tasks)


def test_tokens_that_a_server_does_not_count_are_not_zero(monkeypatch: pytest.MonkeyPatch) -> None:
    def uncounted(self: ScriptedBackend, *given: Any, **options: Any) -> InferenceResult:
        return replace(counted(self, *given, **options), prompt_tokens=None, completion_tokens=None)

    counted = ScriptedBackend._complete
    monkeypatch.setattr(ScriptedBackend, "_complete", uncounted)
    [task, *_] = load_suite(["arithmetic"])
    [attempt] = run_suite(ScriptedBackend([*script(task)]), [task])
    assert (attempt.verdict.success, attempt.tokens, attempt.read) == (True, None, None)
    rows = re.sub(" +", " ", to_markdown({"m": [attempt]}, "Suite x."))
    assert re.search(r"\| = all \| \d\.\d \| \? \|", rows), rows


def test_a_server_that_fails_says_nothing_about_the_model() -> None:
    tasks = load_suite(["arithmetic"])[:3]
    said = [said for task in (*tasks[1:], tasks[0]) for said in script(task)]
    once = ScriptedBackend([BackendError("busy"), *said])
    assert [outcome.id for outcome in run_suite(once, tasks)] == [task.id for task in tasks]
    assert not once.queued, "the first task was asked again after the others"
    for_good = ScriptedBackend([*script(tasks[0]), *[BackendError("out of memory")] * 4])
    with pytest.raises(PartlyMeasuredError, match=r"2 of 3 could not be .*memory") as partly:
        run_suite(for_good, tasks)
    assert [outcome.verdict.success for outcome in partly.value.results] == [True]


def test_an_outage_that_the_work_goes_on_without_is_not_a_measurement_either() -> None:
    [task] = load_suite(["plans"], 1)
    down = ScriptedBackend([BackendError("500")])
    with pytest.raises(BackendError, match="500"):
        run_task(down, task)


def test_locks_are_held_independently() -> None:
    assert holds("**Crimson**, as it says", "crimson") and holds("$1,047.00", "1047")
    assert not holds("crimsons", "crimson") and not holds("10470", "1047")


def outcome(family: str, success: bool, **verdict: bool) -> Attempt:
    said = Verdict(success, verdict.get("parsed", True), "", verdict.get("invented", False))
    return Attempt(family, f"{family}-1", said, 2, 30, 1.5, "")


def test_the_report_puts_models_side_by_side_and_fits_a_terminal() -> None:
    families = [*FAMILIES, "plans"]
    plain = [outcome(family, False, parsed=False, invented=True) for family in families]
    tuned = [outcome(family, True) for family in families]
    text = to_markdown({"embedded": plain, "embedded+adapter.gguf": tuned}, about_suite(SUITE))
    assert text.startswith("Suite 55b291fb56d4: 376 tasks of the fixed suite.\n")
    anew = about_suite(SUITE, drawn_from("7"))
    assert "drawn anew from the seed 7." in anew and "not task by task." in anew
    assert max(map(len, text.splitlines())) <= 80, text
    rows = {
        line.split("|")[1].strip(): line
        for line in text.partition("In brackets")[0].split("\n")
        if "|" in line
    }
    assert "0 % (0 to 79)" in rows["arithmetic"] and "100 % (21 to 100)" in rows["arithmetic"]
    assert re.search(r"\| 4 +\| 0 %.*\| 100 %", rows["= format can be read"])
    assert re.search(r"= all +\| 2.0 +\| 30 +\| 1.5 +\| 100 %", text), text
    data = to_data({"embedded": tuned}, "abc", {"embedded": {}})["models"]["embedded"]["counts"]
    assert data["one step"] == {"solved": 3, "n": 3}
    json.dumps(data)


@pytest.mark.slow
def test_with_the_adapter_the_small_model_makes_plans_that_can_be_used() -> None:
    tasks = load_suite(["plans"], limit=4)
    solved = {
        name: sum(outcome.verdict.success for outcome in run_suite(load_prodlm(name), tasks))
        for name in ("embedded", "embedded-plain")
    }
    assert solved["embedded"] >= 3 > 1 >= solved["embedded-plain"], solved


@pytest.mark.slow
def test_the_command_measures_the_references_whatever_the_student_has_written(
    tmp_path: Path,
) -> None:
    checkout, kept = Checkout(tmp_path / "course"), tmp_path / "kept.json"
    asked = ["embedded", "--family", "arithmetic", "--limit", "1", "--json", str(kept)]
    done = checkout.g2c("eval", *asked)
    assert done.returncode == 0, done.stderr
    assert re.search(r"\| arithmetic +\| 1 \|", done.stdout), done.stdout
    assert "= one step" in done.stdout and "= recovery" not in done.stdout
    outcomes = json.loads(kept.read_text())["models"]["embedded"]["outcomes"]
    assert [outcome["family"] for outcome in outcomes] == ["arithmetic"]
    assert all(outcome["calls"] and outcome["tokens"] for outcome in outcomes), outcomes


@pytest.mark.slow
@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["embedded", "--family", "cooking"], "There is no family 'cooking'"),
        (["no/such.gguf"], "There is no file"),
        (["embedded+no/such.gguf"], "There is no adapter"),
        (["embedded", "embedded", "-n", "1"], "Name each model once"),
        (["embedded", "--fresh", "1", "--suite", "x.jsonl"], "give --fresh or --suite"),
        (["embedded", "--suite", "no-such.jsonl"], "no-such.jsonl"),
        (["embedded", "--suite", str(ROOT / "README.md")], "README.md, line 1: it is not JSON"),
        (["embedded", "--json", "docs/browser/package.json"], "has no outcomes of g2c eval"),
    ],
)
def test_an_impossible_measurement_is_one_sentence(
    arguments: list[str], says: str, tmp_path: Path
) -> None:
    done = Checkout(tmp_path).g2c("eval", *arguments)
    assert done.returncode == 1 and says in done.stderr, (arguments, done.stderr)
    assert "Traceback" not in done.stderr


def test_without_examples_no_prompt_has_any_and_the_suite_is_another() -> None:
    tasks = load_suite(("arithmetic", "read_file", "memory", "messages", "ticks"), 1)
    bare = without_examples(tasks)
    assert fingerprint(bare) != fingerprint(tasks)
    for suite, has_examples in ((tasks, True), (bare, False)):
        model = ScriptedBackend(["Final Answer: 1"] * 40 * len(suite))
        run_suite(model, suite)
        prompts = [str(call.prompt) for call in model.history]
        assert {"\n\nExamples:\n\n" in prompt for prompt in prompts} == {has_examples}
