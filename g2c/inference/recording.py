"""Records a live run, and replays it without a model.

A program around a model is tested with a model's real words. A recording is a JSONL file: a line
about the backend, then a line a call.
"""

import json
import threading
from abc import abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, TypeVar

from g2c.files import open_file, read_bytes
from g2c.foreign_json import load_json
from g2c.inference import errors
from g2c.inference.backend import (
    Backend,
    BackendInfo,
    ChatResult,
    InferenceResult,
    Message,
    Sampling,
    ToolSchema,
)
from g2c.inference.backend_view import BackendView
from g2c.inference.embedded.engine import Reply
from g2c.inference.errors import BackendError, ReplayMismatchError, UnusableAnswerError
from g2c.inference.structured.json_forms import find_fault, object_schema
from g2c.json_files import record_of
from g2c.text import common_start, reason_of

R = TypeVar("R", InferenceResult, ChatResult)
Answer = TypeVar("Answer", InferenceResult, ChatResult, Reply)

# What a tool read may have a lone surrogate, which plain UTF-8 refuses.
_TEXT: Any = {"encoding": "utf-8", "errors": "surrogatepass"}
_SUPPORTS = ("json", "tools")


class Recorder:
    """Writes calls to `path`, each with its result or its error; without a path, nowhere.

    Several threads, or processes, may add to one file.
    """

    def __init__(self, path: Path | None) -> None:
        self._path = path
        if path:
            path.parent.mkdir(parents=True, exist_ok=True)

    def write(self, line: Mapping[str, Any]) -> None:
        if self._path:
            data = (record_of(line) + "\n").encode(**_TEXT)
            with open_file(self._path, "ab", buffering=0) as file:  # one write: lines never mix
                file.write(data)

    def keep(self, call: Mapping[str, Any], ask: Callable[[], Answer]) -> Answer:
        """Call `ask`, and write `call` with its result or error before either is passed on."""
        try:
            result = ask()
        except BackendError as error:
            self.write({**call, "error": {"type": type(error).__name__, "message": str(error)}})
            raise
        self.write({**call, "result": asdict(result)})
        return result


_TEXT_FIELD = {"type": "string"}
_COST = {
    "prompt_tokens": {"type": ["integer", "null"]},
    "completion_tokens": {"type": ["integer", "null"]},
    "latency_ms": {"type": "number"},
    "metadata": {"type": "object"},
}
_CALLS = {
    "type": "array",
    "items": {"type": "object", "required": ["name", "arguments", "call_id"]},
}
_RESULT = object_schema(prompt=_TEXT_FIELD, completion=_TEXT_FIELD, backend=_TEXT_FIELD, **_COST)
_CHAT = object_schema(content=_TEXT_FIELD, tool_calls=_CALLS, backend=_TEXT_FIELD, **_COST)
REPLY = object_schema(text=_TEXT_FIELD, **_COST)
ERROR = object_schema(type=_TEXT_FIELD, message=_TEXT_FIELD)
RESULT = {"anyOf": [_RESULT, _CHAT]}
_HEAD = {
    "type": "object",
    "properties": {
        "info": object_schema(name=_TEXT_FIELD, model_id=_TEXT_FIELD, extra={"type": "object"}),
        "supports": {"type": "array", "items": _TEXT_FIELD},
        "continues_prompt": {"type": "boolean"},
    },
    "required": ["info"],
}
_CALL = {
    "type": "object",
    "properties": {
        "call": _TEXT_FIELD,
        "stop": {"type": "array", "items": _TEXT_FIELD},
        "arguments": {"type": "object"},
        "error": ERROR,
    },
    "required": ["call", "stop", "arguments"],
    "if": {"properties": {"call": {"const": "chat_with_tools"}}},
    "then": {"properties": {"result": _CHAT}},
    "else": {"properties": {"result": _RESULT}},
    "anyOf": [{"required": ["result"]}, {"required": ["error"]}],
}


def read_lines(
    path: Path, first: Mapping[str, Any], others: Mapping[str, Any]
) -> list[dict[str, Any]]:
    """The lines that a `Recorder` wrote; a last one that was cut off is left out.

    A person may have edited the file, so each line is checked against its schema: `first` or
    `others`.

    Raises:
        OSError: the file cannot be read.
        ValueError: a line is not a recorder's; names the file and the line.
    """
    lines = []
    for number, line in enumerate(read_bytes(path).split(b"\n")[:-1], 1):
        try:
            data = load_json(line.decode(**_TEXT))
            fault = find_fault(data, first if number == 1 else others)
        except ValueError as error:
            fault = f"it is not JSON: {error}"
        if fault:
            raise ValueError(f"{path}, line {number}: {fault}. Mend that line, or record it again.")
        lines.append(data)
    return lines


def play(line: Mapping[str, Any], kind: type[Answer]) -> Answer:
    """Return the result in `line`, or raise its error."""
    if error := error_in(line):
        raise error
    result = line["result"]
    if "tool_calls" in result:
        result = {**result, "tool_calls": tuple(result["tool_calls"])}
    return kind(**result)


def error_in(line: Mapping[str, Any]) -> BackendError | None:
    """The error with which the call in `line` ended, if it did."""
    if not (error := line.get("error")):
        return None
    raised = getattr(errors, error["type"], None)
    if not (isinstance(raised, type) and issubclass(raised, BackendError)):
        raised = BackendError
    return raised(error["message"])


@dataclass(frozen=True)
class RecordedCall:
    """One call to a model: its prompt as text, and its result."""

    prompt: str
    result: InferenceResult | ChatResult


class Taped(Backend):
    """The base of recording and replay: every call is a name, its arguments and its stop
    strings."""

    _stop: tuple[str, ...] = ()

    def stopping_at(self, *strings: str) -> Backend:
        return self._view(_stop=strings)

    def _complete(self, prompt: str, sampling: Sampling) -> InferenceResult:
        return self._call("complete", InferenceResult, {"prompt": prompt, **sampling.as_options()})

    def _complete_json(
        self, prompt: str, schema: Mapping[str, Any], sampling: Sampling
    ) -> InferenceResult:
        arguments = {"prompt": prompt, "schema": schema, **sampling.as_options()}
        return self._call("complete_json", InferenceResult, arguments)

    def _chat(
        self,
        messages: Sequence[Message],
        tools: Sequence[ToolSchema],
        sampling: Sampling,
        think: bool | None,
    ) -> ChatResult:
        arguments = {"messages": messages, "tools": tools, **sampling.as_options(), "think": think}
        return self._call("chat_with_tools", ChatResult, arguments)

    @abstractmethod
    def _call(self, name: str, result_type: type[R], arguments: Mapping[str, Any]) -> R:
        """Answer the call of `name` with `arguments`."""


class RecordingBackend(Taped, BackendView):
    """Passes every call on to `backend`, and keeps it in `calls` and, if there is one, in `path`.

    `calls` has the answered calls, oldest first, also those whose answer was unusable. A chat is
    stored there as a text of its tools and messages; the model reads the engine's template of them.
    `path` also has the errors. Each call is on disk before its result is returned; an existing file
    is replaced.

    >>> import tempfile
    >>> from g2c.inference import ScriptedBackend
    >>> path = Path(tempfile.mkdtemp(), "run.jsonl")
    >>> model = RecordingBackend(ScriptedBackend(["4"]), path)
    >>> model.complete("2 + 2 =") == ReplayBackend(path).complete("2 + 2 =")
    True
    >>> [(call.prompt, call.result.completion) for call in model.calls]
    [('2 + 2 =', '4')]
    """

    def __init__(self, backend: Backend, path: str | Path | None = None) -> None:
        self.calls: list[RecordedCall] = []
        self._backend = backend
        file = None if path is None else Path(path)
        self._recorder = Recorder(file)
        if file:
            file.write_bytes(b"")
        supports = [name for name in _SUPPORTS if getattr(backend, f"supports_{name}")]
        self._recorder.write(
            {
                "info": asdict(backend.info),
                "supports": supports,
                "continues_prompt": backend.continues_prompt,
            }
        )

    def _call(self, name: str, result_type: type[R], arguments: Mapping[str, Any]) -> R:
        backend = self._backend.stopping_at(*self._stop) if self._stop else self._backend
        call = {"call": name, "stop": self._stop, "arguments": arguments}
        prompt = arguments["prompt"] if "prompt" in arguments else _as_prompt(arguments)
        try:
            result: R = self._recorder.keep(call, lambda: getattr(backend, name)(**arguments))
        except UnusableAnswerError as error:
            self.calls += [RecordedCall(prompt, error.answer)] if error.answer else []
            raise
        self.calls.append(RecordedCall(prompt, result))
        return result


class ReplayBackend(Taped):
    """Answers the recorded calls of `path`, in their order, with their recorded results.

    Raises:
        ReplayMismatchError: another call than the next one on the recording; says what differs.
        BackendError: `path` is not a recording. A last line that was cut off is left out.
    """

    def __init__(self, path: str | Path) -> None:
        self._tape = _Tape(Path(path))

    @property
    def info(self) -> BackendInfo:
        return self._tape.info

    @property
    def supports_json(self) -> bool:
        return "json" in self._tape.supports

    @property
    def supports_tools(self) -> bool:
        return "tools" in self._tape.supports

    @property
    def continues_prompt(self) -> bool:
        return self._tape.continues_prompt

    def _call(self, name: str, result_type: type[R], arguments: Mapping[str, Any]) -> R:
        line = self._tape.next({"call": name, "stop": self._stop, "arguments": arguments})
        return play(line, result_type)


class _Tape:
    """A recording, and the position in it; shared by the views of a `ReplayBackend`."""

    def __init__(self, path: Path) -> None:
        self._path = path
        try:
            lines = read_lines(path, _HEAD, _CALL)
        except FileNotFoundError:
            raise BackendError(
                f"There is no recording {path}; make one with RecordingBackend(backend, path)."
            ) from None
        except (OSError, ValueError) as error:
            raise BackendError(f"{path} is not a recording of a run: {reason_of(error)}") from None
        if not lines:
            raise BackendError(
                f"{path} is not a recording of a run: it is empty. Make one with "
                "RecordingBackend(backend, path)."
            )
        head, *self._calls = lines
        self.info = BackendInfo(**head["info"])
        # Older recordings lack these fields; their programs assumed all of this.
        self.supports = head.get("supports", _SUPPORTS)
        self.continues_prompt: bool = head.get("continues_prompt", True)
        self._played = 0
        self._playing = threading.Lock()

    def next(self, asked: Mapping[str, Any]) -> dict[str, Any]:
        """The next line of the recording, if it answers `asked`."""
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
    """The first difference of the two calls in words, or None.

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
    at = common_start(then, now)
    near = slice(max(0, at - 40), at + 40)
    return f"from character {at}: recorded {then[near]!r}, asked {now[near]!r}."


def _as_text(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)


def _as_prompt(chat: Mapping[str, Any]) -> str:
    """A chat as text: the tools a line each, then a block a message.

    >>> call = {"id": "1", "function": {"name": "add", "arguments": {"a": 1}}}
    >>> message = {"role": "assistant", "content": "", "tool_calls": [call]}
    >>> print(_as_prompt({"messages": [message], "tools": []}))
    [assistant]
    {"name": "add", "arguments": {"a": 1}}
    """
    blocks = [["[tools]", *map(_as_text, chat["tools"])]] if chat["tools"] else []
    for message in chat["messages"]:
        calls = (_as_text(call.get("function", call)) for call in message.get("tool_calls", ()))
        blocks.append([f"[{message['role']}]", message.get("content", ""), *calls])
    return "\n\n".join("\n".join(filter(None, block)) for block in blocks)
