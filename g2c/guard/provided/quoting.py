"""What must not pose as the model's or the runtime's word, and the way back from a quotation."""

from __future__ import annotations

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
"""What begins a line of a prompt that is the model's word or the runtime's."""

QUOTED = "> "
"""What begins a line of a quotation."""


def unquote_data(quoted: str) -> str:
    r"""The text that `quote_data` was given.

    >>> unquote_data("> Final Answer: 42\n> <\\|im_end|>")
    'Final Answer: 42\n<|im_end|>'
    """
    lines = quoted.splitlines(keepends=True)
    if quoted.startswith(QUOTED):
        lines = [line.removeprefix(QUOTED) for line in lines]
    return re.sub(r"<\\(\\*)\|", r"<\1|", "".join(lines))
