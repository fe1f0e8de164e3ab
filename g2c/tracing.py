"""The log of what a program does while it runs: what begins and ends, when, and in which thread.

Nobody keeps a log until somebody asks for one, and then it costs a line for each beginning and end.
The log does not say which event is below which: `build_spans` of module 23 finds that out.
"""

import functools
import itertools
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, fields
from typing import Any, Literal, Protocol, TypeVar, cast

MODEL = "model"
MAX_TEXT_CHARS = 4_000
MAX_EVENTS = 10**9
"""More than a process writes; the ids of its child processes lie above."""


@dataclass(frozen=True)
class Event:
    """Something begins, or ends: a call to a model, a tool call, an agent's run, a whole command.

    `at` is in seconds since 1970, and never smaller than in the event before. `worker` is the
    thread, counted from 0. A beginning has its `kind`, such as `model`, and its `name`; its end has
    the same `id`. An end may have `error`, an `outcome` such as `max_steps`, and the `tokens` that
    a model read and wrote, if it told them. `text` is what went in, or came out.
    """

    at: float
    worker: int
    id: int
    what: Literal["begin", "end"]
    kind: str = ""
    name: str = ""
    error: str = ""
    outcome: str = ""
    input_tokens: int | None = None
    output_tokens: int | None = None
    text: str = ""

    def __repr__(self) -> str:
        return short(self, always=4)


def short(data: Any, always: int) -> str:
    """A dataclass with its first fields, and of the others those that say something.

    >>> Event(5.0, 0, 1, "end", error="late")
    Event(5.0, 0, 1, 'end', error='late')
    """
    first, others = fields(data)[:always], fields(data)[always:]
    parts = [repr(getattr(data, field.name)) for field in first]
    for other in others:
        value = getattr(data, other.name)
        if value != other.default:
            parts.append(f"{other.name}={value!r}")
    return f"{type(data).__name__}({', '.join(parts)})"


class Costs(Protocol):
    """The tokens that a call to a model used."""

    @property
    def prompt_tokens(self) -> int | None: ...
    @property
    def completion_tokens(self) -> int | None: ...


@dataclass
class Ending:
    """The values of an event's end; the code that does the work fills them in."""

    error: str = ""
    outcome: str = ""
    input_tokens: int | None = None
    output_tokens: int | None = None
    text: str = ""


class EventLog:
    """Writes events with `write`, one at a time, whichever thread they come from.

    A child process may write to the same place; `invite` gives what its environment needs. Its log
    gets that number as `child`, so that its ids and workers are no other's, and that `zero`, the
    time at which `clock` was 0, so that their times agree even if somebody sets the computer's.
    """

    def __init__(
        self,
        write: Callable[[Event], None],
        *,
        clock: Callable[[], float] = time.perf_counter,
        began: float | None = None,
        child: int = 0,
        zero: float | None = None,
        invite: Callable[[int, float], Mapping[str, str]] = lambda number, zero: {},
    ) -> None:
        self._write = write
        self._clock = clock
        if zero is None:
            zero = (time.time() if began is None else began) - clock()
        self._zero = zero
        self._ids = itertools.count(child * MAX_EVENTS + 1)
        self._first_worker = child * MAX_EVENTS
        self._workers: dict[int, int] = {}
        self._children = itertools.count(1)
        self._invite = invite
        self._one_at_a_time = threading.Lock()
        self._calling = threading.local()
        self.whole = Ending()

    @contextmanager
    def traced(self, kind: str, name: str, text: str) -> Iterator[Ending]:
        # A view of a backend, or a recording of one, hands a call on: it is one call.
        inside = getattr(self._calling, "model", False)
        if kind == MODEL and inside:
            yield Ending()
            return
        self._calling.model = kind == MODEL
        number, ending = next(self._ids), Ending()
        self._add(number, "begin", kind=kind, name=name, text=text[:MAX_TEXT_CHARS])
        try:
            yield ending
        except BaseException as error:
            ending.error = ending.error or type(error).__name__
            if answer := getattr(error, "answer", None):
                ending.input_tokens = answer.prompt_tokens
                ending.output_tokens = answer.completion_tokens
            raise
        finally:
            self._calling.model = inside
            fields = {**vars(ending), "text": ending.text[:MAX_TEXT_CHARS]}
            self._add(number, "end", **fields)

    def _add(self, number: int, what: Literal["begin", "end"], **fields: Any) -> None:
        with self._one_at_a_time:
            number_of_thread = self._first_worker + len(self._workers)
            worker = self._workers.setdefault(threading.get_ident(), number_of_thread)
            self._write(Event(self._zero + self._clock(), worker, number, what, **fields))

    def environment_of_child(self) -> Mapping[str, str]:
        return self._invite(next(self._children), self._zero)


_log: EventLog | None = None


def environment_of_child() -> Mapping[str, str]:
    """The environment variables that send a child process's events to this process's log."""
    return {} if _log is None else _log.environment_of_child()


@contextmanager
def logging_to(log: EventLog) -> Iterator[None]:
    """Within this, what is traced anywhere in this process goes to `log`."""
    global _log
    before, _log = _log, log
    try:
        yield
    finally:
        _log = before


def is_logged() -> bool:
    """Whether anything of this process is logged now."""
    return _log is not None


@contextmanager
def traced(kind: str, name: str = "", text: object = "") -> Iterator[Ending]:
    """Tell the log, if there is one, when this begins and ends. An exception is an error."""
    if _log is None:
        yield Ending()
    else:
        with _log.traced(kind, name, str(text)) as ending:
            yield ending


def tell_outcome(outcome: str) -> None:
    """Say what the whole that is being logged came to, such as `approved`."""
    if _log is not None:
        _log.whole.outcome = outcome


C = TypeVar("C", bound=Costs)


def traced_call(
    name: Callable[[], str], text: str, ask: Callable[[], C], text_of: Callable[[C], str]
) -> C:
    """Do as `ask` does, which is one call to the model of that name, and tell the log of it."""
    if _log is None:
        return ask()
    with _log.traced(MODEL, name(), text) as ending:
        answer = ask()
        ending.input_tokens = answer.prompt_tokens
        ending.output_tokens = answer.completion_tokens
        ending.text = text_of(answer)
    return answer


F = TypeVar("F", bound=Callable[..., Any])


def traced_run(run: F) -> F:
    """The method `run` of an agent, with its beginning and its end in the log."""

    @functools.wraps(run)
    def wrapped(self: Any, user_message: str) -> Any:
        with traced("agent", type(self).__name__, str(user_message)) as ending:
            result = run(self, user_message)
            ending.outcome = str(getattr(result, "stopped_reason", ""))
            ending.text = str(getattr(result, "final_answer", None) or "")
        return result

    return cast(F, wrapped)


def untold_text(calls: int) -> str:
    """The sentence below sums of tokens that so many calls of models are not in; "" for none."""
    if not calls:
        return ""
    whose = "1 call of a model did not report its"
    if calls > 1:
        whose = f"{calls} calls of models did not report their"
    return f"{whose} tokens; no sum has them."
