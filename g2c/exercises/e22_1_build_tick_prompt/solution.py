"""22.1: one table of titles gives the order, and every part is treated the same way.

The texts below the titles are Markdown that a model wrote, so they may contain our titles. A second
`#` makes each of their headings a heading below ours. A heading that has two stays as it is. So the
model can copy its state from the prompt, and no heading gets another `#` at each tick.
"""

from __future__ import annotations

import re

from g2c.loop.core.types import TickParts
from g2c.loop.core.words import TITLES


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
