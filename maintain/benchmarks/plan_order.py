"""Where a plan helps in the prompt: after the question, before it, or not at all (module 19)."""

from __future__ import annotations

import argparse
import os
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from statistics import fmean

os.environ["G2C_REFERENCE"] = "all"  # the exercises' references, not a student's code

from _report import print_heading, print_table
from _solved import change

from g2c.agent import Agent, Plan, make_plan
from g2c.agent.core.prompts import render_plan_block
from g2c.agent.core.run import RunRecord
from g2c.inference import Backend, EmbeddedBackend
from g2c.suite.attempt import MAX_NEW_TOKENS
from g2c.suite.settings import MAX_STEPS
from g2c.suite.suite import fingerprint, load_suite
from g2c.suite.tasks import AgentTask
from g2c.suite.tools import make_tools
from g2c.suite.verdicts import judge_agent

FAMILIES = ("two_files", "read_compute")
"""Families of `g2c eval` whose questions need several calls of tools."""

Arrange = Callable[[str, str], str]
"""How a question and a plan are put together."""

ORDERS: dict[str, Arrange] = {
    "no plan": lambda question, plan: question,
    "plan after the question": lambda question, plan: f"{question}\n\n{plan}",
    "plan before the question": lambda question, plan: f"{plan}\n\n{question}",
}


@dataclass(frozen=True)
class Tried:
    """A task's outcome: whether it was solved, the number of steps, and the tokens read."""

    solved: bool
    steps: int
    prompt_tokens: int


class OrderedAgent(Agent):
    """The course's agent with a given plan, at the place where `arrange` puts it."""

    given: Plan | None = None
    arrange: Arrange

    def start(self, user_message: str) -> RunRecord:
        record = super().start(user_message)
        if self.given:
            question = f"Question: {user_message.strip()}"
            front = record.head.removesuffix(question)
            record.head = front + self.arrange(question, render_plan_block(self.given))
        return record


def attempt(backend: Backend, task: AgentTask, arrange: Arrange, plan: Plan | None) -> Tried:
    """Ask the agent once, as `g2c eval` asks it."""
    with tempfile.TemporaryDirectory(prefix="g2c-plan-") as name:
        for file, text in task.files.items():
            Path(name, file).write_text(text, "utf-8")
        agent = OrderedAgent(
            backend,
            make_tools(task.tools, Path(name)),
            plan=False,
            max_steps=MAX_STEPS,
            max_new_tokens=MAX_NEW_TOKENS,
            temperature=0.0,
        )
        agent.given, agent.arrange = plan, arrange
        result = agent.run(task.question)
    solved = judge_agent(task, result).success
    return Tried(solved, len(result.steps), result.metadata["prompt_tokens"] or 0)


def row_of(name: str, tried: Sequence[Tried]) -> list[object]:
    return [
        name,
        sum(item.solved for item in tried),
        f"{fmean(item.steps for item in tried):.2f}",
        f"{fmean(item.prompt_tokens for item in tried):.0f}",
    ]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--limit", type=int, default=20, help="how many tasks of each family")
    parser.add_argument(
        "--plain", action="store_true", help="the model acts without the course's adapter"
    )
    options = parser.parse_args()
    tasks = [task for task in load_suite(FAMILIES, options.limit) if isinstance(task, AgentTask)]
    planner = EmbeddedBackend()
    actor = EmbeddedBackend(plain=True) if options.plain else planner

    @cache
    def plan_for(place: int) -> Plan | None:
        task = tasks[place]
        return make_plan(planner, make_tools(task.tools, Path()), task.question)

    tried = {
        name: [attempt(actor, task, arrange, plan_for(place)) for place, task in enumerate(tasks)]
        for name, arrange in ORDERS.items()
    }
    planned = sum(plan_for(place) is not None for place in range(len(tasks)))
    print_heading(
        f"{actor.info.model_id} on {len(tasks)} tasks that need several calls of tools (suite "
        f"{fingerprint(tasks)}), at temperature 0, {planned} of them with a plan by "
        f"{planner.info.model_id}. The plan is the same in both orders. In brackets: the 95 % "
        "interval of the gain in tasks solved, task by task."
    )
    print_table(
        ["", "solved", "steps", "prompt tokens"],
        [row_of(name, found) for name, found in tried.items()],
    )
    print()
    none, after, before = tried.values()
    print_table(
        ["gain", "solved", "only the second", "only the first"],
        [
            ["no plan, then a plan after the question", *change(none, after)],
            ["no plan, then a plan before the question", *change(none, before)],
            ["plan after the question, then before it", *change(after, before)],
        ],
    )


if __name__ == "__main__":
    main()
