"""Records or replays the embedded model, for a whole process and its child processes.

With `G2C_RECORD=FILE` in the environment, the embedded model's answers are written to `FILE`. With
`G2C_REPLAY=FILE` the model is not even loaded: the answers come from `FILE`, and a call that is not
in it is an error. The course's notebooks and lessons are tested this way.

This happens below `EmbeddedBackend`, because a notebook or a command makes its own backends, in any
number and in several processes. The model's cache depends on all of their calls. So a call is
identified by itself and by the earlier calls to the same model in its process.
"""

import hashlib
import json
import os
import threading
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from g2c.inference.embedded.engine import Engine, Reply
from g2c.inference.recording import ERROR, REPLY, Recorder, play, read_lines

_LINE = {
    "type": "object",
    "properties": {
        "call": {"type": "string"},
        "n_ctx": {"type": "integer"},
        "eos": {"type": "string"},
        "result": REPLY,
        "error": ERROR,
    },
    "required": ["call"],
    "anyOf": [{"required": ["n_ctx"]}, {"required": ["result"]}, {"required": ["error"]}],
}


def recorded(model: str, load: Callable[[], Engine]) -> Engine:
    """The engine that `load` loads; recorded or replayed if the environment says so. `model`
    identifies the model: its files and its settings.
    """
    if file := os.environ.get("G2C_REPLAY"):
        return ReplayEngine(model, Path(file))
    if file := os.environ.get("G2C_RECORD"):
        return RecordingEngine(model, load(), Path(file))
    return load()


class RecordingEngine:
    """Passes every request on to `engine`, and adds it to `path` with its reply or its error."""

    def __init__(self, model: str, engine: Engine, path: Path) -> None:
        self.n_ctx, self.eos = engine.n_ctx, engine.eos
        self._model = self._last = model
        self._engine = engine
        self._recorder = Recorder(path)
        self._recorder.write({"call": model, "n_ctx": self.n_ctx, "eos": self.eos})
        self._asking = threading.Lock()

    def ask(self, request: Mapping[str, Any]) -> Reply:
        with self._asking:
            first = self._last == self._model
            self._last = _next_call(self._last, request)
            call: dict[str, Any] = {"call": self._last}
            if first:  # it does not depend on earlier calls, so the model can be asked again
                call |= {"model": self._model, "request": request}
            return self._recorder.keep(call, lambda: self._engine.ask(request))

    def close(self) -> None:
        self._engine.close()


class ReplayEngine:
    """Answers requests as they were answered in the recording `path`.

    Raises:
        RuntimeError: a request is not in `path`, or a line of it is damaged. Not a `BackendError`,
            since a loop would continue after one.
    """

    def __init__(self, model: str, path: Path) -> None:
        self._path = path
        self._lines: dict[str, dict[str, Any]] = {}
        with suppress(FileNotFoundError):
            try:
                self._lines = {line["call"]: line for line in read_lines(path, _LINE, _LINE)}
            except ValueError as error:
                raise RuntimeError(str(error)) from None
        self._last = model
        self._asking = threading.Lock()
        loaded = self._find(model, "n_ctx")
        self.n_ctx: int = loaded["n_ctx"]
        self.eos: str = loaded.get("eos", "")  # older recordings do not tell

    def ask(self, request: Mapping[str, Any]) -> Reply:
        with self._asking:
            self._last = _next_call(self._last, request)
            return play(self._find(self._last, "result", "error"), Reply)

    def close(self) -> None:
        pass

    def _find(self, call: str, *parts: str) -> dict[str, Any]:
        """The line of `call`, which has one of `parts`."""
        line = self._lines.get(call, {})
        if not any(part in line for part in parts):
            raise RuntimeError(
                f"{self._path} has no answer to this call, so a prompt has changed. Record it "
                "again; for the course's own notebooks: python notebooks/renew.py"
            )
        return line


def _next_call(last: str, request: Mapping[str, Any]) -> str:
    asked = json.dumps([last, request], sort_keys=True)
    return hashlib.sha256(asked.encode()).hexdigest()
