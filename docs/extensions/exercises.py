"""Tables of the exercises, from the manifest, and their functions' contracts, from the stubs.

In a page, `{exercises}` is a table of all exercises or of one module's, and `{exercise-functions}`
the contracts of one module's functions.
"""

from __future__ import annotations

from typing import Any

from docutils import nodes
from docutils.statemachine import StringList
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

from g2c.course.manifest import Exercise, find_exercises


class Exercises(SphinxDirective):
    """A row an exercise: its section of the lesson, its function, its tests."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        found = find_exercises(self.arguments[0])
        head = ["exercise", "your function", "minutes", "difficulty", "needs", "its tests"]
        rows = [head, ["---"] * len(head), *map(self.row, found)]
        rows += [["together", "", str(sum(one.minutes for one in found)), "", "", ""]]
        return self.parse_text_to_nodes("\n".join(f"| {' | '.join(row)} |" for row in rows))

    def row(self, one: Exercise) -> list[str]:
        function = f"{{py:func}}`{one.name}() <{target(one)}>`"
        lesson = f"[{one.id} {one.title}](/{one.lesson})"
        effort = [str(one.minutes), str(one.difficulty), ", ".join(one.needs) or "-"]
        return [lesson, function, *effort, f"`pytest {one.suite} -k {one.filter}`"]


class ExerciseFunctions(SphinxDirective):
    """What each function of a module promises."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        functions = map(target, find_exercises(self.arguments[0]))
        directives = [f".. autofunction:: {function}" for function in functions]
        lines = ["```{eval-rst}", *directives, "```"]
        self.content = StringList(lines, source=self.env.docname)
        return self.parse_content_to_nodes()


def target(one: Exercise) -> str:
    """The function's full name, such as `g2c.agent.parser.parse_react_step`."""
    return one.target.replace(":", ".")


def setup(app: Sphinx) -> dict[str, Any]:
    app.add_directive("exercises", Exercises)
    app.add_directive("exercise-functions", ExerciseFunctions)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
