"""Let two machines die while they count two deliveries of 30, and start them again."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path

from g2c.course.breaks import RESULT, WANTED, Seen
from g2c.exercises.e22_8_commit.goal import Died, Life, World
from g2c.loop.core.disk import Delivery, Disk

QUESTION = "What could the next start find on the disk that tells it which of the two it counted?"


def commit(disk: Disk, deliveries: Sequence[Delivery], acknowledge: Callable[[str], None]) -> int:
    so_far = int(disk.read("total.txt")) if "total.txt" in disk.names() else 0
    for parcel in deliveries:
        so_far += parcel.amount
        disk.write("total.txt", str(so_far).encode())
        acknowledge(parcel.id)
    return so_far


TWO = (Delivery("5f3a90c1", "Hello.", 30), Delivery("07be6d22", "Hello.", 30))


def show(folder: Path) -> Seen:
    totals = []
    for last, share in ((1, 0.0), (2, 0.5)):
        machine = Life(World(waiting=TWO), last, share)
        with suppress(Died):
            commit(machine, TWO, machine.acknowledge)
        left = machine.world
        files = {name: data.decode() for name, data in left.files.items()}
        yield "it died", machine.story
        yield "it left", f"{files}; {len(left.waiting)} of 2 come again"
        machine = Life(left)
        totals.append(commit(machine, left.waiting, machine.acknowledge))
        yield "restarted", f"a total of {totals[-1]}"
    yield RESULT, f"totals of {totals[0]} and {totals[1]}"
    yield WANTED, "60, whenever a machine dies"
