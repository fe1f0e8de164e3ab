"""From a function to a tool that a model uses rightly.

The idea to take away: a model never sees a function. It sees a name, a description, the names of
the parameters and worked examples, and this text is a program that can be measured.
"""

from __future__ import annotations

from collections.abc import Callable

from g2c.agent.core.tool_text import ToolText
from g2c.exercise import exercise


@exercise("19.5")
def teach(function: Callable[..., str]) -> ToolText:
    """Write what the model in the box is told of `function`, which is `q` in
    `core/visitors.py`.

    `g2c score 19.5` gives an agent with this one tool 20 questions, at temperature 0. It counts a
    question if the first step calls the tool with the right arguments, letters' case aside, and
    the second answers with the number that came back.

    Each parameter of `function` has one `Parameter`. At most `MAX_EXAMPLES` (4) examples, in a
    system prompt of at most `MAX_PROMPT_CHARS` (4000). An example's arguments name every
    parameter; its observation is what `function` gives for them. It asks none of the questions that
    are counted, and has nothing in `before`. The same text comes every time.
    """
    raise NotImplementedError
