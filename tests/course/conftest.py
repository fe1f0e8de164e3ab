"""The order of the tests where two processes share them, and that none depends on the clock."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, settings

collect_ignore = ["said"]  # what is there changes the process that imports it

# A machine that is busy with something else is not a test's fault.
settings.register_profile("busy", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("busy")

LONGEST = ("test_notebook.py", "test_wrong_answers.py")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """What takes longest begins first, so that no process is left alone with it at the end."""
    items.sort(key=lambda item: item.path.name not in LONGEST)
