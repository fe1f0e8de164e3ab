"""Every hostile submission is graded: no points, no harm, a sentence, and nothing left behind."""

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from hostile_grades import FIRST, check_grade, graded
from hostile_submissions import BANK, Hostile

from g2c.classroom.grader import Grade

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform != "linux", reason="the limits hold on Linux"),
]


@pytest.fixture(scope="module")
def elsewhere(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("elsewhere")
    (folder / "kept.txt").write_text("kept")
    return folder


@pytest.fixture(scope="module")
def grades(
    tmp_path_factory: pytest.TempPathFactory, elsewhere: Path
) -> Iterator[dict[Hostile, Grade]]:
    with graded(BANK, FIRST, tmp_path_factory, elsewhere) as grades:
        yield grades


@pytest.mark.parametrize("one", BANK, ids=lambda hostile: f"{hostile.kind}: {hostile.name}")
def test_it_gets_what_it_earned_and_a_sentence(one: Hostile, grades: dict[Hostile, Grade]) -> None:
    check_grade(one, grades[one], FIRST)


def test_files_elsewhere_stay(elsewhere: Path, grades: dict[Hostile, Grade]) -> None:
    assert [file.name for file in elsewhere.iterdir()] == ["kept.txt"]


def test_the_bank_has_every_kind() -> None:
    assert {answer.kind for answer in BANK} == {"cheat", "escape", "exhaust", "hang", "hide"}
    assert len({answer.name for answer in BANK}) == len(BANK) >= 25
