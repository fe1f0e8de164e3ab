"""Modules of before 0.3 under their names of today, for files that a person wrote then.

In the package of a module of the course, such as `g2c.loop`, `provided` is `core` now, and
`assembled` is `app`; the benchmark of models has left `g2c.evaluation`. This goes with the version
after 0.3.
"""

import re
import sys
import warnings
from collections.abc import Sequence
from importlib import import_module
from importlib.machinery import ModuleSpec
from types import ModuleType

from g2c.broken import STUDENTS

_PACKAGE = rf"\b({'|'.join(map(re.escape, STUDENTS))})"
_OLD = re.compile(rf"{_PACKAGE}\.(provided|assembled)\b")
_NEW = re.compile(rf"{_PACKAGE}\.(core|app)\b")
_SUITE = re.compile(
    r"g2c\.evaluation\.app\.(?=(?:attempt|batches|call_verdicts|critics|draw|families|homes|outside"
    r"|report|runner|settings|suite|suite_file|sweep|tasks|tools|verdicts|vocabulary)\b)"
)
_TODAY = {"provided": "core", "assembled": "app"}
_BEFORE = {"core": "provided", "app": "assembled"}


def names_of_today(text: str) -> str:
    """The text with the names that modules have now.

    >>> names_of_today("from g2c.loop.provided.types import Budget")
    'from g2c.loop.core.types import Budget'
    """
    return _SUITE.sub("g2c.suite.", _OLD.sub(lambda old: f"{old[1]}.{_TODAY[old[2]]}", text))


def names_before(text: str) -> str:
    """The text with the names that modules had. None of a file that a student writes is of the
    benchmark."""
    return _NEW.sub(lambda new: f"{new[1]}.{_BEFORE[new[2]]}", text)


class MovedFinder:
    """Finds a module by the name that it had."""

    @staticmethod
    def find_spec(
        name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if names_of_today(name) == name:
            return None
        return ModuleSpec(name, MovedLoader())  # type: ignore[arg-type]  # its class loads more


class MovedLoader:
    """Puts the module of today in the place of the one that was asked for."""

    def create_module(self, spec: ModuleSpec) -> None:
        """Leave this to Python; the module is replaced at once."""

    def exec_module(self, module: ModuleType) -> None:
        today = names_of_today(module.__name__)
        warnings.warn(f"{module.__name__} is {today} now", DeprecationWarning, stacklevel=2)
        sys.modules[module.__name__] = import_module(today)


def install() -> None:
    """Find moved modules from now on, before Python finds their files and makes a second copy."""
    if MovedFinder not in sys.meta_path:
        sys.meta_path.insert(0, MovedFinder)
