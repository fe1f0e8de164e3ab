"""A pytest plugin: whose functions the tests of each class call, as JSON in the file `CALLED`."""

import functools
import json
import os
from collections import defaultdict
from collections.abc import Callable, Generator
from pathlib import Path
from typing import Any

import pytest

import g2c.exercise

_exercise = g2c.exercise.exercise
_called: defaultdict[str, set[str]] = defaultdict(set)
_running = [""]


def _noted_exercise(exercise_id: str) -> Callable[..., Any]:
    """The switch, whose functions note from which test class they are called."""

    def choose(student: Callable[..., Any]) -> Callable[..., Any]:
        function = _exercise(exercise_id)(student)

        @functools.wraps(function)
        def noted(*args: Any, **kwargs: Any) -> Any:
            _called[_running[0]].add(exercise_id)
            return function(*args, **kwargs)

        return noted

    return choose


g2c.exercise.exercise = _noted_exercise


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, object, object]:
    _running[0] = item.nodeid.split("::")[1]
    return (yield)


def pytest_sessionfinish() -> None:
    found = {name: sorted(ids) for name, ids in _called.items() if name}
    Path(os.environ["CALLED"]).write_text(json.dumps(found), "utf-8")
