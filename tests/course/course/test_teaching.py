"""19.5 on the real model: the scores that come with the course are what one measures."""

from collections.abc import Callable
from importlib import import_module

import pytest

from g2c.agent.core.tool_text import ToolText
from g2c.course.scored import PUBLIC_SEED, Score, no_progress
from g2c.course.scored.kept import SHIPPED, kept_score
from g2c.exercises.e19_5_teach.goal import GOAL, facts, measure

pytestmark = pytest.mark.slow

SLACK = 2
"""Tasks of 20. Another kind of processor rounds otherwise, and may tip one or the other."""


def teach_of(module: str) -> Callable[..., ToolText]:
    function: Callable[..., ToolText] = import_module(module).teach
    return function


def shipped(teach: Callable[..., ToolText]) -> Score:
    score = kept_score(facts(teach, PUBLIC_SEED), SHIPPED)
    assert score, "measure it: python maintain/benchmarks/tool_texts.py --ship"
    return score


def test_the_reference_reaches_what_is_said_of_it() -> None:
    teach = teach_of("g2c.exercises.e19_5_teach.solution")
    score = measure(teach, PUBLIC_SEED, no_progress)
    assert abs(score.points - shipped(teach).points) <= SLACK, score
    assert score.points >= GOAL.target, score.lost


def test_the_first_version_reaches_next_to_nothing() -> None:
    teach = teach_of("g2c.exercises.e19_5_teach.naive")
    score = measure(teach, PUBLIC_SEED, no_progress)
    assert score.points <= SLACK and shipped(teach).points <= SLACK, score
    assert score.lost, "it should be told what was lost"
