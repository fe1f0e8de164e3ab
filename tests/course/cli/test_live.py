"""The view of a loop while it works, in real processes and on a real terminal."""

import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest
from checkout import COMMAND, Checkout
from loops import acting

from g2c.cli.loop_watch import _Watcher
from g2c.inference import ScriptedBackend
from g2c.loop.app.runner import LoopRunner
from g2c.loop.core.folder import LoopFiles
from g2c.loop.core.progress import Progress, read_progress, write_progress
from g2c.loop.core.state import write_state
from g2c.loop.core.types import Budget, LoopConfig, LoopState, Spent
from g2c.processes import own_mark

pty = pytest.importorskip("pty")

NOON = datetime(2026, 4, 21, 12, tzinfo=UTC)
PROGRESS = Progress(7, "SmolLM2", 3, 2, 12_345, 50.5, NOON, "agent", NOON, "write_file")

LOOP = '''
"""A loop of one tick. Its agent calls a tool twice, which waits for a line of the input."""
import sys
from pathlib import Path
from g2c.agent import Agent
from g2c.cli.live import shown
from g2c.inference import ScriptedBackend
from g2c.loop import Budget, LoopConfig, LoopFiles, LoopRunner
from g2c.tools import Tool, ToolRegistry

def wait() -> str:
    print("asked", file=sys.__stderr__, flush=True)
    return sys.stdin.readline().strip()

call = "I wait.\\nAction: wait\\nAction Input: {}"
other = "I wait again.\\nAction: wait_on\\nAction Input: {}"
backend = ScriptedBackend([call, other, "Final Answer: I have waited."])
tools = [Tool(name, "Wait.", {"type": "object"}, wait) for name in ("wait", "wait_on")]
agent = lambda loops_own: Agent(backend, ToolRegistry(tools), plan=False)
files, budget = LoopFiles(Path(sys.argv[1])), Budget(ticks=1)
with shown(files, backend, backend, budget, None) as reporter:
    LoopRunner(
        agent, None, LoopConfig(evolve=False), files.root,
        on_step=reporter.on_step, on_tick=reporter.on_tick, on_wait=reporter.on_wait,
    ).run("Wait.", budget)
'''


@pytest.fixture(scope="module")
def course(tmp_path_factory: pytest.TempPathFactory) -> Checkout:
    return Checkout(tmp_path_factory.mktemp("course"))


class Terminal:
    """A process whose output is a terminal."""

    def __init__(self, course: Checkout, *command: str, **streams: int) -> None:
        self._master, slave = pty.openpty()
        self.process = subprocess.Popen(
            command,
            cwd=course.folder,
            env=course.environment(G2C_REFERENCE="all", TERM="xterm"),
            stdout=slave,
            **streams,
        )
        os.close(slave)
        self._written = ""

    @property
    def seen(self) -> str:
        """The written text, without colours and without moves of the cursor."""
        return re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", self._written)

    def read_until(self, *texts: str) -> None:
        """Read until all `texts` were seen; a process that ends before is a failure."""
        while not all(text in self.seen for text in texts):
            self._written += os.read(self._master, 10_000).decode("utf-8", "replace")

    def end(self) -> int:
        """Read to the end, and return the exit code."""
        try:
            while data := os.read(self._master, 10_000):
                self._written += data.decode("utf-8", "replace")
        except OSError:  # how a terminal on Linux says that nobody writes any more
            pass
        os.close(self._master)
        return self.process.wait()


@pytest.fixture
def loop(course: Checkout, tmp_path: Path) -> Iterator[Terminal]:
    """A loop in `tmp_path` that waits in its first step."""
    loop = Terminal(
        course,
        *(sys.executable, "-c", LOOP, str(tmp_path)),
        stdin=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    asked(loop)
    yield loop
    loop.process.kill()
    loop.process.wait()


def asked(loop: Terminal) -> None:
    """Wait until the agent's tool was called."""
    assert loop.process.stderr is not None
    assert loop.process.stderr.readline() == b"asked\n"


def answer(loop: Terminal) -> None:
    assert loop.process.stdin is not None
    loop.process.stdin.write(b"Go on.\n")
    loop.process.stdin.flush()


def watching(folder: Path) -> list[str]:
    return [*COMMAND, "loop", "status", "--watch", "--folder", str(folder)]


def test_a_loop_and_who_watches_it_show_step_and_tokens_and_whom_it_waits_for(
    course: Checkout, loop: Terminal, tmp_path: Path
) -> None:
    watcher = Terminal(course, *watching(tmp_path))
    for shown in (loop, watcher):
        shown.read_until("tick 1 of 1, step 0, 0 tokens", "for agent (scripted)")
    answer(loop)
    asked(loop)
    for shown in (loop, watcher):
        shown.read_until("step 1, ", "last: wait")
    answer(loop)
    assert loop.end() == 0 and "tick 1: continue" in loop.seen
    assert watcher.end() == 0 and "budget_exceeded after tick 1." in watcher.seen
    assert "tick 1: continue" in watcher.seen
    assert f"g2c loop resume --folder {tmp_path} --ticks N" in watcher.seen.replace("\r\n", "")
    assert not LoopFiles(tmp_path).progress.exists()


def test_ctrl_c_ends_the_view_and_not_the_loop(
    course: Checkout, loop: Terminal, tmp_path: Path
) -> None:
    watcher = Terminal(course, *watching(tmp_path))
    watcher.read_until("for agent (scripted)")
    watcher.process.send_signal(signal.SIGINT)
    assert watcher.end() == 0
    assert loop.process.poll() is None


def test_a_program_that_watches_gets_lines(
    course: Checkout, loop: Terminal, tmp_path: Path
) -> None:
    watcher = subprocess.Popen(
        watching(tmp_path),
        cwd=course.folder,
        env=course.environment(G2C_REFERENCE="all"),
        stdout=subprocess.PIPE,
        text=True,
    )
    assert watcher.stdout is not None
    assert watcher.stdout.readline().startswith("tick 1 of 1, step 0, 0 tokens, ")
    answer(loop)
    asked(loop)
    assert "step 1, " in watcher.stdout.readline()
    loop.process.kill()
    loop.process.wait()
    rest, _ = watcher.communicate()
    assert watcher.returncode == 0
    assert f"running after tick 0. g2c loop resume --folder {tmp_path} goes on." in rest


@pytest.mark.slow
def test_nobody_is_kept_from_a_loop_that_is_watched(course: Checkout, tmp_path: Path) -> None:
    runner = LoopRunner(acting(lambda prompt, tools: "Done."), None, LoopConfig(), tmp_path)
    runner.run("Wait.", Budget(ticks=1))
    said = course.g2c(*watching(tmp_path)[len(COMMAND) :], G2C_REFERENCE="all")
    assert said.returncode == 0 and "budget_exceeded after tick 1." in said.stdout


def test_the_runner_says_whom_it_waits_for(tmp_path: Path) -> None:
    waits: list[str] = []
    runner = LoopRunner(
        acting(lambda prompt, tools: "Done."),
        None,
        LoopConfig(success_command=(sys.executable, "-c", "raise SystemExit(1)")),
        tmp_path,
        backend=ScriptedBackend(["SCORE: 9/10\nISSUES: none\nRECOMMENDATION: APPROVE"] * 9),
        on_wait=waits.append,
    )
    runner.run("Go.", Budget(ticks=10))
    assert waits[:3] == ["success command", "agent", "agent"] and waits[-1] == "evolution"
    assert waits[waits.index("judge") + 1] == "agent", "after the review comes a tick"


def test_progress_is_read_as_it_was_written(tmp_path: Path) -> None:
    write_progress(tmp_path / "progress.json", PROGRESS)
    assert read_progress(tmp_path / "progress.json") == PROGRESS


@pytest.mark.parametrize(
    "change",
    [{"pid": "x"}, {"began": "soon"}, {"since": "2026-04-21"}, {"more": 1}, {"model": None}],
)
def test_progress_that_cannot_be_read_is_none(tmp_path: Path, change: dict[str, object]) -> None:
    file = tmp_path / "progress.json"
    write_progress(file, PROGRESS)
    file.write_text(json.dumps(json.loads(file.read_text()) | change))
    assert read_progress(file) is None
    file.write_text("[" * 20_000)
    assert read_progress(file) is None and read_progress(tmp_path / "none") is None


def test_work_after_the_last_tick_is_not_a_tick() -> None:
    line = replace(PROGRESS, waits_for="dream", last="\x1b[2J").line(Budget(ticks=2), NOON)
    assert line.startswith("after tick 2, 12,345 tokens") and "\x1b" not in line


def test_a_number_that_another_process_has_now_shows_no_loop_at_work(tmp_path: Path) -> None:
    files = LoopFiles(tmp_path)
    write_state(files.state, LoopState("Bake.", "running", 1, Budget(), Spent(1), NOON, NOON))
    for mark, works in (("0" * 16, False), (own_mark(), True)):
        write_progress(files.progress, replace(PROGRESS, pid=os.getpid(), mark=mark))
        assert _Watcher(files).look() is works
