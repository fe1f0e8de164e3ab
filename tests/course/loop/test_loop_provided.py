"""The parts of module 22 around the exercises."""

import json
from collections.abc import Sequence
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path

import pytest
from cases import each

from g2c.agent import Action, Agent, AgentRunResult, AgentStep, Observation
from g2c.inference import BackendError, ScriptedBackend
from g2c.inference.errors import ScriptExhaustedError
from g2c.loop.app.evolution import MAX_CHARS, evolve, history, parse_edits, render_evolution_prompt
from g2c.loop.core.checkpoint import checkpoint_due
from g2c.loop.core.credentials import find_credentials
from g2c.loop.core.delegate import SharedBudget, make_delegate
from g2c.loop.core.identity import CONSTITUTION, WRITABLE, ensure_config, read_config, read_texts
from g2c.loop.core.state import StateError, read_state, write_state
from g2c.loop.core.types import Budget, LoopError, LoopState, SessionSummary, Spent
from g2c.memory import MemoryStore
from g2c.tools import ToolRegistry, make_calculator

NOW = datetime(2026, 4, 21, 9, tzinfo=UTC)


def state(body: str = "") -> LoopState:
    return LoopState("Make tea.", "running", 3, Budget(), Spent(3, 900, 12.5), NOW, NOW, body=body)


class TestTickState:
    def test_a_state_that_cannot_be_read_names_its_line(self, tmp_path: Path) -> None:
        file = tmp_path / "state.md"
        write_state(file, state())
        file.write_text(file.read_text().replace("status: running", "status: runing"))
        with pytest.raises(StateError, match="line 3: the status must be one of"):
            read_state(file)
        assert [copy.name for copy in tmp_path.glob("*unreadable*")] == ["state.md.unreadable-1"]


def edits(**texts: str) -> str:
    """An answer that edits the files of those names."""
    listed = [{"file": f"{name}.md", "why": "Why not.", "text": t} for name, t in texts.items()]
    return json.dumps({"edits": listed})


def ended(transcript: str = "read_file gave: 12") -> SessionSummary:
    return SessionSummary("Count", "success", "done", 2, Spent(2), transcript, NOW, NOW)


class TestEvolutionParts:
    def test_a_new_folder_has_all_five_files_and_none_is_overwritten(self, tmp_path: Path) -> None:
        (tmp_path / "persona.md").write_text("Mine.\n")
        ensure_config(tmp_path)
        assert sorted(read_texts(tmp_path)) == sorted([CONSTITUTION, *WRITABLE])
        assert read_config(tmp_path).persona == "Mine.\n"
        (tmp_path / "persona.md").write_bytes(b"\xff")
        with pytest.raises(LoopError, match=r"persona\.md is not UTF-8"):
            read_config(tmp_path)

    def test_a_model_that_says_nothing_useful_changes_nothing(self, tmp_path: Path) -> None:
        ensure_config(tmp_path)
        before = read_texts(tmp_path)
        twice = [{"file": "persona.md", "why": "", "text": text} for text in "ab"]
        answers = [
            "I am content.",
            "[]",
            '{"edits": 7}',
            '{"edits": [{"file": "persona.md"}]}',
            json.dumps({"edits": twice}),
            edits(persona="x" * (MAX_CHARS + 1)),
            '{"edits": []}',
            BackendError("no model"),
        ]
        for answer in answers:
            result = evolve(tmp_path, ended(), ScriptedBackend([answer]), NOW)
            assert result.version is None and result.reason, answer
        assert read_texts(tmp_path) == before
        kinds = [change.kind for change in history(tmp_path)]
        assert kinds == ["refused"] * 6 + ["unchanged", "refused"], kinds

    def test_an_answer_in_a_code_fence_is_read(self) -> None:
        assert parse_edits(f"```json\n{edits(persona='A.')}\n```").texts == {"persona.md": "A.\n"}

    def test_the_prompt_has_the_end_of_a_long_transcript(self) -> None:
        texts = {"knowledge.md": "The books are here.\n", "recovery.md": "Read on.\n"}
        prompt = render_evolution_prompt(texts, ended("early " * 2000 + "the end"))
        assert "The books are here.\n\nrecovery.md:" in prompt and prompt.endswith("\n\nEdits:\n")
        assert "the end" in prompt and len(prompt) < 10_000

    @each(
        [
            "AKIAIOSFODNN7EXAMPLE",
            "ghp_" + "a1" * 18,
            "sk-" + "a1" * 20,
            "-----BEGIN OPENSSH PRIVATE KEY-----",
            "https://ada:hunter2@example.org",
            "password = correct4horse",
            "Authorization: Bearer " + "a1" * 12,
            "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.SflKxwRJSMeKKF2QT4",
            "https://ada:engine1842@example.org/",
            "the token is " + "x" * 60 + "1",
        ]
    )
    def test_known_forms_of_credentials_are_found(self, secret: str) -> None:
        assert find_credentials(f"See: {secret}"), secret

    @each(
        [
            "Ask Ada for the password.",
            "The token is in the safe.",
            "Each tick has a budget of tokens: 20000.",
            "See https://example.org:8080/a@b and task-force-of-twenty-people.",
        ]
    )
    def test_plain_sentences_hold_no_credential(self, text: str) -> None:
        assert find_credentials(text) == frozenset(), text


class TestDelegateBudget:
    @each([Budget(), Budget(tokens=5), Budget(ticks=1, seconds=1)])
    def test_a_budget_needs_a_bound_of_questions(self, budget: Budget) -> None:
        agent = Agent(ScriptedBackend(), ToolRegistry())
        with pytest.raises(LoopError, match="how many questions"):
            make_delegate(lambda tools: agent, "research", budget, now=lambda: NOW)


@pytest.mark.parametrize(
    ("planned", "interval", "due"),
    [
        (20, 5, (5, 10, 15)),
        (None, 5, (5, 10, 15, 20, 25)),
        *((planned, 5, ()) for planned in (0, 1, 5, 6, 9)),
        (10, 5, (5,)),
        (None, 0, ()),
        (12, 3, (3, 6, 9)),
        (10, 1, range(1, 10)),
        *((12, interval, ()) for interval in (12, 20)),
    ],
)
def test_reviews_are_due_every_few_ticks_before_the_last_of_a_loop_of_ten_or_more(
    planned: int | None, interval: int, due: Sequence[int]
) -> None:
    found = [tick for tick in range(30) if checkpoint_due(tick, planned, interval)]
    assert found == list(due)


def test_a_delegates_note_in_any_alphabet_fits_into_a_topic(tmp_path: Path) -> None:
    step = AgentStep("", "", Action("look", {"for": "茶" * 400}), Observation("茶" * 400))

    class Delegate:
        on_step = None

        def run(self, question: str) -> AgentRunResult:
            return AgentRunResult(question, None, "茶" * 4_000, (step,) * 20, "final_answer")

    def make(tools: object) -> Delegate:
        return Delegate()

    store = MemoryStore(tmp_path)
    delegate = make_delegate(make, "ask", Budget(ticks=1), now=lambda: NOW, store=store)  # type: ignore[arg-type]
    assert delegate.func(question="茶?") == "茶" * 4_000
    assert [topic.type for topic in store.topics.list()] == ["episode"]


def test_a_delegate_that_breaks_is_paid_for() -> None:
    def run_on(backend: ScriptedBackend) -> SharedBudget:
        budget = SharedBudget(Budget(ticks=9))
        make_agent = lambda tools: Agent(backend, ToolRegistry([make_calculator()]), plan=False)  # noqa: E731
        delegate = make_delegate(make_agent, "ask", budget, now=lambda: NOW)
        with suppress(ScriptExhaustedError):
            delegate.func(question="What is 1 + 1?")
        return budget

    step = 'Thought: .\nAction: calculator\nAction Input: {"expression": "1 + 1"}'
    broken = run_on(ScriptedBackend([step])).spent.tokens
    whole = run_on(ScriptedBackend([step, "Thought: .\nFinal Answer: 2"])).spent.tokens
    assert 0 < broken < whole
