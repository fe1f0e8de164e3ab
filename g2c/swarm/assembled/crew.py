"""The processes of a swarm's workers: they are started, looked after, and ended."""

from __future__ import annotations

import subprocess
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from g2c.swarm.assembled.folder import SwarmFiles
from g2c.swarm.assembled.record import Record

MOST_DEATHS = 20
"""A worker that dies so often is not started again."""


class CrewError(RuntimeError):
    """No worker is left. The message names the file with what the last one said."""


class Crew:
    """Workers with these names, each a process of `command` with the name behind it.

    Use it inside a `with`; at its end none of them runs.
    """

    def __init__(
        self, files: SwarmFiles, names: Sequence[str], command: Sequence[str], record: Record
    ) -> None:
        self._files = files
        self._names = names
        self._command = command
        self._record = record
        self._running: dict[str, subprocess.Popen[bytes]] = {}
        self._deaths: Counter[str] = Counter()

    def __enter__(self) -> Crew:
        for name in self._names:
            self._start(name)
        return self

    def __exit__(self, *_: object) -> None:
        for process in self._running.values():
            process.terminate()
        for process in self._running.values():
            process.wait()

    def look_after(self) -> None:
        """Start those again that have died.

        Raises:
            CrewError: each of them has died `MOST_DEATHS` times.
        """
        for name, process in list(self._running.items()):
            if process.poll() is None:
                continue
            self._deaths[name] += 1
            self._record.add("died", worker=name, code=process.returncode)
            if self._deaths[name] < MOST_DEATHS:
                self._start(name)
            else:
                del self._running[name]
        if self._names and not self._running:
            raise CrewError(f"No worker is left; see {self._said(self._names[-1])}.")

    def _start(self, name: str) -> None:
        said = self._said(name)
        said.parent.mkdir(parents=True, exist_ok=True)
        with said.open("ab") as output:
            self._running[name] = subprocess.Popen(
                [*self._command, name], stdin=subprocess.DEVNULL, stdout=output, stderr=output
            )
        self._record.add("started", worker=name, process=self._running[name].pid)

    def _said(self, name: str) -> Path:
        return self._files.scratch(name) / "output.txt"
