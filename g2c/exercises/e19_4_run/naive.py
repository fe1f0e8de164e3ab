"""Ask the model in the box for the weather. Its one tool works, and returns nothing."""

from __future__ import annotations

import json
from pathlib import Path

from g2c.agent import Agent, AgentRunResult, AgentStep
from g2c.agent.core.run import BaseAgent
from g2c.course.breaks import Seen, last_rows
from g2c.inference.embedded.backend import EmbeddedBackend
from g2c.tools import ToolRegistry, tool

QUESTION = "Who could have ended this run, and what would they have had to notice?"


def run(agent: BaseAgent, user_message: str) -> AgentRunResult:
    notes = agent.start(user_message)
    while True:
        reply = agent.complete(agent.build_prompt(notes))
        step = agent.parse(reply)
        result = agent.act(step.action) if step.action else None
        notes.add(reply, step, result)
        if step.final_answer:
            return notes.finish("final_answer")


class PulledPlug(Exception):
    """The run was ended from outside."""


PULLED_AFTER = 4
"""Steps before we stop the run. The function itself would go on."""


@tool
def weather(city: str) -> str:
    """Tell the weather in a city."""
    return ""


def show(folder: Path) -> Seen:
    steps: list[AgentStep] = []

    def on_step(step: AgentStep) -> None:
        steps.append(step)
        if len(steps) == PULLED_AFTER:
            raise PulledPlug

    agent = Agent(
        EmbeddedBackend(),
        ToolRegistry([weather]),
        plan=False,
        temperature=0.0,
        max_new_tokens=60,
        on_step=on_step,
    )
    try:
        run(agent, "What is the weather in Rome?")
        ended = True
    except PulledPlug:
        ended = False
    for number, step in enumerate(steps, start=1):
        did = "no action and no answer"
        if step.action:
            did = f"{step.action.tool} {json.dumps(step.action.arguments)}"
        yield f"step {number}", f"{did}\n{step.observation.text if step.observation else ''}"
    actions = {repr(step.action) for step in steps}
    result = f"pulled the plug after {len(steps)} steps, {len(actions)} of them different"
    yield from last_rows(not ended, result, "a run that ends, and the reason")
