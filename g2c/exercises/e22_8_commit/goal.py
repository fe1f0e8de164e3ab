"""Machines that die: whether `commit` (22.8) counts deliveries rightly if any step can be the last.

A task is a list of rounds; in each round some deliveries arrive. First it runs without a death, and
each step is noted. Then the machine dies at each of these steps, at each length at which a write
can be torn, and the function starts again on what is left. Half of the machines die a second time
soon after. A death is survived if all totals are right from then on.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from math import floor
from random import Random
from typing import Any

from g2c.course.scored import Goal, Progress, Score
from g2c.loop.core.disk import MAX_BYTES, Delivery
from g2c.text import named_reason

Commit = Callable[..., Any]

TASKS, ROUNDS, LONG = 12, 4, 100
"""How many tasks there are, their rounds, and the rounds of the one that measures the costs."""

MAX_LENGTHS = 128
"""A longer write is torn at this many lengths, evenly spread."""

TEXTS = ("", "Hello.", "The rent is 900.", "total 12\n", '[7, ["5f3a90c1"]]\n', "a\n\nb", "Grüße")


class Died(BaseException):
    """The machine is dead. Not an `Exception`, so that no handler continues by mistake."""


@dataclass(frozen=True)
class Step:
    """One change: of a file, or the acknowledgement of the delivery `name`."""

    verb: str
    name: str
    data: bytes = b""
    to: str = ""

    @property
    def cuts(self) -> Sequence[int]:
        """How much of it may be done at a death: -1 is nothing, else bytes of `data`."""
        size = len(self.data)
        if size <= MAX_LENGTHS:
            return range(-1, size + 1)
        return [-1, *(size * n // MAX_LENGTHS for n in range(MAX_LENGTHS + 1))]

    def story(self, cut: int) -> str:
        """The part that was done, in words."""
        what = f"{self.verb} {self.name!r}" + (f" to {self.to!r}" if self.to else "")
        if cut < 0:
            return f"right before {what}"
        if cut == len(self.data):
            return f"right after {what}"
        return f"after {cut} of the {len(self.data)} bytes of {what}"


@dataclass(frozen=True)
class World:
    """The survivors of a death: the files, and the deliveries without an acknowledgement."""

    files: dict[str, bytes] = field(default_factory=dict)
    waiting: tuple[Delivery, ...] = ()

    def after(self, step: Step, cut: int) -> World:
        """The world after `cut` of a step."""
        if cut < 0:
            return self
        if step.verb == "acknowledge":
            left = tuple(delivery for delivery in self.waiting if delivery.id != step.name)
            return replace(self, waiting=left)
        files = dict(self.files)
        match step.verb:
            case "write":
                files[step.name] = step.data[:cut]
            case "append":
                files[step.name] = files.get(step.name, b"") + step.data[:cut]
            case "rename":
                files[step.to] = files.pop(step.name)
            case "delete":
                del files[step.name]
        return replace(self, files=files)


class Life:
    """A machine from its start to its death, or for one call: a disk and the acknowledgements.

    It dies at its step number `last`, counted from 0, when `share` of it is done, from 0 to below
    1. It notes each step with the world before it, and the bytes that it moved.
    """

    def __init__(self, world: World, last: int | None = None, share: float = 0.0) -> None:
        self.world = world
        self.last, self.share = last, share
        self.steps: list[tuple[World, Step]] = []
        self.moved = 0
        self.is_dead = False

    def names(self) -> list[str]:
        self._alive()
        names = sorted(self.world.files)
        self.moved += sum(map(len, names))
        return names

    def read(self, name: str) -> bytes:
        data = self._file(name)
        self.moved += len(name) + len(data)
        return data

    def write(self, name: str, data: bytes) -> None:
        self._do(Step("write", _named(name), _bytes(data)))

    def append(self, name: str, data: bytes) -> None:
        self._do(Step("append", _named(name), _bytes(data)))

    def rename(self, name: str, to: str) -> None:
        self._file(name)
        self._do(Step("rename", name, to=_named(to)))

    def delete(self, name: str) -> None:
        self._file(name)
        self._do(Step("delete", name))

    def acknowledge(self, id: str) -> None:
        self._do(Step("acknowledge", id))

    @property
    def story(self) -> str:
        """The place of its death, in words."""
        step, cut = self.died_at()
        return step.story(cut)

    def died_at(self) -> tuple[Step, int]:
        """The last step, and how much of it was done."""
        step = self.steps[-1][1]
        return step, step.cuts[int(self.share * len(step.cuts))]

    def _do(self, step: Step) -> None:
        self._alive()
        number = len(self.steps)
        self.steps.append((self.world, step))
        if number == self.last:
            self.is_dead = True
            self.world = self.world.after(*self.died_at())
            raise Died
        self.world = self.world.after(step, len(step.data))
        if step.verb != "acknowledge":
            self.moved += len(step.name) + len(step.data) + len(step.to)

    def _file(self, name: str) -> bytes:
        self._alive()
        if name not in self.world.files:
            raise FileNotFoundError(f"there is no file {name!r} on the disk")
        return self.world.files[name]

    def _alive(self) -> None:
        if self.is_dead:
            raise Died


def _named(name: str) -> str:
    if not isinstance(name, str) or not name or "/" in name:
        raise ValueError(f"a file's name is a text without a slash; got {name!r}")
    return name


def _bytes(data: bytes) -> bytes:
    if not isinstance(data, bytes):
        raise TypeError(f"a file holds bytes; got {type(data).__name__}")
    return data


Rounds = tuple[tuple[Delivery, ...], ...]


def make_rounds(random: Random, count: int) -> Rounds:
    """Deliveries as they arrive: up to five a round, some of them equal but for their ids."""
    ids: set[str] = set()
    earlier: list[Delivery] = []
    rounds = []
    for number in range(count):
        arrived = []
        for _ in range(random.choice((0, 1, 1, 2, 3, 5) if number else (2, 3))):
            while (id := f"{random.getrandbits(32):08x}") in ids:
                pass
            ids.add(id)
            if earlier and random.random() < 0.4:
                one = replace(random.choice(earlier), id=id)
            else:
                text = random.choice(TEXTS) * random.choice((1, 1, 1, 2, 20))
                one = Delivery(id, text, random.choice((0, 1, 10, 12, 120, 990, 12_000)))
            earlier.append(one)
            arrived.append(one)
        rounds.append(tuple(arrived))
    return tuple(rounds)


@dataclass(frozen=True)
class Fault:
    """An error: its `kind`, for grouping, and what was `seen`."""

    kind: str
    seen: str

    @property
    def group(self) -> tuple[str, ...]:
        """The key of faults that one sentence can report together."""
        return (self.kind,)

    def __str__(self) -> str:
        return f"Without any death, {self.seen}."


def _call(commit: Commit, life: Life, arrived: Sequence[Delivery]) -> Fault | None:
    """One call in a `life`, with all waiting deliveries. None if all is right, or the machine
    died."""
    try:
        total = commit(life, list(life.world.waiting), life.acknowledge)
    except Died:
        return None
    except NotImplementedError:
        raise
    except Exception as error:
        return Fault("raised", f"it raised {named_reason(error)}"[:200])
    if life.is_dead:
        return None
    if type(total) is not int:
        return Fault("kind", f"it returned {total!r:.40}, which is not a whole number")
    if life.world.waiting:
        ids = ", ".join(delivery.id for delivery in life.world.waiting[:3])
        return Fault("waiting", f"it returned, and these were never acknowledged: {ids}")
    right = sum(delivery.amount for delivery in arrived)
    if total == right:
        return None
    kind = "counted twice" if total > right else "lost"
    fits = [delivery.id for delivery in arrived if delivery.amount == abs(total - right)]
    like = f", as if {fits[0]} was {kind}" if fits else ""
    return Fault(kind, f"the total was {total}, and {right} is right{like}")


@dataclass(frozen=True)
class Death:
    """The step of a death, how much of it was done, and what is left. `number` is 2 for the second
    death in a row."""

    step: Step
    cut: int
    left: World
    number: int = 1


@dataclass(frozen=True)
class Loss:
    """A death that was not survived, and the fault."""

    death: Death
    fault: Fault

    @property
    def group(self) -> tuple[str, ...]:
        """The step and the kind of the fault."""
        step = self.death.step
        name = "" if step.verb == "acknowledge" else step.name
        return step.verb, name, self.fault.kind

    def __str__(self) -> str:
        files = self.death.left.files
        found = ", ".join(f"{name!r} with {data[:60]!r}" for name, data in files.items())
        again = " a second time," if self.death.number == 2 else ""
        return (
            f"A machine died{again} {self.death.step.story(self.death.cut)}. The next start found "
            f"{found or 'no files'}. Then {self.fault.seen}."
        )


def _outlive(
    commit: Commit, death: Death, arrived: Sequence[Delivery], later: Rounds, random: Random
) -> Loss | None:
    """Start again on what a death left, and continue with the next rounds. While a machine is dead,
    the next round may arrive."""
    rounds, world = list(later), death.left
    dies_again, arrives = random.random() < 0.5, random.random() < 0.5
    while True:
        new = rounds.pop(0) if rounds and arrives else ()
        arrived, waiting = [*arrived, *new], [*world.waiting, *new]
        random.shuffle(waiting)
        last = random.randrange(8) if dies_again else None
        life = Life(World(world.files, tuple(waiting)), last, random.random())
        if fault := _call(commit, life, arrived):
            return Loss(death, fault)
        world, dies_again, arrives = life.world, False, True
        if life.is_dead:
            death, arrives = Death(*life.died_at(), world, number=2), random.random() < 0.5
        elif not rounds:
            return None


def _try_all(
    commit: Commit, rounds: Rounds, random: Random
) -> Iterator[tuple[float, Loss | Fault | None]]:
    """All deaths of a task: each one's share of the task, and the loss."""
    world, arrived = World(), list[Delivery]()
    deaths: list[tuple[World, Step, list[Delivery], Rounds]] = []
    for number, new in enumerate(rounds):
        arrived = [*arrived, *new]
        life = Life(replace(world, waiting=new))
        if fault := _call(commit, life, arrived):
            yield 1.0, fault
            return
        world = life.world
        deaths += [(before, step, arrived, rounds[number + 1 :]) for before, step in life.steps]
    for before, step, so_far, later in deaths:
        for cut in step.cuts:
            death = Death(step, cut, before.after(step, cut))
            loss = _outlive(commit, death, so_far, later, random)
            yield 1 / len(deaths) / len(step.cuts), loss


def cost_of(commit: Commit, rounds: Rounds) -> float:
    """The bytes that a delivery costs on average if nothing dies.

    Raises:
        ValueError: a total was wrong; the message says which.
    """
    world, arrived, moved = World(), list[Delivery](), 0
    for new in rounds:
        arrived = [*arrived, *new]
        life = Life(replace(world, waiting=new))
        if fault := _call(commit, life, arrived):
            raise ValueError(f"After {len(arrived)} deliveries, without any death, {fault.seen}.")
        world, moved = life.world, moved + life.moved
    return moved / len(arrived)


def measure(commit: Commit, seed: int, progress: Progress) -> Score:
    """The percentage of deaths after which all totals are right. Each step of a task has the same
    weight. If more than `MAX_BYTES` are moved for a delivery, the score is divided by the excess
    factor."""
    random = Random(seed)
    tasks = [make_rounds(random, ROUNDS) for _ in range(TASKS)]
    long = make_rounds(random, LONG)
    lost: dict[tuple[str, ...], list[Loss | Fault]] = {}
    survived = 1.0
    for number, rounds in enumerate(tasks):
        progress(number, TASKS)
        for share, loss in _try_all(commit, rounds, random):
            if loss:
                survived -= share / TASKS
                lost.setdefault(loss.group, []).append(loss)
    worst = sorted(lost.values(), key=len, reverse=True)
    told = [f"{min(losses, key=_deaths)} ({len(losses)} like this.)" for losses in worst]
    try:
        cost = cost_of(commit, long)
    except ValueError as error:
        return Score(0, 100, (str(error), *told[:4]))
    if cost > MAX_BYTES:
        count = sum(map(len, long))
        told.insert(
            0, f"Over {count} deliveries, one cost {cost:,.0f} bytes; {MAX_BYTES} are allowed."
        )
    if not told:
        return Score(100, 100)
    points = 100 * max(survived, 0.0) * min(1.0, MAX_BYTES / cost)
    return Score(min(floor(10 * points) / 10, 99.9), 100, tuple(told[:5]))


def _deaths(loss: Loss | Fault) -> int:
    return loss.death.number if isinstance(loss, Loss) else 0


GOAL = Goal(measure, target=100, unit="percent of deaths survived")
