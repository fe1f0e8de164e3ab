"""Settings of the course's own tests (order, patience), and the browser that some of them share."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest
from chromium import CHROMIUM
from hypothesis import HealthCheck, settings

if TYPE_CHECKING:
    from playwright.sync_api import Browser

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


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    from playwright.sync_api import sync_playwright

    assert CHROMIUM, "the browser test needs chromium: apt-get install chromium"
    with sync_playwright() as playwright:
        options = ["--disable-gpu", "--disable-quic", "--disable-sync"]
        yield playwright.chromium.launch(executable_path=CHROMIUM, args=options)
