"""The loop: ask, read, act, remember, and know when to stop.

The idea to take away: an agent is a `for` loop around a model. The model proposes, the program
decides, and every way out of the loop has a name.
"""

from __future__ import annotations

from g2c.agent.core.result import AgentRunResult
from g2c.agent.core.run import BaseAgent
from g2c.exercise import exercise


@exercise("19.4")
def run(agent: BaseAgent, user_message: str) -> AgentRunResult:
    """Answer `user_message`, or stop for a reason below.

    Each step is one call to the model. `BaseAgent` says what `agent` can do; `agent.start` gives
    the `RunRecord`, which keeps every step and finishes the run. The run stops with:

    - `final_answer`, at the first step that has one
    - `duplicate_action`, with `loop_detection`, at an action with the tool and the JSON of the step
      just before. It is not carried out again.
    - `no_progress`, with `halt_on_stuck`, at the first step with neither action nor answer
    - `max_steps`, after that many steps, the last one's action included

    One run leaves nothing in the agent for the next.

    Raises:
        ValueError: the message is empty or blank.
        BackendError: the model could not be asked.
    """
    raise NotImplementedError
