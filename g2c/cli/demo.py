"""The command that shows the finished agent at work on a few questions: demo."""

from __future__ import annotations

import contextlib
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import typer
from rich.markup import escape

from g2c.cli.console import out, say
from g2c.cli.options import G2C, ModelOption, load
from g2c.cli.steps import show_end, show_model, show_step
from g2c.exercise import REFERENCE_VARIABLE
from g2c.paths import in_environment
from g2c.text import printable

if TYPE_CHECKING:
    from g2c.agent import AgentRunResult
    from g2c.inference import Backend

app = typer.Typer()

MAX_TAGS = 5
"""The most models of Ollama's that are offered."""
LARGE = 3
"""Billions of parameters that an agent to live with needs."""

FILES = {"meeting.txt": "The meeting is on Tuesday at 10 in room 4.\n"}


@dataclass(frozen=True)
class Question:
    """A question of the demo: its text, what it shows, a right answer, and a pattern for right
    answers."""

    text: str
    shows: str
    right: str
    pattern: str


QUESTIONS = (
    Question("What is 23 * 17?", "arithmetic, which the calculator does", "391", r"\b391\b"),
    Question("When is the meeting in meeting.txt?", "a file to read", "Tuesday at 10", "Tuesday"),
    Question(
        "When is the meeting in diary.txt?",
        "a file that is not there",
        "that there is no diary.txt, or of which other file it speaks",
        r"(?i)no (file|diary)|not (there|found)|does not exist|meeting\.txt",
    ),
)


@app.command()
def demo(model: ModelOption = None) -> None:
    """Watch the finished agent answer a few questions with tools.

    It runs the course's reference functions, not yours, on the model that `g2c model` chose.

    Example: g2c demo --model embedded
    """
    os.environ[REFERENCE_VARIABLE] = "all"  # before the exercises are imported
    backend = load(model, exact=True)
    show_model(backend)
    with out.status("thinking"), demo_files() as folder:
        right = sum(_ask(backend, folder))
    out.print(f"\n[bold]{right} of {len(QUESTIONS)} answered rightly.[/]", end=" ")
    out.print("Every line above came from the model or from a tool, just now.")
    if right < len(QUESTIONS):
        say(
            "The program sees to it that tools run and that a run ends. It cannot know "
            "whether the answer is right; module 19 begins with that."
        )
    if backend.info.name == "embedded":
        if out.is_terminal:
            _read_once()
        offer_larger()
    out.print("\n[bold]Next[/]")
    if sys.prefix != os.environ.get("VIRTUAL_ENV"):
        out.print(f"  {in_environment(Path('.venv'))}")
    out.print("  g2c next    says what to read, what to write, and how to test it")


FIRST = (
    ("chat", "What is 2 + 3?", "--no-dream"),
    ("loop", "start", "Write a.txt. It is to say: b.", "--ticks", "2", "--no-dream"),
    ("memory", "dream", "--force"),
)
"""Commands that make one prompt of each kind: a chat's, a tick's, a later tick's, and a dream's."""


def _read_once() -> None:
    """Have the model read the common beginnings of prompts. They are cached for later processes, so
    that a person's first chat is answered in seconds."""
    words = "reading once how chats, loops and dreams begin, so that yours answer sooner"
    with (
        out.status(f"{words} (Ctrl-C leaves that out)"),
        tempfile.TemporaryDirectory(prefix="g2c-first-") as home,
        contextlib.suppress(KeyboardInterrupt),
    ):
        for command in FIRST:
            subprocess.run(
                [*G2C, *command, "--model", "embedded", "--home", home],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
            )


def offer_larger() -> None:
    """Say what the model in the box is for, and which of Ollama's models could replace it."""
    from g2c.inference import BackendError
    from g2c.inference.model_choice import DEFAULT_TAG
    from g2c.inference.served._ollama_address import host_url, is_listening

    say(
        f"This small model is for the exercises. An agent for daily use needs one of {LARGE}B "
        "parameters or more."
    )
    if not is_listening(host_url()):
        out.print(f"  With Ollama installed: g2c model {DEFAULT_TAG}")
        return
    from g2c.inference.served._ollama_models import list_tags

    try:
        tags = list_tags(LARGE * 1e9)
    except BackendError as error:
        say(escape(str(error)))
    else:
        for tag in tags[:MAX_TAGS]:
            out.print(f"  Ollama here has it: g2c demo --model {escape(printable(tag))}")
        if not tags:
            out.print(f"  Ollama answers here; this pulls one: g2c model {DEFAULT_TAG}")


@contextlib.contextmanager
def demo_files() -> Iterator[Path]:
    """A temporary folder with the demo's files."""
    with tempfile.TemporaryDirectory(prefix="g2c-demo-") as name:
        for file, text in FILES.items():
            Path(name, file).write_text(text, encoding="utf-8")
        yield Path(name)


def _ask(backend: Backend, folder: Path) -> Iterator[bool]:
    """Ask the questions one after the other, show each run, and tell whether its answer is right.

    `G2C_REFERENCE` decides whose functions run, and must be set before `g2c.agent` is imported.
    """
    from g2c.agent import Agent
    from g2c.tools import ToolRegistry, make_calculator, make_list_files, make_read_file

    tools = ToolRegistry([make_list_files(folder), make_calculator(), make_read_file(folder)])
    agent = Agent(
        backend,
        tools,
        plan=False,
        max_new_tokens=backend.info.step_tokens(small=120),
        temperature=0.0,
        on_step=show_step,
    )
    for question in QUESTIONS:
        out.rule(style="dim")
        out.print(f"[bold]Question[/]      {escape(question.text)}  [dim]({question.shows})[/]")
        result = agent.run(question.text)
        show_end(result)
        is_right = _is_right(question, result)
        say(
            f"[{'green' if is_right else 'red'}]{'Right' if is_right else 'Not right'}[/]: "
            f"a right answer says {escape(question.right)}."
        )
        yield is_right


def _is_right(question: Question, result: AgentRunResult) -> bool:
    """Whether the answer is right, and a tool returned something."""
    worked = any(step.observation and not step.observation.is_error for step in result.steps)
    return worked and bool(re.search(question.pattern, result.final_answer or ""))
