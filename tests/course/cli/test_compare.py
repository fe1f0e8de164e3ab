"""`g2c compare`: both are asked the same, the gate's exit code, and what is refused before."""

import json
from pathlib import Path

import pytest
from command import g2c
from suite_scripts import script, wrong_answer

from g2c.inference import Backend, BackendError, ScriptedBackend
from g2c.suite.suite import load_suite

TASKS = load_suite(["arithmetic"], 10)
RIGHT = [said for task in TASKS for said in script(task)]
WRONG = [said for task in TASKS for said in script(task, wrong_answer(task))]


@pytest.fixture(autouse=True)
def models(monkeypatch: pytest.MonkeyPatch) -> None:
    """A model `good` that solves the tasks, and a model `bad` that solves none."""

    def load(name: str) -> Backend:
        return ScriptedBackend({"good": RIGHT * 2, "bad": WRONG}[name.partition(",")[0]])

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


def test_without_a_gate_a_worse_one_is_not_a_failure(tmp_path: Path) -> None:
    g2c("home", "init", root=tmp_path)
    [settings] = tmp_path.rglob("agent.toml")
    settings.write_text('[prices]\n"good" = [1.0, 10.0]\n"bad" = [1.0, 10.0]\n')
    done = g2c("compare", "good", "bad", *ASKED, root=tmp_path)
    shown = g2c("runs", "trace", root=tmp_path).stdout
    assert "task arithmetic-" in shown and "solved" in shown and "a is better" in shown, shown
    assert "| price " in done.stdout
    assert done.returncode == 0 and "A (good) is better: B - A is -100 points" in done.stdout


def test_kept_answers_are_not_asked_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    kept = ("--json", "kept.json")
    g2c("compare", "good", "bad", *ASKED, *kept, root=tmp_path)
    names = json.loads((tmp_path / "kept.json").read_text())["models"]
    assert [*names] == ["good", "bad"]
    monkeypatch.setattr("g2c.course.sweep_workers.load", lambda name: ScriptedBackend())
    done = g2c("compare", "bad", "good", *ASKED, *kept, root=tmp_path)
    assert "20 outcomes are in kept.json already." in done.stderr
    assert "B (good) is better" in done.stdout


def test_outcomes_of_a_file_that_has_changed_since_are_not_shown(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    arguments = ("compare", "good", "good,brief.toml", *ASKED, "--json", "kept.json")
    settings = tmp_path / "brief.toml"
    settings.write_text('line = "Be brief."\n')
    g2c(*arguments, root=tmp_path)
    settings.write_text('line = "Be thorough."\n')
    monkeypatch.setattr("g2c.course.sweep_workers.load", lambda name: ScriptedBackend(WRONG))
    done = g2c(*arguments, root=tmp_path)
    assert "A (good) is better" in done.stdout, done.stderr
    assert "good,brief.toml has changed since (line)." in done.stderr
    [earlier] = json.loads((tmp_path / "kept.json").read_text())["earlier"]
    assert earlier["counts"]["all"] == {"solved": 10, "n": 10}, "what was measured is not lost"


def test_a_server_that_fails_for_a_while_closes_no_gate_and_is_asked_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def load(name: str) -> Backend:
        failures = [BackendError("CUDA out of memory")] * 99
        return ScriptedBackend(RIGHT if name == "good" else [*RIGHT[:4], *failures])

    arguments = ("compare", "good", "bad", *ASKED, "--gate", "--json", "kept.json")
    with monkeypatch.context() as patched:
        patched.setattr("g2c.course.sweep_workers.load", load)
        done = g2c(*arguments, root=tmp_path)
    assert done.returncode == 2 and "The gate cannot tell" in done.stdout, done.stdout
    assert "both did the same on each of 2 tasks" in done.stdout
    assert "8 tasks have no outcome" in done.stderr and "CUDA out of memory" in done.stderr
    rest = ScriptedBackend(RIGHT[4:])
    monkeypatch.setattr("g2c.course.sweep_workers.load", lambda name: rest)
    done = g2c(*arguments, root=tmp_path)
    assert done.returncode == 0 and "The gate is open" in done.stdout, done.stderr
    assert not rest.queued, "what had failed was asked again"


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
        (("good", "good,steps=3"), "not a setting"),
        (("good", "good,words.toml"), "no task here names a tool calculatr"),
        (("good", "good,none.toml"), "none.toml"),
        (("good", "bad", "--fresh", "1", "--suite", "x.jsonl"), "not both"),
    ],
)
def test_an_impossible_comparison_is_one_sentence(
    arguments: tuple[str, ...], says: str, tmp_path: Path
) -> None:
    (tmp_path / "words.toml").write_text('[tools]\ncalculatr = "Adds."\n')
    done = g2c("compare", *arguments, *ASKED, root=tmp_path)
    assert done.returncode == 1 and says in done.stderr, done.stderr
    assert done.stderr.count("\n") <= 2


def test_measurements_before_an_interruption_are_shown_and_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stop(prompt: str) -> str:
        raise KeyboardInterrupt

    def load(name: str) -> Backend:
        return ScriptedBackend([*RIGHT[:4], stop] if name == "bad" else RIGHT)

    monkeypatch.setattr("g2c.course.sweep_workers.load", load)
    done = g2c("compare", "good", "bad", *ASKED, "--json", "kept.json", root=tmp_path)
    assert done.returncode == 130, done.stderr
    assert "both did the same on each of 2 tasks" in done.stdout
    assert "8 tasks have no outcome" in done.stderr and "interrupted" in done.stderr
    kept = json.loads((tmp_path / "kept.json").read_text())["models"]
    assert [len(kept[name]["outcomes"]) for name in ("good", "bad")] == [10, 2]
