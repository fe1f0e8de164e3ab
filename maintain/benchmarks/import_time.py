"""How long `import g2c.agent` and short commands take in a fresh process, compared with the
libraries that they stand on."""

from __future__ import annotations

import argparse
import functools
import os
import resource
import statistics
import subprocess
import sys

from _report import in_turns, print_heading, print_table

COMMAND = "from g2c.cli.main import main; main()"
COMMANDS = ("--version", "next", "runs", "hint 19.1", "check 19.1")
TESTS = "tests/test_agent.py::TestParseReactStep"
PROCESSES = {
    "import typer, rich": ["-c", "import typer, rich"],
    "the same, and print a line": ["-c", "import typer, rich; rich.print('g2c')"],
    "import g2c.agent": ["-c", "import g2c.agent"],
    **{f"g2c {line}": ["-c", COMMAND, *line.split()] for line in COMMANDS},
    "pytest on the tests of 19.1": ["-m", "pytest", "-q", TESTS],
}
# If this is set, every process compiles every module again.
ENVIRONMENT = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}


def processor_ms(arguments: list[str]) -> float:
    """The cost of a Python process with these arguments, and of all that it starts."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([sys.executable, *arguments], env=ENVIRONMENT, capture_output=True, check=False)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return (after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime) * 1000


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=9, help="processes for each (%(default)s)")
    rounds = parser.parse_args().rounds
    print_heading("Milliseconds of the processor for a whole process, Python's own start included.")
    whole = in_turns(
        rounds, {name: functools.partial(processor_ms, line) for name, line in PROCESSES.items()}
    )
    floor = statistics.median(whole["import typer, rich"])
    print_table(
        ["", "median", "least", "to the first"],
        [
            [name, f"{(m := statistics.median(ms)):.0f}", f"{min(ms):.0f}", f"{m / floor:.2f}"]
            for name, ms in whole.items()
        ],
    )


if __name__ == "__main__":
    main()
