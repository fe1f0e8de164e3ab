"""Asking the model for a plan, and reading it with your `extract_plan`."""

from __future__ import annotations

from collections.abc import Iterable

from g2c.agent.planner import extract_plan
from g2c.agent.provided.prompts import render_planning_prompt
from g2c.agent.provided.types import Plan
from g2c.inference import Backend, BackendError
from g2c.tools import Tool


def make_plan(backend: Backend, tools: Iterable[Tool], user_message: str) -> Plan | None:
    """Ask the model for a plan; None if it gave none or could not be asked.

    Raises:
        ValueError: `user_message` is empty or blank.
    """
    if not user_message.strip():
        raise ValueError("user_message is empty: there is nothing to plan for")
    prompt = render_planning_prompt(tools, user_message)
    try:
        answer = backend.stopping_at("\n\n").complete(prompt, max_new_tokens=160, temperature=0.0)
    except BackendError:
        return None
    # The prompt ends with "Goal:", so the model's answer starts after it.
    return extract_plan("Goal:" + answer.completion, user_message)
