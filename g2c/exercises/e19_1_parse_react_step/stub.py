"""From the text that a model wrote to a step that a program can take.

The idea to take away: the marker format is a contract between a program and a writer who never
signed it. Whatever the model writes, the parser returns; what it could not read goes back to the
model as words.
"""

from __future__ import annotations

from g2c.agent.core.types import ParsedStep
from g2c.exercise import exercise


@exercise("19.1")
def parse_react_step(text: str) -> ParsedStep:
    r"""Read one ReAct completion, in linear time.

    Markers are `Thought:`, `Action:`, `Action Input:`, `Observation:` and `Final Answer:`,
    beginning a line, ignoring case, order, spaces and tabs. Their texts run to the next;
    `Observation:` ends the step. `\r\n` is `\n`.

    - The thought: all before the first other marker, pieces joined by newlines. If another
      marker repeats, the first counts, even if empty.
    - An action: a tool (its line less one final period) and one JSON object, perhaps in a closed
      fence of any language.
    - A nonempty final answer beats an action.

    A `parse_error` names `Action`, `Action Input` or `Final Answer` and what is wrong, like bad
    JSON, each cause differently.

    Raises:
        TypeError: `text` is not a string.

    >>> parse_react_step('I need a sum.\nAction: calculator\nAction Input: {"expression": "1+1"}')
    ParsedStep(thought='I need a sum.', action=Action(tool='calculator',
        arguments={'expression': '1+1'}), final_answer=None, parse_error=None)
    >>> parse_react_step("Thought: I know this.\nFinal Answer: Paris").final_answer
    'Paris'
    >>> "Action Input" in parse_react_step("Action: calculator").parse_error
    True
    """
    raise NotImplementedError
