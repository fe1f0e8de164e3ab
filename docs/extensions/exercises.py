"""Tables of the exercises, from the manifest, and their functions' contracts, from the stubs.

In a page, `{exercises}` is a table of all exercises or of one module's, and `{exercise-functions}`
the contracts of one module's functions. An exercise's own page gets a link to the exercise in the
browser's tab, and its contract at the end.
"""

from typing import Any

from docutils import nodes
from docutils.statemachine import StringList
from sphinx.addnodes import desc_signature
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

from g2c.course.manifest import Exercise, find_exercises, load_exercises


class Exercises(SphinxDirective):
    """A row an exercise: its section of the lesson, its function, its tests."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        found = find_exercises(self.arguments[0])
        head = ["exercise", "your function", "minutes", "difficulty", "needs", "its tests"]
        rows = [head, ["---"] * len(head), *map(self.row, found)]
        rows += [["together", "", str(sum(exercise.minutes for exercise in found)), "", "", ""]]
        return self.parse_text_to_nodes("\n".join(f"| {' | '.join(row)} |" for row in rows))

    def row(self, one: Exercise) -> list[str]:
        function = f"{{py:func}}`{one.function}() <{target(one)}>`"
        lesson = f"[{one.id} {one.title}](/{one.lesson})"
        effort = [str(one.minutes), str(one.difficulty), ", ".join(one.needs) or "-"]
        return [lesson, function, *effort, f"`pytest {one.suite} -k {one.filter}`"]


class ExerciseFunctions(SphinxDirective):
    """The contract of each function of a module, or of one exercise's function."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        found = find_exercises(self.arguments[0])
        # Links lead to the module's page, where the functions stand together.
        is_alone = found[0].id == self.arguments[0]
        more = ["   :no-index:", ""] if is_alone else []
        lines = [
            line for exercise in found for line in (f".. autofunction:: {target(exercise)}", *more)
        ]
        self.content = StringList(["```{eval-rst}", *lines, "```"], source=self.env.docname)
        made = self.parse_content_to_nodes()
        for signature in (match for node in made for match in node.findall(desc_signature)):
            if is_alone:  # else the source's page would lead here, where nothing has that id
                signature["module"] = ""
        return made


NUMBER = """
```{{index}} {id}
```
"""
"""The search passes over numbers in a page, but not in the index."""
IN_TAB = (
    '<p class="to-tab">'
    '<a href="{root}try/index.html?exercise={id}">Write it in your browser</a></p>'
)
CONTRACT = """
## The contract

This is what the stub says.

```{{exercise-functions}} {id}
```
"""


def complete(_app: Sphinx, page: str, source: list[str]) -> None:
    """Give an exercise's page what no Markdown file need repeat."""
    for exercise in load_exercises():
        if exercise.lesson == f"{page}.md":
            title, _, text = source[0].partition("\n")
            link = IN_TAB.format(root="../" * page.count("/"), id=exercise.id)
            number = NUMBER.format(id=exercise.id)
            source[0] = f"{title}\n\n{link}\n{number}{text}{CONTRACT.format(id=exercise.id)}"


def target(one: Exercise) -> str:
    """The function's full name, such as `g2c.agent.parse_react_step.parse_react_step`."""
    return f"{one.import_name}.{one.function}"


def setup(app: Sphinx) -> dict[str, Any]:
    app.connect("source-read", complete)
    app.add_directive("exercises", Exercises)
    app.add_directive("exercise-functions", ExerciseFunctions)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
