"""20.7: first what is new, then what leads to it, then what is no longer led to.

Turn the order around anywhere and there is a moment at which the index promises a file that is not
there, or at which the old note is gone and the new one is not written yet. The price is paid on the
harmless side: a crash can leave a topic that nothing points to, and the next dream finds it.
"""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from g2c.memory.base import DreamPlan
    from g2c.memory.index import MemoryIndex
    from g2c.memory.topics import Topics


def consolidate(plan: DreamPlan, topics: Topics, index: MemoryIndex, now: datetime) -> None:
    written = [topics.write(draft, now) for draft in plan.upserts]
    for topic in written:
        index.upsert(f"topics/{topic.slug}.md", topic.description)
    for slug in plan.deletes:
        index.remove(f"topics/{slug}.md")
    for slug in plan.deletes:
        topics.delete(slug)
