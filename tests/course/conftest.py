"""Settings of the course's own tests: their order, and no failures from a slow machine."""

from __future__ import annotations

import signal

import pytest
from hypothesis import HealthCheck, settings

# A test must not fail because the machine is busy with something else.
settings.register_profile("busy", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("busy")

# A shell that starts the tests in the background has them ignore Ctrl-C, and so would every process
# that a test starts, and interrupts.
signal.signal(signal.SIGINT, signal.default_int_handler)

LONGEST = ("test_notebook.py", "test_wrong_answers.py")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin with the longest files, so that two processes end at about the same time."""
    items.sort(key=lambda item: item.path.name not in LONGEST)
