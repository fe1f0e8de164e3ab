"""The story of three days, on the real model: what one agent does with what it was told."""

from __future__ import annotations

import re
import signal
from pathlib import Path

import pytest
from checkout import Checkout

from maintain.benchmarks.three_days import Story

pytestmark = pytest.mark.slow


def test_what_a_chat_was_told_a_loop_uses_and_another_chat_knows(tmp_path: Path) -> None:
    course = Checkout(tmp_path / "course")
    story = Story(course.folder, tmp_path / "home", course.environment(G2C_REFERENCE="all"))
    by_command = {step.command: step for step in story.days() if step.command}
    steps = list(by_command.values())
    told, begun, log, supervised, _, asked, unknown = (*steps[:1], *steps[3:5], *steps[6:])

    assert "remember" in told.printed
    assert begun.code == -signal.SIGKILL, "it was killed while it worked"
    assert '"text": "Green"' in log.printed and "I like green best." in log.printed
    assert "Done: colour.txt. Next: write list.txt." in log.printed
    assert "The loop is done after tick 3." in supervised.printed
    assert supervised.code == 0 and supervised.printed.count("works on the loop.") == 2
    assert "It dreamed, and kept: " in supervised.printed, "by itself, after five sessions"
    assert story.work()["colour.txt"] == "Green", "the goal does not say which colour"
    assert story.work()["list.txt"].lower() == "milk", "it was told through the inbox"
    answered = re.search(
        r"^Final answer  (list\.txt now says: milk \(loop-\S+\))$", asked.printed, re.M
    )
    assert answered, "and says where"
    assert f"Answer: {answered[1]}" in asked.printed, "recall found it in that place"
    assert "Not seen      " in unknown.printed, "nobody told the agent of a cat"
    assert "Final answer  I have nothing about that." in unknown.printed
