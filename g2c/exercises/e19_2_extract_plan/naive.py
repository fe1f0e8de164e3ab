"""Let the model in the box plan a sum, and extract the steps of its plan."""

from __future__ import annotations

import re
from pathlib import Path

from g2c.agent import Plan
from g2c.agent.core.prompts import render_planning_prompt, written_plan
from g2c.course.breaks import RESULT, WANTED, Seen
from g2c.inference.embedded.backend import EmbeddedBackend
from g2c.tools import make_calculator, make_read_file

QUESTION = "How do you see at a glance which numbers count steps?"


def extract_plan(text: str, user_message: str) -> Plan | None:
    found = re.findall(r"\d+\. *(.+)", text)
    goal = text.partition("Goal:")[2].partition("\n")[0].strip()
    return Plan(goal or user_message, tuple(found[:5])) if found else None


ASKED = "What is 3.5 plus 4.2?"


def show(folder: Path) -> Seen:
    yield "question", ASKED
    tools = (make_calculator(), make_read_file(folder))
    prompt = render_planning_prompt(tools, ASKED)
    written = EmbeddedBackend().complete(prompt, max_new_tokens=60, temperature=0.0).completion
    text = written_plan(written)
    yield "it wrote", text
    plan = extract_plan(text, ASKED)
    yield RESULT, "\n".join(f"{n}. {step}" for n, step in enumerate(plan.steps if plan else (), 1))
    yield WANTED, "\n".join(line for line in text.splitlines() if line[:1].isdigit())
