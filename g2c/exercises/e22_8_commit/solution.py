"""22.8: write the total and the ids that it includes to the disk in one rename; then acknowledge.

A total alone does not show whether it includes a repeated delivery, so the ids are in the same
file. Before the rename nothing has happened, and after it everything has, so the acknowledgements
may stop anywhere. An id is needed until its delivery is acknowledged, and deliveries that do not
come again are. So only the ids of this call are kept.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence

from g2c.loop.core.disk import Delivery, Disk

STATE, BESIDE = "state", "new"


def commit(disk: Disk, deliveries: Sequence[Delivery], acknowledge: Callable[[str], None]) -> int:
    total, counted = _read(disk)
    new = [delivery for delivery in deliveries if delivery.id not in counted]
    if new:
        total += sum(delivery.amount for delivery in new)
        disk.write(BESIDE, json.dumps([total, [delivery.id for delivery in deliveries]]).encode())
        disk.rename(BESIDE, STATE)
    for delivery in deliveries:
        acknowledge(delivery.id)
    return total


def _read(disk: Disk) -> tuple[int, list[str]]:
    if STATE not in disk.names():
        return 0, []
    total, counted = json.loads(disk.read(STATE))
    return total, counted
