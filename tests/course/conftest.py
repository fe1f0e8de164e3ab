"""Settings of the course's own tests (order, patience), and the browser that some of them share."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING
from uuid import uuid4

import pytest
from chromium import CHROMIUM
from touched import select_touched

from g2c.cli.docs import DOCTREES, SITE
from g2c.cli.test import SINCE_VARIABLE
from g2c.course.manifest import load_exercises
from g2c.exercise import REFERENCE_VARIABLE, is_requested, requested_references
from g2c.files import locked

if TYPE_CHECKING:
    from playwright.sync_api import Browser

HERE = Path(__file__).parent

try:
    from hypothesis import HealthCheck, settings
except ImportError:
    HAS_EXTRA = False
else:
    HAS_EXTRA = True
    # A test must not fail because the machine is busy with something else.
    settings.register_profile("busy", deadline=None, suppress_health_check=[HealthCheck.too_slow])
    settings.load_profile("busy")

# A shell that starts the tests in the background has them ignore Ctrl-C, and so would every process
# that a test starts, and interrupts.
signal.signal(signal.SIGINT, signal.default_int_handler)

# What a process of one test has read, the others need not read again: the bits are the same.
os.environ["G2C_CACHE"] = str(HERE.parents[1] / "build/cache")
os.environ.setdefault(
    "G2C_EXACT", "1"
)  # also in a chat, so that its words do not depend on a cache

if "PYTEST_XDIST_WORKER" in os.environ:
    # Other tests use the other cores. Threads of several models would wait for each other.
    os.environ["OMP_THREAD_LIMIT"] = "1"


def pytest_configure(config: pytest.Config) -> None:
    """These tests need the extra `dev`, and the reference in place of the stubs. Where nothing but
    they was asked for, they have it."""
    if not HAS_EXTRA:
        raise pytest.UsageError(
            "The course's own tests need the extra `dev`: ./prodlm.sh test --help installs it. To "
            "test your own functions: pytest tests/test_agent.py"
        )
    asked = [config.invocation_params.dir / argument.partition("::")[0] for argument in config.args]
    are_alone = all(path.resolve().is_relative_to(HERE) for path in asked)
    if are_alone and os.environ.get(REFERENCE_VARIABLE, "all"):  # "" asks for none
        os.environ[REFERENCE_VARIABLE] = "all"
    requested = requested_references()
    if not all(is_requested(exercise.id, requested) for exercise in load_exercises()):
        raise pytest.UsageError(
            "The course's own tests need all references: pytest tests/course alone has them, and "
            "--reference=all gives them. To test your own functions: pytest tests/test_agent.py"
        )


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Begin with files of slow tests alone, so that the processes end at about the same time. Where
    a commit is named, leave out the slow tests that the changes since then do not touch; a pytest
    that a test starts leaves out none."""
    if since := os.environ.pop(SINCE_VARIABLE, ""):
        is_selected = select_touched(since)
        left_out = {item for item in items if is_slow(item) and not is_selected(item)}
        config.hook.pytest_deselected(items=list(left_out))
        items[:] = [item for item in items if item not in left_out]
    quick = {item.path for item in items if not is_slow(item)}
    items.sort(key=lambda item: item.path in quick)


def is_slow(item: pytest.Item) -> bool:
    return item.get_closest_marker("slow") is not None


@pytest.fixture(scope="session", autouse=True)
def no_wait_for_the_disk() -> Iterator[None]:
    """No computer loses its power in a test, and a disk takes its time. A file that is not open is
    an error as before."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "fsync", lambda handle: os.fstat(handle) and None)
        yield


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    from playwright.sync_api import expect, sync_playwright

    expect.set_options(timeout=120_000)  # a busy machine is not a failure
    assert CHROMIUM, "the browser test needs chromium: apt-get install chromium"
    with sync_playwright() as playwright:
        options = ["--disable-gpu", "--disable-quic", "--disable-sync"]
        yield playwright.chromium.launch(executable_path=CHROMIUM, args=options)


@pytest.fixture
def on_a_day() -> Iterator[None]:
    """The day stands in the model's prompts, and what a small model says differs with it."""
    import time_machine

    with time_machine.travel(datetime(2026, 11, 25, 12, tzinfo=UTC)):
        yield


@pytest.fixture(scope="session")
def site() -> Path:
    """The folder of a site that `g2c docs` has built from nothing, once in a run of the tests; so
    no older page is left."""
    root = Path(__file__).resolve().parents[2]
    run, built = os.environ.get("PYTEST_XDIST_TESTRUNUID", uuid4().hex), root / SITE / ".run"
    with locked(root / "build/site.lock"):
        if not built.exists() or built.read_text() != run:
            shutil.rmtree(root / SITE, ignore_errors=True)
            shutil.rmtree(root / DOCTREES, ignore_errors=True)
            done = subprocess.run(
                [sys.executable, "-c", "from g2c.cli.main import main; main()", "docs"],
                cwd=root,
                env=os.environ | {"G2C_ROOT": str(root)},
                capture_output=True,
                text=True,
            )
            assert done.returncode == 0, done.stderr
            built.write_text(run)
    return root / SITE
