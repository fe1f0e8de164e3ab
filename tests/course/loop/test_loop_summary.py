"""A loop that has ended, in the agent's memory; and a review by a real model."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from g2c.exercises.e22_5_summarize.solution import summarize
from g2c.loop.app.lifecycle import consolidate_session
from g2c.loop.core.types import Budget, LoopState, SessionSummary, Spent, TickOutcome, TickRecord
from g2c.loop.core.words import clip, tick_texts
from g2c.memory import MemoryStore

NOW = datetime(2026, 4, 21, 9, tzinfo=UTC)
SUMMARY = SessionSummary(
    goal="Boil water\nfor the green tea.",
    outcome="failure",
    status="budget_exceeded",
    ticks=12,
    spent=Spent(12, 34_567, 89.6),
    transcript="Tick 1 (continue)\nAnswer: No kettle.",
    started=NOW,
    ended=NOW + timedelta(hours=1),
)


def test_a_loop_becomes_one_topic_however_often_it_is_kept(tmp_path: Path) -> None:
    store = MemoryStore(tmp_path, now=lambda: NOW)
    topic = consolidate_session(store, SUMMARY)
    assert consolidate_session(store, SUMMARY) == topic == store.topics.list()[0]
    assert len(store.topics.list()) == 1
    assert topic.slug == "loop-2026-04-21-09-00-00-000000"
    assert topic.type == "episode"
    assert topic.description == "failure: Boil water for the green tea."
    assert topic.body == (
        "On 2026-04-21 a loop had this goal: Boil water for the green tea.\n"
        "It ended in failure (budget_exceeded), after 12 ticks, 34,567 tokens and 90 seconds.\n\n"
        "Tick 1 (continue)\nAnswer: No kettle."
    )
    another = replace(SUMMARY, started=NOW + timedelta(microseconds=1))
    assert consolidate_session(store, another) != topic and len(store.topics.list()) == 2


@pytest.mark.parametrize("char", ["x", "é", "茶", "\U0001f375", "\udc80"])
def test_a_loop_of_any_length_fits_into_a_topic(char: str, tmp_path: Path) -> None:
    long = replace(SUMMARY, goal=char * 9_000, transcript=char * 90_000)
    assert consolidate_session(MemoryStore(tmp_path, now=lambda: NOW), long).body


texts = st.text(max_size=300)
records = st.builds(
    TickRecord,
    tick=st.integers(1, 30),
    ts=st.just(NOW),
    outcome=st.sampled_from(get_args(TickOutcome)),
    prompt=texts,
    answer=texts,
    error=texts,
    actions=st.lists(texts, max_size=2).map(tuple),
)


@given(st.lists(records, max_size=40), st.integers(100, 2_000))
def test_a_transcript_keeps_to_its_bound_and_its_ends(ticks: list[TickRecord], bound: int) -> None:
    state = LoopState("Tea.", "done", 30, Budget(), Spent(), NOW, NOW)
    said = summarize(state, ticks, bound).transcript
    assert len(said) <= bound
    if ticks:
        counted = list({tick.tick: tick for tick in ticks}.values())
        for text in (tick_texts(counted)[0], tick_texts(counted)[-1]):
            assert text in said or clip(text, bound // 4) in said


def test_a_log_has_of_each_prompt_what_is_new_though_the_budget_always_is() -> None:
    recalled = "Remembered: Ann likes green best."
    ticks = []
    for number, state in enumerate(("", "Half is done.", "All is done."), 1):
        budget = f"This is tick {number} of 9."
        prompt = f"{recalled}\n{budget}\nGoal: Paint it.\nState: {state}"
        ticks.append(TickRecord(number, NOW, "continue", prompt, "Painted.", budget=budget))
    texts = tick_texts(ticks)
    assert not any(recalled in text or "This is tick" in text for text in texts)
    assert [text.partition("State: ")[2].partition("\n")[0] for text in texts] == [
        "",
        "Half is done.",
        "All is done.",
    ]
