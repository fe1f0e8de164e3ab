"""Every hostile submission in the other sandboxes that work here, and in none.

A file of its own, so that another process can try them.
"""

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from hostile_grades import FIRST, check_grade, graded
from hostile_submissions import BANK, Hostile

from g2c.classroom.confinement import choose
from g2c.classroom.grader import Grade

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform != "linux", reason="the limits hold on Linux"),
]

OTHERS = [kind for kind in ("bwrap", "container", "none") if kind != FIRST]


@pytest.fixture(scope="module")
def elsewhere(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("elsewhere")
    (folder / "kept.txt").write_text("kept")
    return folder


@pytest.fixture(scope="module", params=OTHERS)
def sandbox(request: pytest.FixtureRequest) -> str:
    try:
        return choose(request.param).kind
    except ValueError as error:
        pytest.skip(str(error))


@pytest.fixture(scope="module")
def grades(
    tmp_path_factory: pytest.TempPathFactory, elsewhere: Path, sandbox: str
) -> Iterator[dict[Hostile, Grade]]:
    with graded(BANK, sandbox, tmp_path_factory, elsewhere) as grades:
        yield grades


@pytest.mark.parametrize("one", BANK, ids=lambda hostile: f"{hostile.kind}: {hostile.name}")
def test_it_gets_what_it_earned_and_a_sentence(
    one: Hostile, grades: dict[Hostile, Grade], sandbox: str
) -> None:
    check_grade(one, grades[one], sandbox)


def test_files_elsewhere_stay(elsewhere: Path, grades: dict[Hostile, Grade]) -> None:
    assert [file.name for file in elsewhere.iterdir()] == ["kept.txt"]
