"""The path of Chromium, and a mark for tests that need it; the fixture `browser` starts it."""

import os
import shutil

import pytest

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser"))), None)

needs_chromium = pytest.mark.skipif(
    CHROMIUM is None and "CI" not in os.environ,
    reason="there is no chromium; on Debian: apt-get install chromium",
)
