"""19.4 in two parts: a decision without side effects, and a loop that carries it out.

`_end_of` can be tested without a model, and shows all reasons to end together. It costs a second
check of each step: the loop asks again whether there is an action to carry out. The reference
decides and acts in one `if`, so each branch shows everything that happens in its case.
"""

from __future__ import annotations

import json

from g2c.agent.core.result import AgentRunResult, StopReason
from g2c.agent.core.run import BaseAgent
from g2c.agent.core.types import Action, ParsedStep


def run(agent: BaseAgent, user_message: str) -> AgentRunResult:
    record = agent.start(user_message)
    before: Action | None = None
    for _ in range(agent.max_steps):
        inference = agent.complete(agent.build_prompt(record))
        parsed = agent.parse(inference)
        end = _end_of(agent, parsed, before)
        acts = parsed.action is not None and end is None
        record.add(inference, parsed, agent.act(parsed.action) if acts and parsed.action else None)
        if end:
            return record.finish(end)
        before = parsed.action
    return record.finish("max_steps")


def _end_of(agent: BaseAgent, parsed: ParsedStep, before: Action | None) -> StopReason | None:
    """Why the run ends with this step; None if it goes on."""
    if parsed.final_answer is not None:
        return "final_answer"
    if parsed.action is None:
        return "no_progress" if agent.halt_on_stuck else None
    if agent.loop_detection and before and _written(before) == _written(parsed.action):
        return "duplicate_action"
    return None


def _written(action: Action) -> str:
    """The action as the model wrote it: in JSON, 1 is not true."""
    return json.dumps([action.tool, action.arguments], sort_keys=True)
