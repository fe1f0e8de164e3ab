"""One call to a model: the backends, and what can go wrong with them."""

from g2c.inference.base import (
    Backend,
    BackendInfo,
    ChatResult,
    InferenceResult,
    Message,
    ToolCallDict,
    ToolSchema,
    check_sampling,
)
from g2c.inference.errors import (
    BackendBusyError,
    BackendError,
    BackendTimeoutError,
    BackendUnreachableError,
    BrokenStreamError,
    ContextOverflowError,
    ModelNotFoundError,
    ReplayMismatchError,
    ScriptExhaustedError,
    ToolsUnsupportedError,
)
from g2c.inference.scripted import Call, ScriptedBackend

__all__ = [
    "Backend",
    "BackendBusyError",
    "BackendError",
    "BackendInfo",
    "BackendTimeoutError",
    "BackendUnreachableError",
    "BrokenStreamError",
    "Call",
    "ChatResult",
    "ContextOverflowError",
    "InferenceResult",
    "Message",
    "ModelNotFoundError",
    "ReplayMismatchError",
    "ScriptExhaustedError",
    "ScriptedBackend",
    "ToolCallDict",
    "ToolSchema",
    "ToolsUnsupportedError",
    "check_sampling",
]
