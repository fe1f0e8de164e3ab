"""19.4: one question after another, in the order in which the answers matter.

Everything that a run changes is in `record` and `last`. Nothing is kept on the agent, so it can run
twice, or in two threads at once. Actions are compared as sorted JSON, because that is what the
model wrote: {"n": 1} and {"n": True} are equal in Python, but not in JSON.
"""

from __future__ import annotations

import json

from g2c.agent.core.result import AgentRunResult
from g2c.agent.core.run import BaseAgent
from g2c.agent.core.types import Action

_ENCODER = json.JSONEncoder(sort_keys=True)


def run(agent: BaseAgent, user_message: str) -> AgentRunResult:
    record = agent.start(user_message)
    last = None
    for _ in range(agent.max_steps):
        inference = agent.complete(agent.build_prompt(record))
        parsed = agent.parse(inference)
        if parsed.final_answer is not None:
            record.add(inference, parsed)
            return record.finish("final_answer")
        if parsed.action is None:
            record.add(inference, parsed)
            if agent.halt_on_stuck:
                return record.finish("no_progress")
        elif agent.loop_detection and _is_same(parsed.action, last):
            record.add(inference, parsed)
            return record.finish("duplicate_action")
        else:
            record.add(inference, parsed, agent.act(parsed.action))
        last = parsed.action
    return record.finish("max_steps")


def _is_same(action: Action, last: Action | None) -> bool:
    # Actions that are equal in Python are rare, and found faster than both are written as JSON.
    return action == last and _as_json(action) == _as_json(last)


def _as_json(action: Action) -> str:
    return _ENCODER.encode(action.arguments)
