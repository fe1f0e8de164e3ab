"""How long `import g2c.agent` takes in a fresh process, compared with other frameworks' agents, and
how long short commands take, compared with the libraries that they stand on."""

import argparse
import functools
import os
import resource
import statistics
import subprocess
import sys

from _report import in_turns, print_heading, print_table

IMPORTS = {
    "g2c.agent": "import g2c.agent",
    "smolagents": "import smolagents",
    "openai-agents": "import agents",
    "pydantic-ai": "import pydantic_ai",
    "langgraph": "import langgraph.prebuilt",
    "llama-index": "import llama_index.core.agent.workflow",
}
TIMED = """
import time
started = time.perf_counter()
{statement}
print((time.perf_counter() - started) * 1000)
"""
COMMAND = "from g2c.cli.main import main; main()"
COMMANDS = ("--version", "next", "runs", "hint 19.1", "check 19.1")
TESTS = "tests/test_agent.py::TestParseReactStep"
PROCESSES = {
    "import typer, rich": ["-c", "import typer, rich"],
    "the same, and print a line": ["-c", "import typer, rich; rich.print('g2c')"],
    **{f"g2c {line}": ["-c", COMMAND, *line.split()] for line in COMMANDS},
    "pytest on the tests of 19.1": ["-m", "pytest", "-q", TESTS],
}
# If this is set, every process compiles every module again.
ENVIRONMENT = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}


def import_ms(statement: str) -> float:
    done = subprocess.run(
        [sys.executable, "-c", TIMED.format(statement=statement)],
        env=ENVIRONMENT,
        capture_output=True,
        text=True,
        check=True,
    )
    return float(done.stdout)


def processor_ms(arguments: list[str]) -> float:
    """The cost of a Python process with these arguments, and of all that it starts."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([sys.executable, *arguments], env=ENVIRONMENT, capture_output=True, check=False)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return (after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime) * 1000


def is_installed(statement: str) -> bool:
    try:
        import_ms(statement)
    except subprocess.CalledProcessError:
        return False
    return True


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=9, help="processes for each (%(default)s)")
    rounds = parser.parse_args().rounds
    print_heading(
        "Milliseconds for the import statement alone, without Python's own start; a fresh process "
        f"each time, bytecode cached, in turns. Of {rounds} processes each."
    )
    installed = {name: line for name, line in IMPORTS.items() if is_installed(line)}
    samples = in_turns(
        rounds, {name: functools.partial(import_ms, line) for name, line in installed.items()}
    )
    print_table(
        ["", "median", "least", "statement"],
        [
            [name, f"{statistics.median(ms):.0f}", f"{min(ms):.0f}", installed[name]]
            for name, ms in samples.items()
        ],
    )
    for name in IMPORTS.keys() - installed.keys():
        print(f"{name} is not installed here: skipped.")
    print()
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
