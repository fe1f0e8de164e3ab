"""Ask the model in the box for the weather. Its one tool fails: the station does not answer."""

from __future__ import annotations

import json
from pathlib import Path

from g2c.agent import Agent, AgentRunResult, AgentStep
from g2c.agent.provided.run import BaseAgent
from g2c.course.first_versions import CAME, WISHED, Seen
from g2c.inference.embedded.backend import EmbeddedBackend
from g2c.tools import ToolError, ToolRegistry, tool

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
    raise ToolError("The station does not answer. Try again.")


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
        end = "it ended"
    except PulledPlug:
        end = f"pulled the plug after {PULLED_AFTER} steps; the function would go on"
    for number, step in enumerate(steps, start=1):
        did = f"{step.action.tool} {json.dumps(step.action.arguments)}" if step.action else ""
        yield f"step {number}", f"{did}\n{step.observation.text if step.observation else ''}"
    actions = {repr(step.action) for step in steps}
    yield CAME, f"{len(steps)} steps, different actions: {len(actions)}; {end}"
    yield WISHED, "a run that ends, and the reason"
