"""A live run on disk, and the same run again without a model.

The idea to take away: a program around a model is tested with what a model really said, word for
word, once that is written down. The file is JSONL: a line about the backend, then a line a call.
"""

from __future__ import annotations

import copy
import json
import threading
from abc import abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any, TypeVar

from g2c.inference import errors
from g2c.inference.base import (
    Backend,
    BackendInfo,
    ChatResult,
    InferenceResult,
    Message,
    ToolSchema,
    check_sampling,
)
from g2c.inference.errors import BackendError, ReplayMismatchError

R = TypeVar("R", InferenceResult, ChatResult)

# What a tool read may hold half a surrogate pair, which plain UTF-8 refuses.
_TEXT: Any = {"encoding": "utf-8", "errors": "surrogatepass"}


class _Taped(Backend):
    """What both ends of a tape share: every call is a name, its arguments and its stop strings."""

    _stop: tuple[str, ...] = ()

    def stopping_at(self, *strings: str) -> Backend:
        view = copy.copy(self)  # the tape stays shared
        view._stop = strings
        return view

    def complete(
        self,
        prompt: str,
        *,
        max_new_tokens: int = 128,
        temperature: float = 1.0,
        top_k: int | None = None,
        top_p: float | None = None,
    ) -> InferenceResult:
        options = check_sampling(max_new_tokens, temperature, top_k, top_p)
        return self._call("complete", InferenceResult, {"prompt": prompt, **options})

    def complete_json(
        self,
        prompt: str,
        schema: Mapping[str, Any],
        *,
        max_new_tokens: int = 512,
        temperature: float = 0.0,
        top_k: int | None = None,
        top_p: float | None = None,
    ) -> InferenceResult:
        options = check_sampling(max_new_tokens, temperature, top_k, top_p)
        arguments = {"prompt": prompt, "schema": schema, **options}
        return self._call("complete_json", InferenceResult, arguments)

    def chat_with_tools(
        self,
        messages: Sequence[Message],
        tools: Sequence[ToolSchema],
        *,
        max_new_tokens: int = 512,
        temperature: float = 1.0,
        top_k: int | None = None,
        top_p: float | None = None,
        think: bool | None = None,
    ) -> ChatResult:
        options = check_sampling(max_new_tokens, temperature, top_k, top_p)
        arguments = {"messages": messages, "tools": tools, **options, "think": think}
        return self._call("chat_with_tools", ChatResult, arguments)

    @abstractmethod
    def _call(self, name: str, result_type: type[R], arguments: Mapping[str, Any]) -> R:
        """Answer the call of `name` with `arguments`."""


class RecordingBackend(_Taped):
    """Passes every call on to `backend` and writes it to `path`, with its result or its error.

    Each call is on disk before its result is returned; a file that was there is replaced.

    >>> import tempfile
    >>> from g2c.inference import ScriptedBackend
    >>> path = Path(tempfile.mkdtemp(), "run.jsonl")
    >>> model = RecordingBackend(ScriptedBackend(["4"]), path)
    >>> model.complete("2 + 2 =") == ReplayBackend(path).complete("2 + 2 =")
    True
    """

    def __init__(self, backend: Backend, path: str | Path) -> None:
        self._backend = backend
        self._path = Path(path)
        self._writing = threading.Lock()
        self._path.parent.mkdir(parents=True, exist_ok=True)
        self._path.write_bytes(b"")
        self._write({"info": asdict(backend.info)})

    @property
    def info(self) -> BackendInfo:
        return self._backend.info

    def _call(self, name: str, result_type: type[R], arguments: Mapping[str, Any]) -> R:
        backend = self._backend.stopping_at(*self._stop) if self._stop else self._backend
        line = {"call": name, "stop": self._stop, "arguments": arguments}
        try:
            result: R = getattr(backend, name)(**arguments)
        except BackendError as error:
            self._write({**line, "error": {"type": type(error).__name__, "message": str(error)}})
            raise
        self._write({**line, "result": asdict(result)})
        return result

    def _write(self, line: Mapping[str, Any]) -> None:
        text = json.dumps(line, ensure_ascii=False)
        with self._writing, self._path.open("a", **_TEXT) as file:
            file.write(text + "\n")


class ReplayBackend(_Taped):
    """Answers the calls that `path` holds, in their order, with what was answered then.

    Raises:
        ReplayMismatchError: another call than the next one on the recording; says what differs.
        BackendError: `path` is no recording. A last line that was cut off is left out.
    """

    def __init__(self, path: str | Path) -> None:
        self._tape = _Tape(Path(path))

    @property
    def info(self) -> BackendInfo:
        return self._tape.info

    def _call(self, name: str, result_type: type[R], arguments: Mapping[str, Any]) -> R:
        line = self._tape.next({"call": name, "stop": self._stop, "arguments": arguments})
        if "error" in line:
            kind = getattr(errors, line["error"]["type"], BackendError)
            raise kind(line["error"]["message"])
        result = line["result"]
        if "tool_calls" in result:
            result = {**result, "tool_calls": tuple(result["tool_calls"])}
        return result_type(**result)


class _Tape:
    """A recording and how far it has been played; shared by the views of a `ReplayBackend`."""

    def __init__(self, path: Path) -> None:
        self._path = path
        try:
            lines = path.read_text(**_TEXT).split("\n")[:-1]  # the last is empty, or cut off
            head, *self._calls = [json.loads(line) for line in lines]
            self.info = BackendInfo(**head["info"])
        except FileNotFoundError:
            raise BackendError(
                f"There is no recording {path}; make one with RecordingBackend(backend, path)."
            ) from None
        except (ValueError, KeyError, TypeError) as error:
            raise BackendError(
                f"{path} is no recording of a run; record it again with RecordingBackend."
            ) from error
        self._played = 0
        self._playing = threading.Lock()

    def next(self, asked: Mapping[str, Any]) -> dict[str, Any]:
        """The next line of the tape, if it is an answer to `asked`."""
        with self._playing:
            number = self._played + 1
            if number > len(self._calls):
                raise ReplayMismatchError(
                    f"{self._path} ends with call {len(self._calls)} and this would be call "
                    f"{number}: the program asks more than when it was recorded. Record it again."
                )
            line: dict[str, Any] = self._calls[number - 1]
            if difference := _difference(line, json.loads(json.dumps(asked))):
                raise ReplayMismatchError(
                    f"Call {number} is not the one that {self._path} holds. {difference} Record it "
                    "again if the program was meant to change."
                )
            self._played = number
            return line


def _difference(recorded: Mapping[str, Any], asked: Mapping[str, Any]) -> str | None:
    """Say in what the two calls first differ, or None.

    >>> was = {"call": "complete", "stop": [], "arguments": {"prompt": "2 + 2 =", "top_k": None}}
    >>> _difference(was, {**was, "arguments": {"prompt": "2 + 3 =", "top_k": None}})
    "prompt, from character 4: recorded '2 + 2 =', asked '2 + 3 ='."
    >>> _difference(was, was)
    """
    then = {"call": recorded["call"], "stop": recorded["stop"], **recorded["arguments"]}
    now = {"call": asked["call"], "stop": asked["stop"], **asked["arguments"]}
    for name in now:
        if then.get(name) != now[name]:
            return f"{name}, {_first_difference(_as_text(then.get(name)), _as_text(now[name]))}"
    return None


def _first_difference(then: str, now: str) -> str:
    pairs = enumerate(zip(then, now, strict=False))
    at = next((i for i, (a, b) in pairs if a != b), min(len(then), len(now)))
    near = slice(max(0, at - 40), at + 40)
    return f"from character {at}: recorded {then[near]!r}, asked {now[near]!r}."


def _as_text(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
