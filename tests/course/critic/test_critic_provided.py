"""The parts of module 21 around the exercises."""

import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from cases import each

from g2c.critic.app.comparison import Task, compare
from g2c.critic.app.measurement import Stability, each_seed, measure_approvals, verdict_stability
from g2c.critic.app.panel import Reviewer, review_schema
from g2c.critic.app.roles import Critic, Generator
from g2c.critic.core.intervals import shown_by, wilson
from g2c.critic.core.labelled import LabelledTask
from g2c.critic.core.prompts import (
    CRITIQUE_SCHEMA,
    critique_from_json,
    refiner_prompt,
    revision_prompt,
)
from g2c.critic.core.rounds import DECK, MEMO, PAPER, first_gain, optimal_rounds
from g2c.critic.core.rubrics import CODE, WRITING
from g2c.critic.core.types import Critique, Dimension, Dispute, Interval, Review, Rubric
from g2c.inference import (
    BackendError,
    BackendUnreachableError,
    ScriptedBackend,
    UnusableAnswerError,
)


class TestCritiqueJson:
    def test_reads_what_matches_the_schema(self) -> None:
        said = {"issues": ["Too long."], "score": 10, "recommendation": "APPROVE"}
        critique = critique_from_json(json.dumps(said))
        assert critique == Critique(10.0, ("Too long.",), "APPROVE"), f"this matches; {critique}"

    @each(
        [
            "",
            "[" * 10**5,
            "APPROVE",
            "null",
            '{"recommendation": "APPROVE"}',
            '{"issues": [], "score": 11, "recommendation": "APPROVE"}',
            '{"issues": [], "score": NaN, "recommendation": "APPROVE"}',
            '{"issues": "none", "score": 9, "recommendation": "APPROVE"}',
            '{"issues": [], "score": 9, "recommendation": "APPROVE | REVISE"}',
        ]
    )
    def test_a_reply_off_the_schema_fails_closed(self, text: str) -> None:
        critique = critique_from_json(text)
        assert not critique.approved and critique.parse_error, (
            f"JSON of another shape is not an approval; it was read as {critique}"
        )

    def test_a_critique_can_come_as_json(self) -> None:
        said = '{"issues": ["Too short."], "score": 3, "recommendation": "REVISE"}'
        model = ScriptedBackend([said])
        critique = Critic(model, form="json")("Say hello.", "Hi.")
        assert critique == Critique(3.0, ("Too short.",), "REVISE"), f"it was read as {critique}"
        call = model.history[0]
        assert (call.kind, call.options["schema"]) == ("json", CRITIQUE_SCHEMA), f"{call.kind}"


class TestDraftPrompts:
    @each(["<draft>\nHi.\n</draft>\n", "Hi.</draft> and more", "\n Hi. \n"])
    def test_a_draft_is_taken_without_its_marks(self, written: str) -> None:
        for model in (ScriptedBackend([written]), ScriptedBackend([written], stops=False)):
            assert Generator(model)("Say hello.") == "Hi.", "marks and spaces are not the draft"

    def test_a_critique_without_issues_still_asks_for_something(self) -> None:
        prompt = refiner_prompt("Say hello.", "Hi.", Critique(parse_error="unreadable"))
        assert "The critic named none." in prompt, f"the refiner was told nothing: {prompt}"


class TestDisputedPrompt:
    def test_it_targets_the_disputed_dimensions_and_hides_other_notes(self) -> None:
        reviews = [
            Review("Ada", {"truth": 90}, True, "Fine."),
            Review("Bob", {"truth": 30}, False, "It is\nfalse."),
            Review("Cy", {"truth": 60}, True, "More colour."),
        ]
        dispute = Dispute("truth", 30, "Bob", 90, "Ada")
        prompt = revision_prompt("a task", "a draft", reviews, [dispute])
        assert "- truth: Bob gave 30, Ada gave 90" in prompt
        assert "- Ada: Fine.\n- Bob: It is false.\n" in prompt
        assert "More colour" not in prompt

    def test_without_disputes_it_has_all_notes(self) -> None:
        reviews = [Review("Ada", {}, True), Review("Bob", {}, False, "Too long.")]
        prompt = revision_prompt("a task", "a draft", reviews, [])
        assert "disagree" not in prompt and "- Bob: Too long." in prompt
        assert "read the task again" in revision_prompt("a task", "a draft", [], [])


TWO = Rubric((Dimension("clarity", 0.25), Dimension("truth", 0.75)))


def answer(**changes: Any) -> str:
    said = {"notes": " Too long. ", "scores": {"clarity": 60, "truth": 80}, "approve": True}
    return json.dumps({**said, **changes})


class TestConvergenceReviewer:
    def test_it_shows_task_draft_and_rubric_and_no_history(self) -> None:
        model = ScriptedBackend([answer()])
        got = Reviewer(model, "Ada", TWO, persona="You are a lawyer.")("Explain fire.", "It burns.")
        assert got == Review("Ada", {"clarity": 60, "truth": 80}, True, "Too long.")
        [call] = model.history
        assert call.prompt.startswith("You are a lawyer.\n\nYou review a draft by somebody else.")
        assert call.prompt.endswith(
            "Task: Explain fire.\n<draft>\nIt burns.\n</draft>\nReview: "
        ), call.prompt
        assert "- clarity:" in call.prompt and call.options["schema"] == review_schema(TWO)

    @each(
        [
            "I like it.",
            answer(scores={"clarity": 60}),
            answer(scores={"clarity": 60, "truth": 101}),
            answer(scores={"clarity": 60, "truth": True}),
            answer(approve="yes"),
        ],
        "completion",
    )
    def test_another_reply_than_a_review_is_an_error_of_the_model(self, completion: str) -> None:
        with pytest.raises(BackendError, match="Ada wrote no review that fits the rubric"):
            Reviewer(ScriptedBackend([completion]), "Ada", TWO)("a task", "a draft")

    def test_a_backend_that_fails_is_passed_on(self) -> None:
        with pytest.raises(BackendError, match="gone"):
            Reviewer(ScriptedBackend([BackendError("gone")]), "Ada", TWO)("a task", "a draft")


class TestConvergenceRounds:
    def test_the_first_revision_brings_a_third_or_more_of_the_gain(self) -> None:
        got = [round(first_gain(totals), 3) for totals in (MEMO, PAPER, DECK)]
        assert got == [0.389, 0.432, 0.333]

    def test_without_a_gain_there_is_no_share(self) -> None:
        for totals in ([], [50], [50, 40], [50, 50]):
            with pytest.raises(ValueError):
                first_gain(totals)

    def test_points_above_the_bar_are_worth_nothing(self) -> None:
        assert optimal_rounds([75, 100], 0.01, 1000, s_min=80) == 2

    def test_no_scores_and_negative_prices_are_refused(self) -> None:
        for arguments in (([], 1, 1), ([50], -1, 1), ([50], 1, -1)):
            with pytest.raises(ValueError):
                optimal_rounds(*arguments)

    def test_the_rubrics_that_ship_are_rubrics(self) -> None:
        for rubric in (WRITING, CODE):
            assert all(dimension.question for dimension in rubric.dimensions)


class TestCompareIntervals:
    @each([(81, 263, 0.2553, 0.3662), (15, 148, 0.0624, 0.1605), (0, 20, 0, 0.1611)])
    def test_the_bounds_are_the_published_ones(self, case: tuple[int, int, float, float]) -> None:
        successes, n, low, high = case  # Newcombe, Statistics in Medicine 17 (1998), table I
        found = wilson(successes, n)
        assert (round(found.low, 4), round(found.high, 4)) == (low, high)

    def test_a_share_of_nothing_is_refused(self) -> None:
        for successes, n in ((0, 0), (-1, 3), (4, 3)):
            with pytest.raises(ValueError, match=f"got {successes} of {n}"):
                wilson(successes, n)
        with pytest.raises(ValueError, match="between 0 and 1"):
            wilson(1, 2, confidence=95)

    def test_a_gain_is_shown_by_its_interval_and_by_tasks_enough(self) -> None:
        assert shown_by(Interval(0.5, 0.1, 0.9), told_apart=6) == "better"
        assert shown_by(Interval(-0.5, -0.9, -0.1), told_apart=6) == "worse"
        assert shown_by(Interval(0.5, 0.0, 0.9), told_apart=6) == "unclear"
        assert shown_by(Interval(0.5, 0.1, 0.9), told_apart=5) == "unclear"


APPROVE = Critique(9, (), "APPROVE")
REVISE = Critique(3, ("It is wrong.",), "REVISE")


def near(value: float, aim: float, by: float) -> bool:
    return abs(value - aim) <= by


def failing_with(error: BackendError) -> Callable[..., Any]:
    """A configuration, or a critic, that raises `error`."""

    def fail(*args: Any) -> Any:
        raise error

    return fail


class TestCompareStability:
    def test_verdicts_are_counted(self) -> None:
        critic = each_seed(lambda seed: lambda *_: [APPROVE, REVISE, APPROVE][seed])
        assert verdict_stability(critic, "t", "d", 3) == Stability(approved=2, n=3)

    def test_an_unreadable_text_is_not_an_approval(self) -> None:
        unread = Critique(parse_error="no RECOMMENDATION")
        assert verdict_stability(lambda *_: unread, "t", "d", 2) == Stability(0, 2, unreadable=2)
        cut_off = failing_with(UnusableAnswerError("cut off"))
        assert verdict_stability(cut_off, "t", "d", 2).unreadable == 2
        with pytest.raises(ValueError, match="1 or more"):
            verdict_stability(lambda *_: APPROVE, "t", "d", 0)

    def test_flips_do_not_depend_on_which_verdict_is_the_usual_one(self) -> None:
        low, high = Stability(2, 10).flips, Stability(8, 10).flips
        for name in ("estimate", "low", "high"):
            assert near(getattr(low, name), getattr(high, name), 1e-12), (name, low, high)
        assert near(low.estimate, 0.32, 1e-12) and low.low < low.estimate < low.high == 0.5

    def test_a_verdict_asked_for_once_says_nothing_about_flips(self) -> None:
        once = Stability(1, 1).flips
        assert (once.estimate, once.low, once.high) == (0.0, 0.0, 0.5)


LABELLED = tuple(
    LabelledTask(
        name,
        f"Write {name}.",
        f">>> {name}()\n1",
        f"{name} good",
        f"{name} broken",
        "a bug",
        "pass",
    )
    for name in "ab"
)


class TestCompareWithoutDifference:
    def test_nothing_is_compared_without_an_answer(self) -> None:
        with pytest.raises(BackendUnreachableError):
            compare(str, failing_with(BackendUnreachableError("start it")), [Task("p", bool)])
        with pytest.raises(ValueError, match="one task or more"):
            compare(str, str, [])

    def test_a_critic_sees_the_task_and_the_draft_and_not_the_label(self) -> None:
        seen = []

        def critic(task: str, draft: str) -> Critique:
            seen.append((task, draft))
            return REVISE

        heard: list[tuple[str, str]] = []
        measure_approvals({"c": critic}, LABELLED[:1], lambda *names: heard.append(names))
        shown = "Write a.\n\nExamples:\n>>> a()\n1\n"
        assert seen == [(shown, "a good"), (shown, "a broken")]
        assert heard == [("c", "a")] * 2

    def test_a_critic_of_which_enough_is_known_judges_no_more(self) -> None:
        tasks = [replace(LABELLED[0], name=str(n), good="good", broken="broken") for n in range(9)]

        def passes(drafts: str) -> Callable[[str, str], Critique]:
            return lambda task, draft: APPROVE if draft in drafts else REVISE

        found = measure_approvals(
            {"fair": passes("good"), "kind": passes("good broken")},
            tasks,
            is_enough=lambda approvals: approvals.told_apart == 3,
        )
        assert [(critic.critic, len(critic.reviewed)) for critic in found] == [
            ("fair", 3),
            ("kind", 9),
        ]

    def test_a_review_that_failed_is_unreadable_and_no_approval(self) -> None:
        cut_off = failing_with(UnusableAnswerError("The JSON was cut off."))
        (found,) = measure_approvals({"c": cut_off}, LABELLED[:2])
        assert (found.good, found.broken, found.unreadable) == (0, 0, 4)
        gone = failing_with(BackendUnreachableError("start it"))
        with pytest.raises(BackendUnreachableError):
            measure_approvals({"c": gone}, LABELLED)
        with pytest.raises(ValueError, match="one labelled task or more"):
            measure_approvals({"c": gone}, [])


def test_a_server_that_fails_says_nothing_about_either_configuration() -> None:
    with pytest.raises(BackendError, match="the model is gone"):
        compare(
            lambda prompt: "p", failing_with(BackendError("the model is gone")), [Task("p", bool)]
        )
