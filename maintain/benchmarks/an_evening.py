"""An instructor's evening, by docs/instructor.md: from 120 hand-ins to marks in a file for Canvas.

`python maintain/benchmarks/an_evening.py --folder FOLDER` makes the hand-ins up, and then runs the
page's commands one after the other, as an instructor does. `g2c class grade` is killed at a third
and started again. Two people mark all answers on two pages at once; a rule replaces their reading.
At the end the script checks that all students have their own marks.
"""

import argparse
import csv
import os
import re
import resource
import signal
import subprocess
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from html import unescape
from pathlib import Path
from urllib.parse import urlencode
from urllib.request import urlopen

from _evening_class import ABSENT, MODULE, STUDENTS, Evening, write_evening
from _report import print_heading, print_table
from a_class import COMMAND

GRADERS = ("kim", "lee")
WEIGHTS = '\n[weights]\n"19.1" = 2\n'
DECISION = '\n[points."19.2"]\n"{name}" = 3\n'


def g2c(folder: Path, *arguments: str, may_lack: bool = False) -> str:
    """Run a command in `folder` and return its output. With `may_lack` the exit code may be 1."""
    done = subprocess.run([*COMMAND, *arguments], cwd=folder, capture_output=True, text=True)
    if done.returncode not in ((0, 1) if may_lack else (0,)):
        raise SystemExit(f"g2c {' '.join(arguments)} ended with {done.returncode}: {done.stderr}")
    return done.stdout


def kill_at_a_third(folder: Path, grade: Sequence[str], wanted: int) -> str:
    """Start grading, and kill it when a third of the results are there."""
    grading = subprocess.Popen([*COMMAND, *grade], cwd=folder, stderr=subprocess.DEVNULL)
    while grading.poll() is None:
        done = len(list((folder / "grades").glob("*.json"))) - 1  # one is for the settings
        if done >= wanted // 3:
            os.kill(grading.pid, signal.SIGKILL)
            grading.wait()
            return f"killed when {done} were graded"
        time.sleep(0.5)
    raise SystemExit("g2c class grade ended before it could be killed.")


def mark_on_pages(folder: Path, mark: Sequence[str]) -> str:
    """Mark with all graders at once, each on their own page."""
    with ThreadPoolExecutor(len(GRADERS)) as pool:
        given = list(pool.map(lambda grader: _mark(folder, mark, grader), GRADERS))
    shares = ", ".join(f"{grader} {n}" for grader, n in zip(GRADERS, given, strict=True))
    return f"{sum(given)} answers marked: {shares}"


def _mark(folder: Path, mark: Sequence[str], grader: str) -> int:
    """Mark what the page shows until nothing is left. Return the number of answers."""
    command = [*COMMAND, *mark, "--grader", grader]
    with subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, text=True) as serving:
        assert serving.stdout
        address = re.search(r"http\S+", serving.stdout.readline())
        if not address:
            raise SystemExit("g2c class mark gave no address.")
        page, given = urlopen(address[0]).read().decode(), 0
        while True:
            do, more = _next(page)
            given += do.isdecimal()
            hidden = re.findall(r'type="hidden" name="(\w+)" value="([^"]*)"', page)
            form = {name: unescape(value) for name, value in hidden} | more | {"do": do}
            page = urlopen(address[0], urlencode(form).encode()).read().decode()
            if do == "end":
                break
        serving.communicate()
    return given


def _next(page: str) -> tuple[str, dict[str, str]]:
    """The button that a grader presses on a page, and what they write."""
    if "No question is left" in page:
        return "end", {}
    if not (answer := re.search(r'<pre class="answer">(.*?)</pre>', page, re.DOTALL)):
        return "next", {}
    has_reason = re.search(r"\b(because|since|as the|so)\b", answer[1])
    marks = bool(has_reason) + bool(re.search(r"\d", answer[1]))
    return str(marks), {} if marks else {"comment": "Which run, and which step?"}


def measured(step: Callable[[], str]) -> tuple[float, float, str]:
    """A step's seconds by the clock and of the processors' time, and its output."""
    began, before = time.monotonic(), _cpu()
    says = step()
    return time.monotonic() - began, _cpu() - before, says


def _cpu() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def wrong_in(folder: Path, evening: Evening) -> list[str]:
    """Everything that is not as an instructor expects it."""
    rows = list(csv.DictReader((folder / "grades/students.csv").open(encoding="utf-8")))
    status = {row["id"]: row["status"] for row in rows}
    canvas = list(csv.DictReader((folder / "canvas.csv").open(encoding="utf-8")))[1:]
    column = "An agent that acts (4711)"
    points = {row["SIS User ID"]: row[column] for row in canvas}
    feedback = len(list((folder / "feedback").glob("*.html")))
    expected = {
        "a line of Canvas's for each student": len(points) == STUDENTS,
        "who is absent has 0": sum(status[id_] == "missing" for id_ in points) == ABSENT
        and all(float(points[id_]) == 0 for id_ in points if status[id_] == "missing"),
        "what cannot be graded stays blank": all(not points[id_] for id_ in evening.ungradable),
        "and says why": all("not graded: " in status[id_] for id_ in evening.ungradable),
        "what hangs is graded": status[evening.hangs].startswith("graded"),
        "what is forged has the instructor's points": "points by course.toml: 19.2"
        in status[evening.forges],
        "one handed in twice": sum("handed in twice" in text for text in status.values()) == 1,
        "two are strangers": sum("not in the roster" in row["status"] for row in rows) == 2,
        "a page of feedback for each hand-in": feedback == evening.hand_ins,
    }
    return [words for words, is_so in expected.items() if not is_so]


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--folder", type=Path, required=True, help="a new folder, for all files")
    parser.add_argument("--workers", type=int, default=2, help="submissions at a time")
    given = parser.parse_args()
    folder = given.folder.resolve()
    evening = write_evening(folder)
    grade = ["class", "grade", "submissions", "--module", MODULE, "--out", "grades", "--no-model"]
    grade += ["--workers", str(given.workers)]
    book = ["class", "gradebook", "grades", "--roster", "roster.csv", "--canvas", "canvas.csv"]
    book += ["--moodle", "moodle.csv"]
    mark = ["class", "mark", "submissions", "--out", "grades", "--module", MODULE]
    feedback = ["class", "feedback", "grades", "--out", "feedback"]

    def decide() -> str:
        with evening.course.open("a", encoding="utf-8") as file:
            file.write(WEIGHTS + DECISION.format(name=evening.forges))
        return last_line(g2c(folder, *book))

    def again() -> str:
        return last_line(g2c(folder, *grade, "--again", evening.hangs, may_lack=True))

    steps: dict[str, Callable[[], str]] = {
        "grade, killed at a third": lambda: kill_at_a_third(folder, grade, evening.hand_ins),
        "grade, the rest": lambda: graded_line(g2c(folder, *grade, may_lack=True)),
        "gradebook, with pairs that are alike": lambda: last_line(
            g2c(folder, *book, "--submissions", "submissions")
        ),
        "mark, two at once": lambda: mark_on_pages(folder, mark),
        "mark --totals": lambda: g2c(folder, *mark, "--totals").splitlines()[0],
        "gradebook, with the answers": lambda: last_line(g2c(folder, *book)),
        "feedback": lambda: g2c(folder, *feedback).splitlines()[0],
        "grade --again, one that hangs": again,
        "gradebook, after decisions": decide,
        "autograder gradescope": lambda: g2c(
            folder, "class", "autograder", "gradescope", "gradescope.zip", "--module", MODULE
        ).partition(",")[0],
        "autograder github": lambda: g2c(
            *(folder, "class", "autograder", "github", "classroom.yml", "--install", "g2c==0.1.0"),
            *("--module", MODULE),
        ).partition(":")[0],
    }
    found = {name: measured(step) for name, step in steps.items()}
    print_heading(
        f"{evening.hand_ins} made-up hand-ins of module {MODULE} and a roster of {STUDENTS}, "
        f"{given.workers} at a time, without the model: seconds by the clock, seconds of "
        "processor time (without those of what was killed), and what a command said."
    )
    rows = [[name, f"{wall:.1f}", f"{cpu:.1f}"] for name, (wall, cpu, _) in found.items()]
    walls, cpus = zip(*((wall, cpu) for wall, cpu, _ in found.values()), strict=True)
    rows.append(["all", f"{sum(walls):.1f}", f"{sum(cpus):.1f}"])
    print_table(["", "seconds", "processor"], rows)
    print()
    for name, (_, _, says) in found.items():
        print(f"{name}: {says}")
    if wrong := wrong_in(folder, evening):
        raise SystemExit(f"Wrong: {'; '.join(wrong)}.")


def last_line(text: str) -> str:
    return text.strip().rpartition("\n")[2]


def graded_line(text: str) -> str:
    return next(line for line in text.splitlines() if " graded, in " in line)


if __name__ == "__main__":
    main()
