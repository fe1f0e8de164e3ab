"""Carrying out a plan, so that a crash at any point leaves a memory that makes sense.

Several files cannot be changed in one move. The idea to take away: choose an order in which every
state on the way is a sound one, and write each step so that it can be done twice. Then a crash
costs time and nothing else.
"""

from __future__ import annotations

from datetime import datetime

from g2c.exercise import exercise
from g2c.memory.base import DreamPlan
from g2c.memory.index import MemoryIndex
from g2c.memory.topics import Topics


@exercise("20.7")
def consolidate(plan: DreamPlan, topics: Topics, index: MemoryIndex, now: datetime) -> None:
    """Carry out `plan`: write its topics as of `now`, and have the index follow.

    You have `write`, which returns the `Topic` as it was written, and `delete` of `topics`;
    `upsert` and `remove` of `index`.

    Afterwards each draft of `plan.upserts` is a topic, in place of an older one of its slug, with
    a pointer to `topics/<slug>.md` that has its description. Of each slug in `plan.deletes`, file
    and pointer are gone. All else is as it was.

    The program may die between any two changes, and any change may fail. At each such moment

    - every pointer to a topic leads to a file that is there;
    - nothing has been taken away before all that is new is in its place.

    After that, or after all went well, the same call can be made again: it completes what is left
    to do, and does no harm where nothing is.

    Raises:
        OSError, MemoryStoreError: a change failed. Those made before it stay.

    >>> from pathlib import Path
    >>> from tempfile import mkdtemp
    >>> from g2c.memory.base import TopicDraft
    >>> folder, now = Path(mkdtemp()), datetime.fromisoformat("2026-04-21T12:00:00+00:00")
    >>> topics, index = Topics(folder / "topics"), MemoryIndex(folder / "MEMORY.md")
    >>> _ = topics.write(TopicDraft("Tea", "how she takes it", "user", "No sugar."), now)
    >>> _ = index.file.write_text("- [topics/tea.md](topics/tea.md) — how she takes it\\n")
    >>> consolidate(DreamPlan(deletes=("tea",)), topics, index, now)
    >>> topics.list(), index.pointers
    ((), ())
    """
    raise NotImplementedError
