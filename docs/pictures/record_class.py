"""Take the pictures of a class: the page to mark on, and the page of the class.

    python maintain/benchmarks/an_evening.py --folder FOLDER
    python docs/pictures/record_class.py FOLDER

The class is made up, and its students are numbers. It needs Chromium.
"""

import shutil
import sys
import tempfile
from datetime import UTC, datetime
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

from g2c.classroom.answers.desk import Desk
from g2c.classroom.answers.hand_ins import questions_of, read_hand_ins, rubric_of, with_limits
from g2c.classroom.answers.page import Marking
from g2c.classroom.answers.store import MarkStore
from g2c.classroom.batch import submissions_in
from g2c.classroom.sandbox import Conditions

FOLDER = Path(__file__).resolve().parent
QUESTION = 3


def marking_page(submissions: Path) -> str:
    """The page at the first answer to the question."""
    hand_ins = list(read_hand_ins(submissions_in(submissions), "19", with_limits(Conditions())))
    asked = [question for question in questions_of("19") if question.number >= QUESTION]
    with tempfile.TemporaryDirectory() as grades:
        store = MarkStore(Path(grades))
        noon = datetime(2026, 11, 26, 12, tzinfo=UTC)
        with Desk(store, asked, hand_ins, seed=7, grader="kim", clock=lambda: noon) as desk:
            desk.open_next()
            return Marking(desk, rubric_of("19").scale).html()


def take(page: Page, html: str, name: str, height: int) -> None:
    page.set_viewport_size({"width": 900, "height": height})
    page.set_content(html)
    page.screenshot(path=FOLDER / f"{name}.png")


if __name__ == "__main__":
    evening = Path(sys.argv[1])
    chromium = next(filter(None, map(shutil.which, ("chromium", "chromium-browser"))), None)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--disable-gpu"])
        page = browser.new_page(offline=True)
        take(page, marking_page(evening / "submissions"), "marking-page", 450)
        take(page, (evening / "grades/class.html").read_text("utf-8"), "class-page", 900)
        browser.close()
