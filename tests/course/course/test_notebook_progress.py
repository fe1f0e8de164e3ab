"""The line below a cell that takes long, and what is kept of a cell that is stopped."""

import json
import os
from collections.abc import Iterator
from itertools import count
from pathlib import Path

import pytest
from jupyter_client import BlockingKernelClient, KernelManager
from jupyter_client.manager import start_new_kernel

from g2c.course.notebook.progress import CellProgress, stored_seconds
from g2c.inference.call_listeners import tell_piece, watch_calls, watched
from g2c.inference.embedded.engine import Reply

ROOT = Path(__file__).resolve().parents[3]
LIMIT_S = 60
SETUP = """
from g2c.course.notebook import progress
from g2c.course.notebook.kernel import one_line_errors
one_line_errors()
progress.QUIET_S = progress.UPDATE_S = 0.0
progress.show_progress()
"""


def reply(seconds: float, tokens: int) -> Reply:
    return Reply("text", 10, tokens, seconds * 1000, {})


class TestTheLine:
    @pytest.fixture
    def now(self) -> list[float]:
        return [0.0]

    @pytest.fixture
    def progress(self, now: list[float]) -> Iterator[CellProgress]:
        progress = CellProgress(clock=lambda: now[0])
        watch_calls(progress)
        yield progress
        watch_calls(None)

    def call(self, now: list[float], seconds: float, tokens: int = 5) -> None:
        def ask() -> Reply:
            now[0] += seconds
            return reply(seconds, tokens)

        watched(ask)

    def test_calls_and_tokens_are_counted_as_they_come(self, progress, now):
        lines = []

        def ask() -> Reply:
            for _ in range(3):
                tell_piece()
                lines.append(progress.line())
            return reply(1, 7)

        watched(ask)
        assert lines[0] == "model call 1, 1 tokens written, 0 s"
        assert lines[2] == "model call 1, 3 tokens written, 0 s"
        assert progress.line() == "model call 1, 7 tokens written, 0 s", "the model's own count"

    def test_the_estimate_goes_by_the_speed_so_far(self, progress, now):
        progress.begin([2.0, 2.0, 6.0])
        self.call(now, 4.0)
        self.call(now, 4.0)
        assert progress.line() == "model call 2 of about 3, 10 tokens written, 8 s of about 16 s"

    def test_the_speed_of_earlier_cells_counts_before_the_first_call_is_over(self, progress, now):
        progress.begin([1.0])
        self.call(now, 3.0)
        progress.begin([2.0, 2.0])
        lines: list[str] = []

        def ask() -> Reply:
            lines.append(progress.line())
            return reply(6, 1)

        watched(ask)
        assert lines == ["model call 1 of about 2, 0 tokens written, 0 s of about 12 s"]

    def test_a_cell_that_calls_more_than_it_did_has_no_estimate(self, progress, now):
        progress.begin([1.0])
        self.call(now, 1.0)
        self.call(now, 1.0)
        assert progress.line() == "model call 2, 10 tokens written, 2 s"

    def test_a_call_that_failed_is_not_a_measure(self, progress, now):
        def fail() -> Reply:
            raise ValueError

        progress.begin([1.0])
        with pytest.raises(ValueError):
            watched(fail)
        assert progress.seconds == [] and progress.line() == "0 s"

    def test_without_a_call_there_is_the_time(self):
        ticks = count(0.0, 4.0)
        assert CellProgress(clock=lambda: next(ticks)).line() == "4 s"


def test_the_shipped_notebooks_say_what_their_calls_took(monkeypatch):
    stored_seconds.cache_clear()
    asked = [source for source, seconds in stored_seconds().items() if sum(seconds) > 5]
    for file in (ROOT / "notebooks").glob("*.ipynb"):
        cells = json.loads(file.read_text("utf-8"))["cells"]
        sources = ["".join(cell["source"]).strip() for cell in cells]
        assert any(source in asked for source in sources), f"{file}: no cell has an estimate"


@pytest.fixture(scope="module")
def kernel() -> Iterator[tuple[KernelManager, BlockingKernelClient]]:
    manager, client = start_new_kernel(env=os.environ | {"PYTHONPATH": str(ROOT)})
    unwatched(client, SETUP)
    yield manager, client
    client.stop_channels()
    manager.shutdown_kernel(now=True)


def unwatched(client: BlockingKernelClient, code: str) -> list[dict]:
    """The output of a cell that a program runs."""
    shown: list[dict] = []
    client.execute_interactive(code, allow_stdin=False, timeout=LIMIT_S, output_hook=shown.append)
    return shown


class TestInAKernel:
    def messages(self, client: BlockingKernelClient, run: str) -> Iterator[dict]:
        """The messages of a cell, one after another, until it is over."""
        while True:
            message = client.get_iopub_msg(timeout=LIMIT_S)
            if message["parent_header"].get("msg_id") == run:
                yield message
                if message["content"].get("execution_state") == "idle":
                    return

    def test_the_line_is_there_while_a_person_waits_and_gone_afterwards(self, kernel):
        _, client = kernel
        run = client.execute("input()", allow_stdin=True)
        told = self.messages(client, run)
        line = next(message for message in told if message["header"]["msg_type"] == "display_data")
        assert " s" in line["content"]["data"]["text/plain"]
        client.get_stdin_msg(timeout=LIMIT_S)
        client.input("enough")
        last = [
            message for message in told if message["header"]["msg_type"] == "update_display_data"
        ][-1]
        assert last["content"]["data"] == {}, "nothing is left of it"
        assert last["content"]["transient"] == line["content"]["transient"]

    def test_a_program_that_runs_the_cell_never_gets_it(self, kernel):
        _, client = kernel
        threads = "import threading; [thread.name for thread in threading.enumerate()]"
        shown = unwatched(client, threads)
        (result,) = (
            message for message in shown if message["header"]["msg_type"] == "execute_result"
        )
        assert "MainThread" in result["content"]["data"]["text/plain"]
        assert "cell progress" not in result["content"]["data"]["text/plain"]
        assert not [message for message in shown if message["header"]["msg_type"] == "display_data"]

    def test_measurements_are_kept_when_a_cell_is_stopped(self, kernel):
        manager, client = kernel
        code = """
from g2c.interrupted import measure_each
measure_each([1, 2, 3], lambda n: input(), lambda done: f"They said {done}.")
"""
        run = client.execute(code, allow_stdin=True)
        client.get_stdin_msg(timeout=LIMIT_S)
        client.input("yes")
        client.get_stdin_msg(timeout=LIMIT_S)
        manager.interrupt_kernel()
        errors = [
            message["content"]
            for message in self.messages(client, run)
            if message["header"]["msg_type"] == "error"
        ]
        (error,) = errors
        assert "\n".join(error["traceback"]) == "Stopped after 1 of 3.\n\nThey said ['yes']."
        (said,) = (
            message["content"]["data"]["text/plain"]
            for message in unwatched(client, "so_far")
            if message["header"]["msg_type"] == "execute_result"
        )
        assert said == "('yes',)"
