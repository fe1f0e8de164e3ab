"""Asking the model for a plan, and reading it with your `extract_plan`."""

from collections.abc import Iterable

from g2c.agent.core.prompts import render_planning_prompt, written_plan
from g2c.agent.core.types import Plan
from g2c.agent.extract_plan import extract_plan
from g2c.inference import Backend, BackendError
from g2c.tools import Tool
from g2c.tracing import traced


def make_plan(backend: Backend, tools: Iterable[Tool], user_message: str) -> Plan | None:
    """Ask the model for a plan; None if it gave none or could not be asked.

    Raises:
        ValueError: `user_message` is empty or blank.
    """
    if not user_message.strip():
        raise ValueError("user_message is empty: there is nothing to plan for")
    continued = backend.continues_prompt
    prompt = render_planning_prompt(tools, user_message, continued=continued)
    # A plan that is continued ends at the first blank line. A chat's reply may only begin there.
    model = backend.stopping_at("\n\n") if continued else backend
    try:
        with traced("plan"):
            answer = model.complete(prompt, max_new_tokens=160, temperature=0.0)
    except BackendError:
        return None
    text = answer.completion
    if answer.is_cut:  # the last line has no end
        text = text.rpartition("\n")[0]
    return extract_plan(written_plan(text, continued=continued), user_message)
