"""22.1: one table of titles gives the order, and every part goes the same way through it.

A title is a line that the texts below it could hold themselves, for they are Markdown that a model
wrote. A second `#` makes a heading in them what it is anyway, a heading below ours, and leaves one
that has two as it is; so a state that the model copies from its prompt does not gain one a tick.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from g2c.loop.prompts import TITLES

if TYPE_CHECKING:
    from g2c.loop.base import TickParts


def build_tick_prompt(parts: TickParts) -> str:
    texts = vars(parts.config) | vars(parts)
    paragraphs = (paragraph.strip() for paragraph in parts.recalled)
    texts["recalled"] = "\n\n".join(paragraph for paragraph in paragraphs if paragraph)
    blocks = [parts.architecture.strip()]
    for name, title in TITLES.items():
        if text := texts[name].strip():
            below = re.sub(r"^# ", "## ", text, flags=re.MULTILINE)
            blocks.append(f"# {title}\n\n{below}")
    return "\n\n".join(block for block in blocks if block)
