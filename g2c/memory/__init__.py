"""Module 20: a memory of three layers on plain files, a dream that tidies it, and recall.

Exercises 20.1 to 20.8 are in `transcript`, `index`, `gate`, `lock`, `consolidate` and `scoring`;
the rest is provided.
"""

from g2c.memory.base import (
    DreamPlan,
    DreamState,
    GrepHit,
    MemoryStoreError,
    Pointer,
    Recollection,
    Topic,
    TopicDraft,
    Turn,
)
from g2c.memory.dream import DreamResult, Layers
from g2c.memory.gate import GateDecision, should_dream
from g2c.memory.health import dream_health
from g2c.memory.index import MemoryIndex
from g2c.memory.lock import DreamLock
from g2c.memory.plan import parse_plan
from g2c.memory.recall import Recall, make_recall_tool
from g2c.memory.scoring import InvertedIndex, score
from g2c.memory.store import MemoryStore
from g2c.memory.topics import Topics, slugify
from g2c.memory.transcript import TranscriptLog

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
    "make_recall_tool",
    "parse_plan",
    "score",
    "should_dream",
    "slugify",
]
