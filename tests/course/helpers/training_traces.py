"""Traces for the tests of training, as the command writes them."""

from __future__ import annotations

import functools
import json
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[3]


def run_generator(count: int, seed: int, file: Path) -> str:
    """Have the generator write `file`, in a process of its own: it runs over the references, and
    this process may have imported the student's functions. Returns what it printed."""
    command = [
        sys.executable,
        "-m",
        "maintain.training.traces",
        "--count",
        str(count),
        "--seed",
        str(seed),
    ]
    done = subprocess.run(
        [*command, "--out", str(file)], cwd=ROOT, capture_output=True, text=True, timeout=300
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@functools.cache
def make_traces(count: int = 1200, seed: int = 6) -> tuple[dict[str, Any], ...]:
    """The traces of a file, each as its line has it."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "traces.jsonl")
        run_generator(count, seed, file)
        return tuple(map(json.loads, file.read_text("utf-8").splitlines()))
