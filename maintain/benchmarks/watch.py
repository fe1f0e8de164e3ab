"""How long `g2c watch` takes from a save to the result on the screen, beside a new pytest process.

It works in a copy of the course as it is shipped. Usage: python maintain/benchmarks/watch.py
[--rounds 9]
"""

from __future__ import annotations

import argparse
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from _report import in_turns, print_heading, print_table

ROOT = Path(__file__).resolve().parents[2]
FILE = "g2c/agent/parser.py"
PAUSE_S = 2.0
"""Between two saves: nobody saves faster than the next process gets ready."""


def copy_course(folder: Path) -> None:
    shutil.copy(ROOT / "pyproject.toml", folder)
    for name in ("g2c", "tests"):
        shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__"))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=9)
    rounds = parser.parse_args().rounds
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        copy_course(folder)
        environment = {**os.environ, "PYTHONPATH": name, "PYTHONUNBUFFERED": "1"}
        environment.pop("PYTHONDONTWRITEBYTECODE", None)
        code = "from g2c.cli.main import main; main()"
        watching = subprocess.Popen(
            [sys.executable, "-c", code, "watch", "19.1"],
            cwd=folder,
            env=environment,
            stdout=subprocess.PIPE,
            text=True,
        )
        screen = iter(watching.stdout or ())

        def wait_for_result() -> None:
            while "watching" not in next(screen):
                pass

        def watch() -> float:
            time.sleep(PAUSE_S)
            begin = time.perf_counter()
            with (folder / FILE).open("a", encoding="utf-8") as file:
                file.write("#\n")
            wait_for_result()
            return time.perf_counter() - begin

        def pytest() -> float:
            begin = time.perf_counter()
            command = [sys.executable, "-m", "pytest", "-q", "tests/test_agent.py", "-k", "Parse"]
            subprocess.run(command, cwd=folder, env=environment, capture_output=True)
            return time.perf_counter() - begin

        wait_for_result()
        samples = in_turns(rounds, {"g2c watch": watch, "pytest -k Parse": pytest})
        watching.terminate()
    print_heading(
        "Seconds from a save to the result of exercise 19.1, which is as shipped: all its tests "
        f"fail. {rounds} rounds, in turns with a new pytest process."
    )
    rows = [
        (label, *(f"{figure(seconds):.2f}" for figure in (statistics.median, min, max)))
        for label, seconds in samples.items()
    ]
    print_table(("", "median", "least", "most"), rows)
    pairs = zip(samples["pytest -k Parse"], samples["g2c watch"], strict=True)
    ratio = statistics.median(pytest / watch for pytest, watch in pairs)
    print(f"\nThe new process takes {ratio:.1f} times as long, in the median over the rounds.")


if __name__ == "__main__":
    main()
