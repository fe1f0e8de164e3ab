"""The page of a class: what it counts, and that nothing of a student's is markup on it."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from statistics import correlation
from typing import TYPE_CHECKING

import pytest
from chromium import needs_chromium
from grade_results import M19, class_of, result

from g2c.classroom.class_page import as_html, histogram, items, point_biserial
from g2c.classroom.gradebook import Belief, Doubt, doubts
from g2c.classroom.roster import Student

if TYPE_CHECKING:
    from playwright.sync_api import Browser

EVIL = "<script>alert(1)</script><img src=x onerror=alert(1)>'\"&\x1b[31m"


class Tags(HTMLParser):
    """The elements of a page, and its words."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str | None]] = []
        self.words = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += attrs

    def handle_data(self, data: str) -> None:
        self.words += data


def test_nothing_that_a_student_wrote_is_markup() -> None:
    failing = result("b", 0.5) | {"name": EVIL}
    found = class_of(
        [failing, {"name": EVIL + "2", "not_graded": EVIL}], (Student(name=EVIL + "3"),)
    )
    belief = Belief("19.2", 3, EVIL, ("test",))
    page = Tags()
    doubt = Doubt(EVIL, "19.2", EVIL, True)
    page.feed(as_html(found, [belief], [{"name": EVIL, "not_graded": EVIL}], [doubt]))
    assert not {"script", "img", "link", "iframe"} & set(page.tags)
    assert not [name for name, _ in page.attributes if name.startswith("on") or name == "src"]
    assert page.words.count("<script>alert(1)</script>") >= 6, "it is there to be read"
    assert "\x1b" not in page.words


def test_the_page_says_why_something_is_to_be_looked_at_and_whether_it_has_points() -> None:
    """So nobody has to open a result for that."""
    forged, odd = result("bob", look="19.2"), result("ada")
    forged["exercises"][1]["status"] = "needs review"
    odd["exercises"][3]["uses"] = ["line 12: sys"]
    found = doubts([odd, forged, {"name": "cleo", "not_graded": "no zip"}])
    assert found == [Doubt("bob", "19.2", "why", True), Doubt("ada", "19.4", "line 12: sys", False)]
    text = as_html(class_of([odd, forged]), [], (), found)
    assert (
        re.sub(' class="[^"]*"', "", text).count(
            "<tr><td>why</td><td>none yet</td><td>19.2</td><td>bob</td>"
        )
        == 1
    )
    assert "below [points]" in text
    assert "Needs review" not in as_html(class_of([result("ada")]), [])


def test_the_page_loads_nothing_and_is_readable_in_light_and_dark() -> None:
    text = as_html(class_of([result("ada")]), [])
    assert "default-src 'none'" in text and "http://" not in text and "https://" not in text
    assert "prefers-color-scheme: dark" in text

    def luminance(colour: str) -> float:
        parts = [int(colour[n : n + 2], 16) / 255 for n in (1, 3, 5)]
        linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    themes = re.findall(r":root \{([^}]*)\}", text)
    assert len(themes) == 2
    for theme in themes:
        colours = dict(re.findall(r"--(\w+): (#\w{6})", theme))
        paper = luminance(colours["paper"])
        for name, least in (("ink", 7), ("faint", 4.5), ("bar", 3)):
            dark, light = sorted((luminance(colours[name]), paper))
            assert (light + 0.05) / (dark + 0.05) >= least, f"{name}, by WCAG 2.2"


def test_totals_stand_in_tenths() -> None:
    assert histogram([]) == [0] * 11
    for share, place in ((0, 0), (0.0999, 0), (0.3, 3), (0.7, 7), (0.29999999999999999, 3), (1, 9)):
        assert histogram([share])[place] == 1, share
    assert histogram([1.01])[10] == 1
    found = class_of(
        [result("ada"), result("bob", 0.5)], (Student("ada"), Student("bob"), Student("z"))
    )
    text = as_html(found, [])
    assert "Students by total in per cent: 50-60: 1, 90-100: 1<" in text, "who is missing is not 0"
    assert "<h1>3 students</h1>" in text and "2 of them have a grade" in text


def test_discrimination_is_the_correlation_with_the_rest() -> None:
    passed = [True, False, True, True, False, False, True, False, True, True]
    rest = [9.0, 2.0, 8.0, 7.0, 5.0, 1.0, 6.0, 4.0, 9.0, 3.0]
    found = point_biserial(passed, rest)
    assert found == pytest.approx(correlation([float(is_passed) for is_passed in passed], rest))


def test_discrimination_is_blank_where_it_says_nothing() -> None:
    half = [True, False] * 5
    assert point_biserial(half[:9], [1.0, 2.0] * 4 + [1.0]) is None, "nine are too few"
    assert point_biserial([True] * 10, [float(n) for n in range(10)]) is None
    assert point_biserial([False] * 10, [float(n) for n in range(10)]) is None
    assert point_biserial(half, [0.1 + 0.2] * 10) is None


def test_each_exercise_has_the_share_that_the_class_reached() -> None:
    found = class_of([result("ada"), result("bob", 0.5), {"name": "cleo", "not_graded": "x"}])
    every = items(found)
    assert [item.id for item in every] == [exercise.id for exercise in M19]
    assert {(item.students, item.difficulty, item.discrimination) for item in every} == {
        (2, 0.75, None)
    }


def test_an_exercise_is_not_part_of_its_own_rest() -> None:
    """All have the same points elsewhere, so nothing is to be correlated with."""
    results = [result(f"s{n}", 1.0) for n in range(12)]
    for own in results[::2]:
        own["exercises"][0] |= {"score": 0, "status": "failing"}
    first, second, *_ = items(class_of(results))
    assert first.discrimination is None and first.difficulty == 0.5
    assert second.discrimination is None, "all pass it"


@needs_chromium
def test_on_a_phone_the_page_has_its_words_and_no_second_width(browser: Browser) -> None:
    name = "lovelaceadaaugusta_LATE_902_55_submission-2"
    doubt = Doubt(name, "19.4", "line 12: import g2c.agent.parse_react_step", False)
    belief = Belief("19.3", 8, "you rendered " + "'x\\n{}'" * 20, ("test",))
    without = [{"name": name, "not_graded": "It is not a zip."}]
    page = browser.new_page(viewport={"width": 400, "height": 800})
    page.set_content(as_html(class_of([result("ada")]), [belief], without, [doubt]))
    assert page.evaluate("document.documentElement.scrollWidth") == 400
    widths = page.evaluate(
        "[...document.querySelectorAll('td:first-child')].map(one => one.clientWidth)"
    )
    assert min(widths) >= 100, "words stand beside each other, not one letter on another"
    page.close()
