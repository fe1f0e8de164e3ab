"""How a claim to be done is checked: by running a command, or else by looking at files.

An agent that says "done" is its own judge. A success command is evidence. Without one, a critic
looks at the files that the goal names. The bare claim counts only if a person chose that.
"""

import re
from collections.abc import Callable
from pathlib import Path

from g2c.critic.app.file_critic import LookingCritic, file_names
from g2c.critic.app.measurement import CriticFunction, ask
from g2c.inference import Backend
from g2c.loop.core.types import LoopError

NOT_REACHED = "The goal is not reached: its check fails. Do what is missing."

_CLAUSE_END = re.compile(r"[,;\n]\s*|(?<=[.!?])\s+")
_DONE = re.compile(
    r"\b(?:wrote|written|saved|created|made|stored|finished|completed?|done|there)\b", re.IGNORECASE
)
_NOT_DONE = re.compile(
    r"\b(?:not|no|never|next|then|to be|will|must|should|need\w*|todo|missing|before|if|once|"
    r"\w+n't)\b",
    re.IGNORECASE,
)

GateFactory = Callable[[Backend], CriticFunction]
"""Makes, from a model, the critic that a claim has to satisfy."""


def gate_for(folder: Path) -> GateFactory:
    """A gate that looks at the files in `folder`."""
    return lambda backend: LookingCritic(backend, folder)


def check_goal(goal: str) -> None:
    """Refuse, before a loop begins, a goal that nobody could check.

    Raises:
        LoopError: the goal is blank, or names no file to look at.
    """
    if not goal.strip():
        raise LoopError("A loop needs a goal in words.")
    if not file_names(goal):
        raise LoopError(
            "Nobody could check whether this goal is reached: it names no file. Give a success "
            "command (--success), name the file that is to be written, or take the agent's word "
            "(--claim)."
        )


def refusal(goal: str, claim: str, is_reached: bool | None, gate: CriticFunction | None) -> str:
    """Why a claim is not believed; empty if it is. `is_reached` is the success command's answer,
    None if there is no command. With neither a command nor a gate, the claim is enough.

    Raises:
        BackendUnreachableError: the gate's model cannot be reached.
    """
    if is_reached is not None:
        return "" if is_reached else NOT_REACHED
    if gate is None:
        return ""
    critique = ask(gate, goal, claim)
    if critique.approved:
        return ""
    return f"The goal is not reached: {' '.join(critique.issues) or critique.parse_error}"


def with_absent_files(text: str, folder: Path) -> str:
    """The text, and below it the files that it calls written or done and that are not in `folder`.

    The next tick believes what the state says, so the state must not say what is not so. Only the
    name is looked for: what a file must hold is the critic's question.
    """
    claims = (
        clause
        for clause in _CLAUSE_END.split(text)
        if _DONE.search(clause) and not _NOT_DONE.search(clause)
    )
    names = dict.fromkeys(name for clause in claims for name in file_names(clause))
    absent = [name for name in names if not (folder / name).exists()]
    return f"{text}\n(Not in the folder: {', '.join(absent)}.)" if absent else text
