"""A loop that has to ask: it waits, is answered and goes on, with the real model and kills."""

import json
import os
import signal
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from command import g2c

from g2c.cli.options import G2C

GOAL = ("Write list.txt. It is to say: milk", "--success", "grep -q milk list.txt")
SHORT = ("--no-dream", "--no-evolve")  # no test is about what follows the last tick
ASK = '[[rules]]\npermission = "ask"\ntool = "write_file"\n'


def said(root: Path, *arguments: str) -> Any:
    return g2c(*arguments, root=root, reference="all")


def begun(root: Path, rules: str = ASK, *more: str) -> subprocess.Popen[str]:
    """A loop in a process of its own that may not write without a person."""
    home = root / ".g2c/home"
    home.mkdir(parents=True)
    (home / "agent.toml").write_text(rules)
    command = [*G2C, "loop", "start", *GOAL, "--model", "embedded", *SHORT, *more]
    return subprocess.Popen(
        command,
        env={**os.environ, "G2C_ROOT": str(root), "G2C_REFERENCE": "all"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )


def until(loop: subprocess.Popen[str], is_so: Callable[[], bool]) -> None:
    """Return once it is so; a loop that has ended is no longer going to bring it about."""
    while not is_so():
        assert loop.poll() is None, loop.stdout and loop.stdout.read()
        try:
            loop.wait(timeout=0.2)
        except subprocess.TimeoutExpired:
            continue


def waits(root: Path) -> bool:
    progress = root / ".g2c/home/loops/main/progress.json"
    return progress.exists() and json.loads(progress.read_text())["waits_for"] == "a person"


def log_of(root: Path) -> list[dict[str, Any]]:
    lines = (root / ".g2c/home/outbox/permissions.jsonl").read_text().splitlines()
    return [json.loads(line) for line in lines]


@pytest.mark.slow
def test_it_waits_is_killed_is_answered_and_goes_on(tmp_path: Path) -> None:
    loop = begun(tmp_path)
    until(loop, lambda: waits(tmp_path))
    assert "q1: may loop main call write_file" in said(tmp_path, "loop", "status").stdout
    assert "q1: may loop main call write_file" in said(tmp_path, "home", "show").stdout
    os.kill(loop.pid, signal.SIGKILL)
    loop.wait()
    work = tmp_path / ".g2c/home/loops/main/work/list.txt"
    assert not work.exists(), "nothing was written before somebody said yes"
    asked = said(tmp_path, "loop", "tell").stdout
    assert "q1: may loop main call write_file?" in asked and "g2c loop tell --yes q1" in asked
    assert said(tmp_path, "loop", "tell", "--yes", "q1").returncode == 0
    done = said(tmp_path, "loop", "resume", "--model", "embedded", "--no-dream")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "milk" in work.read_text()
    assert [line["what"] for line in log_of(tmp_path)] == ["asked", "yes", "used"]


@pytest.mark.slow
def test_a_loop_that_waits_can_be_stopped(tmp_path: Path) -> None:
    loop = begun(tmp_path)
    until(loop, lambda: waits(tmp_path))
    said(tmp_path, "loop", "stop")
    output = loop.communicate()[0]
    assert loop.returncode == 1 and "stopped" in output, output
    assert "tell --yes q1" not in output and "g2c loop tell with --yes q1" in output


@pytest.mark.slow
def test_a_denied_call_is_not_asked_about(tmp_path: Path) -> None:
    deny = ASK + '[[rules]]\npermission = "deny"\nargument = "path"\nvalue = "list.txt"\n'
    loop = begun(tmp_path, deny, "--ticks", "2")
    output = loop.communicate()[0]
    assert loop.returncode == 1, output
    assert not (tmp_path / ".g2c/home/outbox/permissions.jsonl").exists()
    assert not (tmp_path / ".g2c/home/loops/main/work/list.txt").exists()
