"""Goes on with work that was stopped: calls that a model has answered are not made again.

A measurement takes minutes, and most of them are the model's. Its answers are kept until the work
is done. Everything else is computed anew, so nothing that is shown can be out of date.
"""

import json
import threading
from collections import defaultdict, deque
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import asdict
from pathlib import Path
from typing import Any

from g2c.files import if_possible, read_text
from g2c.inference.backend import Backend, ToolSchema
from g2c.inference.backend_view import BackendView
from g2c.inference.recording import RESULT, R, Taped, play
from g2c.inference.structured.json_forms import find_fault, object_schema
from g2c.json_files import append_json
from g2c.kept import key_of
from g2c.written import lines_of

_LINE = object_schema(key={"type": "string"}, result=RESULT)


class ResumingBackend(Taped, BackendView):
    """Answers from `path` what was answered there, and passes every other call on to `backend`.

    A call that is made twice is answered twice: the second one gets the second answer. An answer is
    on disk before it is returned. An error is not kept, so its call is made again. `found` is how
    many answers there were.
    """

    def __init__(self, backend: Backend, path: Path) -> None:
        self._backend = backend
        self._path = path
        self._changes: tuple[Any, ...] = ()
        self._answers: dict[str, deque[Mapping[str, Any]]] = defaultdict(deque)
        for line in _read(path):
            self._answers[line["key"]].append(line)
        self.found = sum(map(len, self._answers.values()))
        self._lock = threading.Lock()

    def with_seed(self, seed: int) -> Backend:
        return self._changed("with_seed", seed)

    def writing_steps(self, tools: Sequence[ToolSchema]) -> Backend:
        return self._changed("writing_steps", tools)

    def _changed(self, method: str, argument: Any) -> Backend:
        backend = getattr(self._backend, method)(argument)
        return self._view(_backend=backend, _changes=(*self._changes, (method, argument)))

    def _call(self, name: str, result_type: type[R], arguments: Mapping[str, Any]) -> R:
        key = key_of(self._changes, self._stop, name, arguments)
        with self._lock:
            if self._answers[key]:
                return play(self._answers[key].popleft(), result_type)
        backend = self._backend.stopping_at(*self._stop) if self._stop else self._backend
        result: R = getattr(backend, name)(**arguments)
        with if_possible("the answers, to go on from if this is stopped"):
            append_json(self._path, {"key": key, "result": asdict(result)})
        return result


@contextmanager
def resuming(backend: Backend, folder: Path, work: str) -> Iterator[ResumingBackend]:
    """`backend` for work of that name, which goes on where it was stopped. Its file in `folder`
    belongs to this model with these options; it is deleted once the work is done."""
    path = folder / f"{work}-{key_of(backend.identity)}.jsonl"
    yield ResumingBackend(backend, path)
    with suppress(OSError):  # it can only be read, or there is no such folder
        path.unlink()


def _read(path: Path) -> Iterator[dict[str, Any]]:
    """The answers in the file; damaged lines are skipped."""
    if not path.exists():
        return
    for line in lines_of(read_text(path, "utf-8", "surrogateescape")):
        try:
            data = json.loads(line)
        except ValueError:
            continue
        if not find_fault(data, _LINE):
            yield data
