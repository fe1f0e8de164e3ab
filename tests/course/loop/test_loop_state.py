"""The state file: what is written can be read, what is broken is named, and nothing is torn."""

import json
import os
from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from g2c.loop.core.journal import read_conversation, read_ticks
from g2c.loop.core.state import StateError, read_state, render_state, write_state
from g2c.loop.core.types import Budget, LoopError, LoopState, LoopStatus, Spent

NOON = datetime(2026, 4, 21, 12, tzinfo=UTC)
STATE = LoopState("Tidy up.", "running", 3, Budget(ticks=9), Spent(3, 512, 7.5), NOON, NOON, "Done")

odd = st.sampled_from(
    ["---", "\n---\n", "- a: b", "# x", "null", "'", '"', "  y", "|", "\r", "\x85", "\u2028"]
)
any_text = st.text(st.characters(exclude_categories=()))  # with lone surrogates
texts = any_text | st.lists(odd | any_text, max_size=6).map("\n".join)

zones = st.integers(-14 * 60, 14 * 60).map(lambda minutes: timezone(timedelta(minutes=minutes)))
times = st.datetimes(datetime(1000, 1, 2), datetime(9999, 12, 30), timezones=zones)
amounts = st.floats(min_value=0, allow_nan=False)
bounds = st.none() | st.integers(min_value=1)
budgets = st.builds(
    Budget, ticks=bounds, tokens=bounds, seconds=st.none() | amounts.filter(lambda a: a > 0)
)
counts = st.integers(min_value=0)
states = st.builds(
    LoopState,
    goal=texts,
    status=st.sampled_from(get_args(LoopStatus)),
    tick=counts,
    budget=budgets,
    spent=st.builds(Spent, ticks=counts, tokens=counts, seconds=amounts),
    started=times,
    updated=times,
    body=texts,
    directive=texts,
    feedback=texts,
    note_seen=texts,
)


@given(states)
def test_written_files_are_read(state: LoopState) -> None:
    with TemporaryDirectory() as folder:
        file = Path(folder) / "state.md"
        write_state(file, state)
        assert read_state(file) == state


def test_a_text_of_many_lines_is_written_as_many_lines(tmp_path: Path) -> None:
    directive = "Read a.txt.\nThen write:\n\n---\n  indented: yes"
    text = render_state(replace(STATE, directive=directive))
    assert "directive: |" in text and "\n  Then write:\n" in text, (
        f"a person reads and edits this file: {text}"
    )


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("---\ngoal", "\ufeff--- \ngoal"),
        ("Done\n", "Done"),
        ("note_seen: ''\n", "# note_seen is left out\n"),
        ("  tokens: null\n", ""),
        ("spent:\n  ticks: 3\n  tokens: 512\n  seconds: 7.5", "spent: {ticks: 3, tokens: 512, "
         "seconds: 7.5}"),
        ("2026-04-21 12:00:00+00:00", "2026-04-21T14:00:00+02:00"),
        ("goal: Tidy up.", "goal: >\n  Tidy\n  up."),
        ("goal: Tidy up.\n", "goal: Tidy up.\r\n"),
    ],
)  # fmt: skip
def test_an_editor_and_its_person_may_change_the_form(old: str, new: str, tmp_path: Path) -> None:
    file = tmp_path / "state.md"
    text = render_state(STATE)
    assert old in text
    file.write_text(text.replace(old, new), encoding="utf-8", newline="")
    state = read_state(file)
    assert replace(state, goal=state.goal.strip()) == STATE


@pytest.mark.parametrize(
    ("old", "new", "line", "says"),
    [
        ("---\ngoal", "goal", 1, "the head between two lines of --- is missing"),
        ("---\n\nDone", "\nDone", 1, "the head between two lines of --- never ends"),
        ("goal: Tidy up.", 'goal: "Tidy up.', 18, "it is not YAML"),
        ("status: running", "status: [running", 4, "it is not YAML"),
        ("status: running", "status running", 4, "it is not YAML"),
        ("tick: 3", "\ttick: 3", 4, "it is not YAML"),
        ("tick: 3", "tick: \x07", 4, "it holds a control character"),
        ("tick: 3", "tick: 3\ntick: 4", 5, "tick stands there a second time"),
        ("tick: 3", "tick: -3", 4, "tick must be a whole number of 0 or more"),
        ("tick: 3", "tick: true", 4, "tick must be a whole number of 0 or more"),
        ("tick: 3", "tick: !!python/name:os.system", 4, "is not a value that it can have"),
        ("tick: 3", f"tick: {'9' * 5000}", 4, "is not a value that it can have"),
        ("tick: 3", f"tick: {'[' * 1500}", 2, "nested too deep"),
        ("status: running", "status: paused", 3, "running, done, stopped, budget_exceeded, failed"),
        ("status: running", "statsu: running", 3, "there is no field 'statsu'"),
        ("status: running\n", "", 1, "the head has no status"),
        ("status: running", "status: {}", 3, "the status must be one of"),
        ("status: running", "? [a]\n: b", 3, "there is no field"),
        ("goal: Tidy up.", "goal: 42", 2, "goal must be text; put it in quotes"),
        ("ticks: 9", "ticks: 0", 5, "A budget of ticks must be above 0, or none; got 0"),
        ("ticks: 9", "ticks: many", 5, "the ticks of budget must be a number of 0 or more"),
        ("ticks: 9", "hours: 9", 5, "budget must have the fields ticks, tokens and seconds"),
        ("tokens: 512", "tokens: null", 9, "the tokens of spent must be a number of 0 or more"),
        ("seconds: 7.5", "seconds: .nan", 9, "the seconds of spent must be a number of 0 or more"),
        ("started: 2026-04-21 12:00:00+00:00", "started: 2026-04-21 12:00:00", 13, "with its zone"),
        ("started: 2026-04-21 12:00:00+00:00", "started: 2026-13-21", 13, "is not a value"),
        ("started: 2026-04-21 12:00:00+00:00", "started: yesterday", 13, "must be a time"),
        ("tick: 3", f"tick: {'1:' * 50_000}1", 4, "is not a value that it can have"),
        ("tick: 3", "tick: 2026-04-21", 4, "tick must be a whole number"),
        ("tick: 3", "tick: &all 3\nfeedback: *all", 5, "an alias has no place here"),
        ("goal: Tidy up.", "goal: 2026-04-21", 2, "goal must be text; put it in quotes"),
        ("ticks: 9", "ticks: 2026-04-21", 5, "the ticks of budget must be a number"),
        ("updated: 2026-04-21 12:00:00+00:00", "updated: 2026-04-21 12:00:00", 14, "with its zone"),
        (
            "updated: 2026-04-21 12:00:00+00:00",
            "updated: 0001-01-01 00:00:00+14:00",
            14,
            "updated must be a time with its zone",
        ),
    ],
)
def test_a_head_that_cannot_be_read_is_named_by_its_line(
    old: str, new: str, line: int, says: str, tmp_path: Path
) -> None:
    file = tmp_path / "state.md"
    text = render_state(STATE)
    assert old in text
    file.write_text(text.replace(old, new, 1), encoding="utf-8")
    with pytest.raises(StateError) as refusal:
        read_state(file)
    said = str(refusal.value)
    assert f"{file}, line {line}: " in said and says in said
    assert said.endswith("Mend that line to go on; a copy of the file is in "
                         "state.md.unreadable-1.")  # fmt: skip


def test_bytes_that_are_not_text_are_named_by_their_line(tmp_path: Path) -> None:
    file = tmp_path / "state.md"
    file.write_bytes(render_state(STATE).encode() + b"more\n\xff\n")
    with pytest.raises(StateError, match="line 22: it holds bytes that are not UTF-8"):
        read_state(file)


@given(st.binary() | st.text().map(lambda text: f"---\n{text}\n---\n".encode("utf-8", "replace")))
def test_whatever_the_file_holds_it_is_read_or_refused_in_a_sentence(data: bytes) -> None:
    with TemporaryDirectory() as folder:
        file = Path(folder) / "state.md"
        file.write_bytes(data)
        with pytest.raises(StateError, match=r"line [0-9]+: "):
            read_state(file)
        assert file.read_bytes() == data, "the file itself is left in place"


def test_each_text_that_cannot_be_read_has_one_copy(tmp_path: Path) -> None:
    file = tmp_path / "state.md"
    for text in ["one", "one", "two", "one"]:
        file.write_text(text)
        with pytest.raises(StateError):
            read_state(file)
    copies = {copy.name: copy.read_text() for copy in tmp_path.glob("*.unreadable-*")}
    assert copies == {"state.md.unreadable-1": "one", "state.md.unreadable-2": "two"}


def test_the_line_is_named_even_if_no_copy_can_be_made(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "state.md"
    file.write_text("torn")

    def refuse(path: Path, data: bytes) -> int:
        raise PermissionError

    monkeypatch.setattr(Path, "write_bytes", refuse)
    with pytest.raises(StateError, match=r"line 1: .* Mend that line to go on\.$"):
        read_state(file)


def test_a_file_that_is_not_there_is_no_state_that_is_broken(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        read_state(tmp_path / "state.md")


def test_a_time_without_a_zone_is_not_written(tmp_path: Path) -> None:
    with pytest.raises(LoopError, match="'updated' of a state needs a time zone"):
        write_state(tmp_path / "state.md", replace(STATE, updated=NOON.replace(tzinfo=None)))
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("step", ["fsync", "replace"])
def test_a_crash_while_writing_leaves_the_old_state(
    step: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "state.md"
    write_state(file, STATE)

    def crash(*args: object, **options: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(os, step, crash)
    with pytest.raises(KeyboardInterrupt):
        write_state(file, replace(STATE, tick=4))
    assert read_state(file) == STATE
    assert [path.name for path in tmp_path.iterdir()] == ["state.md"]


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
