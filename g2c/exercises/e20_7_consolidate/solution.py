"""20.7: first write the topics, then the pointers; remove the old pointers, then their topics.

In any other order there is a moment when the index points to a file that is not there, or when the
old note is gone before the new one is written. The remaining fault is harmless: a crash can leave a
topic without a pointer, and the next dream finds it.
"""

from __future__ import annotations

from datetime import datetime

from g2c.memory.core.index import BaseIndex
from g2c.memory.core.topics import Topics
from g2c.memory.core.types import DreamPlan


def consolidate(plan: DreamPlan, topics: Topics, index: BaseIndex, now: datetime) -> None:
    written = [topics.write(draft, now) for draft in plan.upserts]
    for topic in written:
        index.upsert(f"topics/{topic.slug}.md", topic.description)
    for slug in plan.deletes:
        index.remove(f"topics/{slug}.md")
    for slug in plan.deletes:
        topics.delete(slug)
