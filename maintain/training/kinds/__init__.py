"""What the small model is taught, kind by kind.

A share is a guess at how much practice a kind takes. The evaluation shows whether it was good.
"""

from __future__ import annotations

import random
from collections.abc import Callable

from maintain.training.kinds.answers import give_up, no_tool
from maintain.training.kinds.arithmetic import arithmetic, word_problem
from maintain.training.kinds.checked import checked_critique
from maintain.training.kinds.computing import read_compute
from maintain.training.kinds.consolidation import consolidation
from maintain.training.kinds.conversation import conversation
from maintain.training.kinds.critiques import critique, draft
from maintain.training.kinds.files import read_file, several_files
from maintain.training.kinds.home_memory import home_memory, recollection
from maintain.training.kinds.instructions import instruction
from maintain.training.kinds.memory import rerank
from maintain.training.kinds.messages import messages
from maintain.training.kinds.recovery import recovery
from maintain.training.kinds.shapes import shape
from maintain.training.kinds.shown import shown
from maintain.training.kinds.ticks import tick
from maintain.training.kinds.unseen import unseen_tool
from maintain.training.record import Trace
from maintain.training.scenario import Scenario, play, play_native, play_plan

Kind = Callable[[random.Random], Trace]

AGENT: dict[str, tuple[float, Callable[[random.Random], Scenario]]] = {
    "arithmetic": (12, arithmetic),
    "word_problem": (18, word_problem),
    "read_file": (14, read_file),
    "several_files": (8, several_files),
    "read_compute": (18, read_compute),
    "recovery": (14, recovery),
    "unseen_tool": (7, unseen_tool),
    "shape": (20, shape),
    "no_tool": (6, no_tool),
    "give_up": (15, give_up),
}
"""Runs of an agent, each with its weight in the mixture and the function that sets it up."""


NATIVE = {
    "arithmetic": 3,
    "word_problem": 3,
    "read_file": 6,
    "several_files": 2,
    "read_compute": 5,
    "recovery": 2,
    "unseen_tool": 1,
    "no_tool": 1,
    "give_up": 1,
}
"""Kinds that are also played with structured calls, and their weights there. `shape` has its own
kind for that."""


def _run_of(name: str) -> Kind:
    make_scenario = AGENT[name][1]
    return lambda rng: play(name, make_scenario(rng), rng)


def plan(rng: random.Random) -> Trace:
    """The plan for a run of any kind."""
    (name,) = rng.choices(list(AGENT), [share for share, _ in AGENT.values()])
    return play_plan("plan", AGENT[name][1](rng), rng)


def native(rng: random.Random) -> Trace:
    """A run of one of these kinds over a channel for tool calls."""
    while True:
        (name,) = rng.choices(list(NATIVE), list(NATIVE.values()))
        scenario = AGENT[name][1](rng)
        if all(move.tool for move in scenario.moves):
            return play_native("native", scenario, rng)


KINDS: dict[str, tuple[float, Kind]] = {
    **{name: (share, _run_of(name)) for name, (share, _) in AGENT.items()},
    "shown": (7, lambda rng: play("shown", shown(rng), rng)),
    "plan": (2, plan),
    "critique": (24, critique),
    "checked_critique": (5, checked_critique),
    "draft": (1, draft),
    "consolidation": (14, consolidation),
    "rerank": (4, rerank),
    "recollection": (6, recollection),
    "conversation": (20, conversation),
    "home_memory": (50, home_memory),
    "tick": (30, tick),
    "messages": (22, messages),
    "instruction": (6, instruction),
    "native": (50, native),
    "native_shape": (14, lambda rng: play_native("native_shape", shape(rng), rng)),
}
"""Each kind of trace, with its weight in the mixture and the function that makes one."""
