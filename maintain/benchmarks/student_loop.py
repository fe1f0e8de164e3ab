"""How long a student waits for `pytest tests/test_agent.py`, beside pytest's own floor."""

from __future__ import annotations

import argparse
import functools
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from _report import in_turns, print_heading, print_table

ROOT = Path(__file__).resolve().parents[2]
TRIVIAL = "".join(f"def test_{i}():\n    assert {i} == {i}\n\n" for i in range(100))
# Where this is set, every process would compile every module again.
ENVIRONMENT = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}


def seconds(*arguments: str) -> float:
    """Wall time of one whole pytest process, with the project's own configuration."""
    here = ["-c", str(ROOT / "pyproject.toml"), "--rootdir", str(ROOT)]
    command = [sys.executable, "-m", "pytest", *arguments, "-q", *here, "--reference"]
    started = time.perf_counter()
    done = subprocess.run(command, cwd=ROOT, env=ENVIRONMENT, capture_output=True, text=True)
    elapsed = time.perf_counter() - started
    if done.returncode:
        raise SystemExit(f"{' '.join(command)} failed:\n{done.stdout[-2000:]}{done.stderr[-2000:]}")
    return elapsed


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=9, help="processes each (%(default)s)")
    rounds = parser.parse_args().rounds
    print_heading(
        "Seconds of a whole pytest process under the project's configuration, with --reference "
        f"-q, in turns, of {rounds} processes each. The ratio is the median over the rounds of "
        "the process's time in that round's floor."
    )
    with tempfile.TemporaryDirectory() as folder:
        trivial = str(Path(folder, "test_trivial.py"))
        Path(trivial).write_text(TRIVIAL)
        floor = "100 trivial tests: the floor"
        cases = {
            floor: [trivial],
            "tests/test_agent.py": ["tests/test_agent.py"],
            "the floor, with anyio's plugin": [trivial, "-p", "anyio"],
            "the floor, with nbval's plugin": [trivial, "-p", "nbval"],
            "the floor, with both": [trivial, "-p", "anyio", "-p", "nbval"],
        }
        samples = in_turns(
            rounds, {name: functools.partial(seconds, *case) for name, case in cases.items()}
        )
    rows = []
    for name, times in samples.items():
        ratio = statistics.median(t / f for t, f in zip(times, samples[floor], strict=True))
        median, least = statistics.median(times), min(times)
        rows.append([name, f"{median:.2f}", f"{least:.2f}", f"{ratio:.2f}"])
    print_table(["", "median", "least", "ratio"], rows)


if __name__ == "__main__":
    main()
