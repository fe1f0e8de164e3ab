"""The order of the tests where two processes share them."""

from __future__ import annotations

import pytest

LONGEST = ("test_notebook.py", "test_wrong_answers.py")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """What takes longest begins first, so that no process is left alone with it at the end."""
    items.sort(key=lambda item: item.path.name not in LONGEST)
