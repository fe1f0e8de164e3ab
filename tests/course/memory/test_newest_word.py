"""A statement that changes an earlier one comes before it, in recall and in an answer."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from g2c.memory import MemoryStore, make_recall_tool

MONDAY = datetime(2026, 11, 23, 12, tzinfo=UTC)


def found(tmp_path: Path, query: str, *said: str) -> list[str]:
    """The lines of the tool `recall`, after one text a day was said."""
    day = [MONDAY]
    store = MemoryStore(tmp_path, now=lambda: day[0])
    for text in said:
        store.log_turn("user", text)
        day[0] += timedelta(days=1)
    tool = make_recall_tool(lambda query: store.recall(query, transcripts=True))
    return tool.func(query=query).split("\n")


@pytest.mark.parametrize(
    ("older", "newer", "query"),
    [
        (
            "My dentist appointment is on 14 March at 9:30.",
            "Actually, the appointment was moved to 21 March at 8:15.",
            "When is my dentist appointment?",
        ),
        ("I work at the library.", "I work at the harbour now.", "Where do I work?"),
        ("My car is a blue Skoda.", "My car is a red Volvo instead.", "What car do I have?"),
        ("I drink coffee.", "I don't drink coffee any more.", "Do I drink coffee?"),
        (
            "I have three cats: Pepper, Basil and Sage.",
            "Basil died last night, so I have only two cats now.",
            "How many cats do I have?",
        ),
        ("My name is Ann and I live in Galway.", "I moved to Oranmore.", "Where do I live?"),
        (
            "My choir meets on Tuesdays at 18:00 in the hall.",
            "Choir now meets on Fridays instead of Tuesdays.",
            "On which day does my choir meet?",
        ),
        (
            "The vet sees Rex on 3 May at 9:15.",
            "The vet has postponed Rex's check to 8 May at 10:30.",
            "When does the vet see Rex?",
        ),
        ("The meeting is on Monday.", "We moved the meeting to Friday.", "When is the meeting?"),
        ("I lost my umbrella.", "The umbrella turned up at work.", "Where is my umbrella?"),
        ("My passport is missing.", "The passport was found at home.", "Where is my passport?"),
        ("I can't find my glasses.", "I found my glasses at work.", "Where are my glasses?"),
        ("My aunt is a baker.", "My aunt is now a pilot.", "What does my aunt do?"),
    ],
)
def test_newer_word_comes_first_and_older_is_marked_with_days(
    tmp_path: Path, older: str, newer: str, query: str
) -> None:
    first, second, *_ = found(tmp_path, query, older, "I like rain.", newer)
    assert first == f"{newer} (2026-11-25.jsonl:1)"
    assert second == (f"[older: 2026-11-23 changed 2026-11-25] {older} (2026-11-23.jsonl:1)")


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("My car is a blue Skoda.", "My car is a red Volvo."),
        ("My sister lives in Bergen.", "I live in Oslo now."),
        ("I work at the library.", "My sister works at the harbour now."),
        ("My appointment is on 14 March.", "My appointment is with Dr Berg instead."),
        ("I need rosin and two strings.", "Basil died, so I have only two cats now."),
        ("I live in Galway.", "We moved the meeting to Friday."),
        ("My aunt takes pills at night.", "My aunt had a fall, and her knee is fine now."),
        ("My aunt lives in Bergen.", "My aunt has a dog now."),
        ("My niece Eva starts school in September.", "They postponed Eva's lesson to 8 May."),
        ("I lost my umbrella.", "The library card turned up at work."),
    ],
)
def test_two_values_without_a_word_that_changes_their_subject_stay(
    tmp_path: Path, one: str, other: str
) -> None:
    assert not any("older" in line for line in found(tmp_path, one, one, other))


def test_a_change_of_one_clause_leaves_the_others(tmp_path: Path) -> None:
    said = "My name is Ann and I live in Galway."
    first, *_ = found(tmp_path, "What is my name?", said, "I moved to Oranmore.")
    assert first == f"{said} (2026-11-23.jsonl:1)"


def test_an_answer_that_quotes_the_person_does_not_hide_what_they_said(tmp_path: Path) -> None:
    said = "My car is a blue Skoda."
    store = MemoryStore(tmp_path, now=lambda: MONDAY)
    store.log_turn("user", said)
    store.log_turn("assistant", f'You said on 23 November 2026: "{said}"')
    hits = store.recall("What car do I have?", transcripts=True)
    assert hits[0].excerpt == said


def test_a_change_is_found_behind_many_answers_that_repeat_what_was_so(tmp_path: Path) -> None:
    store = MemoryStore(tmp_path, now=lambda: MONDAY)
    store.write_topic("Home", "where", "- 2026-11-20: The user lives in Galway.")
    for text in ("I live in Galway.", "I moved to Oranmore."):
        store.log_turn("user", text)
    for number in range(30):
        store.log_turn("assistant", f"In chat {number} I moved to: you live in Galway.")
    hits = store.recall("Where do I live?", transcripts=True)
    assert [bool(hit.outdated) for hit in hits] == [False, True, True]
    assert hits[0].excerpt == "I moved to Oranmore."


def test_a_change_of_the_same_day_is_known_by_its_line(tmp_path: Path) -> None:
    store = MemoryStore(tmp_path, now=lambda: MONDAY)
    for text in ("I work at the harbour now.", "I work at home instead.", "I work at night now."):
        store.log_turn("user", text)
    first, *rest = store.recall("Where do I work?", transcripts=True)
    assert first.excerpt == "I work at night now." and not first.outdated
    assert all(hit.outdated for hit in rest)
