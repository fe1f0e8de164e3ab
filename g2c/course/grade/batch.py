"""Grading a class: a result for each submission, on this machine or on a cluster.

A result is one file that is replaced whole, so a run that was killed goes on where it was. The
process that was started is the only one that writes results. Those who grade only return them.
"""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import asdict, dataclass
from itertools import islice
from pathlib import Path
from typing import Any

from g2c.course.bounded import printable
from g2c.course.grade.grading import Task, grade_tree
from g2c.course.grade.reports import to_json
from g2c.course.submission import as_tree, is_archive, names_in
from g2c.files import replace_text

SETTINGS = "settings.json"
"""How the results in a folder were made. Another way would not be fair to some."""

Result = dict[str, Any]
Grader = Callable[[Sequence["Submission"], Task], Iterator[tuple["Submission", Result]]]
"""Grades submissions and gives each with its result, in any order."""


@dataclass(frozen=True)
class Submission:
    """A student's folder or archive at `path`; the result has the file `name`.json."""

    name: str
    path: Path


def submissions_in(folder: Path) -> list[Submission]:
    """Each folder and each archive in `folder`, by name.

    Raises:
        ValueError: two have one name, or there is none.
        OSError: it cannot be read.
    """
    found: dict[str, Submission] = {}
    for path in sorted(folder.iterdir()):
        if path.name.startswith(".") or not (path.is_dir() or is_archive(path)):
            continue
        name = path.name if path.is_dir() else path.stem
        if name in found:
            raise ValueError(f"{found[name].path.name} and {path.name} have one name.")
        found[name] = Submission(name, path)
    if not found:
        raise ValueError(f"There is no submission in {folder}: no folder, and no zip.")
    return list(found.values())


def left_to_grade(submissions: Iterable[Submission], out: Path) -> list[Submission]:
    """Those that have no result in the folder `out`, or one that says that they were not graded, or
    the result of another state of their files."""
    return [one for one in submissions if not _is_done(one, out)]


def _is_done(one: Submission, out: Path) -> bool:
    try:
        result = json.loads(result_file(one, out).read_text("utf-8"))
    except (OSError, ValueError):
        return False
    return "not_graded" not in result and result.get("submission") == state_of(one)


def result_file(one: Submission, out: Path) -> Path:
    return out / f"{one.name}.json"


def state_of(one: Submission) -> str:
    """Changes when a file that is graded is changed, by its time and its size."""
    is_file = one.path.is_file()
    files = [one.path] if is_file else [one.path / name for name in names_in(one.path)]
    state = hashlib.sha256()
    for file in files:
        found = file.stat()
        state.update(f"{file} {found.st_size} {found.st_mtime_ns}\n".encode("utf-8", "replace"))
    return state.hexdigest()


def keep_settings(out: Path, task: Task) -> None:
    """Write down how this folder's results are made.

    Raises:
        ValueError: it has results that were made in another way.
    """
    # Through JSON, so that lists are compared with lists.
    exercises = [one.id for one in task.exercises]
    own = json.loads(
        json.dumps(
            {"conditions": asdict(task.conditions), "model": task.model, "exercises": exercises}
        )
    )
    file = out / SETTINGS
    try:
        before = json.loads(file.read_text("utf-8"))
    except FileNotFoundError:
        replace_text(file, json.dumps(own, indent=1) + "\n")
        return
    if before != own:
        raise ValueError(
            f"The grades in {out} were made in another way: {before}. This would be {own}. "
            "Use the same options, or another folder."
        )


def seed_of(out: Path) -> int | None:
    """The seed of the results in a folder; None if there are none."""
    try:
        return int(json.loads((out / SETTINGS).read_text("utf-8"))["conditions"]["seed"])
    except (OSError, ValueError, KeyError, TypeError):
        return None


def grade_one(submission: Path, task: Task) -> Result:
    """The grade of a submission as data, or why there is none."""
    try:
        with as_tree(submission) as tree:
            return to_json(grade_tree(tree, task))
    except (ValueError, OSError) as error:
        return not_graded(str(error))


def not_graded(why: str) -> Result:
    return {"not_graded": printable(why)[:2000]}


def on_this_machine(workers: int) -> Grader:
    """Grade several submissions at a time. A thread each is enough, as the work is done by the
    processes that they start."""

    def graded(
        submissions: Sequence[Submission], task: Task
    ) -> Iterator[tuple[Submission, Result]]:
        with ThreadPoolExecutor(workers) as pool:
            try:
                waiting = iter(submissions)
                running = {
                    pool.submit(grade_one, one.path, task): one for one in islice(waiting, workers)
                }
                while running:
                    done = next(as_completed(running))
                    yield running.pop(done), done.result()
                    for one in islice(waiting, 1):
                        running[pool.submit(grade_one, one.path, task)] = one
            finally:
                pool.shutdown(cancel_futures=True)

    return graded


def grade_all(
    submissions: Sequence[Submission], task: Task, out: Path, grader: Grader
) -> Iterator[Submission]:
    """Grade these submissions and write each result; each is given when its result is written.

    Raises:
        OSError: a result cannot be written.
    """
    states = {one: state_of(one) for one in submissions}
    for one, result in grader(submissions, task):
        whole = {"name": one.name, "submission": states[one], **result, "tree": str(one.path)}
        replace_text(result_file(one, out), json.dumps(whole, indent=1) + "\n")
        yield one


@dataclass(frozen=True)
class Pace:
    """How a run goes: `done` of `of` submissions since `began`, a time of `time.monotonic`."""

    of: int
    began: float
    done: int = 0

    def words(self, now: float) -> str:
        """
        >>> Pace(40, 0.0, 10).words(120.0)
        '10 of 40, 5.0 a minute, about 6 minutes left'
        """
        if not self.done:
            return f"0 of {self.of}"
        a_minute = self.done / max(now - self.began, 1e-9) * 60
        left = (self.of - self.done) / a_minute
        return f"{self.done} of {self.of}, {a_minute:.1f} a minute, about {left:.0f} minutes left"


def paced(done: Iterable[Submission], of: int) -> Iterator[tuple[Submission, str]]:
    """Each submission that is done, with how the run goes."""
    began = time.monotonic()
    for number, one in enumerate(done, 1):
        yield one, Pace(of, began, number).words(time.monotonic())
