"""Boxes, arrows and bars as SVG, in one style, for light and dark, with words for a screen reader.

A picture is 540 units wide, so that its words can be read on a telephone. It brings its own paper:
on a page whose dark mode is not the system's it stays legible.
"""

from collections.abc import Sequence
from html import escape
from typing import Literal

Kind = Literal["plain", "model", "program", "yours", "good", "bad", "quiet"]
"""The kind of a box: a model's work, the program's, the student's function; a good or bad end."""

Row = tuple[str, Kind, str]
"""A line of a listing: its text, what it is, and what there is to say of it."""

WIDTH = 540
LINE = 19
STYLE = """
  svg { --paper: #ffffff; --ink: #1f2328; --soft: #57606a; --line: #6e7781; --plain: #f6f8fa;
    --model: #fdf0d5; --program: #ddebf7; --yours: #e8e0f5; --good: #dcf0e2; --bad: #fbe0d8; }
  @media (prefers-color-scheme: dark) {
    svg { --paper: #14181e; --ink: #e6e9ed; --soft: #a3adb8; --line: #8b96a3; --plain: #222932;
      --model: #5f4a1c; --program: #22496c; --yours: #3c2f5c; --good: #1d4630; --bad: #5c2b20; }
  }
  text { font: 14px system-ui, "Segoe UI", "DejaVu Sans", sans-serif; fill: var(--ink); }
  .soft { fill: var(--soft); font-size: 13px; }
  .head { font-weight: 600; }
  .code { font-family: ui-monospace, "DejaVu Sans Mono", monospace; font-size: 13px; }
  .middle { text-anchor: middle; }
  .end { text-anchor: end; }
  rect { stroke: var(--line); rx: 6px; }
  .paper { fill: var(--paper); stroke: none; rx: 0; }
  .plain { fill: var(--plain); } .quiet { fill: none; stroke-dasharray: 4 4; }
  .model { fill: var(--model); } .program { fill: var(--program); }
  .yours { fill: var(--yours); stroke-width: 2.5px; }
  .good { fill: var(--good); } .bad { fill: var(--bad); }
  .bar { stroke: none; rx: 0; }
  .arrow { fill: none; stroke: var(--line); stroke-width: 1.8px; }
  .tip { fill: var(--line); }
"""


class Picture:
    """A drawing that grows by its methods. `title` names it; `description` says what it shows, for
    somebody who does not see it."""

    def __init__(self, height: int, title: str, description: str) -> None:
        self.height = height
        self.title = title
        self.description = description
        self.parts: list[str] = []

    def box(self, x: int, y: int, w: int, h: int, *lines: str, kind: Kind = "plain") -> None:
        """A box with its lines in the middle; the first is its heading if there are several."""
        self.parts.append(f'<rect class="{kind}" x="{x}" y="{y}" width="{w}" height="{h}"/>')
        top = y + h / 2 - LINE * (len(lines) - 1) / 2 + 5
        for n, line in enumerate(lines):
            style = "middle head" if n == 0 and len(lines) > 1 else "middle"
            self.text(x + w // 2, top + n * LINE, line, style)

    def text(self, x: float, y: float, line: str, style: str = "soft") -> None:
        """A line of text; `style` is `soft`, `head`, `code`, with `middle` or `end`."""
        self.parts.append(f'<text class="{style}" x="{x:g}" y="{y:g}">{escape(line)}</text>')

    def bar(self, x: float, y: float, w: float, h: float, kind: Kind) -> None:
        """A filled bar without a border."""
        self.parts.append(
            f'<rect class="bar {kind}" x="{x:g}" y="{y:g}" width="{w:g}" height="{h:g}"/>'
        )

    def line(self, *points: tuple[float, float], dashed: bool = False) -> None:
        """A line through the points."""
        path = " ".join(f"{x:g},{y:g}" for x, y in points)
        dash = ' stroke-dasharray="5 4"' if dashed else ""
        self.parts.append(f'<polyline class="arrow" points="{path}"{dash}/>')

    def arrow(self, *points: tuple[float, float]) -> None:
        """A line through the points, upright or level, with a tip at the last."""
        (x0, y0), (x, y) = points[-2:]
        dx, dy = (x > x0) - (x < x0), (y > y0) - (y < y0)
        self.line(*points[:-1], (x - 6 * dx, y - 6 * dy))
        tip = [(x, y)]
        tip += [(x - 9 * dx + 5 * s * dy, y - 9 * dy + 5 * s * dx) for s in (1, -1)]
        path = " ".join(f"{a:g},{b:g}" for a, b in tip)
        self.parts.append(f'<polygon class="tip" points="{path}"/>')

    def rows(self, x: float, y: float, lines: Sequence[str], style: str = "soft") -> None:
        """Lines of text, one below the other."""
        for n, line in enumerate(lines):
            self.text(x, y + n * LINE, line, style)

    def svg(self) -> str:
        """The whole file."""
        body = "\n".join(self.parts)
        size = f'width="{WIDTH}" height="{self.height}" viewBox="0 0 {WIDTH} {self.height}"'
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" {size} role="img"'
            f' aria-labelledby="title desc">\n'
            f'<title id="title">{escape(self.title)}</title>\n'
            f'<desc id="desc">{escape(self.description)}</desc>\n<style>{STYLE}</style>\n'
            f'<rect class="paper" width="{WIDTH}" height="{self.height}"/>\n{body}\n</svg>\n'
        )


def listing(
    title: str, description: str, head: tuple[str, str], rows: Sequence[Row], foot: str = ""
) -> Picture:
    """Lines of a text, each in its box, with a note beside it of one line or two. `head` stands
    above the two columns. A row without a text is a heading between the others."""
    heights = [34 if "\n" not in note else 46 for _, _, note in rows]
    picture = Picture(54 + sum(heights) + (30 if foot else 0), title, description)
    picture.text(20, 28, head[0], "head")
    picture.text(330, 28, head[1], "head")
    y = 42
    for (text, kind, note), height in zip(rows, heights, strict=True):
        if text:
            picture.parts.append(
                f'<rect class="{kind}" x="20" y="{y}" width="298" height="{height - 6}"/>'
            )
            picture.text(30, y + height / 2 + 2, text, "code")
            below = LINE * note.count("\n") / 2
            picture.rows(330, y + height / 2 + 2 - below, note.split("\n"))
        else:
            picture.text(20, y + height / 2 + 4, note, "head")
        y += height
    if foot:
        picture.text(20, y + 18, foot)
    return picture
