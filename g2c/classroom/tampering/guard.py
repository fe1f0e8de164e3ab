"""The pytest plugin that detects whether the process changed pytest or the course's own plugins.

It records their functions before any student's file is imported, and compares at the end. Code that
knows of it can undo its changes; other code is detected.
"""

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from types import FunctionType, ModuleType

import pytest

import g2c.classroom.tampering.shapes  # noqa: F401  # so that it is looked at from the beginning
from g2c.files import open_file

WATCHED = ("_pytest.", "pluggy.", "g2c.course.check.", "g2c.classroom.")
"""The prefixes of modules that nothing may change."""

Noted = dict[str, tuple[object, ...]]


class Guard:
    """Writes the end of the run, and the changes, to the report `file`."""

    def __init__(self, file: Path) -> None:
        self._file = file
        self._plugins: set[str] = set()
        self._functions: Noted = {}

    @pytest.hookimpl(trylast=True)
    def pytest_sessionstart(self, session: pytest.Session) -> None:
        self._plugins = _plugins(session)
        self._functions = _functions()

    @pytest.hookimpl(trylast=True)
    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        now = _functions()
        changed = [name for name, noted in self._functions.items() if now.get(name) != noted]
        changed += sorted(_plugins(session) - self._plugins)
        with open_file(self._file, "a", encoding="utf-8") as report:
            report.write(json.dumps({"event": "finished", "changed": changed[:20]}) + "\n")


def pytest_configure(config: pytest.Config) -> None:
    config.pluginmanager.register(Guard(config.getoption("--report-to")))


def _plugins(session: pytest.Session) -> set[str]:
    return {f"the plugin {name}" for name, _ in session.config.pluginmanager.list_name_plugin()}


def _functions() -> Noted:
    """The code of every function in the watched modules, by its name."""
    return {
        name: (function, function.__code__, function.__defaults__)
        for module in list(sys.modules.values())
        if isinstance(module, ModuleType) and module.__name__.startswith(WATCHED)
        for name, function in _functions_of(module)
    }


def _functions_of(module: ModuleType) -> Iterator[tuple[str, FunctionType]]:
    for name, value in list(vars(module).items()):
        if isinstance(value, FunctionType):
            yield f"{module.__name__}.{name}", value
        elif isinstance(value, type) and value.__module__ == module.__name__:
            for method, found in list(vars(value).items()):
                function = getattr(found, "__func__", found)  # a class method wraps one
                if isinstance(function, FunctionType):
                    yield f"{module.__name__}.{name}.{method}", function
