"""What module 22 provides around the exercises."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest
from cases import each

from g2c.agent import Agent
from g2c.inference import BackendError, ScriptedBackend
from g2c.loop.assembled.evolution import (
    MAX_CHARS,
    evolve,
    history,
    parse_edits,
    render_evolution_prompt,
)
from g2c.loop.provided.credentials import find_credentials
from g2c.loop.provided.delegate import make_delegate
from g2c.loop.provided.identity import (
    CONSTITUTION,
    WRITABLE,
    ensure_config,
    read_config,
    read_texts,
)
from g2c.loop.provided.state import StateError, read_state, write_state
from g2c.loop.provided.types import (
    Budget,
    LoopError,
    LoopState,
    SessionSummary,
    Spent,
    TickRecord,
)
from g2c.tools import ToolRegistry

NOW = datetime(2026, 4, 21, 9, tzinfo=UTC)


def state(body: str = "") -> LoopState:
    return LoopState("Make tea.", "running", 3, Budget(), Spent(3, 900, 12.5), NOW, NOW, body=body)


def log(count: int, answer: str = "more") -> list[TickRecord]:
    return [TickRecord(number, NOW, "continue", answer=answer) for number in range(1, count + 1)]


class TestTickState:
    def test_a_state_is_read_as_it_was_written(self, tmp_path: Path) -> None:
        written = replace(state(body="# Done\n---\n"), directive="Skip b.\n---\ngoal: x")
        write_state(tmp_path / "state.md", written)
        assert read_state(tmp_path / "state.md") == written

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
        texts = {"identity.md": "I keep the books.\n", "persona.md": "I am brief.\n"}
        prompt = render_evolution_prompt(texts, ended("early " * 2000 + "the end"))
        assert "I keep the books.\n\npersona.md:" in prompt and prompt.endswith("\n\nEdits:\n")
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
