"""Module 22: a loop of ticks with a state file between them, what it learns, and its healer.

Exercises 22.1 to 22.7 are in `prompt`, `status`, `runner`, `checkpoint`, `summary`, `invariants`
and `healer`; the rest is provided.
"""

from g2c.loop.base import (
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
from g2c.loop.checkpoint import Judge, checkpoint_due
from g2c.loop.delegate import Purse, make_delegate
from g2c.loop.evolution import evolve, history, revert
from g2c.loop.files import LoopFiles
from g2c.loop.healer import decide
from g2c.loop.invariants import check_invariants
from g2c.loop.prompt import build_tick_prompt
from g2c.loop.runner import LoopRunner
from g2c.loop.state import read_state, write_state
from g2c.loop.status import next_status
from g2c.loop.summary import consolidate_session, summarize

__all__ = [
    "Budget",
    "Decision",
    "EvolvedConfig",
    "HealConfig",
    "HealHistory",
    "Judge",
    "LoopConfig",
    "LoopError",
    "LoopFiles",
    "LoopRunner",
    "LoopState",
    "Purse",
    "SessionSummary",
    "Signals",
    "Spent",
    "TickParts",
    "TickRecord",
    "build_tick_prompt",
    "check_invariants",
    "checkpoint_due",
    "consolidate_session",
    "decide",
    "evolve",
    "history",
    "make_delegate",
    "next_status",
    "read_state",
    "revert",
    "summarize",
    "write_state",
]
