"""Module 22: a loop of ticks with a state file between them, what it learns, and its healer.

The exercises of module 22 are yours. They use the code in `core/`; `app/` puts them
together into a loop.
"""

from g2c.loop.app.evolution import evolve, history, revert
from g2c.loop.app.lifecycle import consolidate_session
from g2c.loop.app.recovery import heal
from g2c.loop.app.review import Checkpoint
from g2c.loop.app.runner import LoopRunner
from g2c.loop.build_tick_prompt import build_tick_prompt
from g2c.loop.check_invariants import check_invariants
from g2c.loop.commit import commit
from g2c.loop.core.checkpoint import checkpoint_due
from g2c.loop.core.delegate import SharedBudget, make_delegate
from g2c.loop.core.folder import LoopFiles
from g2c.loop.core.identity import DEFAULT_CONFIG, ensure_config
from g2c.loop.core.journal import append_tick, read_ticks
from g2c.loop.core.state import read_state, write_state
from g2c.loop.core.types import (
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
from g2c.loop.core.words import ARCHITECTURE
from g2c.loop.decide import decide
from g2c.loop.is_stuck import is_stuck
from g2c.loop.next_status import next_status
from g2c.loop.summarize import summarize
from g2c.loop.try_again import try_again

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
    "try_again",
    "write_state",
]
