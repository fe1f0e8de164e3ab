"""Generator, critic and refiner: three prompts for one backend, or for three.

Each critique has a new context with only the task and the draft, so the draft's history cannot
influence the verdict.
"""

from collections.abc import Callable
from dataclasses import dataclass

from g2c.critic.core.prompts import (
    CRITICS,
    CRITIQUE_SCHEMA,
    DRAFT_END,
    CritiqueForm,
    critic_prompt,
    critique_from_json,
    generator_prompt,
    refiner_prompt,
)
from g2c.critic.core.types import Critique
from g2c.critic.parse_critique import parse_critique
from g2c.inference import Backend
from g2c.tracing import traced


@dataclass(frozen=True)
class Writer:
    """Writes drafts. `temperature` and `max_new_tokens` are those of `Backend.complete`, and
    `on_cut` is called with a sentence if the token limit ends a draft.

    Raises:
        BackendError: at a call, the model could not be asked.
    """

    backend: Backend
    temperature: float = 0.0
    max_new_tokens: int = 512
    on_cut: Callable[[str], object] | None = None

    def write(self, prompt: str) -> str:
        """The draft that the model writes after `prompt`."""
        answer = self.backend.stopping_at(DRAFT_END).complete(
            prompt, temperature=self.temperature, max_new_tokens=self.max_new_tokens
        )
        if answer.is_cut and self.on_cut:
            self.on_cut(
                f"A draft was cut off by {answer.cut_by} after {answer.completion_tokens} tokens "
                "and has no end; ask for another text, or give it more tokens."
            )
        # A chat model may open the draft again, and not every backend can stop at its end.
        written = answer.completion.strip().removeprefix("<draft>")
        return written.partition(DRAFT_END)[0].strip()


class Generator(Writer):
    """Writes a first draft."""

    @traced("draft")
    def __call__(self, task: str) -> str:
        return self.write(generator_prompt(task))


class Refiner(Writer):
    """Writes the next draft from the last one and its critique."""

    @traced("revision")
    def __call__(self, task: str, draft: str, critique: Critique) -> str:
        return self.write(refiner_prompt(task, draft, critique))


@dataclass(frozen=True)
class Critic:
    """Judges a draft; it sees only the task and the draft. Any answer of the model becomes a
    critique, if necessary with a `parse_error`.

    Args:
        system: The start of the critic's prompt; `CRITICS` has three.
        form: With `json`, the model's output is constrained to `CRITIQUE_SCHEMA`; not every backend
            can do that.

    Raises:
        BackendError: at a call, the model could not be asked.
    """

    backend: Backend
    system: str = CRITICS["strict"]
    form: CritiqueForm = "text"
    temperature: float = 0.0
    max_new_tokens: int = 512

    @traced("critique")
    def __call__(self, task: str, draft: str) -> Critique:
        prompt = critic_prompt(self.system, task, draft, self.form)
        if self.form == "json":
            answer = self.backend.complete_json(
                prompt,
                CRITIQUE_SCHEMA,
                temperature=self.temperature,
                max_new_tokens=self.max_new_tokens,
            )
            return critique_from_json(answer.completion)
        # After its critique, a model that has seen examples goes on and invents the next task.
        answer = self.backend.stopping_at("\nTask:").complete(
            prompt, temperature=self.temperature, max_new_tokens=self.max_new_tokens
        )
        return parse_critique(answer.completion.partition("\nTask:")[0])
