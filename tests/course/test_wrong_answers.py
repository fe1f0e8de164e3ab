"""The student's tests against the bank of wrong answers.

Each stands in for its exercise, with the references for all others; `wrong_answers/__main__.py`
does that. The tests must refuse it, and in words that fit what its author believed.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest
from wrong_answers import WrongAnswer, load_bank

from g2c.course.manifest import load_exercises

BANK = load_bank()
EXERCISES = [exercise.id for exercise in load_exercises()]

Failures = dict[str, str]
"""For each test that failed, what it said."""

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="needs os.fork")


@pytest.fixture(scope="module")
def failures(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Failures]:
    """For each wrong answer, and for each exercise's reference by its id, the tests that fail."""
    folder = tmp_path_factory.mktemp("trials")
    here = Path(__file__).parent
    subprocess.run([sys.executable, "-m", "wrong_answers", folder], cwd=here, check=True)
    return {file.stem: json.loads(file.read_text("utf-8")) for file in folder.iterdir()}


@pytest.mark.parametrize("exercise", EXERCISES)
def test_the_reference_passes_where_the_wrong_answers_are_tried(
    exercise: str, failures: dict[str, Failures]
) -> None:
    assert failures[exercise] == {}, "a trial must fail for its wrong answer and nothing else"


@pytest.mark.parametrize("answer", BANK, ids=lambda answer: answer.name)
def test_a_wrong_answer_is_caught_in_words_that_fit(
    answer: WrongAnswer, failures: dict[str, Failures]
) -> None:
    failed = failures[answer.name]
    assert answer.caught_by in failed, (
        f"whoever believes: {answer.belief}\npasses {answer.caught_by}; what fails is {[*failed]}"
    )
    said = " ".join(failed[answer.caught_by].split())
    assert answer.says in said, f"whoever believes: {answer.belief}\nreads only: {said}"


@pytest.mark.parametrize("answer", BANK, ids=lambda answer: answer.name)
def test_a_wrong_answer_is_plausible(answer: WrongAnswer, failures: dict[str, Failures]) -> None:
    assert answer.belief, "a wrong answer says what its author believed"
    assert len(failures[answer.name]) <= 8, (
        f"one false belief breaks few tests, this breaks {len(failures[answer.name])}: "
        f"{[*failures[answer.name]]}"
    )


def test_the_bank_has_eight_wrong_answers_or_more_for_each_exercise() -> None:
    counts = Counter(answer.exercise for answer in BANK)
    assert set(counts) == set(EXERCISES) and min(counts.values()) >= 8, counts
