"""The checkpoint: critics of module 21 review the work, with your `parse_critique` and `aggregate`.

They read the state and what was done, but not the agent's prompts. Their advice reaches the agent
only if they were measured and can tell good work from broken; a person always sees it. A review is
there to help, so one that fails must not cost the loop anything.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from g2c.critic import CRITICS, Critic, Critique, Dimension, Review, Rubric, aggregate
from g2c.critic.app.measured import Measurement
from g2c.critic.app.measurement import CriticFunction
from g2c.inference import Backend, BackendError, RecordingBackend
from g2c.loop.core.tick import tokens_of_call
from g2c.loop.core.types import LoopState, TickRecord
from g2c.loop.core.words import clip, tick_texts, within_tick

JUDGED_TICKS = 10
JUDGED_TICK_CHARS = 400
JUDGED_STATE_CHARS = 2_000
"""Bounds that keep a review's prompt to about 2,000 tokens of English."""

MAX_FEEDBACK_CHARS = 400
PROGRESS = Rubric((Dimension("progress", 1.0, "Does each tick bring the goal nearer?"),))

_TASK = """\
Bring this goal nearer with each tick of work, and do nothing twice that failed. It need not be \
reached yet: {goal}"""


def loop_critic(backend: Backend) -> Critic:
    """The critic of the checkpoints: the one that `g2c critics` measures as `criteria`."""
    return Critic(backend, CRITICS["criteria"], max_new_tokens=backend.info.step_tokens(small=200))


@dataclass(frozen=True)
class Checkpoint:
    """A review of the last ticks by the loop's critic.

    Args:
        backend: The model that judges.
        measured: How well that critic did on that model; None if it was never measured.
        tell: Called with a sentence for a person.
    """

    backend: Backend
    measured: Measurement | None = None
    tell: Callable[[str], None] = lambda sentence: None

    @property
    def is_believed(self) -> bool:
        """Whether its advice may reach the agent."""
        return self.measured is not None and self.measured.tells_apart

    @property
    def why_not_believed(self) -> str:
        """A sentence for a person; empty if its advice is believed."""
        if self.is_believed:
            return ""
        model = self.backend.info.model_id
        if self.measured is None:
            return (
                f"The reviewer ({model}) was never measured, so its advice is shown to you and not "
                "to the agent; g2c critics --only criteria measures it, with 80 calls, "
                "or with --sequential (23.5) as many as it needs."
            )
        return (
            f"The reviewer ({model}) approved {self.measured.broken} broken and "
            f"{self.measured.good} good drafts of {self.measured.tasks} each, which is no better "
            "than chance. Its advice is shown to you and not to the agent."
        )

    def __call__(self, state: LoopState, ticks: Sequence[TickRecord]) -> str:
        """The feedback; "" if there is none, and `tell` gets the reason."""
        return review_ticks({"the reviewer": loop_critic(self.backend)}, state, ticks, self.tell)


def review_ticks(
    critics: Mapping[str, CriticFunction],
    state: LoopState,
    ticks: Sequence[TickRecord],
    tell: Callable[[str], None],
) -> str:
    """The reviews of all `critics`, aggregated. A critic that fails, or whose verdict or score
    cannot be read, is left out and reported to `tell`. "" if no critic is left."""
    task, draft = work_shown(state, ticks)
    reviews = []
    for name, critic in critics.items():
        try:
            critique = critic(task, draft)
        except BackendError as error:
            critique = Critique(parse_error=str(error))
        if critique.parse_error or critique.score is None:
            tell(f"The review by {name} is left out: {critique.parse_error or 'it has no score.'}")
            continue
        notes = " ".join(critique.issues)
        reviews.append(Review(name, {"progress": 10 * critique.score}, critique.approved, notes))
    if not reviews:
        return ""
    scored = aggregate(reviews, PROGRESS)
    verdict = "approves" if scored.approvals == scored.reviewers else "does not approve"
    said = " ".join(review.notes for review in reviews if review.notes)
    text = f"Somebody who looked at the work {verdict} ({scored.total:.0f} of 100). {said}"
    return clip(text.strip(), MAX_FEEDBACK_CHARS)


def work_shown(state: LoopState, ticks: Sequence[TickRecord]) -> tuple[str, str]:
    """The work as a task and a draft. It shows the latest ticks without their prompts."""
    latest = [replace(tick, prompt="") for tick in ticks[-JUDGED_TICKS:]]
    texts = [clip(text, JUDGED_TICK_CHARS) for text in tick_texts(latest)]
    page = within_tick(clip(state.body.strip(), JUDGED_STATE_CHARS)) or "(empty)"
    task = _TASK.format(goal=within_tick(clip(state.goal.strip(), JUDGED_STATE_CHARS)))
    return task, "\n\n".join([f"State:\n{page}", "Ticks:", *(texts or ["(none)"])])


def tokens_in(log: RecordingBackend) -> int:
    """The tokens that the calls in `log` took, read and written."""
    return sum(
        tokens_of_call(call.result, call.prompt, getattr(call.result, "completion", ""))
        for call in log.calls
    )
