"""Critics that look: what they run, read and compute, what comes of it, and what it is worth."""

import json
import re
from datetime import UTC, datetime
from pathlib import Path

import pytest
from cases import each
from command import g2c

from g2c.course.manifest import find_exercise
from g2c.critic import CRITICS, CheckingCritic, Critic, Critique, LookingCritic
from g2c.critic.app.file_critic import FileCheck, file_names, read_checks
from g2c.critic.app.measured import (
    find_measurement,
    keep_measurements,
    measurement_of,
    read_measurements,
)
from g2c.critic.app.measurement import Approvals, ReviewedTask, measure_approvals
from g2c.critic.app.program_critic import check_sums, code_of
from g2c.critic.core.calls import calls_schema, read_arguments
from g2c.critic.core.examples import Example, read_examples, run_examples
from g2c.critic.core.labelled import load_labelled
from g2c.inference import BackendError, ScriptedBackend
from g2c.inference.model_choice import load_prodlm
from g2c.inference.model_options import ModelOptions
from g2c.tools.run_python import make_run_python

NOW = datetime(2026, 4, 21, 12, tzinfo=UTC)
TASK = "Write half(n): the half of n.\n\nExamples:\n>>> half(4)\n2.0\n>>> half(10)\n5.0\n"
RUN = make_run_python().func


def troubles(draft: str, *examples: Example) -> list[str]:
    return [finding.trouble for finding in run_examples(draft, examples, RUN)]


class TestExamples:
    def test_they_are_read_from_any_text(self) -> None:
        assert read_examples(TASK) == (Example("half(4)", "2.0"), Example("half(10)", "5.0"))

    @each(["", "Say hello.", ">>>half(4)\n2", ">>> x = 3", ">>> half(4)\n", ">>> 1 +\n2"], "text")
    def test_other_statements_are_not_examples(self, text: str) -> None:
        assert read_examples(text) == ()

    def test_their_outcome_is_reported(self) -> None:
        draft = "def half(n):\n    return n // 2 if n < 9 else [][0]"
        first, second, third = troubles(
            draft, Example("half(4)", "2.0"), Example("half(5)", "2.5"), Example("half(10)", "5.0")
        )
        assert first == "", "2 is equal to 2.0"
        assert second == "half(5) gives 2, and must give 2.5."
        assert third == "half(10) raises IndexError: list index out of range, and must give 5.0."

    def test_a_call_without_a_result_is_in_trouble_only_for_what_anybody_can_see(self) -> None:
        draft = (
            "def half(n):\n    if n < 0: raise ValueError('n is 0 or more')\n"
            "    if n == 0: return None\n    if n == 1: raise KeyError(n)\n    return n / 2"
        )
        given = Example("half(4)", "2.0")
        calls = [Example(f"half({n})") for n in (6, -1, 0, 1)]
        assert troubles(draft, given, *calls) == [
            "",
            "",
            "",
            "half(0) gives None, and the examples give number.",
            "half(1) raises KeyError: 1.",
        ]

    def test_a_function_that_remembers_its_calls_is_noticed(self) -> None:
        draft = "def add(x, known=[]):\n    known.append(x)\n    return list(known)"
        (said,) = troubles(draft, Example("add(1)", "[1]"))
        assert said == "add(1) gives [1], and after other calls [1, 1]."

    @each(
        [
            ("This is not a program.", "failed with exit code 1"),
            ("import sys; sys.exit()", "It ends before its function can be called."),
            ("while True: pass", "was stopped"),
            ("print('0123456789abcdef[]')\nraise SystemExit", "It ends before"),
        ],
        "draft",
    )
    def test_a_draft_that_is_not_a_program_is_one_finding(self, draft: tuple[str, str]) -> None:
        findings = run_examples(draft[0], [Example("half(4)", "2.0")], make_run_python(1).func)
        assert len(findings) == 1 and draft[1] in findings[0].trouble, findings


class TestCheckingCritic:
    def test_the_verdict_follows_from_what_was_run(self) -> None:
        critic = CheckingCritic()
        assert critic(TASK, "def half(n): return n / 2") == Critique(10.0, (), "APPROVE")
        wrong = critic(TASK, "```python\ndef half(n): return n - 2\n```")
        assert wrong.issues == ("half(10) gives 8, and must give 5.0.",) and wrong.score == 5.0

    def test_nothing_is_approved_without_anything_to_look_at(self) -> None:
        critique = CheckingCritic()("Say hello.", "Hello.")
        assert not critique.approved and "nothing to check" in (critique.parse_error or "")

    def test_calls_that_the_model_thinks_of_are_run_too(self) -> None:
        said = json.dumps({"calls": [{"a": 0}, {"a": 4}, {"a": -3}]})
        backend = ScriptedBackend([said])
        draft = "def half(n): return n / 2 if n else None"
        critique = CheckingCritic(backend)(TASK, draft)
        assert critique.issues == ("half(0) gives None, and the examples give number.",)
        prompt = backend.history[0].prompt
        assert 'half({"a": 4})\nhalf({"a": 10})' in prompt
        assert "return" not in prompt, "who thinks of calls does not see the draft"

    @each(["no JSON", '{"calls": [{"a": "4"}, {"a": 1}, {"a": 2}]}', '{"calls": []}'], "said")
    def test_calls_out_of_form_are_left_out(self, said: str) -> None:
        critic = CheckingCritic(ScriptedBackend([said]))
        assert critic.more_calls(read_examples(TASK)) == ()

    def test_each_sum_is_computed_again(self) -> None:
        critique = CheckingCritic()("Add up.", "3 * 12 = 36, and (36 - 1) / 2 = 17. I am 5 = old.")
        assert critique.issues == ("(36 - 1) / 2 = 17 is wrong: it is 17.5.",)
        assert check_sums("On 2026-04-21 we had 3 / 0 = 1, v1.2 = 3 and x + 1 = 2.") == ()

    def test_code_is_taken_out_of_its_fence(self) -> None:
        assert code_of("Here:\n```python\nx = 1\n```\nDone.") == "x = 1"

    @each(["f(x)", "f(n=1)", "f(*[1])", "f({'a': 1})"], "call")
    def test_arguments_that_json_lacks_have_no_schema(self, call: str) -> None:
        assert calls_schema([read_arguments(call)]) is None

    @pytest.mark.slow
    def test_on_all_tasks_examples_alone_approve_no_draft_that_breaks_them(self) -> None:
        (measured,) = measure_approvals({"examples": CheckingCritic()}, load_labelled())
        assert measured.good == 40 and measured.broken < 40
        assert measured.difference().low > 0, measured.conclusion()

    @pytest.mark.slow
    def test_the_real_model_thinks_of_calls_in_form(self) -> None:
        critic = CheckingCritic(load_prodlm())
        calls = critic.more_calls(read_examples(">>> cut('abc', 2)\n'ab'\n>>> cut('', 1)\n''"))
        assert calls and all(call.call.startswith("cut('") for call in calls)


class TestLookingCritic:
    def test_names_of_files_are_found_in_a_goal(self) -> None:
        goal = (
            "Copy a.txt to notes/b.md (not c.d), e.g. by hand, for 3.50. See https://a.org/x.html"
        )
        assert file_names(goal) == ("a.txt", "notes/b.md")

    @each(
        [
            ("a.txt", "tea", "Write a.txt: tea", "tea"),
            ("b", "tea", "Write a.txt: tea", "tea"),
            ("a.txt", "Who", "Say who in a.txt", "Who"),
            ("a.txt", "Ann", "Ann: see a.txt", ""),
            ("a.txt", "", "Write a.txt: tea", ""),
        ],
        "said",
    )
    def test_a_model_may_ask_only_for_what_the_goal_quotes(self, said: tuple[str, ...]) -> None:
        file, says, goal, kept = said
        text = json.dumps({"files": [{"file": file, "says": says, "equals": ""}]})
        (check,) = read_checks(text, goal)
        assert (check.file, check.says) == ("a.txt", kept)
        assert read_checks("no JSON", goal) == (FileCheck("a.txt"),)

    def test_files_are_read_and_sums_computed(self, tmp_path: Path) -> None:
        said = '{"files": [{"file": "sum.txt", "says": "", "equals": "12 * 8"}]}'
        goal = "Write 12 times 8 to sum.txt."

        def look() -> Critique:
            return LookingCritic(ScriptedBackend([said]), tmp_path)(goal, "I am done.")

        assert "no file 'sum.txt'" in look().issues[0].lower()
        (tmp_path / "sum.txt").write_text("It is 94.")
        assert look().issues == ("sum.txt does not say 96, which is 12 * 8.",)
        (tmp_path / "sum.txt").write_text("It is 96.0 in all.")
        assert look().approved

    def test_no_name_leaves_the_folder(self, tmp_path: Path) -> None:
        (tmp_path / "secret.txt").write_text("tea")
        work = tmp_path / "work"
        work.mkdir()
        said = '{"files": []}'
        critique = LookingCritic(ScriptedBackend([said]), work)("Read ../secret.txt", "Done.")
        assert not critique.approved


class TestMeasured:
    def test_a_measurement_is_found_by_prompt_and_model(self, tmp_path: Path) -> None:
        file, backend = tmp_path / "measured.json", ScriptedBackend()
        strict, gentle = (Critic(backend, CRITICS[name]) for name in ("strict", "gentle"))
        task = load_labelled()[0]
        approve, revise = Critique(9, (), "APPROVE"), Critique(3)
        approvals = Approvals("strict", (ReviewedTask(task, approve, revise),) * 8)
        keep_measurements(file, [measurement_of(approvals, strict, "scripted", NOW)])
        found = find_measurement(file, strict, backend)
        assert found and found.tells_apart and (found.broken, found.good, found.tasks) == (0, 8, 8)
        assert find_measurement(file, gentle, backend) is None
        as_json = Critic(backend, CRITICS["strict"], form="json")
        assert find_measurement(file, as_json, backend) is None

        again = Approvals("strict", (ReviewedTask(task, approve, approve),) * 8)
        keep_measurements(file, [measurement_of(again, strict, "scripted", NOW)])
        (only,) = read_measurements(file)
        assert only.broken == 8 and not only.tells_apart, "the newer one counts"

    def test_a_settled_sequential_test_does_not_ask_the_interval(self, tmp_path: Path) -> None:
        file, critic = tmp_path / "measured.json", CheckingCritic()
        approve, revise = Critique(9, (), "APPROVE"), Critique(3)
        approvals = Approvals("c", (ReviewedTask(load_labelled()[0], approve, revise),) * 8)
        for settled in (True, False):
            keep_measurements(file, [measurement_of(approvals, critic, "m", NOW, settled)])
            assert [measurement.tells_apart for measurement in read_measurements(file)] == [settled]

    def test_a_verdict_of_another_sequential_test_does_not_count(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        file, backend = tmp_path / "measured.json", ScriptedBackend()
        critic = CheckingCritic(backend)
        approve, revise = Critique(9, (), "APPROVE"), Critique(3)
        approvals = Approvals("c", (ReviewedTask(load_labelled()[0], approve, revise),) * 8)
        model = backend.info.model_id
        plain = measurement_of(approvals, critic, model, NOW)
        keep_measurements(file, [plain, measurement_of(approvals, critic, model, NOW, True)])
        found = find_measurement(file, critic, backend)
        assert found and found.settled, "the newer one counts"
        other = tmp_path / "sequential.py"
        other.write_text("ANOTHER = 1\n")
        monkeypatch.setattr("g2c.critic.app.measured.SEQUENTIAL", other)
        assert find_measurement(file, critic, backend) == plain
        assert find_exercise("23.5").file == "g2c/evaluation/sequential_test.py"

    def test_a_file_that_cannot_be_read_says_what_to_do(self, tmp_path: Path) -> None:
        (tmp_path / "measured.json").write_text('[{"critic": 1}]')
        with pytest.raises(ValueError, match="delete it, and g2c critics"):
            read_measurements(tmp_path / "measured.json")


class TestCommands:
    @pytest.mark.slow
    def test_critics_are_measured_and_kept(self, tmp_path: Path) -> None:
        home = str(tmp_path / "home")
        result = g2c(
            "critics", "--only", "examples", "--home", home, "--model", "embedded", root=tmp_path
        )
        assert result.returncode == 0, result.stderr
        assert "| examples |" in result.stdout and "it tells them apart" in result.stdout
        (kept,) = read_measurements(tmp_path / "home/measured.json")
        assert kept.critic == "examples" and kept.tells_apart

    @pytest.mark.slow
    def test_a_critic_that_tells_the_drafts_apart_is_soon_known(self, tmp_path: Path) -> None:
        options = ("--sequential", "--only", "examples", "--home", str(tmp_path / "home"))
        done = g2c("critics", *options, "--model", "embedded", root=tmp_path)
        assert done.returncode == 0, done.stderr
        assert "By your sequential_test examples tells good from broken drafts." in done.stdout
        (kept,) = read_measurements(tmp_path / "home/measured.json")
        assert kept.settled and kept.told_apart <= kept.tasks < len(load_labelled()) / 2

    def test_the_model_is_measured_with_the_options_that_a_loop_of_the_home_judges_with(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        (tmp_path / "agent.toml").write_text("[model]\nseed = 7\n")
        options: list[ModelOptions] = []

        def load(choice: str | None, own: ModelOptions, *, exact: bool) -> None:
            options.append(own)
            raise BackendError("seen")

        monkeypatch.setattr("g2c.cli.critics.load", load)
        for more in ((), ("--judge-model", "another")):
            g2c("critics", "--home", str(tmp_path), *more, root=tmp_path)
        assert options == [ModelOptions(seed=7), ModelOptions()]

    def test_some_of_the_tasks_are_not_a_measurement(self, tmp_path: Path) -> None:
        some = ("--only", "examples", "--limit", "3", "--home", str(tmp_path))
        assert g2c("critics", *some, "--model", "embedded", root=tmp_path).returncode == 0
        assert not (tmp_path / "measured.json").exists()

    @pytest.mark.slow
    def test_a_draft_is_refined_by_what_comes_of_it(self, tmp_path: Path) -> None:
        (tmp_path / "half.py").write_text("def half(n):\n    return n / 2\n")
        given = ("--check", "--draft", str(tmp_path / "half.py"), "--model", "embedded")
        result = g2c("review", "refine", TASK, *given, root=tmp_path)
        assert result.returncode == 0 and "APPROVE" in result.stdout, result.stdout + result.stderr


class TestReview:
    @pytest.mark.slow
    def test_personas_review_a_text_live(self, tmp_path: Path) -> None:
        (tmp_path / "note.md").write_text("We regret that our shop has to close on Monday.")
        (tmp_path / "two.toml").write_text(
            'task = "Write a note for the door."\n[[reviewers]]\nname = "Passer-by"\n'
            'persona = "You are in a hurry."\n[[reviewers]]\nname = "Supplier"\n'
        )
        page = tmp_path / "page.html"
        given = ("--reviewers", str(tmp_path / "two.toml"), "--rounds", "1", "--page", str(page))
        result = g2c(
            "review", str(tmp_path / "note.md"), *given, "--model", "embedded", root=tmp_path
        )
        assert result.returncode == 1, result.stderr
        assert "round 1 S " in result.stdout and "Passer-by" in result.stdout
        assert "stopped: max_rounds" in result.stdout and "Supplier" in page.read_text("utf-8")

    def test_the_page_that_the_help_names_has_a_file_that_is_read(self) -> None:
        from g2c.cli.review import read_panel, review

        (page,) = re.findall(r"docs/\S+\.md", review.__doc__ or "")
        text = (Path(__file__).parents[3] / page).read_text("utf-8")
        example = text.partition("```toml\n")[2].partition("```")[0]
        assert list(read_panel(example, page).personas) == ["Passer-by", "Supplier"]

    @each(
        [
            ("task = ", "cannot be read"),
            ('rubric = "poetry"', 'rubric is "writing" or "code"'),
            ('task = " "', "task says in words"),
            ('task = "Go."', "there is no [[reviewers]]"),
            ('task = "Go."\n[[reviewers]]\npersona = "x"', "a name of its own"),
            ('task = "Go."\n[[reviewers]]\nname = "A"\n[[reviewers]]\nname = "A"', "of its own"),
        ],
        "text",
    )
    def test_a_bad_panel_is_a_sentence(self, text: tuple[str, str]) -> None:
        from g2c.cli.review import read_panel

        with pytest.raises(ValueError) as caught:
            read_panel(text[0], "two.toml")
        assert text[1] in str(caught.value) and "two.toml" in str(caught.value)


def test_a_helper_that_fails_is_the_models_failure() -> None:
    with pytest.raises(BackendError):
        CheckingCritic(ScriptedBackend([BackendError("gone")]))(TASK, "def half(n): return n / 2")
