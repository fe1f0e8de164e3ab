"""Which failures a student has seen: a test that fails for the second time shows the meaning.

The first time, a failure shows only what was called, expected and got, so that the student can
think. Shown failures are stored in `.g2c/told.json` until the test passes.
"""

from collections.abc import Iterable

from g2c.files import read_text
from g2c.foreign_json import load_json
from g2c.json_files import keep_json
from g2c.paths import state_dir

HOW = "Why? --why says what a failure means. A test that fails a second time says it, too."


def seen_failures() -> frozenset[str]:
    """The tests whose failure was shown, and which have not passed since."""
    try:
        return frozenset(map(str, load_json(read_text(state_dir() / "told.json"))))
    except (OSError, ValueError, TypeError):
        return frozenset()  # the student only has to wait one more run for the meaning


def remember(failed: Iterable[str], passed: Iterable[str]) -> None:
    """Note the tests whose failure was just shown, and forget those that passed."""
    before = seen_failures()
    now = (before - set(passed)) | set(failed)
    if now != before:
        keep_json(state_dir() / "told.json", sorted(now))
