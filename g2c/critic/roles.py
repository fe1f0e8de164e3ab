"""Generator, critic and refiner: one backend under three prompts, or three backends.

The idea to take away: the critic's context is new each time. It gets the task and the draft as a
stranger would, so nothing that led to the draft can speak for it.
"""

from __future__ import annotations

from dataclasses import dataclass

from g2c.critic.base import Critique
from g2c.critic.critique import CRITIQUE_SCHEMA, critique_from_json, parse_critique
from g2c.critic.prompts import (
    CRITICS,
    DRAFT_END,
    CritiqueForm,
    critic_prompt,
    generator_prompt,
    refiner_prompt,
)
from g2c.inference import Backend


@dataclass(frozen=True)
class Generator:
    """Writes a first draft. `temperature` and `max_new_tokens` are as `Backend.complete` takes
    them, here and below.

    Raises:
        BackendError: on a call, where the model could not be asked.
    """

    backend: Backend
    temperature: float = 0.0
    max_new_tokens: int = 512

    def __call__(self, task: str) -> str:
        return _write(self.backend, generator_prompt(task), self.temperature, self.max_new_tokens)


@dataclass(frozen=True)
class Critic:
    """Judges a draft, of which it knows nothing but the task. Whatever the model writes becomes a
    critique, if need be one that could not be read.

    Args:
        system: What the critic is told; `CRITICS` has three.
        form: `json` has the backend hold the model to `CRITIQUE_SCHEMA`; not every backend can.

    Raises:
        BackendError: on a call, where the model could not be asked.
    """

    backend: Backend
    system: str = CRITICS["strict"]
    form: CritiqueForm = "text"
    temperature: float = 0.0
    max_new_tokens: int = 512

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
        # A model that has examples before it goes on to invent the next task, too.
        answer = self.backend.stopping_at("\nTask:").complete(
            prompt, temperature=self.temperature, max_new_tokens=self.max_new_tokens
        )
        return parse_critique(answer.completion.partition("\nTask:")[0])


@dataclass(frozen=True)
class Refiner:
    """Writes the next draft from the one before and what was said of it.

    Raises:
        BackendError: on a call, where the model could not be asked.
    """

    backend: Backend
    temperature: float = 0.0
    max_new_tokens: int = 512

    def __call__(self, task: str, draft: str, critique: Critique) -> str:
        prompt = refiner_prompt(task, draft, critique)
        return _write(self.backend, prompt, self.temperature, self.max_new_tokens)


def _write(backend: Backend, prompt: str, temperature: float, max_new_tokens: int) -> str:
    answer = backend.stopping_at(DRAFT_END).complete(
        prompt, temperature=temperature, max_new_tokens=max_new_tokens
    )
    # A chat model opens the draft once more, and not every backend can stop at its end.
    written = answer.completion.strip().removeprefix("<draft>")
    return written.partition(DRAFT_END)[0].strip()
