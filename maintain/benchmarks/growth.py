"""How the cost of what a person keeps grows with its size: seconds, memory, and the exponent.

    python maintain/benchmarks/growth.py

Each size is prepared in a folder in memory, where there is one, and then asked by a process of its
own, whose processor time and peak memory count, without its imports. A size is left out if the
one before took `--limit` seconds, so `--largest 1000000` is tried only where it can end.
"""

import argparse
import itertools
import json
import math
import os
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

os.environ["G2C_REFERENCE"] = "all"  # the exercises' references, not a student's code

from _report import print_heading, print_table
from memory_recall import START, g2c_recall, make_texts, open_recall

from g2c.agent import Agent
from g2c.classroom.similarity import most_alike
from g2c.course.manifest import find_exercise
from g2c.course.runs import list_runs, read_run
from g2c.home.home import Home
from g2c.inference import ScriptedBackend
from g2c.memory import MemoryStore
from g2c.suite.suite_file import load_suite_file
from g2c.swarm.app.library import Library
from g2c.tools import ToolRegistry

COURSE = Path(__file__).parents[2]
ENDLESS = 10_000
"""More days than a transcript has."""


@dataclass(frozen=True)
class Series:
    """A thing that grows: its sizes, how so many are put in a folder, and the questions there."""

    sizes: tuple[int, ...]
    prepare: Callable[[Path, int], None]
    questions: dict[str, Callable[[Path, int], object]]


def texts(count: int) -> Iterator[str]:
    return itertools.islice(make_texts(random.Random(1)), count)


def prepare_turns(folder: Path, count: int) -> None:
    g2c_recall(folder, list(texts(count)))


def recall(folder: Path, count: int) -> object:
    return open_recall(folder)(next(texts(1)))


def grep(folder: Path, count: int) -> object:
    return list(MemoryStore(folder).grep("zzzzzzzz", days_back=ENDLESS))


def log_turn(folder: Path, count: int) -> None:
    MemoryStore(folder, now=lambda: START).log_turn("user", "one more")


def prepare_topics(folder: Path, count: int) -> None:
    store = MemoryStore(folder)
    first = store.write_topic("topic 0", "what was said", "0").slug
    text = (folder / f"topics/{first}.md").read_text()
    for number in range(1, count):
        name = first.replace("0", str(number))
        (folder / f"topics/{name}.md").write_text(text.replace("topic 0", f"topic {number}"))


def write_topic(folder: Path, count: int) -> None:
    MemoryStore(folder).write_topic("one more", "what was said last", "tea")


def search_topics(folder: Path, count: int) -> object:
    return MemoryStore(folder).recall("what was said last")


def context(folder: Path, count: int) -> object:
    return MemoryStore(folder).context()


def prepare_loops(folder: Path, count: int) -> None:
    for number in range(count):
        state = Home(folder).loop(f"loop{number}").state
        state.parent.mkdir(parents=True)
        state.touch()


def prepare_files(folder: Path, count: int) -> None:
    for number, text in enumerate(texts(count)):
        (folder / f"{number}.txt").write_text(f"{text}\n" * 20)


def prepare_runs(folder: Path, count: int) -> None:
    agent = Agent(ScriptedBackend(["Final Answer: 42"]), ToolRegistry([]), plan=False)
    agent.run("What is 6 times 7?").save(folder / "first")
    data = (folder / "first").read_bytes()
    for number in range(count):
        (folder / f"20260101-{number:06}-run.json").write_bytes(data)


def read_runs(folder: Path, count: int) -> object:
    return [read_run(path).stopped_reason for path in list_runs(folder)]


def prepare_sources(folder: Path, count: int) -> None:
    """A class whose functions differ in some lines, as those of people do."""
    lines = (COURSE / find_exercise("19.1").solution_file).read_text().splitlines(keepends=True)
    chance = random.Random(1)
    for number in range(count):
        kept = [line for line in lines if chance.random() < 0.7]
        (folder / f"{number}.py").write_text("".join(kept))


def alike(folder: Path, count: int) -> object:
    return most_alike({file.stem: file.read_text() for file in folder.glob("*.py")}, "", 1.1)


def prepare_suite(folder: Path, count: int) -> None:
    task = {"kind": "story", "question": "How many legs has a spider?", "expected": 8}
    (folder / "mine.jsonl").write_text(f"{json.dumps(task)}\n" * count)


TENS = (100, 1_000, 10_000)
SERIES = {
    "turns": Series(
        (1_000, 10_000, 100_000, 1_000_000),
        prepare_turns,
        {"first recall": recall, "recall": recall, "grep": grep, "log a turn": log_turn},
    ),
    "topics": Series(
        TENS,
        prepare_topics,
        {"first recall": search_topics, "write one": write_topic, "a prompt's memory": context},
    ),
    "loops": Series(TENS, prepare_loops, {"list": lambda folder, count: Home(folder).loops()}),
    "files of a swarm": Series(
        (20, 200, 2_000), prepare_files, {"read all": lambda folder, count: Library(folder).files}
    ),
    "runs": Series(TENS, prepare_runs, {"list": read_runs}),
    "hand-ins": Series((40, 120, 400, 1_200), prepare_sources, {"pairs that are alike": alike}),
    "tasks of a suite": Series(
        TENS, prepare_suite, {"read": lambda folder, count: load_suite_file(folder / "mine.jsonl")}
    ),
}


def ask_here(name: str, question: str, folder: Path, count: int) -> None:
    """Print the processor's seconds for one question, and the peak memory of this process in MiB
    before and after."""
    before = peak_mib()
    started = time.process_time()
    SERIES[name].questions[question](folder, count)
    print(time.process_time() - started, before, peak_mib())


def peak_mib() -> float:
    """The most memory that this process has had; 0 where the system does not tell."""
    try:
        status = Path("/proc/self/status").read_text()
    except OSError:
        return 0.0
    return int(status.partition("VmHWM:")[2].split()[0]) / 1024


def ask(name: str, question: str, folder: Path, count: int) -> tuple[float, float]:
    """Seconds, and MiB above those of a process that has only imported its modules."""
    command = [sys.executable, __file__, "--one", name, question, str(folder), str(count)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    seconds, before, after = map(float, done.stdout.split())
    return seconds, after - before


def exponent(sizes: list[int], seconds: list[float]) -> float:
    """The slope of a line through the two largest sizes, both on a logarithmic scale: below them,
    what does not grow has most of the time."""
    grown = math.log(sizes[-1] / sizes[-2])
    return math.log(max(seconds[-1], 1e-6) / max(seconds[-2], 1e-6)) / grown


def measure(name: str, largest: int, limit: float) -> Iterator[list[str]]:
    series = SERIES[name]
    found: dict[str, list[tuple[int, float, float]]] = {key: [] for key in series.questions}
    memory = Path("/dev/shm")
    for count in (size for size in series.sizes if size <= largest):
        with tempfile.TemporaryDirectory(dir=memory if memory.is_dir() else None) as folder:
            series.prepare(Path(folder), count)
            for question, taken in found.items():
                taken.append((count, *ask(name, question, Path(folder), count)))
        if any(taken[-1][1] > limit for taken in found.values()):
            break
    for question, taken in found.items():
        sizes, seconds = [size for size, *_ in taken], [s for _, s, _ in taken]
        cells = ["-"] * 3 + [f"{size:,}: {s:.3f} s, {m:.0f} MiB" for size, s, m in taken]
        slope = f"{exponent(sizes, seconds):.2f}" if len(taken) > 1 else "-"
        yield [f"{name}: {question}", slope, *cells[-3:]]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else "")
    parser.add_argument("--largest", type=int, default=100_000, help="size (%(default)s)")
    parser.add_argument("--limit", type=float, default=30.0, help="seconds (%(default)s)")
    parser.add_argument("--one", nargs=4, help=argparse.SUPPRESS)
    parser.add_argument("--only", choices=SERIES, action="append", help="these alone")
    given = parser.parse_args()
    if given.one:
        name, question, folder, count = given.one
        ask_here(name, question, Path(folder), int(count))
        return
    print_heading(
        "Seconds of the processor, and memory beyond that of the imports, of one process for one "
        "question, at the three largest sizes. The exponent is that of the last step: 1 is in "
        "proportion to the size, 2 to its square."
    )
    names = given.only or SERIES
    rows = [row for name in names for row in measure(name, given.largest, given.limit)]
    print_table(["", "exponent", "small", "medium", "large"], rows)


if __name__ == "__main__":
    main()
