"""What a vote of several samples gains over one sample: exercise 19.6.

Every question is asked once at temperature 0, and then once for each sample at a temperature above
0, each time with another seed. The single sample is the first one of the vote. What the vote saves
by stopping early is known without asking again. Forty questions take about a quarter of an hour.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import fmean

os.environ["G2C_REFERENCE"] = "all"  # the exercises' references, not a student's code

from _report import print_heading, print_table
from _solved import change

from g2c.agent import Agent, AgentRunResult
from g2c.agent.settle import settle
from g2c.inference import EmbeddedBackend
from g2c.suite.attempt import MAX_NEW_TOKENS
from g2c.suite.settings import MAX_STEPS
from g2c.suite.suite import fingerprint, load_suite
from g2c.suite.tasks import AgentTask
from g2c.suite.tools import make_tools
from g2c.suite.verdicts import judge_agent

FAMILIES = ("arithmetic", "word_problem")
"""Families of `g2c eval` whose answers are numbers."""


@dataclass(frozen=True)
class Tried:
    """A question's outcome: whether it was solved, the model's calls, and their seconds."""

    solved: bool
    calls: int
    seconds: float


def make_agent(task: AgentTask, temperature: float, seed: int, plain: bool) -> Agent:
    """The agent of `g2c eval`, with its own temperature and seed. These tasks have no files."""
    return Agent(
        EmbeddedBackend(plain=plain, seed=seed),
        make_tools(task.tools, Path()),
        plan=False,
        max_steps=MAX_STEPS,
        max_new_tokens=MAX_NEW_TOKENS,
        temperature=temperature,
    )


def read_prompt(task: AgentTask, plain: bool) -> None:
    """Read the task's first prompt into the model's cache, so that the first run does not pay for
    the others."""
    agent = make_agent(task, 0.0, 0, plain)
    prompt = agent.build_prompt(agent.start(task.question))
    agent.backend.complete(prompt, max_new_tokens=1, temperature=0.0)


def tried(task: AgentTask, runs: Sequence[AgentRunResult], given: AgentRunResult) -> Tried:
    """Judge `given` as the answer to the task, and add up the cost of all `runs`."""
    calls = [step.inference for run in runs for step in run.steps if step.inference]
    seconds = sum(call.latency_ms for call in calls) / 1000
    return Tried(judge_agent(task, given).success, len(calls), seconds)


def voted(task: AgentTask, runs: Sequence[AgentRunResult]) -> Tried:
    """The outcome of the vote, with the cost of only the runs that it needs.

    A run whose answer won is judged, so that an answer of the vote has to come from a tool, too.
    """
    answers = [run.final_answer for run in runs]
    for n in range(1, len(runs) + 1):
        if (answer := settle(answers[:n], len(runs))) is not None:
            return tried(task, runs[:n], runs[answers.index(answer)])
    return tried(task, runs, replace(runs[0], final_answer=None))


def row_of(name: str, found: Sequence[Tried]) -> list[object]:
    return [
        name,
        sum(item.solved for item in found),
        f"{fmean(item.calls for item in found):.2f}",
        f"{fmean(item.seconds for item in found):.2f}",
    ]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("-n", type=int, default=20, help="how many questions of each family")
    parser.add_argument("--samples", type=int, default=5, help="how many samples vote")
    parser.add_argument("--temperature", type=float, default=0.7, help="of the samples")
    parser.add_argument("--plain", action="store_true", help="do not use the course's adapter")
    options = parser.parse_args()
    tasks = [task for task in load_suite(FAMILIES, options.n) if isinstance(task, AgentTask)]
    greedy, single, vote = [], [], []
    for task in tasks:
        read_prompt(task, options.plain)
        run = make_agent(task, 0.0, 0, options.plain).run(task.question)
        greedy.append(tried(task, [run], run))
        runs = [
            make_agent(task, options.temperature, seed, options.plain).run(task.question)
            for seed in range(options.samples)
        ]
        single.append(tried(task, runs[:1], runs[0]))
        vote.append(voted(task, runs))
    print_heading(
        f"{EmbeddedBackend(plain=options.plain).info.model_id} on {len(tasks)} questions of "
        f"{' and '.join(FAMILIES)} (suite {fingerprint(tasks)}). Calls of the model and their "
        "seconds are means of a question; its prompt had been read before. A vote of "
        f"{options.samples} ends when no further sample could change it. In brackets: the 95 % "
        "interval of the gain in questions solved, question by question."
    )
    warm = f"at temperature {options.temperature:g}"
    rows = {
        "one sample at temperature 0": greedy,
        f"one sample {warm}": single,
        f"a vote of {options.samples} {warm}": vote,
    }
    print_table(["", "solved", "calls", "seconds"], [row_of(*row) for row in rows.items()])
    print()
    print_table(
        ["gain", "solved", "only the second", "only the first"],
        [
            [f"one sample {warm}, then the vote", *change(single, vote)],
            ["one sample at temperature 0, then the vote", *change(greedy, vote)],
        ],
    )


if __name__ == "__main__":
    main()
