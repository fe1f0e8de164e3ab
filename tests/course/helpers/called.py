"""A pytest plugin: whose functions the tests of each class call, as JSON in the file `CALLED`."""

from __future__ import annotations

import functools
import json
import os
from collections import defaultdict
from collections.abc import Callable, Generator
from pathlib import Path
from typing import Any

import pytest

import g2c.exercise

_reference_of = g2c.exercise._reference_of
_called: defaultdict[str, set[str]] = defaultdict(set)
_running = [""]


def _noted_reference_of(student: Callable[..., Any]) -> Callable[..., Any]:
    """The reference, which notes from which test class it is called."""
    reference = _reference_of(student)

    @functools.wraps(reference)
    def noted(*args: Any, **kwargs: Any) -> Any:
        _called[_running[0]].add(f"{student.__module__}:{student.__name__}")
        return reference(*args, **kwargs)

    return noted


g2c.exercise._reference_of = _noted_reference_of


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, object, object]:
    _running[0] = item.nodeid.split("::")[1]
    return (yield)


def pytest_sessionfinish() -> None:
    found = {name: sorted(targets) for name, targets in _called.items() if name}
    Path(os.environ["CALLED"]).write_text(json.dumps(found), "utf-8")
