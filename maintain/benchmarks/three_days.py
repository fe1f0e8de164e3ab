"""One agent over three days: two chats, a loop that is killed twice, and a chat about it.

Every command is run as a person would type it, on the model in the package, in a new home.

    python maintain/benchmarks/three_days.py > docs/three-days.md
"""

from __future__ import annotations

import os
import re
import shlex
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from textwrap import fill

COMMAND = [sys.executable, "-c", "from g2c.cli.main import main; main()"]
GOAL = "Write to colour.txt what colour Ann likes. Then write list.txt."
PAGE_CHARS = 110
"""The most characters in a line of a page's prose."""

_NOT_SHOWN = re.compile(
    r"Model:|SmolLM2|.*model-card|Memory:|recorded as|\d+ steps,|tick \d+ of|after tick"
)
"""Lines about the model and the memory, and those that are shown during a wait."""


@dataclass(frozen=True)
class Step:
    """A heading or a sentence of the story, and a command with its output."""

    text: str
    command: str = ""
    printed: str = ""
    code: int = 0


class Story:
    """Runs commands in the course `folder`, with this environment and the home `home`."""

    def __init__(self, folder: Path, home: Path, environment: Mapping[str, str]) -> None:
        self.folder, self.home = folder, home
        self.environment = {**environment, "COLUMNS": "100"}

    def days(self) -> Iterator[Step]:
        """The steps, each as soon as it is over."""
        yield Step("## Monday: what the agent is told")
        for fact in ("My name is Ann.", "I like green best.", "My dog is called Rex."):
            yield self.run("chat", fact)
        yield Step("## Tuesday: a loop, killed twice, and told something")
        yield Step(
            "The loop is not told what colour Ann likes. After its first tick its process is "
            "killed with `kill -9`."
        )
        yield self.killed_after("tick 1:", "loop", "start", GOAL, "--name", "post", "--ticks", "9")
        yield self.run("loop", "log", "--name", "post")
        yield self.run("loop", "tell", "Write list.txt. It is to say: milk", "--name", "post")
        yield Step(
            "A supervisor runs it from here on. The loop's process is killed with `kill -9` once "
            "more, and the supervisor begins it again. At its end the agent dreams."
        )
        yield self.supervised()
        yield self.run("loop", "log", "--name", "post", "-n", "2")
        yield Step("## Wednesday: a chat that knows of it")
        yield self.run("chat", "What became of list.txt?")
        yield Step(
            "Nobody has told the agent of a cat. What the model says stands in nothing that it has "
            "seen, so `may_be_said` (20.10) lets none of it through."
        )
        yield self.run("chat", "What is my cat called?")

    def work(self) -> dict[str, str]:
        """The files that the loop wrote, with their texts."""
        files = (self.home / "loops/post/work").iterdir()
        return {file.name: file.read_text("utf-8") for file in sorted(files)}

    def run(self, *arguments: str) -> Step:
        """Run a command to its end."""
        done = subprocess.run(
            self._line(arguments),
            cwd=self.folder,
            env=self.environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        return self._step(arguments, done.stdout, done.returncode)

    def killed_after(self, mark: str, *arguments: str) -> Step:
        """Run a command, and kill its process as soon as it prints a line with `mark`."""
        with self._begin(arguments) as process:
            printed = "".join(_until(mark, process))
            process.kill()
            process.communicate()
        return self._step(arguments, printed, -signal.SIGKILL)

    def supervised(self) -> Step:
        """Run `g2c loop supervise`, and kill its loop once."""
        arguments = ("loop", "supervise", "post")
        with self._begin(arguments) as process:
            begun = list(_until("works on the loop.", process))
            os.kill(int(begun[-1].split()[1]), signal.SIGKILL)
            rest, _ = process.communicate()
        return self._step(arguments, "".join(begun) + rest, process.returncode)

    def _begin(self, arguments: tuple[str, ...]) -> subprocess.Popen[str]:
        return subprocess.Popen(
            self._line(arguments),
            cwd=self.folder,
            env=self.environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )

    def _step(self, arguments: tuple[str, ...], printed: str, code: int) -> Step:
        lines = [line.rstrip() for line in printed.replace(str(self.home), "HOME").splitlines()]
        shown = "\n".join(line for line in lines if not _NOT_SHOWN.match(line)).strip()
        return Step("", "g2c " + " ".join(map(shlex.quote, arguments)), shown, code)

    def _line(self, arguments: tuple[str, ...]) -> list[str]:
        asks_model = arguments[0] == "chat" or arguments[:2] == ("loop", "start")
        model = ["--model", "embedded"] if asks_model else []
        return [*COMMAND, *arguments, "--home", str(self.home), *model]


def _until(mark: str, process: subprocess.Popen[str]) -> Iterator[str]:
    assert process.stdout is not None
    for line in process.stdout:
        yield line
        if mark in line:
            return
    raise RuntimeError(f"The command ended before it said {mark!r}.")


def render(step: Step) -> str:
    """A step as Markdown."""
    if not step.command:
        return fill(step.text, PAGE_CHARS, break_on_hyphens=False)
    return f"```text\n$ {step.command}\n{step.printed}\n```"


def main() -> None:
    """Print the page."""
    with tempfile.TemporaryDirectory() as folder:
        story = Story(Path.cwd(), Path(folder) / "home", os.environ | {"G2C_REFERENCE": "all"})
        print("# Three days with one agent\n")
        command = "python maintain/benchmarks/three_days.py"
        print(f"What `{command}` printed, on the model in the package.\n")
        for step in story.days():
            print(render(step), end="\n\n", flush=True)
        for name, text in story.work().items():
            print(f"`{name}` says: {text}\n")


if __name__ == "__main__":
    main()
