"""21.2: a round is "write, then judge", not "judge, then write".

So the critic sees the draft of every round, and neither the last round nor an approval needs a rule
of its own. A draft is `unreviewed` from the moment it is written until its critique is there; this
also holds if the critic fails. `on_round` is called outside of the `try`, because an error that it
raises is not a model's failure.
"""

from __future__ import annotations

from collections.abc import Callable

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
    calls = 0

    def end(
        reason: RefineStop, error: str | None = None, unreviewed: str | None = None
    ) -> RefinementState:
        final = rounds[-1].draft if rounds else None
        approved = reason == "approved"
        return RefinementState(tuple(rounds), approved, final, reason, calls, error, unreviewed)

    for number in range(1, max_rounds + 1):
        unreviewed = None
        try:
            calls += 1
            if rounds:
                draft = unreviewed = refiner(task, rounds[-1].draft, rounds[-1].critique)
            else:
                draft = unreviewed = generator(task)
            calls += 1
            critique = critic(task, draft)
        except BackendError as error:
            return end("error", str(error), unreviewed)
        rounds.append(Round(number, draft, critique))
        if on_round:
            on_round(rounds[-1])
        if critique.approved:
            return end("approved")
    return end("max_rounds")
