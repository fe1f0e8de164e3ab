"""Small functions of which it is known whether they are right: what critics are measured with.

Each file of `labelled/` is a task with two drafts, a good one and one with a bug that a reader can
find, and with the tests that decide which is which. The idea to take away: to measure a judge takes
cases whose answer does not come from a judge.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from pathlib import Path

FOLDER = Path(__file__).parent / "labelled"


@dataclass(frozen=True)
class LabelledTask:
    """A task, a draft that does it, one that does not and why, and the tests that tell them apart.

    All but the name are as they stand in the file; drafts and tests are Python.
    """

    name: str
    task: str
    good: str
    broken: str
    bug: str
    tests: str


def load_labelled(folder: Path = FOLDER) -> tuple[LabelledTask, ...]:
    """The labelled tasks, one a file, by name."""
    return tuple(
        LabelledTask(file.stem, **tomllib.loads(file.read_text("utf-8")))
        for file in sorted(folder.glob("*.toml"))
    )


def passes(draft: str, tests: str, timeout: float = 5.0) -> bool:
    """Whether a draft passes tests: both run as one program, which must come to its end.

    It runs with the limits of `g2c.tools.run_python`, at most `timeout` seconds. They are no
    sandbox, so run what a model wrote only where you would run it yourself.

    >>> passes("def double(x): return x * 2", "assert double(4) == 8")
    True
    >>> passes("def double(x): return x ** 2", "assert double(4) == 8")
    False
    """
    from g2c.tools import ToolError
    from g2c.tools.run_python import make_run_python

    the_end = "all tests passed"
    try:
        said = make_run_python(timeout).func(f"{draft}\n{tests}\nprint({the_end!r})")
    except ToolError:
        return False
    return bool(said.endswith(the_end))  # a draft that ends the program ends it before its tests
