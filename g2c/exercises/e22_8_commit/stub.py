"""Counting what was delivered, on a machine whose every step can be its last.

The idea to take away: a program cannot keep a machine from dying. It can choose what is on the disk
at each moment, so that whoever starts next can tell what was done.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from g2c.exercise import exercise
from g2c.loop.core.disk import Delivery, Disk


@exercise("22.8")
def commit(disk: Disk, deliveries: Sequence[Delivery], acknowledge: Callable[[str], None]) -> int:
    """Count what was delivered, on a machine whose every step can be its last.

    Add each delivery's `amount` to a total that `disk` keeps, call `acknowledge` with its `id`, and
    return the total of all that was ever delivered.

    - `deliveries` are all that were never acknowledged, in any order. They come again in the next
      call, with the same `id`, until they are. Two can be equal but for the `id`.
    - A `write` or `append` can be torn at any length. Any other step happens or does not. The next
      call has nothing but the disk.
    - However many came before, a delivery costs at most `MAX_BYTES` (200) on average: all bytes
      read and written, and the names.

    >>> from tempfile import mkdtemp
    >>> from g2c.loop.core.disk import FolderDisk
    >>> disk = FolderDisk(mkdtemp())
    >>> two = [Delivery("5f3a90c1", "Hello.", 30), Delivery("07be6d22", "Hello.", 30)]
    >>> commit(disk, two, acknowledge=print)
    5f3a90c1
    07be6d22
    60
    >>> commit(disk, [], acknowledge=print)
    60
    """
    raise NotImplementedError
