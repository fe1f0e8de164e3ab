"""A pytest plugin: the classes that each exercise's filter finds in its file of tests, as with
`pytest FILE -k FILTER`, as JSON in the file `FILTERED`. One process collects the tests for all."""

import json
import os
from pathlib import Path

import pytest

from g2c.course.manifest import load_exercises


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    found = {}
    option, typed = config.option, config.option.keyword
    for exercise in load_exercises():
        left = [item for item in items if item.nodeid.startswith(f"{exercise.suite}::")]
        option.keyword = exercise.filter
        config.pluginmanager.get_plugin("mark").pytest_collection_modifyitems(left, config)
        found[exercise.id] = sorted({item.nodeid.split("::")[1] for item in left})
    option.keyword = typed
    Path(os.environ["FILTERED"]).write_text(json.dumps(found), "utf-8")
