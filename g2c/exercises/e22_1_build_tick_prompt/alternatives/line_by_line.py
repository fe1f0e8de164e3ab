"""22.1 without a regular expression: each line is checked by itself.

It is easy to see what happens to a line. It costs splitting the text and joining it again. For this
`splitlines` would be wrong: it also ends a line at a form feed, which is then lost.
"""

from __future__ import annotations

from g2c.loop.core.types import TickParts
from g2c.loop.core.words import TITLES


def build_tick_prompt(parts: TickParts) -> str:
    recalled = [paragraph.strip() for paragraph in parts.recalled]
    texts = {**vars(parts.config), **vars(parts), "recalled": "\n\n".join(filter(None, recalled))}
    titled = ((title, texts[name].strip()) for name, title in TITLES.items())
    blocks = [f"# {title}\n\n{_below(text)}" for title, text in titled if text]
    return "\n\n".join(filter(None, [parts.architecture.strip(), *blocks]))


def _below(text: str) -> str:
    """The text with each of its highest headings one level lower."""
    lines = text.split("\n")
    return "\n".join("#" + line if line.startswith("# ") else line for line in lines)
