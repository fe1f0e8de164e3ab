"""The tests for grading, with canaries, made and compiled once.

pytest rewrites a file's assertions first, which takes longer than running them. It caches the
rewritten file beside the original, so all processes of a grader share it.
"""

import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path
from threading import Lock

from g2c.classroom.confinement import COURSE
from g2c.classroom.course_copy import pristine_course
from g2c.classroom.tampering.canaries import Sealed, seal
from g2c.course.check.results import EXAMPLES
from g2c.course.manifest import load_exercises
from g2c.course.scored import is_by_model
from g2c.exercise import REFERENCE_VARIABLE
from g2c.files import read_text, replace_text
from g2c.tools.limits import private_environment, scratch_folder

PYTEST = ("-m", "pytest", "-q", "-p", "no:cacheprovider", "-k", f"not {EXAMPLES}")
"""The examples of the contracts are left out: the canaries are made of the tests' text."""
NO_PLUGINS = {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
"""Other packages that are installed here must not influence a grade."""

_ONE_AT_A_TIME = Lock()
"""One thread at a time, since Python 3.11 counts the depth of a tree for all threads together
(CPython 106905)."""
_sealed: dict[Path, Sealed] = {}


def sealed_suite(suite: str) -> Sealed:
    """The canaries of a file of tests, such as `tests/test_agent.py`, in this process's pristine
    course."""
    with _ONE_AT_A_TIME:
        file = pristine_course() / suite
        if file not in _sealed:
            exercises = load_exercises()
            classes = {name for exercise in exercises for name in exercise.tests}
            by_model = {
                name for exercise in filter(is_by_model, exercises) for name in exercise.tests
            }
            sealed = seal(read_text(COURSE / suite), classes, by_model)
            replace_text(file, sealed.source)
            _compile(suite)
            _sealed[file] = sealed
        return _sealed[file]


def _compile(suite: str) -> None:
    """Have pytest cache the rewritten file. If that fails, each process rewrites it."""
    with scratch_folder() as home:
        environment = private_environment(home) | NO_PLUGINS | {REFERENCE_VARIABLE: "all"}
        subprocess.run(
            [sys.executable, *PYTEST, "--collect-only", suite],
            cwd=pristine_course(),
            env=environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            check=False,
        )


def selection(tests: Iterable[str]) -> list[str]:
    """pytest's arguments for `tests`: files, classes, or functions of classes, as the course names
    them without their cases. A function brings all canaries of its class."""
    chosen: dict[str, None] = {}
    for test in tests:
        suite, _, name = test.partition("::")
        if "::" not in name:
            chosen[test] = None
            continue
        sealed, its_class = sealed_suite(suite), name.partition("::")[0]
        own = [new for new, old in sealed.real.items() if old == name]
        own += [canary for canary in sealed.canaries if canary.startswith(f"{its_class}::")]
        chosen |= dict.fromkeys(f"{suite}::{test}" for test in sorted(own))
    return list(chosen)
