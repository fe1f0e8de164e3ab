"""How many submissions a minute are graded, by number of workers, compared with the bare tests.

A submission is module 19, solved by the reference's code. The model is left out.
`python maintain/benchmarks/grading.py [SUBMISSIONS]`; a cluster is one of Dask on this machine.
"""

import argparse
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from _report import print_heading, print_table

from g2c.classroom.batch import Grader, Submission, grade_all, on_this_machine, submissions_in
from g2c.classroom.cluster import on_cluster
from g2c.classroom.confinement import COURSE, choose
from g2c.classroom.grader import Task, prepare
from g2c.classroom.sandbox import Conditions
from g2c.course.manifest import load_exercises

CLASS = 4000


def write_submissions(folder: Path, n: int) -> list[Submission]:
    for number in range(n):
        for exercise in load_exercises():
            if exercise.module == "19":
                code = (COURSE / exercise.solution_file).read_text("utf-8")
                mark = f'from g2c.exercise import exercise\n\n\n@exercise("{exercise.id}")\n'
                file = folder / f"{number:03}" / exercise.file
                file.parent.mkdir(parents=True, exist_ok=True)
                start = f"def {exercise.function}("
                file.write_text(code.replace(start, mark + start, 1), "utf-8")
    return submissions_in(folder)


def seconds(work: Callable[[], object]) -> float:
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


def bare_tests() -> None:
    """Run module 19's tests on the reference, in one process without limits."""
    command = [sys.executable, "-m", "pytest", "-q", "--reference=all", "tests/test_agent.py"]
    subprocess.run(command, cwd=COURSE, check=True, capture_output=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("submissions", type=int, nargs="?", default=8, help="(%(default)s)")
    n = parser.parse_args().submissions
    kind = choose("auto").kind
    print_heading(
        f"Submissions of module 19 that a machine grades, {n} for each row, in the sandbox {kind}. "
        "The bare tests are those of the module on the reference, in one process without limits."
    )
    bare = seconds(bare_tests)
    rows = [["the bare tests", *figures(bare, bare)]]
    with tempfile.TemporaryDirectory() as name:
        submissions = write_submissions(Path(name) / "submissions", n)
        task = prepare(Conditions(sandbox=kind), "19", model=False)

        def measure(what: str, grader: Grader) -> None:
            took = time_of(submissions, task, Path(name) / what, grader)
            rows.append([what, *figures(took / n, bare)])

        for workers in (1, 2, 4):
            measure(f"this machine, {workers} at a time", on_this_machine(workers))
        from distributed import LocalCluster

        for workers in (1, 2):
            with LocalCluster(
                n_workers=workers, threads_per_worker=1, processes=True, dashboard_address=None
            ) as cluster:
                measure(f"Dask, workers: {workers}", on_cluster(cluster.scheduler_address))
    print_table(["", "a minute", "seconds each", "to bare", f"hours for {CLASS:,}"], rows)


def figures(each: float, bare: float) -> list[str]:
    return [f"{60 / each:.1f}", f"{each:.1f}", f"{each / bare:.1f}", f"{CLASS * each / 3600:.1f}"]


def time_of(submissions: list[Submission], task: Task, out: Path, grader: Grader) -> float:
    return seconds(lambda: list(grade_all(submissions, task, out, grader)))


if __name__ == "__main__":
    main()
