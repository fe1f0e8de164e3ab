"""The agent's working memory: every step so far, as the model will read it.

The idea to take away: the model remembers nothing between calls, so the prompt is its memory. A
prompt that only ever grows at its end lets the model's cache keep all the work it did before.
"""

from __future__ import annotations

from g2c.agent.core.scratchpad import BaseScratchpad
from g2c.exercise import exercise


@exercise("19.3")
def render(pad: BaseScratchpad) -> str:
    r"""Write the steps of `pad` as text, one block a step, with a blank line between two blocks.

    A block has these lines, except for None and empty thoughts:

        Thought: the thought
        Action: the tool's name
        Action Input: the arguments as JSON on one line, letters as they are
        Observation: what came back; `[error] ` stands before an error
        Final Answer: the answer

    A parse error is shown as an observation that is an error, in place of the completion. Texts are
    kept as they are.

    If the text would be longer than `pad.max_chars`, whole blocks are left out, oldest first, as
    few as possible. The newest block always stays.

    Turn each step into text once; keep it in `pad.blocks`.

    >>> from g2c.agent import AgentStep, Scratchpad
    >>> pad = Scratchpad()
    >>> pad.append(AgentStep("...", thought="I can answer.", final_answer="42"))
    >>> print(pad.render())
    Thought: I can answer.
    Final Answer: 42
    """
    raise NotImplementedError
