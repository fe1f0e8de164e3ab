"""Little stories put together from parts, and the thought before their sums."""

from __future__ import annotations

import random
import re
from collections import Counter

import pytest

from maintain.training.kinds.reasons import known_numbers, operations, reason
from maintain.training.kinds.situations import Situation, make_situation
from maintain.training.scenario import calculate

pytestmark = pytest.mark.long


class TestReasons:
    def test_what_is_known_has_the_words_around_the_numbers(self):
        text = "Mira sold 12 large cups, then half as many more."
        assert known_numbers(text, "12 / 2") == ["sold 12 large cups", "half as many more"]

    def test_where_the_first_words_say_nothing_the_next_ones_are_known_too(self):
        text = "Mira has 90 cups. On Monday 21 of them break."
        assert known_numbers(text, "90 - 21") == ["90 cups", "21 of them break"]

    @pytest.mark.parametrize(
        ("expression", "said"),
        [
            ("12 + 30", "add"),
            ("12 - 2 * 3", "multiply and subtract"),
            ("(12 - 2) * 3", "subtract and multiply"),
            ("sqrt(9)", "calculate"),
        ],
    )
    def test_operations_are_named_in_the_order_of_working(self, expression, said):
        assert operations(expression) == said

    def test_a_long_thought_leaves_out_what_was_found_before(self):
        said = reason("There are 3 cups.", "3 * 4", "They cost ?.", before="x" * 200)
        assert said == "The story says: 3 cups. They cost ?. So I multiply."


@pytest.fixture(scope="module")
def situations() -> list[Situation]:
    rng = random.Random(1)
    return [make_situation(rng) for _ in range(600)]


class TestSituations:
    """Stories put together from parts."""

    def test_a_story_has_the_numbers_of_its_sum_and_no_gap_that_was_not_filled(self, situations):
        for story in situations:
            told = re.findall(r"\d+", story.text)
            assert set(re.findall(r"\d+", story.expression)) <= set(told), story
            assert not re.search(r"[{}|]|\.\.|  ", story.text), story.text

    def test_a_sum_comes_to_a_whole_number_above_zero(self, situations):
        for story in situations:
            assert re.fullmatch(r"[1-9]\d*", calculate(story.expression)), story

    def test_no_operation_is_the_usual_one(self, situations):
        signs = Counter(re.findall(r" ([-+*/]) ", " ".join(one.expression for one in situations)))
        assert max(signs.values()) < 0.45 * signs.total() and min(signs.values()) > 0.07 * 600, (
            signs
        )

    def test_no_two_read_alike(self, situations):
        told = Counter(re.sub(r"\d+|[A-Z]\w+", "", story.text) for story in situations)
        assert len(told) > 0.9 * len(situations), told.most_common(3)
