"""Views: HTML in a notebook, text everywhere else.

Text is escaped unless it is `Html`, so a page that a tool read cannot become a part of the page
that shows it. A view is complete when it is made: it needs no kernel, and the same run gives the
same characters.
"""

import re
import sys
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from html import escape
from io import StringIO
from pathlib import Path
from typing import Literal

from g2c.files import read_text
from g2c.text import printable

TEXT_COLUMNS = 120
BASE = "style.css"


class Html(str):
    """Markup that is ready to be shown. Any other string is text."""

    __slots__ = ()


def tag(name: str, *children: str, **attributes: object) -> Html:
    """An HTML element. Children are escaped unless they are `Html`; `class_` is `class`.

    >>> tag("b", "1 < 2", tag("i", "?"), class_="g2c-note")
    '<b class="g2c-note">1 &lt; 2<i>?</i></b>'
    """
    inner = "".join(child if isinstance(child, Html) else escape(child) for child in children)
    own = attributes.pop("style", "")
    styles = [inline_styles().get(kind, "") for kind in str(attributes.get("class_", "")).split()]
    if style := "; ".join(filter(None, [*styles, str(own)])):
        attributes["style"] = style
    given = (f' {key.rstrip("_")}="{escape(str(value))}"' for key, value in attributes.items())
    return Html(f"<{name}{''.join(given)}>{inner}</{name}>")


@cache
def inline_styles() -> dict[str, str]:
    """The style sheets' rules for single classes, to be repeated in the elements. A page that does
    not trust a notebook removes its style sheets, but keeps inline styles.
    """
    found: dict[str, str] = {}
    for file in sorted(Path(__file__).parent.glob("*.css"), key=lambda file: file.name != BASE):
        for selectors, rules in re.findall(r"([^{}]+)\{([^}]*)\}", read_text(file)):
            for selector in map(str.strip, selectors.split(",")):
                if re.fullmatch(r"\.[\w-]+", selector):
                    before = found.get(selector[1:], "")
                    found[selector[1:]] = " ".join(f"{before} {rules}".split()).rstrip("; ") + ";"
    return {name: style.rstrip(";") for name, style in found.items()}


@dataclass(frozen=True, repr=False)
class View:
    """Something to look at: `html` where HTML is shown, `text` as its `repr`."""

    html: str
    text: str

    def __post_init__(self) -> None:
        # A model can write a lone surrogate, which neither a kernel nor a terminal can send.
        for name in ("html", "text"):
            sendable = getattr(self, name).encode("utf-8", "replace").decode("utf-8")
            object.__setattr__(self, name, sendable)
        # Where there is no page, the text goes to a terminal.
        object.__setattr__(self, "text", printable(self.text))

    def _repr_html_(self) -> str:
        return self.html

    def __repr__(self) -> str:
        return self.text


@dataclass(frozen=True, repr=False)
class Markdown:
    """A report: rendered in a notebook, its Markdown source everywhere else."""

    text: str

    def _repr_markdown_(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return printable(self.text)


def page(*children: str) -> Html:
    """`children` in a block that brings its own style, so that it can be shown anywhere."""
    return block(tag("style", Html(read_asset(BASE))), *children)


def block(*children: str) -> Html:
    """`children` in the element that the style is for."""
    return tag("div", *children, class_="g2c")


def is_watched() -> bool:
    """Whether a person, not a program, runs this notebook's cell: only a person can be asked to
    type."""
    ipython = sys.modules.get("IPython")
    kernel = getattr(ipython.get_ipython(), "kernel", None) if ipython else None
    return bool(getattr(kernel, "_allow_stdin", False))


def show(view: View) -> None:
    """Display `view` below the running cell; without a notebook, print it."""
    ipython = sys.modules.get("IPython")  # only a notebook's process has loaded it
    if ipython and hasattr(ipython.get_ipython(), "kernel"):
        ipython.display.display(view)
    else:
        print(printable(str(view)), flush=True)


def html_table(
    head: Sequence[str], rows: Sequence[Sequence[str]], numbers: Collection[str] = ()
) -> Html:
    """A table; cells are escaped unless they are `Html`. `numbers` are the columns of figures."""
    kinds = ["g2c-number" if name in numbers else "g2c-text" for name in head]
    top = [tag("th", name, class_=kind) for name, kind in zip(head, kinds, strict=True)]
    body = [
        tag("tr", *(tag("td", cell, class_=kind) for cell, kind in zip(row, kinds, strict=True)))
        for row in rows
    ]
    return tag("table", tag("thead", tag("tr", *top)), tag("tbody", *body), class_="g2c-table")


def decision_grid(
    title: str,
    corner: str,
    columns: Sequence[str],
    rows: Mapping[str, Sequence[tuple[str, str]]],
    here: tuple[str, str] | None = None,
) -> Html:
    """A map of decisions, for `gate.css`: each cell has its text and its kind, and `here` is the
    row and the column of the marked one."""

    def head(text: str) -> Html:
        return tag("th", text, class_="g2c-gate")

    body = [
        tag(
            "tr",
            head(label),
            *(
                tag("td", text, class_=f"g2c-gate g2c-{kind}{' g2c-here' * ((label, at) == here)}")
                for at, (text, kind) in zip(columns, cells, strict=True)
            ),
        )
        for label, cells in rows.items()
    ]
    caption = tag("caption", title, class_="g2c-caption")
    top = tag("tr", head(corner), *map(head, columns))
    return tag("table", caption, top, *body, class_="g2c-gates")


def text_table(
    head: Sequence[str], rows: Sequence[Sequence[str]], numbers: Collection[str] = ()
) -> str:
    """The same table for a terminal, at most `TEXT_COLUMNS` wide."""
    from rich import box
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(box=box.SIMPLE)
    for name in head:
        justify: Literal["left", "right"] = "right" if name in numbers else "left"
        table.add_column(Text(name), justify=justify, overflow="fold")
    for row in rows:
        table.add_row(*map(Text, row))
    file = StringIO()
    # Otherwise Rich would display the table itself in a notebook.
    Console(
        file=file, width=TEXT_COLUMNS, color_system=None, emoji=False, force_jupyter=False
    ).print(table)
    return "\n".join(line.rstrip() for line in file.getvalue().strip("\n").splitlines()).rstrip()


@cache
def read_asset(name: str) -> str:
    """The text of a file that lies beside this one."""
    return Path(__file__).with_name(name).read_text("utf-8")
