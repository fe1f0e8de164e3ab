"""The model in the box has read a file. Show it this step in a history of at most 40 characters,
and let it continue."""

from __future__ import annotations

import json
from pathlib import Path

from g2c.agent import Action, Agent, AgentStep, Observation, Scratchpad
from g2c.agent.core.prompts import STOPS
from g2c.agent.core.scratchpad import BaseScratchpad
from g2c.course.breaks import Seen, last_rows
from g2c.exercises.e19_1_parse_react_step.naive import make_read_file
from g2c.inference.embedded.backend import EmbeddedBackend
from g2c.tools import ToolRegistry

QUESTION = "What does the model see of its own last step, and what will it see after the next one?"


def render(pad: BaseScratchpad) -> str:
    blocks = []
    for step in pad.steps:
        text = f"Thought: {step.thought}"
        if step.action:
            arguments = json.dumps(step.action.arguments)
            text += f"\nAction: {step.action.tool}\nAction Input: {arguments}"
        if result := step.observation:
            text += f"\nObservation: {result.text}"
        blocks.append(text)
    history = "\n\n".join(blocks)
    return history[-pad.max_chars :] if pad.max_chars else history


SAYS = "The meeting is on Tuesday at 10 in room 4."
READ = AgentStep(
    "...",
    "I need to read meeting.txt.",
    Action("read_file", {"path": "meeting.txt"}),
    Observation(SAYS),
)


def show(folder: Path) -> Seen:
    (folder / "meeting.txt").write_text(f"{SAYS}\n", encoding="utf-8")
    pad = Scratchpad(max_chars=40)
    pad.append(READ)
    text = render(pad)
    yield "its history", text
    model = EmbeddedBackend()
    agent = Agent(model, ToolRegistry([make_read_file(folder)]), plan=False)
    head = agent.start("When is the meeting in meeting.txt?").head
    stopping = model.stopping_at(*STOPS)
    prompt = f"{head}\n\n{text}\n\nThought:"
    went_on = stopping.complete(prompt, max_new_tokens=60, temperature=0.0).completion
    wanted = "an answer: the step before read the file, and found Tuesday at 10"
    yield from last_rows("Final Answer:" not in went_on, f"Thought:{went_on}", wanted)
