"""Module 20: a memory of three layers on plain files, a dream that tidies it, and recall.

The exercises of module 20 are yours. They use the code in `core/`; `app/` puts all
but `worth` together into a memory.
"""

from g2c.memory.app.dream import DreamResult
from g2c.memory.app.layers import DreamLock, Layers, MemoryIndex, TranscriptLog
from g2c.memory.app.recall import Recall, make_recall_tool
from g2c.memory.app.store import MemoryStore
from g2c.memory.app.tools import make_read_topic_tool, make_remember_tool
from g2c.memory.core.dreams import dream_health
from g2c.memory.core.plan import parse_plan
from g2c.memory.core.scoring import score
from g2c.memory.core.terms import InvertedIndex
from g2c.memory.core.topics import Topics, slugify
from g2c.memory.core.types import (
    DreamPlan,
    DreamState,
    GateDecision,
    GrepHit,
    MemoryStoreError,
    Pointer,
    Recollection,
    Topic,
    TopicDraft,
    Turn,
)
from g2c.memory.keep import keep
from g2c.memory.should_dream import should_dream

__all__ = [
    "DreamLock",
    "DreamPlan",
    "DreamResult",
    "DreamState",
    "GateDecision",
    "GrepHit",
    "InvertedIndex",
    "Layers",
    "MemoryIndex",
    "MemoryStore",
    "MemoryStoreError",
    "Pointer",
    "Recall",
    "Recollection",
    "Topic",
    "TopicDraft",
    "Topics",
    "TranscriptLog",
    "Turn",
    "dream_health",
    "keep",
    "make_read_topic_tool",
    "make_recall_tool",
    "make_remember_tool",
    "parse_plan",
    "score",
    "should_dream",
    "slugify",
]
