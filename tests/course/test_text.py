"""What holds of any text, whoever wrote it."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from g2c.text import without_citations

repeatable = settings(derandomize=True, max_examples=200)


@pytest.mark.parametrize(
    ("text", "rest"),
    {
        "Tea. (2026-04-21.jsonl:1) (2026-04-21.jsonl:12)": "Tea.",
        "Tea.(house.md:9)(house.md:10)": "Tea.",
        "(日本.md:3)": "",
        "One (a.md:1)\nTwo (b.md:2)  \nThree": "One\nTwo\nThree",
        "As (house.md:9) says, it is green.": "As (house.md:9) says, it is green.",
        "See (house.txt:9)": "See (house.txt:9)",
        "It is (very) green (house.md:0)": "It is (very) green (house.md:0)",
    }.items(),
)
def test_places_that_recall_wrote_are_taken_off(text: str, rest: str) -> None:
    assert without_citations(text) == rest


@repeatable
@given(st.text(alphabet="a (b.md:1)\n"))
def test_lines_stay_lines_and_nothing_is_left_to_take_off(text: str) -> None:
    rest = without_citations(text)
    assert rest.count("\n") == text.count("\n")
    assert without_citations(rest) == rest
