"""A few numbered steps before the first action.

The idea to take away: a plan is a soft prior. It is text in the prompt that makes some next steps
likelier than others; nothing checks that they are taken, and a run goes on without it.
"""

from __future__ import annotations

from collections.abc import Iterable

from g2c.agent.base import Plan
from g2c.agent.prompts import render_planning_prompt
from g2c.exercise import exercise
from g2c.inference import Backend, BackendError
from g2c.tools import Tool

MAX_PLAN_STEPS = 5


@exercise("19.2")
def extract_plan(text: str, user_message: str) -> Plan | None:
    r"""Read a plan out of what a model wrote.

    The goal is the rest of the first line that starts with `Goal:` (in any case). Steps are lines
    that start with a number of one or two digits and then `.`, `)` or `-`, with a space after it
    or nothing more: `1. look`, `2) read`, `3 - say`. Spaces and tabs may stand before either, and
    before the colon or the separator. Everything else is prose and is passed over. Lines end with
    `\n` or `\r\n`.

    - Without a goal, or with an empty one, the user's message is the goal, stripped.
    - A step without text is dropped. So is a step whose number is not above that of the step kept
      before it: a small model that starts to repeat itself starts to count again.
    - The first `MAX_PLAN_STEPS` steps are kept.

    Returns:
        The plan, or None where the text has no steps.

    Raises:
        ValueError: `user_message` is empty or blank.

    >>> extract_plan("Goal: know the date\n1. Look at the clock\n2) Say it", "What day is it?")
    Plan(goal='know the date', steps=('Look at the clock', 'Say it'))
    >>> extract_plan("I would not know.", "What day is it?") is None
    True
    """
    raise NotImplementedError


def make_plan(
    backend: Backend,
    tools: Iterable[Tool],
    user_message: str,
    *,
    max_new_tokens: int = 160,
    temperature: float = 0.0,
) -> Plan | None:
    """Ask the model for a plan; None where it gave none or could not be asked."""
    prompt = render_planning_prompt(tools, user_message)
    try:
        completion = backend.stopping_at("\n\n").complete(
            prompt, max_new_tokens=max_new_tokens, temperature=temperature
        )
    except BackendError:
        return None
    # The prompt ends with the marker that the model's first words continue.
    return extract_plan("Goal:" + completion.completion, user_message)
