"""The logs of commands, one file each in `runs/`, with a line for each event.

A log is written while the command runs, so a killed command has one, too. A command without traced
events, such as calls to a model, leaves none.
"""

from __future__ import annotations

import functools
import itertools
import json
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from io import TextIOWrapper
from pathlib import Path
from typing import Any, ParamSpec, TypeVar

from g2c.course.runs import runs_dir
from g2c.foreign_json import load_json
from g2c.tracing import MODEL, Event, EventLog, logging_to
from g2c.written import lines_of

MOST_TRACE_BYTES = 50 * 2**20
SUFFIX = ".events.jsonl"
COMMAND = "command"
"""The kind of a log's first event, which is about the whole command."""
_EMPTY = asdict(Event(0.0, 0, 0, "end"))


class TraceFile:
    """The log of one command. The file is made at the first event."""

    def __init__(self, command: str, now: datetime) -> None:
        self._stem = f"{now.astimezone(UTC):%Y%m%d-%H%M%S}-{command}"
        self._first: Event | None = None
        self._file: TextIOWrapper | None = None

    def __call__(self, event: Event) -> None:
        if self._first is None:
            self._first = event
        elif self._file is not None:
            self._write(event)
        elif event.id != self._first.id:
            self._file = self._open()
            self._write(self._first)
            self._write(event)

    def close(self) -> None:
        if self._file is not None:
            self._file.close()

    def _open(self) -> TextIOWrapper:
        runs_dir().mkdir(parents=True, exist_ok=True)
        for number in itertools.count(1):
            name = self._stem if number == 1 else f"{self._stem}-{number}"
            try:
                path = runs_dir() / f"{name}{SUFFIX}"
                return path.open("x", encoding="utf-8", errors="backslashreplace")
            except FileExistsError:
                continue
        raise AssertionError  # unreachable: the loop does not end

    def _write(self, event: Event) -> None:
        assert self._file is not None
        fields = {**asdict(event), "at": round(event.at, 6)}
        always = {"at", "worker", "id", "what"}
        said = {one: what for one, what in fields.items() if one in always or what != _EMPTY[one]}
        self._file.write(json.dumps(said, ensure_ascii=False) + "\n")
        self._file.flush()


@contextmanager
def tracing_to_file(command: str, now: datetime | None = None) -> Iterator[None]:
    """Log the events of this process inside the `with` as a run of `command`."""
    file = TraceFile(command, now or datetime.now(UTC))
    log, leaving = EventLog(file), None
    try:
        with logging_to(log), log.traced(COMMAND, command, "") as ending:
            try:
                yield
            except RuntimeError as error:
                if not hasattr(error, "exit_code"):
                    raise
                leaving = error  # typer's way to end a command, not an error
            finally:
                ending.outcome = log.whole.outcome
    finally:
        file.close()
    if leaving:
        raise leaving


P = ParamSpec("P")
R = TypeVar("R")


def leaves_trace(command: str) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """The decorator of a command whose runs are logged."""

    def decorate(function: Callable[P, R]) -> Callable[P, R]:
        @functools.wraps(function)
        def wrapped(*args: P.args, **kwargs: P.kwargs) -> R:
            with tracing_to_file(command):
                return function(*args, **kwargs)

        return wrapped

    return decorate


def list_traces() -> list[Path]:
    """The logs, newest first; links do not count."""
    own = (file for file in runs_dir().glob(f"*{SUFFIX}") if file.is_file())
    return sorted((one for one in own if not one.is_symlink()), key=name_of, reverse=True)


def name_of(file: Path) -> str:
    """A log's name, without its ending."""
    return file.name.removesuffix(SUFFIX)


def find_trace(name: str) -> Path:
    """The log of that name, or of the only name that begins so; `last`, or a number from 1 for the
    newest. It is looked up among the existing logs.

    Raises:
        ValueError: there is no such log, or more than one.
    """
    traces = list_traces()
    if not traces:
        raise ValueError(
            "No run has left a trace yet; g2c chat, refine, review, memory dream and loop do."
        )
    if name == "last":
        return traces[0]
    if name.isdecimal() and 1 <= int(name) <= len(traces):
        return traces[int(name) - 1]
    name = Path(name).name.removesuffix(SUFFIX)
    found = [one for one in traces if name_of(one) == name]
    found = found or [one for one in traces if name and name_of(one).startswith(name)]
    if not found:
        raise ValueError(
            f"There is no trace {name!r}; g2c trace --list shows those that there are."
        )
    if len(found) > 1:
        raise ValueError(f"{len(found)} traces begin with {name!r}; write more of the name.")
    return found[0]


def read_events(path: Path) -> tuple[Event, ...]:
    """The events in that file. A torn last line is left out.

    Raises:
        ValueError: the file has something else, or more than `MOST_TRACE_BYTES`.
    """
    if path.stat().st_size > MOST_TRACE_BYTES:
        raise ValueError(f"{path} is larger than {MOST_TRACE_BYTES:,} bytes, and was not read.")
    lines = lines_of(path.read_text("utf-8", "surrogatepass"))
    events = []
    for number, line in enumerate(lines, 1):
        try:
            events.append(_event_of(load_json(line)))
        except (ValueError, TypeError) as error:
            if number == len(lines):
                break
            raise ValueError(f"{path}, line {number}, is no event of a run: {error}") from None
    return tuple(events)


def _event_of(data: Any) -> Event:
    event = Event(**data)
    kinds: dict[str, tuple[type, ...]] = {"at": (int, float), "worker": (int,), "id": (int,)}
    kinds |= {name: (int, type(None)) for name in ("input_tokens", "output_tokens")}
    for name, value in asdict(event).items():
        if not isinstance(value, kinds.get(name, (str,))) or isinstance(value, bool):
            raise ValueError(f"{name} is {value!r:.40}")
    return event


@dataclass(frozen=True)
class Ends:
    """How the runs of one command ended: how many, how many of each outcome, the most first, and
    the tokens that each model read and wrote in them."""

    command: str
    runs: int
    outcomes: tuple[tuple[str, int], ...]
    tokens: Mapping[str, tuple[int, int]]


def ends_of(traces: Sequence[Path]) -> tuple[Ends, ...]:
    """How the runs in these files ended, by command. A killed run has no end."""
    outcomes: dict[str, Counter[str]] = defaultdict(Counter)
    tokens: dict[str, Counter[tuple[str, str]]] = defaultdict(Counter)
    for path in traces:
        try:
            events = read_events(path)
        except (ValueError, OSError):
            continue
        if events and events[0].kind == COMMAND:
            command = events[0].name
            ends = {one.id: one for one in events if one.what == "end"}
            end = ends.get(events[0].id)
            outcomes[command][(end.outcome or end.error or "ended") if end else "killed"] += 1
            for one in events:
                if one.kind == MODEL and (end := ends.get(one.id)):
                    tokens[command][one.name, "read"] += end.input_tokens or 0
                    tokens[command][one.name, "written"] += end.output_tokens or 0
    return tuple(
        Ends(
            command,
            counts.total(),
            tuple(counts.most_common()),
            {
                model: (tokens[command][model, "read"], tokens[command][model, "written"])
                for model, _ in tokens[command]
            },
        )
        for command, counts in sorted(outcomes.items())
    )
