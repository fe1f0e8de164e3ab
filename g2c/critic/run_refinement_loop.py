"""The loop of generator, critic and refiner (Madaan et al., 2023, *Self-Refine*, arXiv:2303.17651).

The idea to take away: a loop that improves a draft hands back only what was judged. The newest
draft is not the best one for being new; it is the one that nobody has looked at yet.
"""

from __future__ import annotations

from collections.abc import Callable

from g2c.critic.core.types import Critique, RefinementState, Round
from g2c.exercise import exercise


@exercise("21.2")
def run_refinement_loop(
    task: str,
    *,
    generator: Callable[[str], str],
    critic: Callable[[str, str], Critique],
    refiner: Callable[[str, str, Critique], str],
    max_rounds: int = 3,
    on_round: Callable[[Round], None] | None = None,
) -> RefinementState:
    """Have `task` done, judged and done better, until the critic approves.

    `generator(task)` writes the first draft, `critic(task, draft)` judges a draft, and
    `refiner(task, draft, critique)` writes the next one. A round is a draft with its critique. The
    loop ends with

    - `approved`, as soon as the critic approves: only then `converged` is true
    - `max_rounds`, when that many drafts were judged; nobody refines what nobody will judge
    - `error`, when one of the three raises a `g2c.inference.BackendError`

    `RefinementState` says what each field of the result means. `on_round` is called with each round
    as soon as it is complete.

    Raises:
        ValueError: `max_rounds` is less than 1; nothing was called.
        Exception: whatever else the three raise, and all that `on_round` raises.

    >>> loop = run_refinement_loop(
    ...     "Say hello.",
    ...     generator=lambda task: "hello",
    ...     critic=lambda task, draft: Critique(recommendation="APPROVE"),
    ...     refiner=lambda task, draft, critique: draft.upper(),
    ... )
    >>> loop.final_draft, loop.stopped_reason, loop.calls, len(loop.rounds)
    ('hello', 'approved', 2, 1)
    """
    raise NotImplementedError
