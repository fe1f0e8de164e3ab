"""Parts of a lesson, for the terminal."""

from __future__ import annotations

import re
from collections.abc import Iterator

from g2c.course.manifest import Exercise, load_exercises
from g2c.paths import project_root

_ANCHOR = re.compile(r'<a id="([\w-]+)"></a>')
_HEADING = re.compile(r"(#+) (.+)")
_LINK = re.compile(r"(!?)\[([^\]]+)\]\((?!http)[^)]*\)")


def page_of(exercise: Exercise) -> str:
    """The lesson's page about an exercise, as Markdown."""
    return (project_root() / exercise.lesson).read_text("utf-8")


def deliverable_of(module: str) -> str:
    """What a module asks for at its end, as Markdown; empty if its lesson does not say."""
    first = next(exercise for exercise in load_exercises() if exercise.module == module)
    last = (project_root() / first.lesson).with_name("afterwards.md")
    return _section(last.read_text("utf-8"), "deliverable")


def without_links(text: str) -> str:
    """Markdown without what only a browser can follow: links inside the course, and pictures, of
    which the description is left.

    >>> without_links("See [the *loop*](4.md#x), ![a ring](p.svg) and [Ollama](https://ollama.com).")
    'See the *loop*, (Picture: a ring) and [Ollama](https://ollama.com).'
    """
    return _LINK.sub(lambda found: f"(Picture: {found[2]})" if found[1] else found[2], text)


def _section(text: str, name: str) -> str:
    """The section whose anchor or heading is `name`, with those below it.

    >>> _section("# A\\n\\n## B\\n\\nb\\n\\n### C\\n\\n## D", "b")
    '## B\\n\\nb\\n\\n### C'
    >>> _section('<a id="x"></a>\\n\\n## B\\n\\nb\\n\\n<a id="d"></a>\\n\\n## D', "x")
    '## B\\n\\nb'
    """
    taken: list[str] = []
    depth, is_next = 0, False
    for line, level in _with_levels(text):
        if anchor := _ANCHOR.fullmatch(line.strip()):
            is_next = is_next or anchor[1] == name
            continue
        if level and depth and level <= depth:
            break
        title = line.lstrip("# ").lower().replace(" ", "-")
        if level and not depth and (is_next or title == name):
            depth = level
        if depth:
            taken.append(line)
    return "\n".join(taken).strip()


def _with_levels(text: str) -> Iterator[tuple[str, int]]:
    """Each line with its heading's level, 0 where it is none. A `#` in a code block is none."""
    in_code = False
    for line in text.splitlines():
        in_code ^= line.lstrip().startswith("```")
        found = None if in_code else _HEADING.match(line)
        yield line, len(found[1]) if found else 0
