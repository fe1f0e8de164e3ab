"""A week of chats with the model in the package: what was told is found, and no more is kept."""

from pathlib import Path

import pytest
from command import g2c

from g2c.exercises.e20_8_is_grounded.solution import is_grounded
from g2c.memory import MemoryStore
from g2c.memory.core.types import Turn

WEEK = {
    "My sister moved from Bergen to Oslo.": ("Where does my sister live?", "Oslo"),
    "I am allergic to peanuts, but not to walnuts.": ("What am I allergic to?", "peanuts"),
    "Mia starts school on Monday.": ("When does Mia start school?", "Monday"),
    "The number of the cellar ends in 44.": ("Which number has the cellar?", "44"),
    "I don't drink coffee any more.": ("Do I drink coffee?", "any more"),
    "My kitten is called Tom.": ("What is my kitten called?", "Tom"),
}


@pytest.mark.slow
def test_a_week_of_chats_keeps_what_was_told_and_nothing_that_was_not(tmp_path: Path) -> None:
    home = tmp_path / "home"
    for said in WEEK:
        # The dream of a chat goes on in the background, and holds the lock of the one below.
        chat = ("chat", said, "--home", str(home), "--no-dream")
        told = g2c(*chat, root=tmp_path, reference="all")
        assert "Traceback" not in told.stderr, told.stderr
    dreamt = g2c("memory", "dream", "--force", "--home", str(home), root=tmp_path, reference="all")
    assert "Traceback" not in dreamt.stderr, dreamt.stderr
    store = MemoryStore(home / "memory")
    turns = store.transcripts.tail(500)
    told = [turn for turn in turns if turn.role == "user"]
    assert [turn.content for turn in told] == list(WEEK)
    for topic in store.topics.list():
        for line in filter(None, topic.body.split("\n")):
            claim = line.lstrip("- ")
            is_quoted = any(turn.content in line for turn in told)
            assert is_quoted or is_grounded(claim, told), f"nobody said this: {line}"
    for question, answer in WEEK.values():
        found = store.recall(question, 3)
        assert any(answer in hit.excerpt for hit in found), (question, found)


def test_the_questions_of_the_week_are_not_answered_by_what_was_not_said() -> None:
    lies = [
        "The user's sister lives in Bergen.",
        "The user is allergic to walnuts.",
        "Mia is called Mia.",
        "The number of the cellar is 44.",
        "The user drinks coffee.",
        "The user's kitten bites in the middle.",
    ]
    time = MemoryStore("unused").now()
    told = [Turn(time, "a", "user", said) for said in WEEK]
    assert [line for line in lies if is_grounded(line, told)] == []
