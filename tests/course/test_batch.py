"""Grading a class: every submission has one result, whoever is killed meanwhile."""

from __future__ import annotations

import json
import os
import signal
import subprocess
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from checkout import COMMAND, ROOT, Checkout

from g2c.course.grade.batch import (
    Result,
    Submission,
    grade_all,
    keep_settings,
    left_to_grade,
    on_this_machine,
    result_file,
    submissions_in,
)
from g2c.course.grade.grading import Task, run_reference
from g2c.course.grade.sandbox import Conditions
from g2c.course.manifest import find_exercise
from g2c.course.submission import pack
from g2c.tools.limits import remove_tree

EXERCISE = find_exercise("19.2")


@pytest.fixture
def submissions(tmp_path: Path) -> Path:
    """Five folders that hold 19.2 as shipped, and an archive of one that returns None."""
    folder = tmp_path / "submissions"
    text = (ROOT / EXERCISE.file).read_text("utf-8")
    for name in ("ada", "bob", "cleo", "dan", "eve"):
        file = folder / name / EXERCISE.file
        file.parent.mkdir(parents=True)
        file.write_text(text, "utf-8")
    student = Checkout(tmp_path / "fay")
    student.write_body("19.2", "    return None\n")
    (folder / "fay.zip").write_bytes(pack(student.folder))
    return folder


@pytest.fixture(scope="module")
def task() -> Task:
    return Task((EXERCISE,), run_reference(Conditions(), [EXERCISE.suite]), Conditions(), False)


def scores(out: Path) -> dict[str, float]:
    results = [json.loads(file.read_text("utf-8")) for file in sorted(out.glob("*.json"))]
    return {one["name"]: one["score"] for one in results if "score" in one}


def unchanged(submissions: Sequence[Submission], task: Task) -> Iterator[tuple[Submission, Result]]:
    yield from ((one, {"score": 1.0}) for one in submissions)


def test_a_submission_is_graded_once_and_again_when_it_changes(
    submissions: Path, task: Task, tmp_path: Path
) -> None:
    found = submissions_in(submissions)
    assert [one.name for one in found] == ["ada", "bob", "cleo", "dan", "eve", "fay"]
    out = tmp_path / "out"
    running = grade_all(found, task, out, unchanged)
    first = [next(running), next(running)]  # and then the run is stopped
    assert [one.name for one in left_to_grade(found, out)] == ["cleo", "dan", "eve", "fay"]
    assert list(grade_all(left_to_grade(found, out), task, out, unchanged)) == found[2:]
    assert not left_to_grade(found, out)
    (first[0].path / EXERCISE.file).write_text("x = 1\n", "utf-8")
    result_file(found[4], out).write_text("torn {", "utf-8")
    result_file(found[5], out).write_text('{"not_graded": "The worker died."}', "utf-8")
    assert left_to_grade(found, out) == [found[0], *found[4:]]


def test_a_folder_as_deep_as_it_likes_is_no_trouble(submissions: Path) -> None:
    deep = submissions / "ada"
    for _ in range(1200):  # deeper than Python's recursion goes
        (submissions.parent / "outer").mkdir()
        deep.rename(submissions.parent / "outer/d")
        (submissions.parent / "outer").rename(deep)
    assert len(left_to_grade(submissions_in(submissions), submissions.parent / "out")) == 6
    remove_tree(deep)


def test_two_of_one_name_are_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="no submission"):
        submissions_in(tmp_path)
    (tmp_path / "ada").mkdir()
    (tmp_path / "ada.zip").touch()
    with pytest.raises(ValueError, match=r"ada and ada\.zip have one name"):
        submissions_in(tmp_path)


def test_a_class_is_graded_in_one_way(task: Task, tmp_path: Path) -> None:
    keep_settings(tmp_path, task)
    keep_settings(tmp_path, task)
    other = Task(task.exercises, task.expected, Conditions(seed=5), False)
    with pytest.raises(ValueError, match="were made in another way"):
        keep_settings(tmp_path, other)


@pytest.mark.long
def test_this_machine_grades_several_at_a_time(
    submissions: Path, task: Task, tmp_path: Path
) -> None:
    (submissions / "gus.zip").write_bytes(b"no archive")
    found = submissions_in(submissions)
    done = list(grade_all(found, task, tmp_path / "out", on_this_machine(2)))
    assert sorted(one.name for one in done) == [one.name for one in found]
    graded = scores(tmp_path / "out")
    assert {name: score > 0 for name, score in graded.items()} == {
        **dict.fromkeys(("ada", "bob", "cleo", "dan", "eve"), False),
        "fay": True,
    }
    assert "cannot be read" in result_file(found[-1], tmp_path / "out").read_text()


@pytest.mark.long
def test_a_run_that_is_killed_goes_on(submissions: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "COLUMNS": "200"}
    command = [*COMMAND, "grade", str(submissions), "--module", "19", "--no-model"]
    command += ["--out", str(out), "--workers", "2"]
    running = subprocess.Popen(
        command, cwd=ROOT, env=environment, stderr=subprocess.PIPE, text=True
    )
    assert running.stderr
    assert any("1 of 6" in line for line in running.stderr), "it ended before a result"
    running.send_signal(signal.SIGKILL)
    running.communicate()
    before = {file: file.read_bytes() for file in out.glob("*.json")}
    assert 2 <= len(before) < 7, "the settings and some results"
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert "6 of 6 graded" in done.stdout
    assert f"{7 - len(before)} of {7 - len(before)}," in done.stderr
    assert len(scores(out)) == 6
    assert {file: file.read_bytes() for file in before} == before


@pytest.mark.long
def test_a_worker_of_a_cluster_that_is_killed_costs_a_retry(
    submissions: Path, task: Task, tmp_path: Path
) -> None:
    if not os.environ.get("CI"):  # there it is installed, or something is wrong
        pytest.importorskip("distributed", reason="needs pip install -e '.[cluster]'")
    from distributed import LocalCluster

    from g2c.course.grade.cluster import on_cluster

    found = submissions_in(submissions)
    out = tmp_path / "out"
    with LocalCluster(
        n_workers=3, threads_per_worker=1, processes=True, dashboard_address=None
    ) as cluster:
        running = grade_all(found, task, out, on_cluster(cluster.scheduler_address))
        names = [next(running).name]
        busy = next(worker for worker in cluster.scheduler.workers.values() if worker.processing)
        killed = cluster.workers[busy.name]
        os.kill(killed.pid, signal.SIGKILL)
        names += [one.name for one in running]
    assert sorted(names) == [one.name for one in found], "one is lost, or graded twice"
    assert scores(out) == {**dict.fromkeys(names, 0), "fay": scores(out)["fay"]}
    assert not left_to_grade(found, out)


@pytest.mark.long
def test_what_cannot_be_packed_holds_nobody_up(task: Task, tmp_path: Path) -> None:
    if not os.environ.get("CI"):
        pytest.importorskip("distributed", reason="needs pip install -e '.[cluster]'")
    from distributed import LocalCluster

    from g2c.course.grade.cluster import on_cluster

    text = (ROOT / EXERCISE.file).read_text("utf-8")
    for name in ("ada", *(f"huge-{number}" for number in range(6)), "zoe"):
        file = tmp_path / "submissions" / name / EXERCISE.file
        file.parent.mkdir(parents=True)
        file.write_text(text, "utf-8")
        if name.startswith("huge"):
            os.truncate(file, 2**40)  # takes no room
    found = submissions_in(tmp_path / "submissions")
    with LocalCluster(
        n_workers=1, threads_per_worker=1, processes=True, dashboard_address=None
    ) as cluster:
        grader = on_cluster(cluster.scheduler_address)
        graded = {one.name for one in grade_all(found, task, tmp_path / "out", grader)}
    assert graded == {one.name for one in found}
    assert set(scores(tmp_path / "out")) == {"ada", "zoe"}
