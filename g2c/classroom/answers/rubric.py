"""The rubric of a module, row by row: what an answer should contain, and what its marks mean."""

import re
from dataclasses import dataclass

from markdown_it import MarkdownIt

_ROW = re.compile(r"### (\d+)\. (.+)")


@dataclass(frozen=True)
class Row:
    """One question's row of the rubric: its title, and the Markdown below it."""

    title: str
    text: str


@dataclass(frozen=True)
class Rubric:
    """The meaning of the marks, as Markdown, and the rows by the questions' numbers."""

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
    """The rubric's Markdown as HTML; tags in it are text.

    >>> to_html("*two* `a<b` <i>")
    '<p><em>two</em> <code>a&lt;b</code> &lt;i&gt;</p>\\n'
    """
    return str(MarkdownIt("commonmark", {"html": False}).render(text))
