"""How long a search of transcripts takes compared with GNU grep, how much memory it needs, and how
many turns a second can be appended."""

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

from g2c.memory.app.layers import TranscriptLog
from g2c.memory.core.transcripts import line_of, turn_of
from g2c.memory.core.types import Turn

NOW = datetime(2026, 4, 21, 9, tzinfo=UTC)
TEXT = (
    "the agent asked for a file and the tool answered with an error while it read the config of "
    "an auth module so the plan has a step that looks at each value and its result again"
)
HITS = 10
"""Lines of each file, evenly spread, that contain `RARE`."""
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
from g2c.memory.app.layers import TranscriptLog
hits = sum(1 for _ in TranscriptLog(sys.argv[1]).grep("needle", today=date(2026, 4, 21)))
print(next(line for line in open("/proc/self/status") if line.startswith("VmHWM")).split()[1])
"""


def write_day(folder: Path, lines: int) -> Path:
    """Write a day of turns, of about 240 bytes each; a quarter has a letter beyond ASCII."""
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


def gnu_grep(folder: Path, name: str) -> list[bytes]:
    file = TranscriptLog(folder).path_of(NOW.date())
    pattern, option, _ = name.partition(" -i")
    command = ["grep", "-E", "-n", *option.split(), "-e", pattern, str(file)]
    done = subprocess.run(command, capture_output=True, env={**os.environ, "LC_ALL": "C.UTF-8"})
    return done.stdout.splitlines()


def gnu_grep_parsed(folder: Path, name: str) -> int:
    """What a person would write instead: parse each numbered line of grep as a turn."""
    numbered = (line.split(b":", 1) for line in gnu_grep(folder, name))
    return sum(turn_of(line) is not None and int(number) > 0 for number, line in numbered)


def peak_kib(folder: Path) -> str:
    """The peak memory of a process that does nothing else, as Linux counts it."""
    if not Path("/proc/self/status").exists():
        return "-"
    command = [sys.executable, "-c", PEAK, str(folder)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return f"{int(done.stdout):,}"


def ratio(ours: list[float], theirs: list[float]) -> float:
    """The median, over the rounds, of our time divided by theirs."""
    return statistics.median(a / b for a, b in zip(ours, theirs, strict=True))


def print_searches(root: Path, sizes: list[int], rounds: int) -> None:
    rows, peaks = [], []
    for size in sizes:
        folder = root / str(size)
        file = write_day(folder, size)
        for name in PATTERNS:
            hits = our_grep(folder, name)
            assert hits == gnu_grep_parsed(folder, name), f"GNU grep finds other lines for {name!r}"
            searches = {
                "ours": functools.partial(our_grep, folder, name),
                "grep -n": functools.partial(gnu_grep, folder, name),
                "and parsed": functools.partial(gnu_grep_parsed, folder, name),
            }
            samples = in_turns(
                rounds if size < 1_000_000 else 3,
                {who: functools.partial(ms, search) for who, search in searches.items()},
            )
            medians = [f"{statistics.median(samples[who]):.1f}" for who in searches]
            ratios = [f"{ratio(samples['ours'], samples[who]):.2f}" for who in list(searches)[1:]]
            rows.append([name, f"{size:,}", f"{hits:,}", *medians, *ratios])
        peaks.append([f"{size:,}", f"{file.stat().st_size / 1e6:.1f}", peak_kib(folder)])
        shutil.rmtree(folder)
    columns = ["ours", "grep -n", "and parsed", "ours/grep -n", "ours/and parsed"]
    print_table(["pattern", "lines", "hits", *columns], rows)
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
    parser.add_argument("--rounds", type=int, default=11, help="runs of each search (%(default)s)")
    parser.add_argument("--lines", type=int, nargs="*", default=[1_000, 10_000, 100_000, 1_000_000])
    parser.add_argument("--folder", help="for the files (default: the system's temporary folder)")
    arguments = parser.parse_args()
    print_heading(
        f"Milliseconds to search a day of so many lines of about 240 bytes, {HITS} of which hold "
        f'"{RARE}", for all hits: TranscriptLog.grep, with line numbers and each hit read as a '
        "turn, in this process; GNU grep -n, in a process of its own; and the same, with its hits "
        f"read as turns here. In turns, of {arguments.rounds} rounds (3 for a million lines); a "
        "ratio is the median over the rounds. -i means that case is ignored."
    )
    with tempfile.TemporaryDirectory(dir=arguments.folder) as root:
        print_searches(Path(root), arguments.lines, arguments.rounds)
        print()
        print_appends(Path(root), arguments.rounds)


if __name__ == "__main__":
    main()
