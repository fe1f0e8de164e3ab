"""21.2 with the writer of the next draft in a variable.

The generator and the refiner become functions without arguments, so the loop has one path for both.
It costs the reader some thought: a variable is a function, and changes on the way.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from g2c.critic.core.types import Critique, RefinementState, RefineStop, Round
from g2c.inference import BackendError


def run_refinement_loop(
    task: str,
    *,
    generator: Callable[[str], str],
    critic: Callable[[str, str], Critique],
    refiner: Callable[[str, str, Critique], str],
    max_rounds: int = 3,
    on_round: Callable[[Round], None] | None = None,
) -> RefinementState:
    if max_rounds < 1:
        raise ValueError(f"max_rounds must be at least 1, got {max_rounds}")
    rounds: list[Round] = []
    reason: RefineStop = "max_rounds"
    error: str | None = None
    unreviewed: str | None = None
    calls = 0
    write: Callable[[], str] = partial(generator, task)
    while len(rounds) < max_rounds:
        try:
            calls += 1
            unreviewed = write()
            calls += 1
            critique = critic(task, unreviewed)
        except BackendError as failure:
            reason, error = "error", str(failure)
            break
        rounds.append(Round(len(rounds) + 1, unreviewed, critique))
        write = partial(refiner, task, unreviewed, critique)
        unreviewed = None
        if on_round:
            on_round(rounds[-1])
        if critique.approved:
            reason = "approved"
            break
    final = rounds[-1].draft if rounds else None
    return RefinementState(
        tuple(rounds), reason == "approved", final, reason, calls, error, unreviewed
    )
