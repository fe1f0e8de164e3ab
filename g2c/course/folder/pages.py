"""Pages for a folder that has not all of the course: no link leads to what is not there."""

from __future__ import annotations

import json
import posixpath
import re
from collections.abc import Callable, Collection
from pathlib import PurePosixPath

_LINK = re.compile(r"(?<!!)\[([^]]*)\]\((?!https?://|mailto:|#)([^)\s]*)\)")
_PARTS = re.compile(r"(^```.*?^```\n|(?<=\n)(?=- )|(?<=\n\n))", re.MULTILINE | re.DOTALL)
"""A block of code, and what begins an item of a list or a paragraph."""

_LISTED = re.compile(r"(?:.*<(.+)>|([\w./*-]+))\n")


def for_student(text: str, name: str, there: Collection[str]) -> str:
    """The page `name`, Markdown or a notebook, for a folder that has only the files in `there`.

    Of a link to another file its words stay. A paragraph, or an item of a list, that begins with
    such a link is about that file, and goes.

    >>> for_student("See [b](b.md) and [c](c.md).", "docs/a.md", {"docs/a.md", "docs/b.md"})
    'See [b](b.md) and c.'
    """
    if name.endswith(".ipynb"):
        notebook = json.loads(text)
        for cell in notebook["cells"]:
            if cell["cell_type"] == "markdown":
                source = for_student("".join(cell["source"]), f"{name}.md", there)
                cell["source"] = source.splitlines(keepends=True)
        return json.dumps(notebook, ensure_ascii=False, indent=1) + "\n"

    folder = PurePosixPath(name).parent

    def is_there(target: str) -> bool:
        path = posixpath.normpath((folder / target.partition("#")[0]).as_posix())
        return any(one == path or one.startswith(f"{path.partition('*')[0]}/") for one in there)

    kept = []
    for part in _PARTS.split(text):
        if part.startswith("```{toctree}"):
            lines = part.splitlines(keepends=True)
            part = "".join(line for line in lines if _is_listed(line, is_there))
        elif not part.startswith("```"):
            first = _LINK.match(part.removeprefix("- "))
            if first and not is_there(first[2]):
                part = "\n" if part.endswith("\n\n") else ""  # a list ends all the same
            part = _LINK.sub(lambda found: found[0] if is_there(found[2]) else found[1], part)
        kept.append(part)
    return "".join(kept)


def _is_listed(line: str, is_there: Callable[[str], bool]) -> bool:
    """Whether a line of a list of contents stays: it names a page that is there, or none."""
    entry = _LISTED.fullmatch(line)
    if not entry:
        return True
    page = entry[1] or entry[2]
    return is_there(page if page.endswith("*") else f"{page}.md") or is_there(f"{page}.ipynb")
