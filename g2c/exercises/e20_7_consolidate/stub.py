"""Carrying out a plan, so that a crash at any point leaves a memory that makes sense.

Several files cannot be changed in one move. The idea to take away: choose an order in which every
state on the way is a sound one, and write each step so that it can be done twice. Then a crash
costs time and nothing else.
"""

from __future__ import annotations

from datetime import datetime

from g2c.exercise import exercise
from g2c.memory.core.index import BaseIndex
from g2c.memory.core.topics import Topics
from g2c.memory.core.types import DreamPlan


@exercise("20.7")
def consolidate(plan: DreamPlan, topics: Topics, index: BaseIndex, now: datetime) -> None:
    """Carry out `plan` on `topics` and `index`, as of `now`.

    You have `write` (which returns the `Topic`) and `delete` of `topics`, `upsert` and `remove` of
    `index`.

    Afterwards each draft of `plan.upserts` is a topic, and a pointer to `topics/<slug>.md` has its
    description. The file and the pointer of each slug in `plan.deletes` are gone. All else is as it
    was.

    Any change may fail, and the program may die between any two. At each such moment

    - every pointer to a topic leads to a file that is there;
    - nothing has been taken away before all that is new is in its place.

    The same call, made again, completes what is left.

    Raises:
        OSError, MemoryStoreError: a change failed.

    >>> from pathlib import Path
    >>> from tempfile import mkdtemp
    >>> from g2c.memory import MemoryIndex, TopicDraft
    >>> folder, now = Path(mkdtemp()), datetime.fromisoformat("2026-04-21T12:00:00+00:00")
    >>> topics, index = Topics(folder / "topics"), MemoryIndex(folder / "MEMORY.md")
    >>> _ = topics.write(TopicDraft("Tea", "how she takes it", "user", "No sugar."), now)
    >>> _ = index.file.write_text("- [topics/tea.md](topics/tea.md) — how she takes it\\n")
    >>> consolidate(DreamPlan(deletes=("tea",)), topics, index, now)
    >>> topics.list(), index.pointers
    ((), ())
    """
    raise NotImplementedError
