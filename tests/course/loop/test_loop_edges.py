"""What a loop survives in files that a person edited, and in what a model proposes to keep."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from g2c.loop.core.credentials import find_credentials
from g2c.loop.core.journal import read_conversation, read_ticks
from g2c.loop.core.state import StateError, read_state

HEAD = """---
goal: Tidy up.
status: running
tick: 0
budget: {ticks: 9}
spent: {ticks: 0, tokens: 0, seconds: 0.0}
started: 2026-04-21 12:00:00+00:00
updated: 2026-04-21 12:00:00+00:00
---
"""


def state_with(folder: Path, old: str, new: str) -> Path:
    assert old in HEAD
    file = folder / "state.md"
    file.write_text(HEAD.replace(old, new), "utf-8")
    return file


def test_the_head_of_these_tests_is_a_state(tmp_path: Path) -> None:
    assert read_state(state_with(tmp_path, "Tidy up.", "Tidy up.")).goal == "Tidy up."


@pytest.mark.parametrize(
    ("old", "new", "line", "says"),
    [
        ("tick: 0\n", f"tick: {'1:' * 50_000}1\n", 4, "is not a value that it can have"),
        ("tick: 0\n", f"tick: {'9' * 5_000}\n", 4, "is not a value that it can have"),
        ("goal: Tidy up.", "goal: 2026-04-21", 2, "goal must be text; put it in quotes"),
        ("tick: 0\n", "tick: 2026-04-21\n", 4, "tick must be a whole number"),
        ("12:00:00+00:00\n---", "12:00:00\n---", 8, "updated must be a time with its zone"),
        (
            "updated: 2026-04-21 12:00:00+00:00",
            "updated: 0001-01-01 00:00:00+14:00",
            8,
            "updated must be a time with its zone",
        ),
        ("{ticks: 9}", "&all {ticks: 9}\nfeedback: *all", 6, "an alias has no place here"),
        ("{ticks: 9}", "{ticks: 2026-04-21}", 5, "the ticks of budget must be a number"),
    ],
)
def test_a_state_that_a_person_edited_is_a_sentence_with_the_line(
    tmp_path: Path, old: str, new: str, line: int, says: str
) -> None:
    with pytest.raises(StateError, match=f"line {line}: .*{says}"):
        read_state(state_with(tmp_path, old, new))


@pytest.mark.parametrize(
    "field", ["prompt", "answer", "error", "feedback", "note", "tokens", "seconds", "actions"]
)
@pytest.mark.parametrize("value", [7.5, None, {"a": 1}, [["x"]], "x"])
def test_a_tick_with_a_value_of_another_kind_is_skipped(
    tmp_path: Path, field: str, value: Any
) -> None:
    good = {"tick": 1, "ts": "2026-04-21T12:00:00+00:00", "outcome": "continue"}
    fits = isinstance(value, str) and field not in ("tokens", "seconds", "actions")
    fits = fits or (field == "seconds" and value == 7.5)
    log, conversation = tmp_path / "ticks.jsonl", tmp_path / "conversation.json"
    log.write_text("\n".join(json.dumps({**good, **more}) for more in ({}, {field: value})))
    conversation.write_text(json.dumps([good, {**good, field: value}]))
    assert len(read_ticks(log)) == 1 and len(read_conversation(conversation)) == 1 + fits


@pytest.mark.parametrize(
    "text",
    [
        "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.SflKxwRJSMeKKF2QT4",
        "see https://ada:engine1842@example.org/",
        "the token is " + "x" * 60 + "1",
    ],
)
def test_a_net_that_takes_linear_time_still_holds_what_it_held(text: str) -> None:
    assert find_credentials(text)
