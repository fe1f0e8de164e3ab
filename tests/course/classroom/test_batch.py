"""Grading a class: every submission has one result, whoever is killed meanwhile."""

import csv
import json
import os
import signal
import subprocess
import unicodedata
import zipfile
from collections.abc import Generator, Sequence
from dataclasses import replace
from pathlib import Path
from threading import Event
from typing import Any

import pytest
from checkout import COMMAND, ROOT, Checkout
from typer.testing import CliRunner

from g2c.classroom import batch
from g2c.classroom.batch import (
    Result,
    Submission,
    grade_all,
    keep_settings,
    left_to_grade,
    on_this_machine,
    result_file,
    seed_of,
    state_of,
    submissions_in,
    why_not_graded,
    withdrawn,
)
from g2c.classroom.grader import Grade, Task, run_reference
from g2c.classroom.sandbox import Conditions
from g2c.classroom.similar_submissions import alike_in
from g2c.cli.app import app
from g2c.course.manifest import find_exercise, load_exercises
from g2c.course.packing import pack
from g2c.tools.limits import remove_tree

EXERCISE = find_exercise("19.2")


@pytest.fixture
def submissions(tmp_path: Path) -> Path:
    """Three folders that hold 19.2 as shipped, and an archive of one that returns None."""
    folder = tmp_path / "submissions"
    text = (ROOT / EXERCISE.file).read_text("utf-8")
    for name in ("ada", "bob", "cleo"):
        file = folder / name / EXERCISE.file
        file.parent.mkdir(parents=True)
        file.write_text(text, "utf-8")
    student = Checkout(tmp_path / "fay")
    student.write_body("19.2", "    return None\n")
    (folder / "fay.zip").write_bytes(pack(student.folder))
    return folder


@pytest.fixture(scope="module")
def task() -> Task:
    return Task((EXERCISE,), run_reference(Conditions(), EXERCISE.test_ids), Conditions(), False)


def scores(out: Path) -> dict[str, float]:
    results = [json.loads(file.read_text("utf-8")) for file in sorted(out.glob("*.json"))]
    return {result["name"]: result["score"] for result in results if "score" in result}


def unchanged(
    submissions: Sequence[Submission], task: Task
) -> Generator[tuple[Submission, Result]]:
    yield from ((submission, {"score": 1.0}) for submission in submissions)


@pytest.mark.slow
def test_a_submission_is_graded_once_and_again_when_it_changes(
    submissions: Path, task: Task, tmp_path: Path
) -> None:
    found = submissions_in(submissions)
    assert [submission.name for submission in found] == ["ada", "bob", "cleo", "fay"]
    out = tmp_path / "out"
    running = grade_all(found, task, out, unchanged)
    first = [next(running), next(running)]  # and then the run is stopped
    assert [submission.name for submission in left_to_grade(found, out)] == ["cleo", "fay"]
    assert list(grade_all(left_to_grade(found, out), task, out, unchanged)) == found[2:]
    assert not left_to_grade(found, out)
    (first[0].path / EXERCISE.file).write_text("x = 1\n", "utf-8")
    result_file(found[2], out).write_text("torn {", "utf-8")
    result_file(found[3], out).write_text('{"not_graded": "The worker died."}', "utf-8")
    assert left_to_grade(found, out) == [found[0], *found[2:]]


def test_a_change_that_keeps_time_and_size_is_a_change(submissions: Path) -> None:
    own = submissions_in(submissions)[0]
    file = next(file for file in sorted(own.path.rglob("*.py")) if file.stat().st_size)
    before, kept = state_of(own), file.stat()
    file.write_bytes(file.read_bytes()[:-1] + b"#")
    os.utime(file, ns=(kept.st_atime_ns, kept.st_mtime_ns))
    assert state_of(own) != before


def test_a_folder_as_deep_as_it_likes_is_not_trouble(submissions: Path) -> None:
    deep = submissions / "ada"
    for _ in range(1200):  # deeper than Python's recursion goes
        (submissions.parent / "outer").mkdir()
        deep.rename(submissions.parent / "outer/d")
        (submissions.parent / "outer").rename(deep)
    assert len(left_to_grade(submissions_in(submissions), submissions.parent / "out")) == 4
    remove_tree(deep)


STRANGE = [
    *("ada.zip", "ada.zip.zip", "Ben.ZIP", "cleo.tar.gz", "dan.7z", "fay.rar", "grades.xlsx"),
    *("settings", "settings.zip", "Settings.json", "gradebook.csv", "notes", "=1+1", "a|b`c[d"),
    *(".ben.zip", ".cleo", f"{'x' * 232}.zip", f"{'ü' * 120}.zip", "\x1b[31mred.zip"),
    *("two\nlines", "zoe"),
    os.fsdecode(b"\xff\xfe.zip"),
]


@pytest.mark.slow
def test_whatever_the_names_are_each_has_a_result_of_its_own(task: Task, tmp_path: Path) -> None:
    folder, out = tmp_path / "submissions", tmp_path / "out"
    folder.mkdir()
    with pytest.raises(ValueError, match="no submission"):
        submissions_in(folder)
    for name in ("ada", *STRANGE):
        (folder / name).mkdir() if name in ("ada", "settings") else (folder / name).touch()
    for name in ("__MACOSX", ".git"):
        (folder / name).mkdir()
    for name in (".DS_Store", "._ada.zip", "Thumbs.db", "Desktop.ini", ".~lock.roster.csv#"):
        (folder / name).touch()
    found = submissions_in(folder)
    assert len(found) == len(STRANGE) + 1
    assert len({submission.name for submission in found}) == len(
        {result_file(submission, out) for submission in found}
    )
    named = {submission.path.name: submission.name for submission in found}
    assert (named["Ben.ZIP"], named["cleo.tar.gz"]) == ("Ben", "cleo.tar.gz")
    assert (named["ada"], named["ada.zip"]) == ("ada", "ada.zip"), "both are there to be looked at"
    keep_settings(out, task)
    settings = (out / "settings.json").read_bytes()
    assert list(grade_all(found, task, out, unchanged)) == found
    assert (out / "settings.json").read_bytes() == settings
    assert not left_to_grade(found, out)


@pytest.mark.slow
def test_a_link_that_leads_to_itself_stops_nobody(task: Task, tmp_path: Path) -> None:
    (tmp_path / "loop").symlink_to("loop")
    (tmp_path / "ada").mkdir()
    (tmp_path / "ada/g2c").symlink_to("g2c")
    found = submissions_in(tmp_path)
    list(grade_all(found, task, tmp_path / "out", on_this_machine(1)))
    reasons = {each.name: why_not_graded(each, tmp_path / "out") for each in found}
    assert "g2c is a link" in reasons["ada"] and "not a student's course" in reasons["loop"]
    assert alike_in(tmp_path, ["19.2"])["19.2"] == alike_in(tmp_path / "out", ["19.2"])["19.2"]


@pytest.mark.slow
def test_results_beside_the_hand_ins_are_none(submissions: Path, task: Task) -> None:
    out = submissions / "grades"
    keep_settings(out, task)
    assert "grades" in {submission.name for submission in submissions_in(submissions)}
    assert "grades" not in {submission.name for submission in submissions_in(submissions, out)}


def test_a_hand_in_on_which_the_grader_fails_stops_nobody(
    submissions: Path, task: Task, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(tree: Path, task: Task) -> Grade:
        if tree.name == "bob":
            raise RecursionError("too deep")
        raise ValueError("No.")

    monkeypatch.setattr("g2c.classroom.batch.grade_tree", fails)
    found = submissions_in(submissions)
    done = list(grade_all(found, task, tmp_path / "out", on_this_machine(2)))
    assert len(done) == len(found)
    assert why_not_graded(found[1], tmp_path / "out") == (
        "The grader failed: RecursionError: too deep"
    )
    assert why_not_graded(found[0], tmp_path / "out") == "No."


def test_a_slow_hand_in_delays_nobody_else(
    task: Task, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    all_others_are_done = Event()

    def takes(submission: Path, task: Task) -> dict[str, Any]:
        is_slow = submission.name == "03"
        assert not is_slow or all_others_are_done.wait(60), "they waited for the slow one"
        return {}

    monkeypatch.setattr("g2c.classroom.batch.grade_one", takes)
    class_ = [Submission(f"{n:02}", tmp_path / f"{n:02}") for n in range(30)]
    graded = on_this_machine(2)(class_, task)
    first = [next(graded)[0].name for _ in range(29)]
    all_others_are_done.set()
    assert [one.name for one, _ in graded] == ["03"] and "03" not in first


@pytest.mark.slow
def test_the_gradebook_has_every_name_with_what_became_of_it(
    submissions: Path, tmp_path: Path
) -> None:
    """Folders and zips in the wrappings that systems and platforms put around them."""
    fay = (submissions / "fay.zip").read_bytes()
    (submissions / "Gus.ZIP").write_bytes(fay)
    (submissions / "hal").mkdir()
    (submissions / "hal/submission.zip").write_bytes(fay)
    (submissions / "ida/course-main").mkdir(parents=True)
    with zipfile.ZipFile(submissions / "fay.zip") as archive:
        archive.extractall(submissions / "ida/course-main")
    refused = {
        "broken.zip": fay[:5000],
        "cleo.rar": b"Rar!",
        "cleo.tar.gz": b"\x1f\x8b",
        "nothing.zip": b"",
        "list.csv": b"ada",
        "x" * 236 + ".zip": b"no zip",
    }
    for name, data in refused.items():
        (submissions / name).write_bytes(data)
    (submissions / "empty").mkdir()
    (submissions / "__MACOSX").mkdir()
    out = tmp_path / "out"
    command = ["--module", "19", "--no-model", "--workers", "2", "--sandbox", "none"]
    command = ["class", "grade", str(submissions), *command, "--out", str(out)]
    graded = CliRunner().invoke(app, command)
    assert graded.exit_code == 1, "some could not be graded"
    assert "skipped, because a system put it there: __MACOSX" in graded.stdout
    summed = CliRunner().invoke(
        app, ["class", "gradebook", str(out), "--submissions", str(submissions)]
    )
    assert summed.exit_code == 0, summed.output
    rows = {row["name"]: row for row in csv.DictReader((out / "gradebook.csv").open())}
    full = float(rows["fay"]["score"])
    assert full > 0
    assert {name: float(rows[name]["score"]) for name in ("Gus", "hal", "ida")} == dict.fromkeys(
        ("Gus", "hal", "ida"), full
    )
    without = {name: row["needs review"] for name, row in rows.items() if not row["score"]}
    stems = {name.removesuffix(".zip") for name in refused}
    assert without.keys() == {*stems, "empty"}
    for name, why in without.items():
        assert why.startswith("not graded: ") and len(why) > 30, (name, why)
    assert set(rows) == {*without, "ada", "bob", "cleo", "fay", "Gus", "hal", "ida"}
    (submissions / "cleo.rar").unlink()
    graded = CliRunner().invoke(app, command)
    assert "cleo.rar; its result is now" in graded.stdout
    assert not (out / "cleo.rar.json").exists() and len(list((out / "old").iterdir())) == 1


def test_removed_files_are_told_from_files_elsewhere(
    submissions: Path, task: Task, tmp_path: Path
) -> None:
    """A student with two submissions, or a .rar and its folder, would else keep two results."""
    out, elsewhere = tmp_path / "out", tmp_path / "late/gus"
    elsewhere.mkdir(parents=True)
    handed_in = [*submissions_in(submissions), Submission("gus", elsewhere)]
    assert len(list(grade_all(handed_in, task, out, unchanged))) == 5
    assert not withdrawn(submissions, out)
    (submissions / "fay.zip").unlink()
    elsewhere.rmdir()
    assert withdrawn(submissions, out) == {"fay": out / "fay.json"}


ODD = ("[]", "5", '"x"', "null", "{}", '{"exercises": ', "[" * 5000, '{"exercises": {}}')


@pytest.mark.parametrize("content", ODD)
def test_a_file_that_is_not_a_result_is_graded_again_and_stops_nothing(
    content: str, submissions: Path, tmp_path: Path
) -> None:
    out = tmp_path / "out"
    out.mkdir()
    (ada,) = batch.named(submissions_in(submissions), ["ada"])
    result_file(ada, out).write_text(content)
    assert left_to_grade([ada], out) == [ada]
    assert "has not come to it" in why_not_graded(ada, out)
    assert not withdrawn(submissions, out) and seed_of(out) is None
    for command in (
        ["class", "gradebook", str(out)],
        ["class", "feedback", str(out), "--out", str(tmp_path / "p")],
    ):
        done = CliRunner().invoke(app, command)
        assert isinstance(done.exception, ValueError), done.exception
        assert "There is no result of g2c class grade" in str(done.exception) or content in ODD[5:7]


def test_a_name_is_found_however_its_accents_are_written(tmp_path: Path) -> None:
    forms = [unicodedata.normalize(form, "Jos\u00e9") for form in ("NFC", "NFD")]
    for stored in forms:
        own = Submission(stored, tmp_path / stored)
        assert [batch.named([own], [typed]) for typed in forms] == [[own]] * 2
    both = [Submission(form, tmp_path / form) for form in forms]
    assert [batch.named(both, [typed]) for typed in forms] == [[submission] for submission in both]


@pytest.mark.slow
@pytest.mark.parametrize("name", ["settings.json", "answers.json", "counted.json"])
@pytest.mark.parametrize("content", ODD[:4])
def test_another_file_among_the_grades_that_is_odd_is_named(
    name: str, content: str, tmp_path: Path
) -> None:
    out = tmp_path / "out"
    out.mkdir()
    (out / "ada.json").write_text(json.dumps({"name": "ada", "not_graded": "no zip"}))
    (out / name).write_text(content)
    for command in (
        ["class", "gradebook", str(out)],
        ["class", "feedback", str(out), "--out", str(tmp_path / "p")],
    ):
        done = CliRunner().invoke(app, command)
        assert done.exit_code == 0 or name in str(done.exception), done.exception
        assert done.exception is None or isinstance(done.exception, ValueError)


def test_a_class_is_graded_in_one_way(task: Task, tmp_path: Path) -> None:
    keep_settings(tmp_path, task)
    keep_settings(tmp_path, task)
    other = replace(task, conditions=Conditions(seed=6))
    with pytest.raises(ValueError, match=r"in another way: --module 19 .*--seed \d.*--again NAME"):
        keep_settings(tmp_path, other)
    keep_settings(tmp_path, other, anew=True)
    assert seed_of(tmp_path) == 6
    newer = replace(other, exercises=(EXERCISE, find_exercise("19.3")))
    with pytest.raises(ValueError, match="by another version of the course"):
        keep_settings(tmp_path, newer)
    with pytest.raises(ValueError, match=r"are of module 19\. Say --module 19"):
        keep_settings(tmp_path, replace(other, exercises=tuple(load_exercises())), anew=True)
    keep_settings(tmp_path, newer, anew=True)


def test_files_that_a_platform_adds_to_its_download_are_no_hand_ins(tmp_path: Path) -> None:
    for name in (
        *("index.html", "Grades-CS1-HW--12.csv", "submission_metadata.yml", "~$essay.docx"),
        *("HW_al_attempt_2026-10-16-21-04-33.txt", "HW_al_attempt_2026-10-16-21-04-33_a.txt"),
    ):
        (tmp_path / name).write_text("x")
    for name in ("Ada_7_{}_file", "Ada_7_{}_onlinetext", "Bob_8_{}_onlinetext"):
        (tmp_path / name.format("assignsubmission")).mkdir()
    found = [submission.name for submission in submissions_in(tmp_path)]
    assert [name[:5] + name[-6:] for name in found] == ["Ada_7n_file", "Bob_8netext", "HW_al_a.txt"]


def test_a_class_that_was_moved_is_not_graded_again(submissions: Path, tmp_path: Path) -> None:
    before = [state_of(submission) for submission in submissions_in(submissions)]
    moved = submissions.rename(tmp_path / "elsewhere")
    assert [state_of(submission) for submission in submissions_in(moved)] == before
    assert len(set(before)) == len(before)


@pytest.mark.parametrize("name", ["ada", "fay.zip"])
def test_one_hand_in_is_not_a_class(submissions: Path, name: str) -> None:
    with pytest.raises(ValueError, match=f"{name} is one hand-in; name a folder"):
        submissions_in(submissions / name)


def test_the_nearest_name_is_offered(tmp_path: Path) -> None:
    two = [Submission(name, tmp_path / name) for name in ("Jan Lee", "jan")]
    with pytest.raises(ValueError, match=r"Did you mean jan\?"):
        batch.named(two, ["Jan"])


@pytest.mark.slow
def test_this_machine_grades_several_at_a_time(
    submissions: Path, task: Task, tmp_path: Path
) -> None:
    (submissions / "gus.zip").write_bytes(b"no archive")
    found = submissions_in(submissions)
    done = list(grade_all(found, task, tmp_path / "out", on_this_machine(2)))
    assert sorted(submission.name for submission in done) == [
        submission.name for submission in found
    ]
    graded = scores(tmp_path / "out")
    assert {name: score > 0 for name, score in graded.items()} == {
        **dict.fromkeys(("ada", "bob", "cleo"), False),
        "fay": True,
    }
    assert "cannot be read" in result_file(found[-1], tmp_path / "out").read_text()


@pytest.mark.slow
def test_a_run_that_is_killed_goes_on(submissions: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "COLUMNS": "200"}
    command = [*COMMAND, "class", "grade", str(submissions), "--module", "19", "--no-model"]
    command += ["--out", str(out), "--workers", "2"]
    running = subprocess.Popen(
        command, cwd=ROOT, env=environment, stderr=subprocess.PIPE, text=True
    )
    assert running.stderr
    assert any("1 of 4" in line for line in running.stderr), "it ended before a result"
    running.send_signal(signal.SIGKILL)
    running.communicate()
    before = {file: file.read_bytes() for file in out.glob("*.json")}
    assert 2 <= len(before) < 5, "the settings and some results"
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert "4 of 4 graded" in done.stdout
    assert f"{5 - len(before)} of {5 - len(before)}," in done.stderr
    assert len(scores(out)) == 4
    assert {file: file.read_bytes() for file in before} == before


@pytest.mark.slow
def test_a_worker_of_a_cluster_that_is_killed_costs_a_retry(
    submissions: Path, task: Task, tmp_path: Path
) -> None:
    if not os.environ.get("CI"):  # there it is installed, or something is wrong
        pytest.importorskip("distributed", reason="needs pip install -e '.[cluster]'")
    from distributed import LocalCluster

    from g2c.classroom.cluster import on_cluster

    found = submissions_in(submissions)
    out = tmp_path / "out"
    with LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None
    ) as cluster:
        running = grade_all(found, task, out, on_cluster(cluster.scheduler_address))
        names = [next(running).name]
        busy = next(worker for worker in cluster.scheduler.workers.values() if worker.processing)
        killed = cluster.workers[busy.name]
        os.kill(killed.pid, signal.SIGKILL)
        names += [submission.name for submission in running]
    assert sorted(names) == [submission.name for submission in found], (
        "one is lost, or graded twice"
    )
    assert scores(out) == {**dict.fromkeys(names, 0), "fay": scores(out)["fay"]}
    assert not left_to_grade(found, out)


@pytest.mark.slow
def test_a_file_that_cannot_be_packed_holds_nobody_up(task: Task, tmp_path: Path) -> None:
    if not os.environ.get("CI"):
        pytest.importorskip("distributed", reason="needs pip install -e '.[cluster]'")
    from distributed import LocalCluster

    from g2c.classroom.cluster import on_cluster

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
        graded = {
            submission.name for submission in grade_all(found, task, tmp_path / "out", grader)
        }
    assert graded == {submission.name for submission in found}
    assert set(scores(tmp_path / "out")) == {"ada", "zoe"}
