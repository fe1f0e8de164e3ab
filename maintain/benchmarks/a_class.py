"""Grade a made-up class: good and bad work, and submissions that attack the grader.

`python maintain/benchmarks/a_class.py 300 --folder FOLDER` writes 300 submissions of module 19 and
the bank of hostile ones. `g2c class grade` grades them all on a Dask cluster of two workers on this
machine, and one worker is killed on the way. Then it checks that each submission got what it
earned, and sums the class up with `g2c class gradebook`. The model is left out.
"""

import argparse
import json
import linecache
import os
import random
import signal
import subprocess
import sys
import textwrap
import time
from collections import Counter
from collections.abc import Iterator
from itertools import chain
from pathlib import Path

from _report import print_heading, print_table

from g2c.course.manifest import Exercise, load_exercises
from g2c.course.stubs import function_in, stub_of

ROOT = Path(__file__).resolve().parents[2]
COMMAND = [sys.executable, "-c", "from g2c.cli.main import main; main()"]
EXERCISES = [
    exercise for exercise in load_exercises() if exercise.module == "19" and not exercise.has_goal
]
KINDS = {"right": 0.6, "wrong": 0.25, "not started": 0.1, "no Python": 0.05}
"""The kinds of an exercise in a submission, and the share of each."""
LIMIT_S = 10.0
"""Seconds for an exercise. Most take one; those that never end should not take the evening."""


def wrong_answers() -> dict[str, list[str]]:
    """For each exercise, the files of those wrong answers that are changed references."""
    sys.path.insert(0, str(ROOT / "tests/course"))
    from wrong_answers import load_bank

    found: dict[str, list[str]] = {}
    for answer in load_bank():
        name = answer.function.__code__.co_filename
        if name.startswith("<"):
            found.setdefault(answer.exercise, []).append("".join(linecache.getlines(name)))
    return found


def code_of(exercise: Exercise, kind: str, wrong: dict[str, list[str]], draw: random.Random) -> str:
    """A student's file of an exercise, of that kind."""
    if kind == "not started":
        return stub_of(exercise)
    if kind == "no Python":
        stub = stub_of(exercise)
        return stub.replace(function_in(stub, exercise), "def (:\n")
    right = (ROOT / exercise.solution_file).read_text("utf-8")
    code = draw.choice(wrong[exercise.id]) if kind == "wrong" else right
    mark = f'from g2c.exercise import exercise\n\n\n@exercise("{exercise.id}")\n'
    start = f"def {exercise.function}("
    return code.replace(start, mark + start, 1)


def write_class(folder: Path, n: int) -> dict[str, dict[str, str]]:
    """Write the made-up submissions; return the kinds of each one's exercises."""
    draw, wrong = random.Random(f"class of {n}"), wrong_answers()
    drawn = {}
    for number in range(n):
        kinds = draw.choices(list(KINDS), list(KINDS.values()), k=len(EXERCISES))
        name = f"{number:04}"
        drawn[name] = {exercise.id: kind for exercise, kind in zip(EXERCISES, kinds, strict=True)}
        for exercise, kind in zip(EXERCISES, kinds, strict=True):
            file = folder / name / exercise.file
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(code_of(exercise, kind, wrong, draw), "utf-8")
    return drawn


def write_hostile(folder: Path) -> list[str]:
    """Write the bank of hostile submissions, all about 19.2; return their names."""
    sys.path.insert(0, str(ROOT / "tests/course/helpers"))
    from hostile_submissions import BANK, PLANNER

    names = []
    for number, hostile in enumerate(BANK):
        name = f"hostile-{number:02}"
        code = (ROOT / PLANNER).read_text("utf-8")
        if hostile.body:
            body = textwrap.indent(hostile.body.strip(), "    ")
            code = code.replace("    raise NotImplementedError\n", f"{body}\n")
        file = folder / name / PLANNER
        file.parent.mkdir(parents=True)
        file.write_text(f"{code}\n\n{hostile.at_import}\n", "utf-8")
        if hostile.make:
            hostile.make(folder / name)
        names.append(name)
    return names


def grade_with_a_kill(submissions: Path, grades: Path) -> tuple[float, int]:
    """Grade all on a cluster, and kill a worker when a third is done. Return the minutes, and the
    number of results at the kill."""
    from distributed import LocalCluster

    wanted = len(list(submissions.iterdir()))
    options = {"n_workers": 2, "threads_per_worker": 1, "dashboard_address": None}
    began = time.monotonic()
    with LocalCluster(processes=True, **options) as cluster:
        command = [
            *COMMAND,
            "class",
            "grade",
            str(submissions),
            "--out",
            str(grades),
            "--module",
            "19",
        ]
        command += ["--no-model", "--time-limit", f"{LIMIT_S:g}", "--seed", "7"]
        grading = subprocess.Popen([*command, "--scheduler", cluster.scheduler_address])
        killed_at = 0
        while grading.poll() is None:
            done = len(list(grades.glob("*.json"))) - 1  # one is for the settings
            if not killed_at and done >= wanted // 3:
                killed_at = done
                os.kill(next(iter(cluster.workers.values())).pid, signal.SIGKILL)
            time.sleep(1)
        if grading.returncode not in (0, 1):  # 1: some could not be graded; a few should not be
            raise SystemExit(f"g2c class grade ended with {grading.returncode}.")
    return (time.monotonic() - began) / 60, killed_at


def unearned(results: dict[str, dict], drawn: dict[str, dict[str, str]]) -> Iterator[str]:
    """The marks that submissions got without earning them, or earned and did not get."""
    for name, result in results.items():
        for exercise in result.get("exercises", ()):
            kind = drawn.get(name, {}).get(
                exercise["id"], "hostile" if name not in drawn else "goal"
            )
            got = exercise["score"], exercise["max_score"]
            is_fair = {"right": got[0] == got[1], "wrong": got[0] < got[1]}.get(kind, not got[0])
            if not is_fair:
                yield f"{name}, {exercise['id']}, {kind}: {got[0]} of {got[1]}"


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("n", type=int, nargs="?", default=300, help="submissions (%(default)s)")
    parser.add_argument("--folder", type=Path, required=True, help="a new folder, for all files")
    given = parser.parse_args()
    submissions, grades = given.folder / "submissions", given.folder / "grades"
    submissions.mkdir(parents=True)
    drawn = write_class(submissions, given.n)
    hostile = write_hostile(submissions)
    minutes, killed_at = grade_with_a_kill(submissions, grades)
    results = {
        file.stem: json.loads(file.read_text("utf-8"))
        for file in grades.glob("*.json")
        if file.stem in drawn or file.stem in hostile
    }
    wrong = list(unearned(results, drawn))
    subprocess.run(
        [*COMMAND, "class", "gradebook", str(grades), "--submissions", str(submissions)], check=True
    )
    kinds = Counter(chain.from_iterable(row.values() for row in drawn.values()))
    print_heading(
        f"{given.n} made-up submissions of module 19 ({len(EXERCISES)} exercises each) and "
        f"{len(hostile)} hostile ones, on a Dask cluster of two workers on this machine, of which "
        f"one was killed when {killed_at} were graded; {LIMIT_S:g} s for an exercise."
    )
    rows = [
        ["exercises", ", ".join(f"{n} {kind}" for kind, n in kinds.most_common())],
        ["submissions", f"{given.n + len(hostile)}"],
        ["results", f"{len(results)}"],
        ["not graded", f"{sum('not_graded' in result for result in results.values())}"],
        ["exercises that got what they had not earned, or less", f"{len(wrong)}"],
        ["minutes", f"{minutes:.1f}"],
        ["a minute", f"{len(results) / minutes:.1f}"],
    ]
    print_table(["", ""], rows)
    print(*wrong, sep="\n")
    if wrong or len(results) != given.n + len(hostile):
        raise SystemExit(1)


if __name__ == "__main__":
    main()
