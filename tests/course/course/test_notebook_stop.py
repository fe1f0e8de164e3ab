"""Whatever stops `g2c notebook` stops JupyterLab and its kernels, on a real terminal."""

import os
import pty
import signal
import subprocess
import sys
import termios
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import psutil
import pytest
import requests
from lab import course_in, lab_command, lab_environment
from requests.adapters import HTTPAdapter
from urllib3.util import Retry

PATIENCE_S = 120


@dataclass
class Terminal:
    """A terminal in which JupyterLab runs, with a kernel."""

    master: int
    reader: subprocess.Popen[bytes]
    process: subprocess.Popen[bytes]
    others: list[psutil.Process]


@pytest.fixture
def terminal(tmp_path: Path) -> Iterator[Terminal]:
    course_in(tmp_path)
    command, url = lab_command("19")
    master, slave = pty.openpty()
    process = subprocess.Popen(
        # A session of its own with this terminal, as a window of a person's has it.
        [sys.executable, "-c", IN_TERMINAL, *command],
        env=lab_environment(tmp_path, "19"),
        stdin=slave,
        stdout=slave,
        stderr=slave,
        start_new_session=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )
    os.close(slave)
    others: list[psutil.Process] = []
    reader = None
    try:
        said = b""
        while b"is running at:" not in said:
            said += os.read(master, 10_000)
        # Else the terminal is full, and all wait for it. A thread that reads would keep it open.
        reader = subprocess.Popen(["cat"], stdin=master, stdout=subprocess.DEVNULL)
        asked = {"Cookie": "_xsrf=x", "X-XSRFToken": "x"}
        with requests.Session() as session:
            # It says that it runs before anybody can connect.
            again = Retry(connect=20, backoff_factor=0.1)
            session.mount("http://", HTTPAdapter(max_retries=again))
            session.post(f"{url}/api/kernels", json={}, headers=asked).raise_for_status()
        others += psutil.Process(process.pid).children(recursive=True)
        assert others, "there is a kernel"
        yield Terminal(master, reader, process, others)
    finally:
        process.kill()
        process.wait()
        if reader:
            reader.kill()
            reader.wait()
        for other in others:
            with suppress(psutil.NoSuchProcess):
                other.kill()


IN_TERMINAL = """
import fcntl, os, sys, termios
fcntl.ioctl(0, termios.TIOCSCTTY, 0)
os.execv(sys.executable, [sys.executable, *sys.argv[2:]])
"""


def send(number: signal.Signals) -> Callable[[Terminal], None]:
    return lambda terminal: terminal.process.send_signal(number)


def press_ctrl_c(terminal: Terminal) -> None:
    assert termios.tcgetattr(terminal.master)[3] & termios.ISIG
    os.write(terminal.master, b"\x03")


def close(terminal: Terminal) -> None:
    terminal.reader.kill()
    terminal.reader.wait()
    os.close(terminal.master)


@pytest.mark.skipif(os.name != "posix", reason="Windows has no such terminals")
@pytest.mark.slow
@pytest.mark.parametrize(
    "stop",
    [
        *(send(signum) for signum in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT)),
        *(press_ctrl_c, close),
    ],
    ids=["SIGTERM", "SIGHUP", "SIGINT", "Ctrl-C", "the terminal is closed"],
)
def test_jupyterlab_and_its_kernel_end_with_the_command(
    terminal: Terminal, stop: Callable[[Terminal], None]
) -> None:
    stop(terminal)
    terminal.process.wait(PATIENCE_S)
    _, alive = psutil.wait_procs(terminal.others, timeout=PATIENCE_S)
    assert not alive
