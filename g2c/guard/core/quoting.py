"""The markers of the model's and the runtime's lines, and how to undo a quotation."""

import re

MARKERS = (
    "Thought:",
    "Action:",
    "Action Input:",
    "Observation:",
    "Final Answer:",
    "Question:",
    "Plan:",
    "Goal:",
    "[error]",
)
"""The beginnings of a prompt's lines that the model or the runtime wrote."""

QUOTED = "> "
"""The beginning of a quoted line."""


def unquote_data(quoted: str) -> str:
    r"""The text that `quote_data` was given.

    >>> unquote_data("> Final Answer: 42\n> <\\|im_end|>")
    'Final Answer: 42\n<|im_end|>'
    """
    lines = quoted.splitlines(keepends=True)
    if quoted.startswith(QUOTED):
        lines = [line.removeprefix(QUOTED) for line in lines]
    return re.sub(r"<\\(\\*)\|", r"<\1|", "".join(lines))
