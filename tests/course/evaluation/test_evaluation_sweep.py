"""A sweep asks everything once, on one machine or many, and goes on where it was stopped."""

import json
import os
import signal
import socket
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from g2c.course import cluster
from g2c.course.sweep_workers import evaluation_state, load, on_cluster, on_this_machine
from g2c.suite.batches import SIZE, Batch, batches
from g2c.suite.runner import Attempt
from g2c.suite.suite import load_suite
from g2c.suite.sweep import Asked, Outcomes, Show
from g2c.suite.tasks import SuiteTask
from g2c.suite.verdicts import Verdict

TASKS = load_suite(["arithmetic", "rerank", "calls"], limit=12)


class Counting:
    """Asks nobody: every task has an outcome that depends on its id alone. After `at_most` batches
    it is stopped; those of the family `fails` fail."""

    def __init__(self, at_most: int = 99, fails: str = "", model: str = "one") -> None:
        self.asked: list[str] = []
        self._at_most, self._fails, self._model = at_most, fails, model

    def __call__(
        self, batches: Sequence[Batch], show: Show
    ) -> Iterator[tuple[Batch, Asked | Exception]]:
        for number, batch in enumerate(batches):
            if number == self._at_most:
                raise KeyboardInterrupt
            if batch.tasks[0].family == self._fails:
                yield batch, ConnectionError("nobody answers")
                continue
            self.asked += [f"{batch.model} {task.id}" for task in batch.tasks]
            for task in batch.tasks:
                show(batch.model, task.family)
            yield batch, ({"model": self._model}, [attempt(task) for task in batch.tasks])


def attempt(task: SuiteTask) -> Attempt:
    verdict = Verdict(len(task.id) % 2 == 0, True, "why", False)
    return Attempt(task.family, task.id, verdict, 1, 7, 0.5, task.id)


def nobody(model: str, family: str) -> None:
    pass


MODELS = {"a": "a", "b": "folder/b.gguf"}


def test_a_batch_is_a_few_tasks_of_one_family() -> None:
    made = list(batches("m", TASKS, ()))
    assert tuple(task for batch in made for task in batch.tasks) == TASKS
    assert all(len({task.family for task in batch.tasks}) == 1 for batch in made)
    assert [len(batch.tasks) for batch in made] == [SIZE, 2, 6, SIZE, 2, SIZE, 2]
    left = list(batches("m", TASKS, [task.id for task in TASKS[:-1]]))
    assert left == [Batch("m", TASKS[-1:])]


def test_a_run_that_is_stopped_goes_on_and_asks_nothing_twice(tmp_path: Path) -> None:
    whole, parts = tmp_path / "whole.json", tmp_path / "parts.json"
    Outcomes(TASKS, tuple(MODELS), whole).complete(MODELS, Counting(), nobody)
    shown: list[str] = []
    first, second = Counting(at_most=3), Counting()
    with pytest.raises(KeyboardInterrupt):
        Outcomes(TASKS, tuple(MODELS), parts).complete(MODELS, first, nobody)
    again = Outcomes(TASKS, tuple(MODELS), parts)
    assert again.total == len(first.asked) == SIZE + 2 + 6
    assert again.done() == {"a": again.total, "b": 0}
    assert not again.complete(MODELS, second, lambda model, family: shown.append(model))
    assert not set(first.asked) & set(second.asked)
    assert len(first.asked) + len(second.asked) == 2 * len(TASKS)
    assert set(shown) == set(MODELS) and len(shown) == len(second.asked)
    assert json.loads(parts.read_text()) == json.loads(whole.read_text())
    third = Counting()
    full = Outcomes(TASKS, tuple(MODELS), parts)
    assert not full.complete(MODELS, third, nobody) and not third.asked
    assert full.measured() == again.measured()


def test_an_unreachable_model_costs_nothing_else(tmp_path: Path) -> None:
    file = tmp_path / "kept.json"
    outcomes = Outcomes(TASKS, ("a",), file)
    trouble = outcomes.complete({"a": "a"}, Counting(fails="rerank"), nobody)
    assert trouble == "a was not asked everything: nobody answers"
    rest = Counting()
    assert not Outcomes(TASKS, ("a",), file).complete({"a": "a"}, rest, nobody)
    assert rest.asked == [f"a {task.id}" for task in TASKS if task.family == "rerank"]


def test_a_file_of_anything_else_stays_as_it_is(tmp_path: Path) -> None:
    file = tmp_path / "kept.json"
    Outcomes(TASKS, ("a",), file).complete({"a": "a"}, Counting(), nobody)
    before = file.read_bytes()
    with pytest.raises(ValueError, match=r"outcomes of the suite \w+, and this is"):
        Outcomes(TASKS[1:], ("a",), file)
    file.write_text("{}")
    with pytest.raises(ValueError, match="has no outcomes of g2c eval"):
        Outcomes(TASKS, ("a",), file)
    data = json.loads(before)
    data["models"]["a"]["outcomes"].pop()
    file.write_text(json.dumps(data))
    with pytest.raises(ValueError, match="two models called a"):
        Outcomes(TASKS, ("a",), file).complete({"a": "a"}, Counting(model="other"), nobody)
    assert json.loads(file.read_text()) == data


def test_a_file_keeps_the_models_that_are_not_asked_now(tmp_path: Path) -> None:
    file = tmp_path / "kept.json"
    Outcomes(TASKS, ("a",), file).complete({"a": "a"}, Counting(), nobody)
    other = Outcomes(TASKS, ("b",), file)
    assert other.total == 0
    other.complete({"b": "b"}, Counting(), nobody)
    assert list(other.measured()) == ["b"]
    assert list(json.loads(file.read_text())["models"]) == ["a", "b"]


def test_a_worker_with_another_course_refuses() -> None:
    assert cluster._run(evaluation_state(), evaluation_state, len, "abc") == 3
    with pytest.raises(ValueError, match="is not the one that was asked to do this"):
        cluster._run("another", evaluation_state, len, "abc")


def test_a_students_text_names_no_other_course(tmp_path: Path) -> None:
    whole = cluster.course_state(("g2c",))
    assert evaluation_state() != whole
    assert cluster.course_state(("g2c",), ["g2c/"]) == cluster.course_state(())


@pytest.mark.parametrize("address", ["nonsense", "http://x", "tcp://[::1"])
def test_an_address_without_a_scheduler_is_one_sentence(address: str) -> None:
    pytest.importorskip("distributed")
    with pytest.raises(ValueError, match="No Dask scheduler answers at"):
        next(cluster.on_cluster(address, len, ["a"], lambda item: (item,), evaluation_state))


def test_a_web_server_is_not_a_scheduler(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("distributed")
    monkeypatch.setattr(cluster, "CONNECT_S", 0.5)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        address = f"tcp://127.0.0.1:{silent.getsockname()[1]}"
        with pytest.raises(ValueError, match=r"not a scheduler|Timed out"):
            next(cluster.on_cluster(address, len, ["a"], lambda item: (item,), evaluation_state))


@pytest.mark.slow
def test_a_cluster_gives_the_outcomes_of_one_machine_though_a_worker_is_killed(
    tmp_path: Path,
) -> None:
    if not os.environ.get("CI"):  # there it is installed, or something is wrong
        pytest.importorskip("distributed", reason="needs pip install -e '.[cluster]'")
    from distributed import LocalCluster

    tasks = load_suite(["arithmetic", "no_tool", "critiques", "rerank", "instructions"], limit=1)
    models = {"embedded": "embedded"}

    def timeless(outcomes: Outcomes) -> list[Attempt]:
        return [replace(tried, seconds=0.0) for tried in outcomes.measured()["embedded"]]

    here = Outcomes(tasks, ("embedded",), None)
    here.complete(models, on_this_machine({"embedded": load("embedded")}), nobody)
    there, shown = Outcomes(tasks, ("embedded",), tmp_path / "kept.json"), []
    with LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None
    ) as local:

        def kill_one(model: str, family: str) -> None:
            shown.append(family)
            if len(shown) == 1:
                workers = local.scheduler.workers.values()
                busy = next(worker for worker in workers if worker.processing)
                os.kill(local.workers[busy.name].pid, signal.SIGKILL)

        assert not there.complete(models, on_cluster(local.scheduler_address), kill_one)
    assert timeless(there) == timeless(here)
    assert sorted(shown) == sorted(task.family for task in tasks), "one is lost, or counted twice"
    assert Outcomes(tasks, ("embedded",), tmp_path / "kept.json").total == len(tasks)
