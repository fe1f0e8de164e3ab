"""How long a search of transcripts takes beside GNU grep, what memory it needs, and how many turns
a second can be appended."""

from __future__ import annotations

import argparse
import functools
import os
import random
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

os.environ["G2C_REFERENCE"] = "all"  # the exercises' references, not a student's code

from _report import in_turns, print_heading, print_table

from g2c.memory.assembled.layers import TranscriptLog
from g2c.memory.provided.transcripts import line_of
from g2c.memory.provided.types import Turn

NOW = datetime(2026, 4, 21, 9, tzinfo=UTC)
TEXT = (
    "the agent asked for a file and the tool answered with an error while it read the config of "
    "an auth module so the plan has a step that looks at each value and its result again"
)
HITS = 10
"""Lines of each file, evenly spread, that hold `RARE`."""
RARE = "Zebra needle 42"
PATTERNS = (
    "needle",
    "Zebra",
    "a phrase that is not there",
    "needle -i",
    "Zebra.*42",
    "zebra.*42 -i",
    "error while",
)
PEAK = """
import sys
from datetime import date
from g2c.memory.assembled.layers import TranscriptLog
hits = sum(1 for _ in TranscriptLog(sys.argv[1]).grep("needle", today=date(2026, 4, 21)))
print(next(line for line in open("/proc/self/status") if line.startswith("VmHWM")).split()[1])
"""


def write_day(folder: Path, lines: int) -> Path:
    """A day of so many turns, of about 240 bytes each; a quarter has a letter beyond ASCII."""
    chance = random.Random(lines)
    file = TranscriptLog(folder).path_of(NOW.date())
    file.parent.mkdir(parents=True, exist_ok=True)
    with file.open("wb") as day:
        for number in range(lines):
            text = " ".join(chance.choices(TEXT.split(), k=29)) + ("" if number % 4 else " — é")
            if number % (lines // HITS) == lines // HITS // 2:
                text += f" {RARE}"
            day.write(line_of(Turn(NOW, "agent-7", "assistant", text)))
    return file


def ms(action: Callable[[], object]) -> float:
    started = time.perf_counter()
    action()
    return (time.perf_counter() - started) * 1000


def our_grep(folder: Path, name: str) -> int:
    pattern, option, _ = name.partition(" -i")
    log = TranscriptLog(folder)
    return sum(1 for _ in log.grep(pattern, ignore_case=bool(option), today=NOW.date()))


def gnu_grep(folder: Path, name: str, *options: str) -> int:
    file = TranscriptLog(folder).path_of(NOW.date())
    pattern, option, _ = name.partition(" -i")
    command = ["grep", "-E", *options, *option.split(), "-e", pattern, str(file)]
    done = subprocess.run(command, capture_output=True, env={**os.environ, "LC_ALL": "C.UTF-8"})
    return done.stdout.count(b"\n")


def peak_kib(folder: Path) -> str:
    """The most memory that a process held which did nothing else; Linux counts it."""
    if not Path("/proc/self/status").exists():
        return "-"
    command = [sys.executable, "-c", PEAK, str(folder)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return f"{int(done.stdout):,}"


def print_searches(root: Path, sizes: list[int], rounds: int) -> None:
    rows, peaks = [], []
    for size in sizes:
        folder = root / str(size)
        file = write_day(folder, size)
        for name in PATTERNS:
            hits = our_grep(folder, name)
            assert hits == gnu_grep(folder, name), f"GNU grep finds other lines for {name!r}"
            searches = {
                "ours": functools.partial(our_grep, folder, name),
                "grep": functools.partial(gnu_grep, folder, name),
                "grep -n": functools.partial(gnu_grep, folder, name, "-n"),
            }
            samples = in_turns(
                rounds if size < 1_000_000 else 3,
                {who: functools.partial(ms, search) for who, search in searches.items()},
            )
            pairs = zip(samples["ours"], samples["grep"], strict=True)
            medians = [f"{statistics.median(samples[who]):.1f}" for who in searches]
            ratio = statistics.median(ours / gnu for ours, gnu in pairs)
            rows.append([name, f"{size:,}", f"{hits:,}", *medians, f"{ratio:.2f}"])
        peaks.append([f"{size:,}", f"{file.stat().st_size / 1e6:.1f}", peak_kib(folder)])
        shutil.rmtree(folder)
    print_table(["pattern", "lines", "hits", "ours", "GNU grep", "GNU grep -n", "ratio"], rows)
    print()
    print_table(["lines", "file, MB", "peak of a process that searches it, KiB"], peaks)


def appends_a_second(folder: Path, count: int, fsync: bool) -> float:
    log = TranscriptLog(folder, fsync=fsync)
    turn = Turn(NOW, "agent-7", "assistant", "x" * 150)
    return count / ms(lambda: [log.append(turn) for _ in range(count)]) * 1000


def print_appends(root: Path, rounds: int) -> None:
    samples = in_turns(
        rounds,
        {
            "plain": lambda: appends_a_second(root / "plain", 2_000, False),
            "with fsync": lambda: appends_a_second(root / "fsync", 100, True),
        },
    )
    print_table(
        ["append", "turns a second, median", "best"],
        [
            [name, f"{statistics.median(rates):,.0f}", f"{max(rates):,.0f}"]
            for name, rates in samples.items()
        ],
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=11, help="of each search (%(default)s)")
    parser.add_argument("--lines", type=int, nargs="*", default=[1_000, 10_000, 100_000, 1_000_000])
    parser.add_argument("--folder", help="where the files go (the system's for what is temporary)")
    arguments = parser.parse_args()
    print_heading(
        f"Milliseconds to search a day of so many lines of about 240 bytes, {HITS} of which hold "
        f'"{RARE}", for all hits: TranscriptLog.grep, with line numbers and the hits parsed, in '
        "this process; GNU grep, without and with line numbers, in a process of its own. In turns, "
        f"of {arguments.rounds} rounds (3 for a million lines); the ratio is the median over the "
        "rounds of ours in GNU grep's without line numbers. -i means that case is ignored."
    )
    with tempfile.TemporaryDirectory(dir=arguments.folder) as root:
        print_searches(Path(root), arguments.lines, arguments.rounds)
        print()
        print_appends(Path(root), arguments.rounds)


if __name__ == "__main__":
    main()
