"""The logs of commands, one file each in `runs/`, with a line for each event.

A log is written while the command runs, so a killed command has one, too. A command without traced
events, such as calls to a model, leaves none.
"""

import functools
import itertools
import os
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any, ParamSpec, TypeVar

from g2c.course.runs import SECOND, find_run, newest_first, runs_dir
from g2c.files import if_possible, open_file, read_text
from g2c.foreign_json import load_json
from g2c.json_files import record_of
from g2c.text import reason_of
from g2c.tracing import MODEL, Event, EventLog, logging_to
from g2c.written import lines_of

MAX_TRACE_BYTES = 50 * 2**20
SUFFIX = ".events.jsonl"
CHILD_VARIABLE = "G2C_TRACE"
"""The environment variable with a child process's number, and its parent's `zero` and log."""
COMMAND = "command"
"""The kind of a log's first event, which is about the whole command."""
_EMPTY = asdict(Event(0.0, 0, 0, "end"))


class TraceFile:
    """The log of one command. The file is made at the first event, or for the first child."""

    def __init__(self, command: str, now: datetime) -> None:
        self._stem = f"{now.astimezone(UTC):%Y%m%d-%H%M%S}-{command}"
        self._first: Event | None = None
        self._path: Path | None = None

    def __call__(self, event: Event) -> None:
        if self._first is None:
            self._first = event
        elif self._path or event.id != self._first.id:
            add_event(self._opened(), event)

    def invite(self, number: int, zero: float) -> dict[str, str]:
        """The environment variable that makes child `number` log to this file; empty if there is no
        file."""
        try:
            return {CHILD_VARIABLE: f"{number} {zero!r} {self._opened().resolve()}"}
        except OSError:  # the next event says so
            return {}

    def _opened(self) -> Path:
        if self._path is None:
            runs_dir().mkdir(parents=True, exist_ok=True)
            for number in itertools.count(1):
                name = self._stem if number == 1 else f"{self._stem}-{number}"
                path = runs_dir() / f"{name}{SUFFIX}"
                with suppress(FileExistsError):
                    path.touch(exist_ok=False)
                    break
            assert self._first
            add_event(path, self._first)
            self._path = path
        return self._path


def add_event(path: Path, event: Event) -> None:
    """Add a line to the log at `path`; several processes may."""
    fields = {**asdict(event), "at": round(event.at, 6)}
    always = {"at", "worker", "id", "what"}
    said = {name: what for name, what in fields.items() if name in always or what != _EMPTY[name]}
    line = record_of(said) + "\n"
    with open_file(path, "ab", buffering=0) as file:  # one write: lines of two processes never mix
        file.write(line.encode("utf-8", "backslashreplace"))


def _while_possible(write: Callable[[Event], None]) -> Callable[[Event], None]:
    """`write`, until an event cannot be written. It may be torn, and a log is torn only at its
    end."""
    failed = False

    def write_or_not(event: Event) -> None:
        nonlocal failed
        if not failed:
            failed = True
            with if_possible("the rest of this run's trace"):
                write(event)
                failed = False

    return write_or_not


@contextmanager
def tracing_to_file(command: str, now: datetime | None = None) -> Iterator[None]:
    """Log the events of this process inside the `with` as a run of `command`, or as a part of the
    run that started this process."""
    number, _, rest = os.environ.pop(CHILD_VARIABLE, "").partition(" ")
    zero, _, path = rest.partition(" ")
    if path:
        write = _while_possible(partial(add_event, Path(path)))
        log = EventLog(write, child=int(number), zero=float(zero))
    else:
        file = TraceFile(command, now or datetime.now(UTC))
        log = EventLog(_while_possible(file), invite=file.invite)
    leaving = None
    with logging_to(log), log.traced(COMMAND, command, "") as ending:
        try:
            yield
        except RuntimeError as error:
            if not hasattr(error, "exit_code"):
                raise
            leaving = error  # typer's way to end a command, not an error
        finally:
            ending.outcome = log.whole.outcome
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
    return newest_first(file for file in own if not file.is_symlink())


def name_of(file: Path) -> str:
    """A log's name, without its ending."""
    return file.name.removesuffix(SUFFIX)


def find_trace(name: str) -> Path:
    """The log of that name, or of the only name that begins so; `last`, or a number from 1 for the
    newest. It is looked up among the existing logs. The name of a recorded run stands for the log
    of the command in which it ran.

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
    found = [trace for trace in traces if name_of(trace) == name]
    found = found or [trace for trace in traces if name and name_of(trace).startswith(name)]
    found = found or _of_run(name, traces)
    if not found:
        raise ValueError(
            f"There is no trace {name!r}; g2c runs trace --list shows those that there are."
        )
    if len(found) > 1:
        raise ValueError(f"{len(found)} traces begin with {name!r}; write more of the name.")
    return found[0]


def _of_run(name: str, traces: Sequence[Path]) -> list[Path]:
    """The newest log that began before that run was recorded, and has its question."""
    with suppress(OSError, ValueError, KeyError, TypeError):
        run = find_run(name)
        question = load_json(read_text(run))["user_message"]
        for trace in traces:
            if name_of(trace)[:SECOND] <= run.name[:SECOND] and any(
                event.kind == "agent" and event.text and question.startswith(event.text)
                for event in read_events(trace)
            ):
                return [trace]
    return []


def read_events(path: Path) -> tuple[Event, ...]:
    """The events in that file, by time. A torn last line is left out.

    Raises:
        ValueError: the file has something else, or more than `MAX_TRACE_BYTES`.
    """
    if path.stat().st_size > MAX_TRACE_BYTES:
        raise ValueError(f"{path} is larger than {MAX_TRACE_BYTES:,} bytes, and was not read.")
    try:
        lines = lines_of(read_text(path, "utf-8", "surrogatepass"))
    except UnicodeDecodeError:
        raise ValueError(f"{path} is not text in UTF-8, and no trace of a run.") from None
    events = []
    for number, line in enumerate(lines, 1):
        try:
            events.append(_event_of(load_json(line)))
        except (ValueError, TypeError) as error:
            if number == len(lines):
                break
            raise ValueError(f"{path}, line {number}, is not an event of a run: {error}") from None
    return tuple(sorted(events, key=lambda event: event.at))  # several processes may have written


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
    the tokens that each model read and wrote in them. `untold` calls are in no sum, because the
    model did not report their tokens, or the run was killed before."""

    command: str
    runs: int
    outcomes: tuple[tuple[str, int], ...]
    tokens: Mapping[str, tuple[int, int]]
    untold: int = 0


def ends_of(traces: Sequence[Path]) -> tuple[tuple[Ends, ...], list[str]]:
    """How the runs in these files ended, by command, and why some files could not be read. A killed
    run has no end."""
    unreadable: list[str] = []
    untold: Counter[str] = Counter()
    outcomes: dict[str, Counter[str]] = defaultdict(Counter)
    tokens: dict[str, Counter[tuple[str, str]]] = defaultdict(Counter)
    for path in traces:
        try:
            events = read_events(path)
            # Not always the first: a child, whose ids are larger, may have another clock.
            begun = (event for event in events if event.kind == COMMAND)
            run = min(begun, key=lambda event: event.id, default=None)
            if run is None:
                raise ValueError(f"{path} does not say which command it is of.")
        except (ValueError, OSError) as error:
            unreadable.append(reason_of(error))
            continue
        command = run.name
        ends = {event.id: event for event in events if event.what == "end"}
        end = ends.get(run.id)
        outcomes[command][(end.outcome or end.error or "ended") if end else "killed"] += 1
        for item in events:
            if item.kind == MODEL and item.what != "end":
                end = ends.get(item.id)
                read, written = (end.input_tokens, end.output_tokens) if end else (None, None)
                untold[command] += None in (read, written)
                tokens[command][item.name, "read"] += read or 0
                tokens[command][item.name, "written"] += written or 0
    found = tuple(
        Ends(
            command,
            counts.total(),
            tuple(counts.most_common()),
            {
                model: (tokens[command][model, "read"], tokens[command][model, "written"])
                for model, _ in tokens[command]
            },
            untold[command],
        )
        for command, counts in sorted(outcomes.items())
    )
    return found, unreadable
