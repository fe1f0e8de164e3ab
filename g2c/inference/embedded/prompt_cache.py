"""Prompts that one process has read, stored for later processes.

Prompts of one program begin alike: with its instructions and its tools. The results that llama.cpp
computed for one of them are stored in a file. A later process whose prompt has the same front loads
it from
there, and reads only the rest. That changes only the time: the stored bits are those that were
computed.

A file is named by its own hash. A torn, altered or swapped file has another hash, and is removed.
"""

import json
import os
import secrets
import time
from collections import deque
from collections.abc import Callable, Mapping
from contextlib import suppress
from http.client import HTTPException
from pathlib import Path
from typing import Any

from g2c.clocks import not_after
from g2c.files import read_text, sha256_of
from g2c.text import common_start

LEFT_OVER_S = 3600
"""A temporary file that was not written to for this many seconds belongs to a process that was
killed."""
MIN_TOKENS = 256
"""A prompt is stored if at least this many of its tokens had to be read."""
MIN_LETTERS = 1000
"""A front is loaded if it has at least this many characters, and this many more than the one in
memory."""
MAX_A_PROCESS = 4
"""The most fronts that a process stores. A program has a few, such as its planner's and its
agent's."""
MAX_BYTES = 256_000_000
"""The most bytes of all files together. The least recently used are deleted first."""

Slot = Callable[[str, str], None]
"""`slot("save", name)` writes the model's state to a file in the folder of the fronts.
`slot("restore", name)` loads it again, and `slot("park", "")` sets the current state aside."""


class PromptCache:
    """The fronts in `folder` that a model named `key` can use.

    No error here reaches the caller. If a file cannot be read or written, the model reads the
    prompt itself.
    """

    def __init__(self, folder: Path, key: str, slot: Slot) -> None:
        self._folder = folder
        self._key = key
        self._slot = slot
        self._asked: deque[str] = deque(maxlen=2 * MAX_A_PROCESS)
        self._kept = 0

    def fetch(self, request: Mapping[str, Any]) -> None:
        """Load the longest stored front of `request` into the model."""
        text = _text_of(request)
        here = max((common_start(text, prompt) for prompt in self._asked), default=0)
        with suppress(OSError, HTTPException, ValueError):
            lengths = {state: common_start(text, front) for state, front in self._fronts().items()}
            best = max(lengths, key=lambda state: lengths[state], default=None)
            if best and lengths[best] >= here + MIN_LETTERS and self._is_whole(best):
                if self._asked:
                    self._slot("park", "")
                self._slot("restore", best.name)
                os.utime(_record(best))
        self._asked.append(text)

    def keep(self, request: Mapping[str, Any], read: int) -> None:
        """Store the model's state after `request`, if it had to read enough tokens of it."""
        if read < MIN_TOKENS or self._kept == MAX_A_PROCESS:
            return
        self._kept += 1
        scratch = self._folder / f"{secrets.token_hex(8)}.part"
        with suppress(OSError, HTTPException, ValueError):
            try:
                self._slot("save", scratch.name)
                state = self._folder / f"{self._key}-{sha256_of(scratch)}.state"
                # The record comes last, so that its reader finds the file.
                scratch.replace(state)
                scratch.write_text(json.dumps({"text": _text_of(request)}), "utf-8")
                scratch.replace(_record(state))
            finally:
                scratch.unlink(missing_ok=True)
            self._clean()

    def _fronts(self) -> dict[Path, str]:
        """The files of this model, each with the text whose beginning it holds."""
        found = {}
        for state in self._folder.glob(f"{self._key}-*.state"):
            with suppress(OSError, ValueError, KeyError, TypeError):
                found[state] = str(json.loads(read_text(_record(state)))["text"])
        return found

    def _is_whole(self, state: Path) -> bool:
        whole = state.stem == f"{self._key}-{sha256_of(state)}"
        if not whole:
            _remove(state)
        return whole

    def _clean(self) -> None:
        for part in self._folder.glob("*.part"):
            if abs(time.time() - part.stat().st_mtime) > LEFT_OVER_S:  # a clock may be wrong
                part.unlink()
        left = MAX_BYTES
        for state in sorted(self._folder.glob("*.state"), key=_last_use, reverse=True):
            left -= state.stat().st_size
            if left < 0:
                _remove(state)


def _text_of(request: Mapping[str, Any]) -> str:
    """The part of the request's prompt that another request can share."""
    if "messages" in request:
        return json.dumps(request["messages"])
    return str(request["prompt"])


def _record(state: Path) -> Path:
    return state.with_suffix(".json")


def _last_use(state: Path) -> float:
    try:
        used = _record(state).stat().st_mtime
    except FileNotFoundError:  # its record is not written yet, or never was
        used = state.stat().st_mtime
    return not_after(used, time.time())


def _remove(state: Path) -> None:
    state.unlink(missing_ok=True)
    _record(state).unlink(missing_ok=True)
