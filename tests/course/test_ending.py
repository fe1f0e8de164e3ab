"""Processes in a session of their own, which the terminal's signals do not reach."""

import os
import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from g2c.ending import LOOK_S, wait_in_session

WAITS = """
import subprocess, sys
from g2c.ending import wait_in_session
child = subprocess.Popen([sys.executable, "-c", sys.argv[1]], start_new_session=True)
sys.exit(wait_in_session(child))
"""
TELLS = "import os, time; print(os.getpid(), flush=True); time.sleep(600)"
TICKS = "import os\nprint(os.getpid(), flush=True)\nwhile True: print('.', flush=True)"


def _state_of(pid: int) -> str:
    return Path(f"/proc/{pid}/stat").read_text("utf-8").rpartition(")")[2].split()[0]


def _catches(pid: int, number: int) -> bool:
    status = Path(f"/proc/{pid}/status").read_text("utf-8")
    caught = status.partition("SigCgt:")[2].split()[0]
    return bool(int(caught, 16) >> (number - 1) & 1)


@pytest.mark.skipif(sys.platform != "linux", reason="reads the state of a process from /proc")
@pytest.mark.parametrize("code", [TELLS, TICKS])
def test_ctrl_z_stops_what_runs_in_another_session_until_the_job_goes_on(code: str) -> None:
    command = [sys.executable, "-P", "-c", WAITS, code]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as job:
        guard = threading.Timer(100, job.kill)
        guard.start()
        try:
            assert job.stdout is not None
            pid = int(job.stdout.readline())
            # Before it waits, Ctrl-Z is nothing to a process whose group has lost its terminal.
            while not _catches(job.pid, signal.SIGTSTP):
                os.sched_yield()
            job.send_signal(signal.SIGTSTP)
            _, status = os.waitpid(job.pid, os.WUNTRACED)
            assert os.WIFSTOPPED(status)
            while _state_of(pid) != "T":  # it was told before the job stopped
                os.sched_yield()
            job.send_signal(signal.SIGCONT)
            while _state_of(pid) == "T":
                os.sched_yield()
        finally:
            guard.cancel()
            os.kill(pid, signal.SIGKILL)
            job.send_signal(signal.SIGCONT)
            job.communicate()


@pytest.mark.parametrize("asked", [0.25, 1.75])
def test_a_limit_is_counted_in_looks(monkeypatch: pytest.MonkeyPatch, asked: float) -> None:
    """After a pause of this process, as by Ctrl-Z, the clock is far on; that is one look."""
    steps: list[float] = []

    def wait(process: subprocess.Popen[bytes], timeout: float | None = None) -> int:
        if timeout is None:  # it was killed
            return 0
        steps.append(timeout)
        raise subprocess.TimeoutExpired("x", timeout)

    child = subprocess.Popen([sys.executable, "-c", TELLS], start_new_session=True)
    with monkeypatch.context() as patched:
        patched.setattr(subprocess.Popen, "wait", wait)
        assert wait_in_session(child, asked) is None
    child.wait()
    assert sum(steps) == asked and max(steps) <= LOOK_S
