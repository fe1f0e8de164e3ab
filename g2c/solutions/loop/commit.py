"""22.8: the total and the ids that it has in it go to the disk in one rename; then acknowledge.

A total alone cannot say whether a delivery that comes again is in it, so the ids stand beside it,
in the same file. Before the rename nothing has happened, and after it everything has, so the
acknowledgements can end anywhere. An id is needed until its delivery is acknowledged, and what does
not come again is. So the ids of this call are all that is kept.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence

from g2c.loop.provided.disk import Delivery, Disk

STATE, BESIDE = "state", "new"


def commit(disk: Disk, deliveries: Sequence[Delivery], acknowledge: Callable[[str], None]) -> int:
    total, counted = _read(disk)
    new = [one for one in deliveries if one.id not in counted]
    if new:
        total += sum(one.amount for one in new)
        disk.write(BESIDE, json.dumps([total, [one.id for one in deliveries]]).encode())
        disk.rename(BESIDE, STATE)
    for one in deliveries:
        acknowledge(one.id)
    return total


def _read(disk: Disk) -> tuple[int, list[str]]:
    if STATE not in disk.names():
        return 0, []
    total, counted = json.loads(disk.read(STATE))
    return total, counted
