"""Grading on a Dask cluster, with the extra `g2c[cluster]`.

A worker gets a submission as an archive and returns the result; it needs this course installed from
a checkout, and no disk that is shared. If a worker dies, Dask gives its submissions to others. The
fourth death on a submission leaves it out.
"""

from __future__ import annotations

import hashlib
import tempfile
from collections.abc import Iterator, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

from g2c.course.grade.batch import Grader, Result, Submission, grade_one, not_graded
from g2c.course.grade.grading import Task
from g2c.course.grade.sandbox import COURSE
from g2c.course.submission import is_archive, pack

_AHEAD = 2
"""Submissions that wait at each thread of a worker, so that none waits for the network."""


def course_state() -> str:
    """The hash of what grades: the package and the tests. It is the same on all machines."""
    state = hashlib.sha256()
    for folder in ("g2c", "tests"):
        for file in sorted((COURSE / folder).rglob("*.py")):
            name = file.relative_to(COURSE).as_posix()
            if not name.startswith("tests/course/"):
                state.update(name.encode() + b"\0" + file.read_bytes())
    return state.hexdigest()


def grade_archive(archive: bytes, task: Task, state: str) -> Result:
    """The result of a submission that came as an archive.

    Raises:
        ValueError: this worker's course is another one.
    """
    if state != course_state():
        raise ValueError(f"The course in {COURSE} is not the one that was asked to grade.")
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "submission.zip"
        file.write_bytes(archive)
        return grade_one(file, task)


def on_cluster(scheduler: str) -> Grader:
    """Grade on the cluster whose scheduler has this address.

    Raises:
        ValueError: Dask is not installed.
    """
    try:
        distributed: Any = import_module("distributed")
    except ImportError as error:
        raise ValueError("A cluster needs Dask: pip install -e '.[cluster]'") from error

    def graded(
        submissions: Sequence[Submission], task: Task
    ) -> Iterator[tuple[Submission, Result]]:
        state = course_state()
        with distributed.Client(scheduler, set_as_default=False) as client:
            threads = sum(client.nthreads().values()) or 1
            futures: dict[Any, Submission] = {}
            running = distributed.as_completed(loop=client.loop)
            waiting = iter(submissions)

            def begin(n: int) -> Iterator[tuple[Submission, Result]]:
                """Give `n` to the cluster; one that cannot be packed has its result at once."""
                for one in waiting:
                    try:
                        archive = one.path.read_bytes() if is_archive(one.path) else pack(one.path)
                    except (ValueError, OSError) as error:
                        yield one, not_graded(str(error))
                        continue
                    # Not `pure`: equal submissions of two students are two.
                    future = client.submit(grade_archive, archive, task, state, pure=False)
                    futures[future] = one
                    running.add(future)
                    n -= 1
                    if not n:
                        return

            yield from begin(_AHEAD * threads)
            while futures:
                done = next(running)
                one = futures.pop(done)
                if error := done.exception():
                    yield one, not_graded(f"{type(error).__name__}: {error}")
                else:
                    yield one, done.result()
                yield from begin(1)

    return graded
