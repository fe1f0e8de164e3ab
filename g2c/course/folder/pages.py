"""Adapts pages to a folder with only some files of the course: no link leads to a missing file."""

import json
import posixpath
import re
from collections.abc import Callable, Collection
from pathlib import PurePosixPath

_LINK = re.compile(r"(?<!!)\[([^]]*)\]\((?!https?://|mailto:|#)([^)\s]*)\)")
_PARTS = re.compile(r"(^```.*?^```\n|(?<=\n)(?=- )|(?<=\n\n))", re.MULTILINE | re.DOTALL)
"""Patterns for a block of code, and for the beginning of a list item or a paragraph."""

_LISTED = re.compile(r"(?:.*<(.+)>|([\w./*-]+))\n")


def for_student(text: str, name: str, there: Collection[str]) -> str:
    """The page `name`, Markdown or a notebook, for a folder that has only the files in `there`.

    A link to a missing file becomes plain words. A paragraph or list item that begins with such a
    link is about that file, and is removed.

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
        return any(file == path or file.startswith(f"{path.partition('*')[0]}/") for file in there)

    kept = []
    for part in _PARTS.split(text):
        if part.startswith("```{toctree}"):
            lines = part.splitlines(keepends=True)
            part = "".join(line for line in lines if _is_listed(line, is_there))
        elif not part.startswith("```"):
            first = _LINK.match(part.removeprefix("- "))
            if first and not is_there(first[2]):
                part = "\n" if part.endswith("\n\n") else ""  # the list must still end
            part = _LINK.sub(lambda found: found[0] if is_there(found[2]) else found[1], part)
        kept.append(part)
    return "".join(kept)


def _is_listed(line: str, is_there: Callable[[str], bool]) -> bool:
    """Whether to keep a line of a list of contents: it names an existing page, or none."""
    entry = _LISTED.fullmatch(line)
    if not entry:
        return True
    page = entry[1] or entry[2]
    return is_there(page if page.endswith("*") else f"{page}.md") or is_there(f"{page}.ipynb")
