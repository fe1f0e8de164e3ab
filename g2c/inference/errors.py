"""What can go wrong between a program and its model, one exception a cause.

A `BackendError` is never the model's fault: it tells the person at the keyboard, in a sentence,
what to do. What a model gets wrong (bad JSON, an unknown tool) is data and comes back as data.
"""


class BackendError(Exception):
    """A backend could not do what was asked; the message says what to do about it."""


class BackendUnreachableError(BackendError):
    """Nothing answers at the backend's address."""


class ModelNotFoundError(BackendError):
    """The backend is there, the model is not."""


class ModelChangedError(BackendError):
    """The choice `auto` would take another model than the last time."""


class KeyRefusedError(BackendError):
    """The backend wants a key, refuses the one that it got, or must not be sent it."""


class ToolsUnsupportedError(BackendError):
    """The backend or its model takes no tool definitions."""


class ContextOverflowError(BackendError):
    """Prompt and answer do not fit the model's context window."""


class BackendBusyError(BackendError):
    """The backend has more requests than it takes; the same call may go through later."""


class BrokenStreamError(BackendError):
    """The answer broke off before the backend said that it was done."""


class BackendTimeoutError(BackendError):
    """The backend took longer than the caller allowed."""


class ScriptExhaustedError(BackendError):
    """A `ScriptedBackend` was asked more often than it has answers."""


class ReplayMismatchError(BackendError):
    """A `ReplayBackend` was asked something other than what was recorded."""
