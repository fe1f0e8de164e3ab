"""Services that fail: what is gained if `try_again` (22.9) says whether calls are made again.

A task is a service and the callers that it failed in the same moment: one, or a crowd. Time is
simulated. An answer is worth 1. Waiting for as long as the caller can costs `WAITING`, a further
call `CALLING`, and a second effect where one was wanted `HARM`. The score compares the gain with
that of callers who know when the service will answer.
"""

import heapq
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from math import exp, floor, isfinite, log
from random import Random
from typing import Any, Literal

from g2c.course.scored import Goal, Progress, Score
from g2c.loop.core.failures import MAX_TRIES, Effect, Failure, FailureKind
from g2c.text import named_reason

TryAgain = Callable[..., Any]

WAITING, CALLING, HARM = 0.3, 0.01, 3.0
TASKS = 600
TARGET = 78.0

HAPPENED = {"refused": 0.0, "busy": 0.0, "lost": 0.5, "broken": 0.3}
"""How often a call that failed in this way was carried out all the same."""

BUSY: tuple[FailureKind, ...] = tuple("busy" for _ in range(MAX_TRIES))

Reason = Literal["away", "for good", "limited", "crowded"]


@dataclass(frozen=True)
class Service:
    """A service that failed its callers at time 0.

    It answers from `back` on; None is never. Until then it fails in one of the ways of `fails`, for
    all of its callers alike. With `names`, it says when it will be back if it is "busy"; with
    `is_strict`, a call before that begins the wait anew. It takes `pace` seconds for an answer, and
    is busy for others meanwhile.
    """

    reason: Reason
    effect: Effect
    patience: float
    fails: tuple[FailureKind, ...]
    back: float | None
    names: bool = False
    is_strict: bool = False
    callers: int = 1
    pace: float = 0.0

    @property
    def best(self) -> float:
        """The gain of callers who know everything, and risk no harm."""
        if self.back is None or (self.effect == "once" and self.fails[0] in ("lost", "broken")):
            return 0.0
        times = [self.back + number * self.pace for number in range(self.callers)]
        return sum(_worth(time, self.patience) - CALLING for time in times if time < self.patience)


def _worth(waited: float, patience: float) -> float:
    """The worth of an answer after so many seconds."""
    return 1 - WAITING * waited / patience


def _between(random: Random, low: float, high: float) -> float:
    """A number whose logarithm is evenly spread."""
    return exp(random.uniform(log(low), log(high)))


def make_services(seed: int) -> list[Service]:
    """Services that fail in different ways, of each the same share."""
    random = Random(seed)
    makers = (_away, _away, _away, _for_good, _limited, _crowded, _crowded, _away)
    return [makers[number % len(makers)](random) for number in range(TASKS)]


def _effect(random: Random) -> Effect:
    return random.choice(("none", "none", "same", "once", "once"))


def _away(random: Random) -> Service:
    ways: tuple[FailureKind, ...] = ("busy", "lost", "lost", "broken")
    fails = [random.choice(ways)] * MAX_TRIES
    if random.random() < 0.4:
        fails = [random.choice(ways) for _ in fails]
    back = _between(random, 0.3, 60)
    names = random.random() < 0.3
    return Service("away", _effect(random), _between(random, 5, 200), tuple(fails), back, names)


def _for_good(random: Random) -> Service:
    begins: tuple[list[FailureKind], ...] = ([], [], ["busy"], ["lost"])
    begin = random.choice(begins)
    last: FailureKind = random.choice(("refused", "refused", "broken", "lost"))
    fails = (*begin, *[last] * MAX_TRIES)
    return Service("for good", _effect(random), _between(random, 5, 200), fails, None)


def _limited(random: Random) -> Service:
    patience = _between(random, 5, 200)
    back = patience * _between(random, 0.05, 2)
    return Service("limited", _effect(random), patience, BUSY, back, names=True, is_strict=True)


def _crowded(random: Random) -> Service:
    callers, pace = random.randint(8, 60), _between(random, 0.05, 0.5)
    back = _between(random, 0.3, 6)
    return Service(
        "crowded",
        _effect(random),
        callers * pace * _between(random, 2, 10) + 2 * back,
        BUSY,
        back,
        names=random.random() < 0.5,
        callers=callers,
        pace=pace,
    )


@dataclass
class Caller:
    """A caller, with what it knows, and how it ended."""

    random: Random
    failures: list[Failure] = field(default_factory=list)
    effects: int = 0
    early: str = ""
    answered: float | None = None
    ended: float = 0.0
    fault: str = ""

    def gain(self, service: Service) -> float:
        """The value of its answer, less the wait, the calls and the harm."""
        is_harmed = service.effect == "once" and self.effects > 1
        tries = len(self.failures) - (self.answered is None)
        waited = min(self.ended, service.patience)
        return (
            (self.answered is not None)
            - WAITING * waited / service.patience
            - CALLING * tries
            - HARM * is_harmed
            - bool(self.fault)
        )


def live(try_again: TryAgain, service: Service, random: Random) -> list[Caller]:
    """All callers of a service, each to its end."""
    callers = [Caller(Random(random.random())) for _ in range(service.callers)]
    queue = [(0.0, number) for number in range(service.callers)]
    back, free = service.back, 0.0
    while queue:
        now, number = heapq.heappop(queue)
        caller = callers[number]
        tried = len(caller.failures)
        if back is not None and now >= max(back, free) and tried:
            free = now + service.pace
            caller.effects += 1
            caller.answered = caller.ended = now
            continue
        kind = service.fails[min(tried, len(service.fails) - 1)]
        if back is not None and now >= back and tried:
            kind = "busy"
            free += service.pace / 20  # saying no takes time, too
        caller.effects += random.random() < HAPPENED[kind]
        took = random.uniform(0.5, 3.0) if kind == "lost" else random.uniform(0.05, 0.15)
        if service.callers > 1:
            took = 0.1
        caller.ended = now + took
        if service.is_strict and service.back and tried:
            back = caller.ended + service.back
        named = None
        if service.names and back and kind == "busy":
            named = max(back - caller.ended, 0.5)
        caller.failures.append(Failure(kind, caller.ended, named))
        left = service.patience - caller.ended
        if left <= 0:
            continue
        wait = _ask(try_again, caller, service, left)
        if wait is None:
            continue
        if named is not None and wait < named:
            caller.early = caller.early or f"asked to wait for {named:.3g} s, you waited {wait:.3g}"
        if wait >= left or len(caller.failures) >= MAX_TRIES:
            caller.ended = service.patience
            continue
        heapq.heappush(queue, (caller.ended + wait, number))
    return callers


def _ask(try_again: TryAgain, caller: Caller, service: Service, left: float) -> float | None:
    try:
        wait = try_again(tuple(caller.failures), service.effect, left, caller.random)
    except NotImplementedError:
        raise
    except Exception as error:
        caller.fault = f"it raised {named_reason(error)}"[:200]
        return None
    if wait is None:
        return None
    if (
        isinstance(wait, bool)
        or not isinstance(wait, int | float)
        or not isfinite(wait)
        or wait < 0
    ):
        caller.fault = f"it returned {wait!r:.40}, which is neither seconds from 0 on nor None"
        return None
    return float(wait)


def _loss(caller: Caller, service: Service) -> tuple[str, str]:
    """Why a caller gained less than it could: the kind, and what happened, in words."""
    kinds = ", ".join(failure.kind for failure in caller.failures)
    asked = f"A call whose effect is {service.effect!r} failed ({kinds})"
    left = service.patience - caller.failures[-1].after
    if caller.fault:
        return "fault", f"{asked}, and {caller.fault}."
    if service.effect == "once" and caller.effects > 1:
        return "harm", f"{asked} and was made again: it was carried out {caller.effects} times."
    if service.back is None:
        return "in vain", f"{asked}. It would never have been answered; you made it again."
    if caller.early:
        return "early", f"{asked}. {caller.early.capitalize()}."
    if caller.answered is not None:
        late = caller.answered - service.back
        return "late", f"{asked}. It was answered {late:.3g} s after the service was back."
    if service.callers > 1:
        return "crowd", (
            f"{asked}, and so did those of {service.callers - 1} others in the same moment. The "
            f"service was back after {service.back:.3g} s, and this one had no answer in "
            f"{service.patience:.3g} s."
        )
    if caller.ended < service.patience:
        return "gave up", (
            f"{asked}. You gave up with {left:.3g} s left; the service was back after "
            f"{service.back:.3g} s."
        )
    return "missed", f"{asked}, and had no answer in {service.patience:.3g} s."


def measure(try_again: TryAgain, seed: int, progress: Progress) -> Score:
    """The percentage of what callers who know everything would gain. A crowd counts as one."""
    random = Random(seed + 1)
    gained = possible = 0.0
    lost: dict[str, list[tuple[float, str]]] = {}
    services = make_services(seed)
    for number, service in enumerate(services):
        progress(number, len(services))
        possible += service.best / service.callers
        for caller in live(try_again, service, random):
            gain = caller.gain(service) / service.callers
            gained += gain
            if (loss := service.best / service.callers**2 - gain) > 0:
                kind, sentence = _loss(caller, service)
                lost.setdefault(kind, []).append((loss, sentence))
    worst = sorted(lost.values(), key=lambda losses: -sum(loss for loss, _ in losses))
    told = tuple(f"{max(losses)[1]} ({len(losses)} like this.)" for losses in worst[:5])
    return Score(floor(1000 * gained / possible) / 10, 100, told)


def tasks(seed: int) -> Iterator[str]:
    """Some services, and what they did to a caller that never asked again."""
    for service in make_services(seed)[:40]:
        back = "never" if service.back is None else f"after {service.back:.3g} s"
        yield (
            f"{service.reason:9} back {back:13} fails {', '.join(dict.fromkeys(service.fails)):20} "
            f"effect {service.effect:5} patience {service.patience:5.0f} s, {service.callers} "
            "callers"
        )


GOAL = Goal(measure, TARGET, "per cent of what could be gained", tasks=tasks)
