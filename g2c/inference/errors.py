"""Exceptions for failures between a program and its model, one for each cause.

A `BackendError` is never the model's fault: it tells the person at the keyboard, in a sentence,
what to do. A model's mistake (bad JSON, an unknown tool) is data and comes back as data.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from g2c.interrupted import OutageError

if TYPE_CHECKING:
    from g2c.inference.backend import InferenceResult


class BackendError(OutageError):
    """A backend could not do what was asked; the message says what to do about it.

    `blames_model` is whether this model cannot do it: asked again, it would fail again, and a
    measurement counts that as its failure.
    """

    blames_model = False


class BackendUnreachableError(BackendError):
    """Nothing answers at the backend's address."""

    is_lasting = True


class ModelNotFoundError(BackendError):
    """The backend is there, the model is not."""

    is_lasting = True


class ModelChangedError(BackendError):
    """The choice `auto` would take another model, `found`, than the last time."""

    is_lasting = True

    def __init__(self, says: str, found: str) -> None:
        super().__init__(says)
        self.found = found


class KeyRefusedError(BackendError):
    """The backend wants a key, refuses the one that it got, or must not be sent it."""

    is_lasting = True


class ToolsUnsupportedError(BackendError):
    """The backend or its model takes no tool definitions."""

    blames_model = True
    instead = "use g2c.agent.Agent, which needs only text (in a command: leave out --native)"


class JsonUnsupportedError(BackendError):
    """The backend cannot hold its output to a JSON schema."""

    blames_model = True


class UnusableAnswerError(BackendError):
    """The model's answer was cut off, or is not what the backend held it to. `answer` is that
    answer, if it is known: it took as many tokens as another."""

    blames_model = True

    def __init__(self, says: str, answer: InferenceResult | None = None) -> None:
        super().__init__(says)
        self.answer = answer


class ContextOverflowError(BackendError):
    """Prompt and answer do not fit the model's context window."""

    blames_model = True


class BackendBusyError(BackendError):
    """The backend has too many requests; the same call may go through later."""


class BrokenStreamError(BackendError):
    """The answer broke off before the backend said that it was done."""


class BackendTimeoutError(BackendError):
    """The backend took longer than the caller allowed."""


class ScriptExhaustedError(BackendError):
    """A `ScriptedBackend` was asked more often than it has answers."""

    is_lasting = True


class ReplayMismatchError(BackendError):
    """A `ReplayBackend` was asked something other than what was recorded."""

    is_lasting = True
