"""20.7 topic by topic: each is written and pointed to, then each old one is let go.

Two loops instead of four, and each topic is whole as soon as possible. It costs a little clarity:
that all that is new comes before anything is taken away is now the order of two loops, and that a
pointer never leads to nothing is the order inside each.
"""

from __future__ import annotations

from datetime import datetime

from g2c.memory.provided.index import BaseIndex
from g2c.memory.provided.topics import Topics
from g2c.memory.provided.types import DreamPlan


def consolidate(plan: DreamPlan, topics: Topics, index: BaseIndex, now: datetime) -> None:
    for draft in plan.upserts:
        topic = topics.write(draft, now)
        index.upsert(f"topics/{topic.slug}.md", topic.description)
    for slug in plan.deletes:
        index.remove(f"topics/{slug}.md")
        topics.delete(slug)
