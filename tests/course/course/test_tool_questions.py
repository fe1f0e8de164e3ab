"""Exercises with a goal: their tasks, what is counted, and scores that are kept."""

import json
from dataclasses import asdict, replace
from importlib import import_module
from pathlib import Path

import pytest
from checkout import Checkout

from g2c.agent.core.tool_text import ToolText
from g2c.agent.core.visitors import q
from g2c.classroom import measurement
from g2c.classroom.grader import Grade, grade_exercise, grade_exercises
from g2c.classroom.measurement import NO_MODEL, Measured, with_measured
from g2c.classroom.regrade import was_measured
from g2c.classroom.reports import to_gradescope, to_json
from g2c.classroom.sandbox import Conditions, SandboxRun
from g2c.course.check.results import TestResult, TestRun
from g2c.course.manifest import find_exercise
from g2c.course.scored import PUBLIC_SEED, Score
from g2c.course.scored.kept import SHIPPED, keep_score, kept_score
from g2c.course.writeup import CheckedWriteup
from g2c.exercises.e19_5_teach import goal
from g2c.inference import ScriptedBackend

SEEDS = range(200)
EXERCISE = find_exercise("19.5")
TEACH = import_module("g2c.exercises.e19_5_teach.solution").teach
WHOLE: ToolText = TEACH(q)
NO_EXAMPLES = replace(WHOLE, examples=())


class TestTeaching:
    """19.5."""

    def test_the_tasks_of_a_seed_are_always_the_same_and_those_of_another_are_others(self) -> None:
        assert goal.make_tasks(3) == goal.make_tasks(3)
        firsts = {tuple(task.question for task in goal.make_tasks(seed)) for seed in SEEDS}
        assert len(firsts) == len(SEEDS)

    def test_a_question_says_all_that_its_call_needs(self) -> None:
        for seed in SEEDS:
            tasks = goal.make_tasks(seed)
            assert len({task.question for task in tasks}) == goal.TASKS
            for task in tasks:
                words = [*task.arguments["k"].split("/"), task.arguments["v"]]
                assert all(word in task.question for word in words), task
                assert task.result.isdecimal(), task

    def test_the_reference_breaks_no_rule_on_any_seed(self) -> None:
        for seed in SEEDS:
            assert goal.problems_of(WHOLE, seed) == []

    def test_the_reference_was_measured_and_has_two_tasks_to_spare(self) -> None:
        points = [measured(WHOLE, seed).points for seed in range(4)]
        assert min(points) - 2 >= goal.GOAL.target, points

    def test_the_first_version_was_measured(self) -> None:
        first = import_module("g2c.exercises.e19_5_teach.naive").teach(q)
        assert measured(first, PUBLIC_SEED).points == goal.FIRST_VERSION

    @pytest.mark.parametrize(
        ("says", "right", "told"),
        [
            (["{call}", " I can answer.\nFinal Answer: {result} came."], True, "{result} came."),
            (["{call}", " I can answer.\nFinal Answer: 1{result} came."], False, "gave {result}"),
            (["{call}", " Hm."], False, "no answer followed"),
            (["{CALL}", " I can answer.\nFinal Answer: {result}"], True, "{result}"),
            (["{swapped}"], False, "right was count_visitors"),
            ([" I know.\nFinal Answer: {result}"], False, "It called nothing"),
            ([' Call.\nAction: q\nAction Input: {"k": "{k}", "v": "{v}"}'], False, "It called q"),
        ],
    )
    def test_a_task_counts_if_call_and_answer_are_right(
        self, says: list[str], right: bool, told: str
    ) -> None:
        task = goal.make_tasks(PUBLIC_SEED)[0]
        k, v = task.arguments["k"], task.arguments["v"]
        call = ' Call.\nAction: count_visitors\nAction Input: {"place": "%s", "town_and_day": "%s"}'
        words = {
            "{call}": call % (v, k),
            "{CALL}": call % (v.upper(), k.lower()),
            "{swapped}": call % (k, v),
            "{result}": task.result,
            "{k}": k,
            "{v}": v,
        }

        def filled(text: str) -> str:
            for blank, word in words.items():
                text = text.replace(blank, word)
            return text

        came = goal.ask(ScriptedBackend([filled(text) for text in says]), WHOLE, task)
        assert came.right is right, came
        assert filled(told) in came.description

    def test_a_text_comes_back_from_json_as_it_was(self) -> None:
        data = json.loads(json.dumps(asdict(WHOLE)))
        assert goal.from_data(data) == WHOLE
        for broken in (None, {}, {**data, "examples": [{}]}, {**data, "parameters": 7}):
            with pytest.raises(ValueError, match="not a ToolText"):
                goal.from_data(broken)

    @pytest.mark.parametrize(
        ("change", "says"),
        [
            ({"name": 7}, "to be a string"),
            ({"examples": list(WHOLE.examples)}, "tuple of ToolExample"),
            ({"parameters": WHOLE.parameters[:1]}, "each of ['k', 'v'] needs one"),
            ({"parameters": (*WHOLE.parameters, WHOLE.parameters[0])}, "each of ['k', 'v']"),
            ({"examples": WHOLE.examples * 2}, "at most 4"),
            ({"description": "long " * 1000}, "at most 4000"),
            ({"description": " "}, "must be a text"),
        ],
    )
    def test_a_broken_rule_is_reported(self, change: dict[str, object], says: str) -> None:
        (problem, *_) = goal.problems_of(replace(WHOLE, **change), PUBLIC_SEED)  # type: ignore[arg-type]
        assert says in problem

    def test_an_example_may_not_ask_what_is_counted_in_other_signs(self) -> None:
        task = goal.make_tasks(5)[7]
        example = replace(WHOLE.examples[0], question=task.question.upper().replace(",", " ;"))
        asking = replace(WHOLE, examples=(example,))
        (problem,) = goal.questions_that_are_counted(asking, 5)
        assert "think of another" in problem


def measured(text: ToolText, seed: int) -> Score:
    score = kept_score(goal.facts_of_text(text, seed), SHIPPED)
    assert score, "measure it: python maintain/benchmarks/tool_texts.py --ship"
    return score


class TestKeptScores:
    def test_a_score_is_kept_for_what_it_follows_from_and_nothing_else(
        self, tmp_path: Path
    ) -> None:
        file, score = tmp_path / "a/scores.json", Score(7, 20, ("one", "two"))
        keep_score("this", score, file)
        keep_score("that", Score(8, 20), file)
        assert kept_score("this", file) == score
        assert kept_score("This", file) is None
        changed = replace(WHOLE, description=WHOLE.description + " ")
        assert goal.facts_of_text(WHOLE, 0) != goal.facts_of_text(changed, 0)
        assert goal.facts_of_text(WHOLE, 0) != goal.facts_of_text(WHOLE, 1)

    @pytest.mark.parametrize("text", ["", "{", "[]", '{"x": 1}', '{"this": {"points": "many"}}'])
    def test_a_damaged_file_keeps_nothing(self, text: str, tmp_path: Path) -> None:
        file = tmp_path / "scores.json"
        file.write_text(text)
        assert kept_score("this", file) is None
        keep_score("this", Score(1, 20), file)
        assert kept_score("this", file) == Score(1, 20)


@pytest.fixture
def student(tmp_path: Path) -> Checkout:
    return Checkout(tmp_path / "student")


BARE = """    from g2c.agent.core.tool_text import Parameter
    return ToolText("look", "Look.", (Parameter("a", "k"), Parameter("b", "v")))
"""


class TestScore:
    def test_one_that_is_not_started_is_told_so(self, student: Checkout) -> None:
        done = student.g2c("score", "19.5")
        assert done.returncode == 1 and "Not started" in done.stdout

    def test_a_broken_rule_is_a_sentence(self, student: Checkout) -> None:
        student.write_body("19.5", "    return ToolText('look', 'Look.', ())\n")
        done = student.g2c("score", "19.5")
        assert done.returncode == 1 and "each of ['k', 'v'] needs one" in done.stderr, done

    @pytest.mark.slow
    def test_a_kept_score_is_shown_and_the_tests_read_it(self, student: Checkout) -> None:
        student.write_body("19.5", BARE)
        not_yet = student.pytest("tests/test_agent.py", "-k", "Teach")
        assert "g2c score 19.5" in not_yet.stdout
        before = student.g2c("progress").stdout
        assert "failing 2 of 6" in before
        from g2c.agent.core.tool_text import Parameter

        text = ToolText("look", "Look.", (Parameter("a", "k"), Parameter("b", "v")))
        file = student.folder / ".g2c/scores.json"
        keep_score(goal.facts_of_text(text, PUBLIC_SEED), Score(11, 20, ("It sank.",)), file)
        done = student.g2c("score", "19.5")
        assert done.returncode == 1 and "11 of 20" in done.stdout and "It sank." in done.stdout
        told = student.pytest("tests/test_agent.py", "-k", "Teach").stdout
        assert "the model did 11 of 20 rightly" in told and "It sank." in told
        assert "failing 1 of 6" in student.g2c("progress").stdout, "a kept score is news"


class TestGrade:
    @pytest.mark.slow
    def test_a_score_that_is_forged_in_the_folder_earns_nothing(
        self, student: Checkout, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        student.write_body("19.5", BARE)
        asked: list[ToolText] = []

        def measure_text(text: ToolText, seed: int, progress: object) -> Score:
            asked.append(text)
            return Score(3, 20, ("It sank.",))

        monkeypatch.setattr(measurement, "measure_text", measure_text)
        conditions = Conditions(seed=77)
        found = measurement.measure_submission(
            EXERCISE, student.file_of("19.5").read_bytes(), (), conditions, lambda done, of: None
        )
        assert [text.name for text in asked] == ["look"] and found.score == Score(
            3, 20, ("It sank.",)
        )
        for seed in (PUBLIC_SEED, 77):
            forged = student.folder / ".g2c/scores.json"
            keep_score(goal.facts_of_text(asked[0], seed), Score(20, 20), forged)
        expected = TestRun(tuple(f"{id_}::{name}" for id_ in EXERCISE.test_ids for name in TESTS))
        (grade,) = grade_exercises(
            student.folder, [EXERCISE], expected, conditions, {EXERCISE.id: found}
        ).exercises
        says = [failure.says for failure in grade.failures]
        assert (grade.passed, grade.tests, grade.score) == (5, 6, 7.5), says
        assert says == ["The model did 3 of 20 rightly; 14 are wanted. One that was lost: It sank."]

    @pytest.mark.slow
    @pytest.mark.parametrize(
        ("body", "says"),
        [
            ("    raise SystemExit(3)\n", "The process"),
            ("    return 7\n", "it is to return a ToolText"),
            ("    return 1 / 0\n", "ZeroDivisionError"),
        ],
    )
    def test_a_function_that_gives_no_text_is_not_measured(
        self, body: str, says: str, student: Checkout, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(measurement, "measure_text", None)
        student.write_body("19.5", body)
        found = measurement.measure_submission(
            EXERCISE, student.file_of("19.5").read_bytes(), (), Conditions(), lambda done, of: None
        )
        assert found.score is None and says in found.reason, found

    def test_a_score_that_the_grader_did_not_ask_for_is_not_a_zero(self) -> None:
        tests = tuple(f"{EXERCISE.test_ids[0]}::{name}" for name in TESTS)
        expected = TestRun(tests, tuple(TestResult(test, used="19.5") for test in tests))
        form = SandboxRun(tests, expected.results[:4])
        torn = SandboxRun(tests, expected.results[:3])
        wrong = SandboxRun(tests, (TestResult(tests[0], "failed"), *expected.results[1:4]))
        for ran, measured, status, of in (
            (form, NO_MODEL, "not measured", 0),
            (form, None, "not measured", 0),
            (form, Measured(None, "The process gave no text."), "failing", EXERCISE.points),
            (torn, NO_MODEL, "failing", EXERCISE.points),
            (wrong, NO_MODEL, "failing", EXERCISE.points),
        ):
            own = grade_exercise(EXERCISE, ran, expected, measured)
            assert own.status == status, own
            grade = Grade(Path(), 0, "none", (own,), TestRun(), CheckedWriteup((), ()), ())
            assert (grade.score, grade.max_score) == (0, of)
            (listed, *_) = to_gradescope(grade)["tests"]
            assert listed.get("max_score", 0) == of and ("score" in listed) == bool(of)
            (kept,) = to_json(grade)["exercises"]
            assert was_measured({"made_with": {"model": True}}, kept) == bool(of)

    def test_the_processs_own_score_does_not_count(self) -> None:
        tests = tuple(f"tests/test_agent.py::TestTeach::{name}" for name in TESTS)
        lied = TestRun(tests, tuple(TestResult(test) for test in tests))
        run = with_measured(lied, TestRun(tests), Measured(None, "There was no text."))
        assert run.n_passed == 4 and len(run.results) == 6
        assert all("There was no text." in failure.says for failure in run.failures)
        run = with_measured(TestRun(tests), TestRun(tests), Measured(Score(16, 20)))
        assert run.n_passed == 2


TESTS = (
    "test_it_makes_a_tool_that_fits_into_the_prompt",
    "test_the_examples_show_what_the_tool_does",
    "test_no_example_is_a_question_that_is_counted",
    "test_the_same_text_comes_every_time",
    "test_it_is_better_than_the_first_version",
    "test_it_reaches_the_target",
)
