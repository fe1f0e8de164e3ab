"""Starts, watches and ends the processes of a swarm's workers."""

from __future__ import annotations

import os
import subprocess
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from g2c.files import open_file, read_text
from g2c.swarm.app.folder import SwarmFiles
from g2c.swarm.app.record import Record
from g2c.tracing import environment_of_child

MAX_DEATHS = 20
"""A worker that has died this many times is not started again."""

MAX_FAILURES = 3
"""A worker that has ended itself with an error this many times is not started again. The cause,
such as a missing model, will not go away."""

SHOWN_CHARS = 500


class CrewError(ValueError):
    """No worker is left. The message has the last one's output, and the file with all of it."""


class Crew:
    """Workers with these names, each a process that runs `command` with its name as the last
    argument.

    Use it in a `with`; at its end all of them are ended.
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
        self._failures: Counter[str] = Counter()

    def __enter__(self) -> Crew:
        try:
            for name in self._names:
                self._start(name)
        except BaseException:  # nobody else ends those that have started
            self.__exit__()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        for process in self._running.values():
            process.terminate()
        for process in self._running.values():
            process.wait()

    def look_after(self) -> None:
        """Restart workers that have died.

        Raises:
            CrewError: each of them has died `MAX_DEATHS` times, or failed `MAX_FAILURES` times.
        """
        for name, process in list(self._running.items()):
            if process.poll() is None:
                continue
            self._deaths[name] += 1
            self._failures[name] += process.returncode > 0
            self._record.add("died", worker=name, code=process.returncode)
            if self._deaths[name] < MAX_DEATHS and self._failures[name] < MAX_FAILURES:
                self._start(name)
            else:
                del self._running[name]
        if self._names and not self._running:
            raise CrewError(f"No worker is left. {self._last_words(self._names[-1])}")

    def join(self) -> None:
        """Wait until all have ended by themselves, each after its current errand."""
        for process in self._running.values():
            process.wait()

    def _start(self, name: str) -> None:
        file = self._output_file(name)
        file.parent.mkdir(parents=True, exist_ok=True)
        with open_file(file, "ab") as output:
            self._running[name] = subprocess.Popen(
                [*self._command, name],
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=output,
                env=os.environ | environment_of_child(),
            )
        self._record.add("started", worker=name, process=self._running[name].pid)

    def _last_words(self, name: str) -> str:
        file = self._output_file(name)
        lines: list[str] = []
        with suppress(OSError):  # it may be gone, or a folder
            lines = read_text(file, "utf-8", "replace").strip().splitlines()
        sentences = [line for line in lines if line.startswith("g2c: ")] or lines or [""]
        said = sentences[-1].removeprefix("g2c: ")[:SHOWN_CHARS]
        return f"{name} said: {said} ({file})" if said else f"{name} said nothing ({file})."

    def _output_file(self, name: str) -> Path:
        return self._files.scratch(name) / "output.txt"
