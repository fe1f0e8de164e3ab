"""Small functions that are known to be right or wrong, for measuring critics.

Each file of `labelled/` has a task and two drafts: a good one, and one with a bug that a reader can
find. Tests decide which is which: a judge must be measured on cases that no judge has decided. The
examples are part of the task and are not tests; most bugs pass them.
"""

import tomllib
from dataclasses import dataclass
from pathlib import Path

from g2c.files import read_text


@dataclass(frozen=True)
class LabelledTask:
    """A task, a good draft, a broken one, its bug in words, and tests that tell the two apart.

    Drafts and tests are Python. The examples are two or three calls and their values, as in a
    doctest; none of them is among the tests. `name` is the file's, without its suffix.
    """

    name: str
    task: str
    examples: str
    good: str
    broken: str
    bug: str
    tests: str

    @property
    def shown(self) -> str:
        """A critic's view: the task, and its examples below it."""
        return f"{self.task.strip()}\n\nExamples:\n{self.examples.strip()}\n"


def load_labelled() -> tuple[LabelledTask, ...]:
    """All labelled tasks, sorted by name."""
    folder = Path(__file__).parent / "labelled"
    return tuple(
        LabelledTask(file.stem, **tomllib.loads(read_text(file)))
        for file in sorted(folder.glob("*.toml"))
    )


def passes(draft: str, tests: str, timeout: float = 5.0) -> bool:
    """Whether a draft passes tests: both run as one program, which must reach its end.

    The program has the limits of `g2c.tools.run_python`, and at most `timeout` seconds. These are
    not a sandbox: run a model's code only where you would run it yourself.

    >>> passes("def double(x): return x * 2", "assert double(4) == 8")
    True
    >>> passes("def double(x): return x ** 2", "assert double(4) == 8")
    False
    """
    from g2c.tools import ToolError
    from g2c.tools.run_python import make_run_python

    the_end = "all tests passed"
    try:
        output = make_run_python(timeout).func(f"{draft}\n{tests}\nprint({the_end!r})")
    except ToolError:
        return False
    return bool(output.endswith(the_end))  # a draft may end the program before its tests run
