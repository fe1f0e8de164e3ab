"""What a call of a tool costs, and how tokens and seconds grow with an agent's steps: module 19."""

from __future__ import annotations

import argparse
import os
import tempfile
from pathlib import Path
from statistics import median
from time import perf_counter

os.environ["G2C_REFERENCE"] = "all"  # the exercises' references, not a student's code

from _report import in_turns, print_heading, print_table
from cache import FixedWords, StepNumberFirst

from g2c.agent import Agent, AgentRunResult
from g2c.inference import Backend, EmbeddedBackend
from g2c.tools import Tool, ToolRegistry, make_calculator, make_read_file, make_run_python

STEPS = 8
FILE, TEXT = "notes.txt", "Buy apples, bread and a lamp.\n"


def seconds_of(tool: Tool, **arguments: str) -> float:
    begun = perf_counter()
    tool.func(**arguments)
    return perf_counter() - begun


def run_of(kind: type[Agent], model: Backend, tools: ToolRegistry) -> AgentRunResult:
    """A run of `STEPS` tool calls. The model reads each prompt, but its answers are fixed."""
    words = [
        f' I need line {n}.\nAction: read_file\nAction Input: {{"path": "{FILE}"}}'
        for n in range(STEPS)
    ]
    agent = kind(FixedWords(model, words), tools, plan=False, max_steps=STEPS, loop_detection=False)
    return agent.run(f"What is in {FILE}?")


def totals(run: AgentRunResult, steps: int) -> list[object]:
    """Prompt tokens of the first `steps` steps, how many of them were computed, and seconds."""
    calls = [step.inference for step in run.steps[:steps] if step.inference]
    return [
        sum(call.prompt_tokens or 0 for call in calls),
        sum(call.metadata["prompt_n"] for call in calls),
        f"{sum(call.latency_ms for call in calls) / 1000:.1f}",
    ]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=15, help="how often each tool is called")
    options = parser.parse_args()
    model = EmbeddedBackend()
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, FILE).write_text(TEXT, "utf-8")
        read, calculate, run = make_read_file(folder), make_calculator(), make_run_python()
        print_heading(
            f"Milliseconds for a call of a tool, in turns, {options.rounds} rounds. Then a run of "
            f"{STEPS} steps on {model.info.model_id}, which reads each prompt and writes a token; "
            "its words are fixed. Tokens and seconds of all steps so far: with a prompt that grows "
            "at its end, and with a step number in its first line, so that the cache has nothing."
        )
        samples = in_turns(
            options.rounds,
            {
                "calculator": lambda: seconds_of(calculate, expression="6 * 7"),
                "read_file": lambda: seconds_of(read, path=FILE),
                "run_python": lambda: seconds_of(run, code="print(6 * 7)"),
            },
        )
        print_table(
            ["", "median", "least"],
            [
                [name, *(f"{1000 * figure:.2f}" for figure in (median(found), min(found)))]
                for name, found in samples.items()
            ],
        )
        tools = ToolRegistry([calculate, read])
        runs = {
            "it grows at its end": run_of(Agent, model, tools),
            "nothing from the cache": run_of(StepNumberFirst, model, tools),
        }
    print()
    print_table(
        ["", "steps", "prompt tokens", "computed", "seconds"],
        [
            [name, steps, *totals(found, steps)]
            for name, found in runs.items()
            for steps in (1, 2, 4, 8)
        ],
    )


if __name__ == "__main__":
    main()
