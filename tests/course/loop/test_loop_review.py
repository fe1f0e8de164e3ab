"""The checkpoint: what critics are shown of a loop, what they say, and who believes it."""

from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest
from cases import each
from loops import acting

from g2c.critic import Critique
from g2c.critic.app.file_critic import LookingCritic
from g2c.critic.app.measured import Measurement
from g2c.inference import BackendError, RecordingBackend, ScriptedBackend
from g2c.inference.model_choice import load_prodlm
from g2c.loop import Budget, Checkpoint, LoopConfig, LoopRunner, LoopState, Spent, TickRecord
from g2c.loop.app.claims import check_goal, gate_for, refusal
from g2c.loop.app.review import review_ticks, tokens_in, work_shown
from g2c.loop.core.journal import read_ticks
from g2c.loop.core.types import LoopError

NOW = datetime(2026, 4, 21, 12, tzinfo=UTC)
SAID = "SCORE: 3/10\nISSUES:\n- Write all names at once.\nRECOMMENDATION: REVISE"
FEEDBACK = "Somebody who looked at the work does not approve (30 of 100). Write all names at once."
GOOD_JUDGE = Measurement("criteria", "scripted", "", "2026-04-21", 40, 2, 38, 36, 0.9, 0.8, 1.0)
COIN = replace(GOOD_JUDGE, broken=20, good=21, told_apart=9, gain=0.02, low=-0.2, high=0.2)


def state(body: str = "") -> LoopState:
    return LoopState("Make tea.", "running", 12, Budget(), Spent(), NOW, NOW, body)


def log(count: int, answer: str = "It boils.") -> list[TickRecord]:
    return [TickRecord(n, NOW, "continue", "p", answer) for n in range(1, count + 1)]


class TestWhatCriticsAreShown:
    def test_the_goal_is_the_task_and_the_work_is_the_draft(self) -> None:
        task, draft = work_shown(state("Next: more."), log(12))
        assert "Make tea." in task
        assert "Next: more." in draft and draft.count("\nTick ") == 10 and "Tick 12" in draft, (
            f"the last ten ticks: {draft}"
        )

    def test_a_long_history_does_not_make_a_long_prompt(self) -> None:
        long = replace(state("b" * 9_000), goal="g" * 9_000)
        assert sum(map(len, work_shown(long, log(50, "x" * 9_000)))) < 10_000

    def test_a_review_is_module_21s(self) -> None:
        backend = ScriptedBackend([SAID])
        calls = RecordingBackend(backend)
        assert Checkpoint(calls)(state("Next: more."), log(12)) == FEEDBACK
        (call,) = backend.history
        assert tokens_in(calls) == len(call.prompt) // 4 + len(SAID) // 4
        assert call.prompt.startswith("You are a critic with a list."), "the one that is measured"


class TestSeveralCritics:
    def test_their_scores_are_put_together(self) -> None:
        critics = {
            "kind": lambda task, draft: Critique(9.0, (), "APPROVE"),
            "strict": lambda task, draft: Critique(3.0, ("It is cold.",)),
        }
        feedback = review_ticks(critics, state(), log(2), print)
        assert "does not approve (60 of 100). It is cold." in feedback

    @each(
        [
            Critique(parse_error="The RECOMMENDATION is missing."),
            Critique(None, ("No score.",)),
            BackendError("Start it."),
        ],
        "answer",
    )
    def test_a_critic_that_gives_no_verdict_is_told_and_left_out(
        self, answer: Critique | BackendError
    ) -> None:
        def broken(task: str, draft: str) -> Critique:
            if isinstance(answer, BackendError):
                raise answer
            return answer

        told: list[str] = []
        assert review_ticks({"Ada": broken}, state(), log(2), told.append) == ""
        assert len(told) == 1 and told[0].startswith("The review by Ada is left out: ")
        critics = {"Ada": broken, "Ben": lambda task, draft: Critique(8.0, (), "APPROVE")}
        feedback = review_ticks(critics, state(), log(2), told.append)
        assert "approves (80 of 100)" in feedback


def run_with(folder: Path, measured: Measurement | None, ticks: int = 15) -> tuple[list[str], ...]:
    """The messages to a person, and the prompts, of a loop with reviews after ticks 5 and 10."""
    told: list[str] = []
    LoopRunner(
        acting(lambda prompt, tools: "I did nothing."),
        None,
        LoopConfig(evolve=False),
        folder,
        backend=ScriptedBackend([SAID, SAID]),
        measured=measured,
        now=lambda: NOW,
        tell=told.append,
    ).run("Go.", Budget(ticks=ticks))
    return told, [tick.prompt for tick in read_ticks(folder / "ticks.jsonl")]


class TestWhoIsBelieved:
    def test_a_judge_that_tells_good_from_broken_reaches_the_agent(self, tmp_path: Path) -> None:
        told, prompts = run_with(tmp_path, GOOD_JUDGE)
        assert ["Write all names" in prompt for prompt in prompts] == [False] * 5 + [True] * 10
        assert told == []

    @pytest.mark.parametrize("measured", [None, COIN])
    def test_any_other_is_shown_to_the_person_alone(
        self, measured: Measurement | None, tmp_path: Path
    ) -> None:
        told, prompts = run_with(tmp_path, measured)
        assert not any("Write all names" in prompt for prompt in prompts)
        why, first, second = told
        assert "to you and not to the agent" in why, "the reason is said once"
        assert first == f"After tick 5: {FEEDBACK}" and second == f"After tick 10: {FEEDBACK}"

    def test_the_reason_says_what_to_do_or_what_was_measured(self) -> None:
        backend = ScriptedBackend()
        assert "g2c critics --only criteria measures it" in Checkpoint(backend).why_not_believed
        assert "20 broken and 21 good drafts of 40" in Checkpoint(backend, COIN).why_not_believed
        assert Checkpoint(backend, GOOD_JUDGE).why_not_believed == ""


class TestClaims:
    def test_a_command_is_asked_first_and_then_nobody_else(self) -> None:
        def never(task: str, draft: str) -> Critique:
            raise AssertionError("A critic was asked beside a success command.")

        assert refusal("Go.", "Done.", True, never) == ""
        assert "its check fails" in refusal("Go.", "Done.", False, never)

    def test_a_claim_alone_counts_where_nothing_else_was_given(self) -> None:
        assert refusal("Go.", "Done.", None, None) == ""

    def test_a_critic_that_cannot_look_refuses(self) -> None:
        unreadable = lambda task, draft: Critique(parse_error="It names no file.")  # noqa: E731
        assert "It names no file." in refusal("Go.", "Done.", None, unreadable)

    def test_a_goal_whose_end_nobody_could_see_is_refused_before_the_loop(self) -> None:
        with pytest.raises(LoopError, match=r"names no file.*--success.*--claim"):
            check_goal("Be good.")
        with pytest.raises(LoopError, match="a goal in words"):
            check_goal("  ")
        check_goal("Write to list.txt what is good.")

    def test_a_false_claim_is_refused_and_the_true_one_ends_the_loop(self, tmp_path: Path) -> None:
        said = '{"files": [{"file": "list.txt", "says": "milk", "equals": ""}]}'
        work = tmp_path / "work"
        refused: list[str] = []

        def act(prompt: str, tools: dict) -> str:
            if len(refused) == 2:
                (work / "list.txt").write_text("Milk, and tea.")
            elif refused:
                (work / "list.txt").write_text("Tea.")
            try:
                tools["finish"](summary="All is done.")
            except Exception as error:
                refused.append(str(error))
            return "Done."

        state = LoopRunner(
            acting(act),
            None,
            LoopConfig(evolve=False),
            tmp_path,
            backend=ScriptedBackend([said] * 3),
            gate=gate_for(work),
            now=lambda: NOW,
        ).run("Write list.txt. It is to say: milk", Budget(ticks=5))
        first, second = refused
        assert "There is no file 'list.txt'" in first, first
        assert "list.txt does not say: milk" in second, second
        assert (state.status, state.tick) == ("done", 3)
        assert state.spent.tokens > 0, "the critic's calls are paid for by the loop"

    @pytest.mark.slow
    def test_the_real_model_says_what_to_look_for(self, tmp_path: Path) -> None:
        (tmp_path / "list.txt").write_text("20")
        critic = LookingCritic(load_prodlm(), tmp_path)
        goal = "There are 12 boxes of 8 apples. Write to list.txt how many apples there are."
        missing = "list.txt does not say 96, which is 12 * 8."
        assert critic(goal, "I wrote it.").issues == (missing,)
        (tmp_path / "list.txt").write_text("96")
        assert critic(goal, "I wrote nothing.").approved, "what is claimed does not matter"

    @pytest.mark.slow
    @pytest.mark.xfail(strict=True, reason="it leaves out a text; docs/model-card.md says so")
    def test_the_real_model_says_which_text_to_look_for(self, tmp_path: Path) -> None:
        (tmp_path / "list.txt").write_text("bread")
        critic = LookingCritic(load_prodlm(), tmp_path)
        goal = "Write list.txt. It is to say: milk"
        assert critic(goal, "I wrote it.").issues == ("list.txt does not say: milk",)


@pytest.mark.slow
def test_a_real_models_review_can_be_read_or_is_told() -> None:
    told: list[str] = []
    calls = RecordingBackend(load_prodlm())
    feedback = Checkpoint(calls, tell=told.append)(state("Next: 1."), log(3, "1"))
    assert (feedback and tokens_in(calls) > 100) or len(told) == 1
