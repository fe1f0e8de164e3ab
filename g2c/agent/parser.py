"""From the text that a model wrote to a step that a program can take.

The idea to take away: the marker format is a contract between a program and a writer who never
signed it. Whatever the model writes, the parser returns; what it could not read goes back to the
model as words.
"""

from __future__ import annotations

from g2c.agent.base import ParsedStep
from g2c.exercise import exercise


@exercise("19.1")
def parse_react_step(text: str) -> ParsedStep:
    r"""Read one completion of the ReAct format.

    A marker is one of `Thought:`, `Action:`, `Action Input:`, `Observation:`, `Final Answer:`,
    at the start of a line, in any case, with spaces or tabs allowed before it and around its
    colon. A line ends with `\n` or `\r\n`, which is read as `\n`, and with nothing else. A marker's
    text runs to the next marker or to the end, is taken without the whitespace around it, and may
    be empty. Of a marker that comes twice the first counts.

    - The thought is all text before the first marker other than `Thought:`, with or without a
      `Thought:` in it: the prompt may have ended with that marker, so that the text goes on with
      it. Several thoughts are joined by a newline.
    - An action is a tool's name and an Action Input. The name is what stands on the line of
      `Action:` itself; a period at its end is not part of it. The input is one JSON object and
      nothing else, on one line or several, bare or in a code fence.
    - A final answer wins over an action. One without text is no answer.
    - `Observation:` is the runtime's word. A completion that has one invented it: the step ends
      there.

    Returns:
        A `ParsedStep` with exactly one of `action`, `final_answer` and `parse_error`. A parse
        error is a sentence for the model that names the part that is missing or wrong (`Action`,
        `Action Input`, `Final Answer`).

    Raises:
        TypeError: `text` is not a string. No string raises anything.

    >>> parse_react_step('I need a sum.\nAction: calculator\nAction Input: {"expression": "1+1"}')
    ParsedStep(thought='I need a sum.', action=Action(tool='calculator',
        arguments={'expression': '1+1'}), final_answer=None, parse_error=None)
    >>> parse_react_step("Thought: I know this.\nFinal Answer: Paris").final_answer
    'Paris'
    >>> parse_react_step("Action: calculator").parse_error
    'Action Input is missing. ...'
    """
    raise NotImplementedError
