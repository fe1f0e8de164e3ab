"""The student's tests against the bank of wrong answers.

Each stands in for its exercise, with the references for all others; `wrong_answers/__main__.py`
does that. The tests must refuse it, and in words that fit what its author believed.
"""

import ast
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from wrong_answers import WrongAnswer, caught, load_bank

from g2c.course.check.results import EXAMPLES
from g2c.course.manifest import load_exercises
from g2c.surroundings import own_environment

ROOT = Path(__file__).parents[3]
BANK = load_bank()
EXERCISES = [exercise.id for exercise in load_exercises()]

Said = dict[str, str]
"""The message of each test's failure; empty if it passed."""

pytestmark = [pytest.mark.slow, pytest.mark.skipif(not hasattr(os, "fork"), reason="needs os.fork")]
each_answer = pytest.mark.parametrize("answer", BANK, ids=lambda answer: answer.name)


@pytest.fixture(scope="module")
def trials(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> dict[str, Said]:
    """For each wrong answer, and for each exercise's reference by its id, what the tests said.

    Where `-k` chose tests of some exercises, only theirs are tried.
    """
    folder = tmp_path_factory.mktemp("trials")
    here = Path(__file__).parents[1]
    # The examples in docstrings are items, too, and of no module.
    items = [
        entry for entry in request.session.items if getattr(entry, "module", 0) is request.module
    ]
    only = {exercise_of(item) for item in items}
    command = [sys.executable, "-m", "wrong_answers", str(folder), "--only", *(only - {""})]
    done = subprocess.run(
        command,
        cwd=here,
        env=own_environment(PYTHONPATH=str(ROOT / "tests/course")),
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return {file.stem: json.loads(file.read_text("utf-8")) for file in folder.iterdir()}


def exercise_of(item: pytest.Item) -> str:
    """The id of the exercise that a test of this file is about; "" if it is about all."""
    params = item.callspec.params if hasattr(item, "callspec") else {}
    match params:
        case {"answer": answer}:
            return answer.exercise
        case {"exercise": exercise}:
            return exercise
        case {"file": file}:
            return next(
                entry.id for entry in load_exercises() if file in entry.other_solutions(ROOT)
            )
    return ""


@pytest.mark.parametrize("exercise", EXERCISES)
def test_the_reference_passes_where_the_wrong_answers_are_tried(
    exercise: str, trials: dict[str, Said]
) -> None:
    assert trials[exercise], "the trial ran no test"
    assert not any(trials[exercise].values()), (
        f"a trial must fail for its wrong answer and nothing else: {trials[exercise]}"
    )


OTHERS = sorted((ROOT / "g2c/exercises").glob("*/alternatives/*.py"))


@pytest.mark.parametrize("file", OTHERS, ids=lambda file: f"{file.parts[-3]}-{file.stem}")
def test_another_good_solution_passes_and_says_what_it_costs(
    file: Path, trials: dict[str, Said]
) -> None:
    said = trials[".".join(file.relative_to(ROOT).with_suffix("").parts)]
    failing = {test: message for test, message in said.items() if message}
    assert said and not failing, failing
    docstring = ast.get_docstring(ast.parse(file.read_text("utf-8"))) or ""
    assert "It costs" in docstring, "say what is paid for what is better"


@each_answer
def test_a_wrong_answer_is_caught_in_words_that_fit(
    answer: WrongAnswer, trials: dict[str, Said]
) -> None:
    assert answer.name in trials, f"whoever believes: {answer.belief}\nwaits for ever"
    record = f"python -m maintain.author caught {answer.exercise}"
    assert answer.caught_by, f"no test is recorded for: {answer.belief}\n{record}"
    assert answer.caught_by in trials[answer.name], (
        f"no test of {answer.exercise} is called {answer.caught_by}"
    )
    said = " ".join(trials[answer.name][answer.caught_by].split())
    assert said, f"whoever believes: {answer.belief}\npasses {answer.caught_by}"
    assert answer.says in said, f"whoever believes: {answer.belief}\nreads only: {said}"


@each_answer
def test_a_wrong_answer_is_plausible(answer: WrongAnswer, trials: dict[str, Said]) -> None:
    assert answer.belief, "a wrong answer says what its author believed"
    own = [said for test, said in trials[answer.name].items() if test != EXAMPLES]
    complaints = {said.partition("\n")[0] for said in own if said}
    assert len(complaints) < len(own) / 2, (
        f"a function that breaks half of the contract is not wrong in one way: {complaints}"
    )


@pytest.mark.parametrize("exercise", EXERCISES)
def test_each_record_is_of_an_answer_in_the_bank(exercise: str) -> None:
    beliefs = [answer.belief for answer in BANK if answer.exercise == exercise]
    assert len(set(beliefs)) == len(beliefs), "two answers have one belief, and so one record"
    assert caught(exercise).keys() == set(beliefs), f"python -m maintain.author caught {exercise}"


@pytest.mark.parametrize("exercise", EXERCISES)
def test_the_bank_has_eight_wrong_answers_or_more_for_an_exercise(exercise: str) -> None:
    beliefs = [answer.belief for answer in BANK if answer.exercise == exercise]
    assert len(beliefs) >= 8, f"wrong.py has {len(beliefs)} for {exercise}; write at least 8"
