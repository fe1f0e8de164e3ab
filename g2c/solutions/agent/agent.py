"""19.4: one question after the other, in the order in which the answers matter.

Everything that a run changes lives in `record` and `last`: nothing is kept on the agent, so it can
be run twice, or at once from two threads. The action is compared as sorted JSON, because that is
what the model wrote: in Python {"n": 1} and {"n": True} are equal, in JSON they are not.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from g2c.agent.agent import Agent
    from g2c.agent.base import Action, AgentRunResult


def run(self: Agent, user_message: str) -> AgentRunResult:
    record = self._start(user_message)
    last = None
    for _ in range(self.max_steps):
        inference = self._complete(self._build_prompt(record))
        parsed = self._parse(inference)
        key = _key(parsed.action)
        if parsed.final_answer is not None:
            record.add(inference, parsed)
            return record.finish("final_answer")
        if parsed.action is None:
            record.add(inference, parsed)
            if self.halt_on_stuck:
                return record.finish("no_progress")
        elif self.loop_detection and key == last:
            record.add(inference, parsed)
            return record.finish("duplicate_action")
        else:
            record.add(inference, parsed, self._act(parsed.action))
        last = key
    return record.finish("max_steps")


def _key(action: Action | None) -> str | None:
    if action is None:
        return None
    return json.dumps([action.tool, action.arguments], sort_keys=True)
