"""What the small model is taught, kind by kind.

A share is a guess at how much practice a thing takes, and the evaluation says whether the guess was
good.
"""

from __future__ import annotations

import random
from collections.abc import Callable

from training.kinds.answers import give_up, no_tool
from training.kinds.arithmetic import arithmetic, word_problem
from training.kinds.computing import read_compute
from training.kinds.critiques import critique, draft
from training.kinds.files import read_file, several_files
from training.kinds.instructions import instruction
from training.kinds.memory import consolidation, recollection, rerank
from training.kinds.recovery import recovery
from training.kinds.shown import shown
from training.kinds.ticks import tick
from training.kinds.unseen import unseen_tool
from training.record import Trace
from training.scenario import Scenario, play, play_native, play_plan

Kind = Callable[[random.Random], Trace]

AGENT: dict[str, tuple[float, Callable[[random.Random], Scenario]]] = {
    "arithmetic": (6, arithmetic),
    "word_problem": (10, word_problem),
    "read_file": (10, read_file),
    "several_files": (12, several_files),
    "read_compute": (26, read_compute),
    "recovery": (10, recovery),
    "unseen_tool": (7, unseen_tool),
    "no_tool": (9, no_tool),
    "give_up": (15, give_up),
}
"""Runs of an agent, each with its weight in the mixture and the function that sets it up."""


def _run_of(name: str) -> Kind:
    make_scenario = AGENT[name][1]
    return lambda rng: play(name, make_scenario(rng), rng)


def plan(rng: random.Random) -> Trace:
    """The plan for a run of any kind."""
    (name,) = rng.choices(list(AGENT), [share for share, _ in AGENT.values()])
    return play_plan("plan", AGENT[name][1](rng), rng)


def native(rng: random.Random) -> Trace:
    """A run of any kind over a channel for tool calls."""
    while True:
        (name,) = rng.choices(list(AGENT), [share for share, _ in AGENT.values()])
        scenario = AGENT[name][1](rng)
        if all(move.tool for move in scenario.moves):
            return play_native("native", scenario, rng)


KINDS: dict[str, tuple[float, Kind]] = {
    **{name: (share, _run_of(name)) for name, (share, _) in AGENT.items()},
    "shown": (9, lambda rng: play("shown", shown(rng), rng)),
    "plan": (2, plan),
    "critique": (8, critique),
    "draft": (1, draft),
    "consolidation": (3, consolidation),
    "rerank": (4, rerank),
    "recollection": (5, recollection),
    "tick": (6, tick),
    "instruction": (8, instruction),
    "native": (1, native),
}
"""Each kind of trace, with its weight in the mixture and the function that makes one."""
