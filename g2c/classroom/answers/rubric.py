"""The rubric of a module, row by row: what an answer should contain, and what its marks mean."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from html import escape

from g2c.text import one_line

_ROW = re.compile(r"### (\d+)\. (.+)")
_STRONG = re.compile(r"\*\*([^*]+)\*\*")
_SLANTED = re.compile(r"\*([^*]+)\*")
_CODE = re.compile(r"`([^`]+)`")


@dataclass(frozen=True)
class Row:
    """One question's row of the rubric: its title, and the Markdown below it."""

    title: str
    text: str


@dataclass(frozen=True)
class Rubric:
    """What the marks mean, as Markdown, and the rows by the questions' numbers."""

    scale: str
    rows: dict[int, Row]


def read_rubric(text: str) -> Rubric:
    """The rubric in a file such as `docs/rubrics/module-19.md`.

    The scale is the text from "How to grade" to the next heading. A row is the text below a heading
    such as `### 3. Loop detection`.
    """
    _, _, after = text.partition("**How to grade.**")
    scale = after.partition("\n#")[0].strip()
    rows: dict[int, Row] = {}
    lines: list[str] = []
    number, title = 0, ""
    for line in [*text.splitlines(), "## the end"]:
        if line.startswith(("## ", "### ")):
            if number:
                rows[number] = Row(title, "\n".join(lines).strip())
            found = _ROW.fullmatch(line)
            number, title = (int(found[1]), found[2]) if found else (0, "")
            lines = []
        else:
            lines.append(line)
    return Rubric(scale, rows)


def to_html(text: str) -> str:
    """The rubric's Markdown as HTML: paragraphs, lists of one level, emphasis and code.

    >>> to_html("Say\\nwhy.\\n\\n- *two*\\n  words\\n- `a<b`")
    '<p>Say why.</p><ul><li><em>two</em> words</li><li><code>a&lt;b</code></li></ul>'
    """
    return "".join(map(_block, text.split("\n\n")))


def _block(block: str) -> str:
    parts = list(_parts(block))
    if not block.lstrip().startswith("- "):
        return "".join(f"<p>{_inline(part)}</p>" for part in parts)
    items = "".join(f"<li>{_inline(part)}</li>" for part in parts)
    return f"<ul>{items}</ul>"


def _parts(block: str) -> Iterator[str]:
    """The items of a list, or the one paragraph, each on one line."""
    for part in re.split(r"(?m)^- ", block):
        if line := one_line(part):
            yield line


def _inline(text: str) -> str:
    html = _CODE.sub(r"<code>\1</code>", escape(text, quote=False))
    return _SLANTED.sub(r"<em>\1</em>", _STRONG.sub(r"<strong>\1</strong>", html))
