"""Grading on a Dask cluster: a worker gets a submission as an archive, and returns the result."""

import tempfile
from collections.abc import Generator, Sequence
from pathlib import Path
from typing import Any

from g2c.classroom.batch import Grader, Result, Submission, grade_one, not_graded
from g2c.classroom.grader import Task
from g2c.course import cluster
from g2c.course.packing import pack
from g2c.course.submission import as_tree


def grading_state() -> str:
    """The hash of the grading code: the package and the tests."""
    return cluster.course_state(("g2c", "tests"), ("tests/course/",))


def grade_archive(archive: bytes, task: Task) -> Result:
    """Grade a submission that came as an archive."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "submission.zip"
        file.write_bytes(archive)
        return grade_one(file, task)


def on_cluster(scheduler: str) -> Grader:
    """Grade on the cluster whose scheduler has this address; see `g2c.course.cluster`."""

    def graded(
        submissions: Sequence[Submission], task: Task
    ) -> Generator[tuple[Submission, Result]]:
        def archive_of(one: Submission) -> tuple[Any, ...]:
            with as_tree(one.path) as tree:
                return pack(tree), task

        done = cluster.on_cluster(scheduler, grade_archive, submissions, archive_of, grading_state)
        for job, result in done:
            if isinstance(result, ValueError | OSError):
                result = not_graded(str(result))
            elif isinstance(result, Exception):
                result = not_graded(f"{type(result).__name__}: {result}")
            yield job, result

    return graded
