"""Keeps the course's own processes from what a person's folder and shell tell Python.

A file `random.py` beside the course would stand in for Python's own, and `PYTEST_ADDOPTS` would
choose among the tests of an exercise. Both are a person's right, and neither is what an exercise
asks about. This module imports nothing that such a file could stand in for.
"""

import os
import sys

_LIBRARY = os.path.dirname(os.__file__)  # noqa: PTH120 - pathlib imports much
_INSTALLED = ("site-packages", "dist-packages")


def libraries_first() -> None:
    """From now on this process imports from Python's own library, then from what is installed, and
    only then from elsewhere, such as the folder in which it was started."""
    sys.path.sort(key=lambda place: not _is_library(place))


def _is_library(place: str) -> bool:
    return place.startswith(_LIBRARY) or place.endswith((*_INSTALLED, ".zip"))


def own_environment(**more: str) -> dict[str, str]:
    """This process's environment for one that the course starts for itself, and `more`: without
    what a shell says to Python and to pytest. Paths to other packages than the installed ones are
    kept; the folder in which the process starts is not one of them."""
    kept = {name: value for name, value in os.environ.items() if not _is_shell_setting(name)}
    return kept | {"PYTHONSAFEPATH": "1"} | more


def _is_shell_setting(name: str) -> bool:
    # Where pytest finds one of the last two, it compares two long values line by line, to print
    # all differences. For each failing test that can take seconds.
    said = name.startswith(("PYTHON", "PYTEST_")) or name in ("CI", "BUILD_NUMBER")
    return said and name != "PYTHONPATH"
