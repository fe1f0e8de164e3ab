"""The places of a new exercise: files to fill in, and entries in existing files.

`TODO` marks what the author has to write, and `python -m maintain.author check` lists what is left.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from keyword import iskeyword
from pathlib import Path

from g2c.course.manifest import PACKAGES, load_exercises
from g2c.files import replace_text

TODO = "TODO"


@dataclass(frozen=True)
class Plan:
    """A planned exercise: its id, its title, its function, such as `rest_s`, and the question that
    it answers, for the lesson's table."""

    id: str
    title: str
    function: str
    question: str

    @property
    def package(self) -> str:
        return PACKAGES[self.id.partition(".")[0]]

    @property
    def tests(self) -> str:
        """The name of its test class."""
        return "Test" + "".join(word.title() for word in self.function.split("_"))

    @property
    def slug(self) -> str:
        """The name of its folder in `g2c/exercises`."""
        return f"e{self.id.replace('.', '_')}_{self.function}"

    @property
    def words(self) -> str:
        """The words of its title, in a file's name."""
        return "-".join(re.sub(r"[^a-z0-9 ]", "", self.title.lower()).split())

    @property
    def page(self) -> str:
        """The name of its lesson's page, without the ending."""
        return f"{self.id.partition('.')[2]}-{self.words}"


def check_plan(plan: Plan) -> None:
    """Refuse an exercise that cannot be added to the course.

    Raises:
        ValueError: the message names the mistake, and what would be right.
    """
    module = plan.id.partition(".")[0]
    own = [exercise for exercise in load_exercises() if exercise.module == module]
    if not own:
        raise ValueError(f"There is no module {module!r}; an exercise goes into one that exists.")
    wanted = f"{module}.{len(own) + 1}"
    if plan.id != wanted:
        raise ValueError(f"The next exercise of module {module} is {wanted}, not {plan.id!r}.")
    if not plan.function.isidentifier() or iskeyword(plan.function):
        raise ValueError(f"{plan.function!r} is not a name of a function, such as rest_s.")
    if not plan.title.strip() or "\n" in plan.title:
        raise ValueError("An exercise has a title of one line, such as 'Read a plan'.")
    if not plan.question.strip() or "\n" in plan.question or "|" in plan.question:
        raise ValueError(
            "The question is a cell of the lesson's table: one line without |, such as "
            "'how long until the next try?'."
        )


def lay_out(plan: Plan, root: Path) -> list[str]:
    """Write the files and entries of an exercise; return their paths, new ones first.

    Raises:
        ValueError: it cannot be added, or one of its files exists; nothing was written.
    """
    check_plan(plan)
    last = [
        exercise for exercise in load_exercises() if exercise.module == plan.id.partition(".")[0]
    ][-1]
    folder = Path(last.lesson).parent
    own = f"g2c/exercises/{plan.slug}"
    new = {
        f"g2c/{plan.package}/{plan.function}.py": _STUB,
        f"{own}/exercise.toml": _ENTRY,
        f"{own}/solution.py": _REFERENCE,
        f"{own}/naive.py": _FIRST_VERSION,
        f"{own}/wrong.py": _WRONG,
        f"{own}/picture.py": _PICTURE,
        f"{folder}/{plan.page}.md": _PAGE,
    }
    if there := [path for path in new if (root / path).exists()]:
        raise ValueError(f"{there[0]} is there already; nothing was written.")
    more = {
        last.suite: _read(root, last.suite).rstrip("\n") + _filled(_TESTS, plan, folder),
        f"{folder}/index.md": _in_index(_read(root, f"{folder}/index.md"), last.lesson, plan),
    }
    for path, text in new.items():
        replace_text(root / path, _filled(text, plan, folder))
    for path, text in more.items():
        replace_text(root / path, text)
    return [*new, *more]


def _read(root: Path, path: str) -> str:
    return (root / path).read_text("utf-8")


def _filled(template: str, plan: Plan, folder: Path) -> str:
    up = "../" * len(folder.parts)
    known = {
        "@ID@": plan.id,
        "@TITLE@": plan.title,
        "@FUNCTION@": plan.function,
        "@PACKAGE@": plan.package,
        "@CLASS@": plan.tests,
        "@PICTURE@": plan.slug[1:].replace("_", "-"),
        "@LESSON@": f"{folder}/{plan.page}.md",
        "@FILE@": f"{up}g2c/{plan.package}/{plan.function}.py",
    }
    for name, value in known.items():
        template = template.replace(name, value)
    return template


def _in_index(index: str, last: str, plan: Plan) -> str:
    """The lesson's opening with the page in its table, and in its list of contents."""
    name = re.escape(Path(last).stem)
    row = f"| [{plan.id}]({plan.page}.md) | `{plan.function}`: {plan.question} |"
    index = re.sub(rf"(?m)^\|.*\({name}\.md\).*$", lambda found: f"{found[0]}\n{row}", index)
    return re.sub(rf"(?m)^{name}$", lambda found: f"{found[0]}\n{plan.page}", index)


_ENTRY = '''title = "@TITLE@"
filter = "@CLASS@"
tests = ["@CLASS@"]
lesson = "@LESSON@"
minutes = 30
difficulty = 2
hints = [
  """
TODO: a question that shows where to begin.
""",
  """
TODO: a place to look.
""",
  """
TODO: an approach, and no line of the reference.
""",
]
'''

_STUB = '''"""TODO: the idea to take away."""

from __future__ import annotations

from g2c.exercise import exercise


@exercise("@ID@")
def @FUNCTION@(value: int) -> int:
    """TODO: what it promises, in at most 120 words, and never how.

    >>> @FUNCTION@(1)
    1
    """
    raise NotImplementedError
'''

_REFERENCE = '''"""@ID@: TODO: the idea of this solution, and what it costs."""

from __future__ import annotations


def @FUNCTION@(value: int) -> int:
    return value  # TODO
'''

_FIRST_VERSION = '''"""TODO: what `g2c break @ID@` does, on the real model or on files."""

from __future__ import annotations

from pathlib import Path

from g2c.course.breaks import RESULT, WANTED, Seen, outcome

QUESTION = "TODO: what somebody who has seen this should ask?"


def @FUNCTION@(value: int) -> int:
    return -value  # TODO: as one might write it first


def show(folder: Path) -> Seen:
    yield "called", "@FUNCTION@(1)"
    yield RESULT, outcome(lambda: @FUNCTION@(1))
    yield WANTED, "1"
'''

_TESTS = '''


class @CLASS@:
    """Exercise @ID@."""

    def test_todo(self) -> None:
        from g2c.@PACKAGE@.@FUNCTION@ import @FUNCTION@

        assert @FUNCTION@(1) == 1, "TODO: the wrong belief, and what is true"
'''

_WRONG = '''"""@ID@ gone wrong."""

from functools import partial

from wrong_answers import wrong

wrong = partial(wrong, "@ID@")

wrong(
    "TODO: the belief of a thoughtful person; at least eight of them.",
    ("return value", "return -value"),
)
'''

_PAGE = """# @ID@ @TITLE@

TODO: what goes wrong without it. `@FUNCTION@` in [`g2c/@PACKAGE@/@FUNCTION@.py`](@FILE@) is yours.

```sh
g2c break @ID@      # TODO: what it shows
```

![TODO: what the picture shows](../../pictures/@PICTURE@.svg)

TODO: why the rules are as they are, in at most 1,500 words.
"""

_PICTURE = '''"""Page @ID@: TODO: what it shows (drawing.py has other forms, too)."""

from drawing import Picture, Row, listing

ROWS: tuple[Row, ...] = (
    ("TODO: a case", "good", "TODO: its result"),
    ("TODO: another case", "bad", "TODO: its result"),
)


def draw() -> Picture:
    return listing(
        "TODO: the title",
        "TODO: the same in words, for somebody who does not see it.",
        ("TODO: above the cases", "TODO: above their results"),
        ROWS,
    )
'''
