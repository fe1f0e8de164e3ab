"""The story of three days, on the real model: what one agent does with what it was told.

`docs/three-days.md` shows what the same commands printed.
"""

import os
import re
import signal
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from checkout import COMMAND, Checkout

pytestmark = pytest.mark.slow

GOAL = "Write to colour.txt what colour Ann likes. Then write list.txt."


@dataclass(frozen=True)
class Printed:
    """The output of a command, and its exit code."""

    text: str
    code: int


class Story:
    """Runs commands in a course's folder, as a person would type them, on the model in the box."""

    def __init__(self, tmp_path: Path) -> None:
        self.course, self.home = Checkout(tmp_path / "course"), tmp_path / "home"

    def run(self, *arguments: str) -> Printed:
        """Run a command to its end."""
        with self._begin(arguments) as process:
            text, _ = process.communicate()
        return Printed(text, process.returncode)

    def killed_after(self, mark: str, *arguments: str) -> Printed:
        """Run a command, and kill its process as soon as it prints a line with `mark`."""
        with self._begin(arguments) as process:
            printed = "".join(_until(mark, process))
            process.kill()
            process.communicate()
        return Printed(printed, process.returncode)

    def supervised(self) -> Printed:
        """Run `g2c loop supervise`, and kill its loop once."""
        with self._begin(("loop", "supervise", "post")) as process:
            begun = list(_until("works on the loop.", process))
            os.kill(int(begun[-1].split()[1]), signal.SIGKILL)
            rest, _ = process.communicate()
        return Printed("".join(begun) + rest, process.returncode)

    def work(self, name: str) -> str:
        """A file that the loop wrote."""
        return (self.home / "loops/post/work" / name).read_text("utf-8")

    def _begin(self, arguments: tuple[str, ...]) -> subprocess.Popen[str]:
        asks_model = arguments[0] == "chat" or arguments[:2] == ("loop", "start")
        model = ["--model", "embedded"] if asks_model else []
        return subprocess.Popen(
            [*COMMAND, *arguments, "--home", str(self.home), *model],
            cwd=self.course.folder,
            env={**self.course.environment(G2C_REFERENCE="all"), "COLUMNS": "100"},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )


def _until(mark: str, process: subprocess.Popen[str]) -> Iterator[str]:
    assert process.stdout is not None
    for line in process.stdout:
        yield line
        if mark in line:
            return
    raise RuntimeError(f"The command ended before it said {mark!r}.")


def test_a_loop_and_another_chat_know_the_facts_of_a_chat(tmp_path: Path) -> None:
    story = Story(tmp_path)
    facts = ("My name is Ann.", "I like green best.", "My dog is called Rex.")
    told, *_ = [story.run("chat", fact) for fact in facts]
    begun = story.killed_after("tick 1:", "loop", "start", GOAL, "--name", "post", "--ticks", "9")
    log = story.run("loop", "log", "--name", "post")
    story.run("loop", "tell", "Write list.txt. It is to say: milk", "--name", "post")
    supervised = story.supervised()
    asked = story.run("chat", "What became of list.txt?")
    unknown = story.run("chat", "What is my cat called?")

    assert "remember" in told.text
    assert begun.code == -signal.SIGKILL, "it was killed while it worked"
    assert '"text": "Green"' in log.text and "I like green best." in log.text
    assert "Done: colour.txt. Next: write list.txt." in log.text
    assert "The loop is done after tick 3." in supervised.text
    assert supervised.code == 0 and supervised.text.count("works on the loop.") == 2
    assert "It dreamed, and kept: " in supervised.text, "by itself, after five sessions"
    assert story.work("colour.txt") == "Green", "the goal does not say which colour"
    assert story.work("list.txt").lower() == "milk", "it was told through the inbox"
    answered = re.search(
        r"^Final answer  (list\.txt now says: milk \(loop-\S+\))$", asked.text, re.M
    )
    assert answered, "and says where"
    assert f"Answer: {answered[1]}" in asked.text, "recall found it in that place"
    assert "Not seen      " in unknown.text, "nobody told the agent of a cat"
    assert "Final answer  I find nothing about that." in unknown.text
