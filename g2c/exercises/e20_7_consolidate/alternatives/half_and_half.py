"""20.7 topic by topic: write each new one and its pointer, then remove each old one.

It has two loops instead of four, and each topic is complete as soon as possible. It costs a little
clarity. Everything new comes before any removal because of the order of the loops. No pointer leads
to nothing because of the order inside each loop.
"""

from __future__ import annotations

from datetime import datetime

from g2c.memory.core.index import BaseIndex
from g2c.memory.core.topics import Topics
from g2c.memory.core.types import DreamPlan


def consolidate(plan: DreamPlan, topics: Topics, index: BaseIndex, now: datetime) -> None:
    for draft in plan.upserts:
        topic = topics.write(draft, now)
        index.upsert(f"topics/{topic.slug}.md", topic.description)
    for slug in plan.deletes:
        index.remove(f"topics/{slug}.md")
        topics.delete(slug)
