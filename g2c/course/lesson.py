"""Parts of a lesson, for the terminal."""

import re

from g2c.course.manifest import Exercise, load_exercises
from g2c.files import read_text
from g2c.paths import project_root

_LINK = re.compile(r"(!?)\[([^\]]+)\]\((?!http)[^)]*\)")


def page_of(exercise: Exercise) -> str:
    """The lesson's page about an exercise, as Markdown."""
    return read_text(project_root() / exercise.lesson)


def deliverable_of(module: str) -> str:
    """The task at a module's end, as Markdown: the last section of its last page."""
    first = next(exercise for exercise in load_exercises() if exercise.module == module)
    last = (project_root() / first.lesson).with_name("afterwards.md")
    _, heading, rest = read_text(last).partition("## Deliverable\n")
    return heading + rest


def without_links(text: str) -> str:
    """Markdown without what only a browser can follow: links inside the course become words,
    pictures their descriptions.

    >>> without_links("See [the *loop*](4.md#x), ![a ring](p.svg) and [Ollama](https://ollama.com).")
    'See the *loop*, (Picture: a ring) and [Ollama](https://ollama.com).'
    """
    return _LINK.sub(lambda found: f"(Picture: {found[2]})" if found[1] else found[2], text)
