"""The cost of a log of events: with a log on the disk, without one, and with a real model.

python maintain/benchmarks/tracing.py
"""

import os
import statistics
import tempfile
import time

os.environ["G2C_REFERENCE"] = "all"  # the exercises' references, not a student's code

from _report import in_turns, print_heading, print_table

from g2c.agent import Agent
from g2c.course.traces import tracing_to_file
from g2c.inference import Backend, ScriptedBackend, load_selection
from g2c.tools import ToolRegistry, make_calculator
from g2c.tracing import traced

CALL = ' Work.\nAction: calculator\nAction Input: {"expression": "23 * 17"}'
OTHER = CALL.replace("17", "18")
ANSWER = " I know.\nFinal Answer: 391"
STEPS = 41
ROUNDS = 30
PLACES = 100_000


def agent(backend: Backend, max_steps: int = 50) -> Agent:
    tools = ToolRegistry([make_calculator()])
    return Agent(backend, tools, plan=False, max_steps=max_steps, temperature=0.0)


def seconds_of_run() -> float:
    """A run of `STEPS` steps with a model that takes no time."""
    backend = ScriptedBackend([*[CALL, OTHER] * (STEPS // 2), ANSWER])
    began = time.perf_counter()
    result = agent(backend).run("What is 23 * 17?")
    assert len(result.steps) == STEPS, result.stopped_reason
    return time.perf_counter() - began


def logged() -> float:
    with tracing_to_file("benchmark"):
        return seconds_of_run()


def main() -> None:
    print_heading(
        f"What a log of events costs a run of {STEPS} steps whose model takes no time, in {ROUNDS} "
        "rounds, and what a step of the model in the box takes."
    )
    took = in_turns(ROUNDS, {"without": seconds_of_run, "with": logged})
    a_log = (statistics.median(took["with"]) - statistics.median(took["without"])) / STEPS
    began = time.perf_counter()
    for _ in range(PLACES):
        with traced("tool"):
            pass
    no_log = (time.perf_counter() - began) / PLACES
    model = load_selection("embedded")
    agent(model, 4).run("What is 23 * 17?")
    began = time.perf_counter()
    result = agent(model, 4).run("What is 24 * 17?")
    step = (time.perf_counter() - began) / len(result.steps)
    rows = [
        ["a step of the model in the box", f"{1e6 * step:,.0f}", ""],
        ["a log on the disk, a step", f"{1e6 * a_log:,.0f}", f"{100 * a_log / step:.3f} %"],
        ["no log, each place that is traced", f"{1e6 * no_log:,.1f}", ""],
    ]
    print_table(["", "us", "of a step"], rows)


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        os.environ["G2C_ROOT"] = folder
        main()
