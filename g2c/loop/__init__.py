"""Module 22: a loop of ticks with a state file between them, what it learns, and its healer.

The exercises of module 22 are yours. They use the code in `provided/`; `assembled/` puts them
together into a loop.
"""

from g2c.loop.assembled.evolution import evolve, history, revert
from g2c.loop.assembled.lifecycle import consolidate_session
from g2c.loop.assembled.recovery import heal
from g2c.loop.assembled.review import Checkpoint
from g2c.loop.assembled.runner import LoopRunner
from g2c.loop.commit import commit
from g2c.loop.healer import decide
from g2c.loop.invariants import check_invariants
from g2c.loop.prompt import build_tick_prompt
from g2c.loop.provided.checkpoint import checkpoint_due
from g2c.loop.provided.delegate import SharedBudget, make_delegate
from g2c.loop.provided.folder import LoopFiles
from g2c.loop.provided.identity import DEFAULT_CONFIG, ensure_config
from g2c.loop.provided.journal import append_tick, read_ticks
from g2c.loop.provided.state import read_state, write_state
from g2c.loop.provided.types import (
    Budget,
    Decision,
    EvolvedConfig,
    HealConfig,
    HealHistory,
    LoopConfig,
    LoopError,
    LoopState,
    SessionSummary,
    Signals,
    Spent,
    TickParts,
    TickRecord,
)
from g2c.loop.provided.words import ARCHITECTURE
from g2c.loop.status import next_status
from g2c.loop.stuck import is_stuck
from g2c.loop.summary import summarize

__all__ = [
    "ARCHITECTURE",
    "DEFAULT_CONFIG",
    "Budget",
    "Checkpoint",
    "Decision",
    "EvolvedConfig",
    "HealConfig",
    "HealHistory",
    "LoopConfig",
    "LoopError",
    "LoopFiles",
    "LoopRunner",
    "LoopState",
    "SessionSummary",
    "SharedBudget",
    "Signals",
    "Spent",
    "TickParts",
    "TickRecord",
    "append_tick",
    "build_tick_prompt",
    "check_invariants",
    "checkpoint_due",
    "commit",
    "consolidate_session",
    "decide",
    "ensure_config",
    "evolve",
    "heal",
    "history",
    "is_stuck",
    "make_delegate",
    "next_status",
    "read_state",
    "read_ticks",
    "revert",
    "summarize",
    "write_state",
]
