"""`g2c compare`: both are asked the same, the gate's exit code, and what is refused before."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from command import g2c
from suite_scripts import script, wrong_answer

from g2c.evaluation.assembled.suite import load_suite
from g2c.inference import Backend, ScriptedBackend

TASKS = load_suite(["arithmetic"], 10)
RIGHT = [said for task in TASKS for said in script(task)]
WRONG = [said for task in TASKS for said in script(task, wrong_answer(task))]


@pytest.fixture(autouse=True)
def models(monkeypatch: pytest.MonkeyPatch) -> None:
    """A model `good` that solves the tasks, and a model `bad` that solves none."""

    def load(name: str) -> Backend:
        return ScriptedBackend({"good": RIGHT, "bad": WRONG}[name.partition(",")[0]])

    monkeypatch.setattr("g2c.course.sweep_workers.load", load)


ASKED = ("--family", "arithmetic", "-n", "10")


@pytest.mark.parametrize(
    ("a", "b", "code", "says"),
    [
        ("good", "bad", 1, "The gate is closed: B is shown to be worse."),
        ("bad", "good", 0, "The gate is open: B is not shown to be worse."),
    ],
)
def test_the_gate_is_closed_for_what_is_shown_to_be_worse(
    a: str, b: str, code: int, says: str, tmp_path: Path
) -> None:
    done = g2c("compare", a, b, *ASKED, "--gate", root=tmp_path)
    assert done.returncode == code, done.stdout + done.stderr
    assert says in done.stdout
    assert "(good) is better" in done.stdout and "10 tasks of the fixed suite" in done.stdout


def test_without_a_gate_a_worse_one_is_no_failure(tmp_path: Path) -> None:
    g2c("home", "init", root=tmp_path)
    [settings] = tmp_path.rglob("agent.toml")
    settings.write_text('[prices]\n"good" = [1.0, 10.0]\n"bad" = [1.0, 10.0]\n')
    done = g2c("compare", "good", "bad", *ASKED, root=tmp_path)
    shown = g2c("trace", root=tmp_path).stdout
    assert "task arithmetic-" in shown and "solved" in shown and "a is better" in shown, shown
    assert "| price " in done.stdout
    assert done.returncode == 0 and "A (good) is better: B - A is -100 points" in done.stdout


def test_what_is_kept_is_not_asked_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    kept = ("--json", "kept.json")
    g2c("compare", "good", "bad", *ASKED, *kept, root=tmp_path)
    names = json.loads((tmp_path / "kept.json").read_text())["models"]
    assert [*names] == ["good", "bad"]
    monkeypatch.setattr("g2c.course.sweep_workers.load", lambda name: pytest.fail("asked again"))
    done = g2c("compare", "bad", "good", *ASKED, *kept, root=tmp_path)
    assert "20 outcomes are in kept.json already." in done.stderr
    assert "B (good) is better" in done.stdout


def test_the_worked_examples_can_be_left_out(tmp_path: Path) -> None:
    done = g2c("compare", "good", "bad", *ASKED, "--no-examples", root=tmp_path)
    assert "10 tasks without worked examples, of the fixed suite" in done.stdout, done.stderr


def test_a_setting_makes_another_one_of_the_same_model(tmp_path: Path) -> None:
    done = g2c("compare", "good", "good,line=Be brief.", *ASKED, root=tmp_path)
    assert "B: good,line=Be brief." in done.stdout, done.stderr


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("good", "good"), "Name each model once"),
        (("good", "good,steps=3"), "no setting"),
        (("good", "good,words.toml"), "no task here names a tool calculatr"),
        (("good", "good,none.toml"), "none.toml"),
        (("good", "bad", "--fresh", "1", "--suite", "x.jsonl"), "not both"),
    ],
)
def test_what_cannot_be_compared_is_one_sentence(
    arguments: tuple[str, ...], says: str, tmp_path: Path
) -> None:
    (tmp_path / "words.toml").write_text('[tools]\ncalculatr = "Adds."\n')
    done = g2c("compare", *arguments, *ASKED, root=tmp_path)
    assert done.returncode == 1 and says in done.stderr, done.stderr
    assert done.stderr.count("\n") <= 2
