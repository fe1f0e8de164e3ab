"""One call to a model: the backends, and what can go wrong with them."""

from typing import TYPE_CHECKING

from g2c.inference.backend import (
    Backend,
    BackendInfo,
    ChatResult,
    InferenceResult,
    Message,
    Sampling,
    ToolCallDict,
    ToolSchema,
)
from g2c.inference.errors import (
    BackendBusyError,
    BackendError,
    BackendTimeoutError,
    BackendUnreachableError,
    BrokenStreamError,
    ContextOverflowError,
    JsonUnsupportedError,
    KeyRefusedError,
    ModelNotFoundError,
    ReplayMismatchError,
    ScriptExhaustedError,
    ToolsUnsupportedError,
    UnusableAnswerError,
)
from g2c.late import imported_when_used

if TYPE_CHECKING:
    from g2c.inference.embedded.backend import EmbeddedBackend
    from g2c.inference.embedded.browser import BrowserBackend
    from g2c.inference.model_choice import load_prodlm
    from g2c.inference.recording import RecordedCall, RecordingBackend, ReplayBackend
    from g2c.inference.scripted import Call, ScriptedBackend
    from g2c.inference.selection import load_selection
    from g2c.inference.served.ollama import OllamaBackend
    from g2c.inference.served.openai import OpenAICompatibleBackend

__all__ = [
    "Backend",
    "BackendBusyError",
    "BackendError",
    "BackendInfo",
    "BackendTimeoutError",
    "BackendUnreachableError",
    "BrokenStreamError",
    "BrowserBackend",
    "Call",
    "ChatResult",
    "ContextOverflowError",
    "EmbeddedBackend",
    "InferenceResult",
    "JsonUnsupportedError",
    "KeyRefusedError",
    "Message",
    "ModelNotFoundError",
    "OllamaBackend",
    "OpenAICompatibleBackend",
    "RecordedCall",
    "RecordingBackend",
    "ReplayBackend",
    "ReplayMismatchError",
    "Sampling",
    "ScriptExhaustedError",
    "ScriptedBackend",
    "ToolCallDict",
    "ToolSchema",
    "ToolsUnsupportedError",
    "UnusableAnswerError",
    "load_prodlm",
    "load_selection",
]

__getattr__ = imported_when_used(
    __name__,
    {
        "BrowserBackend": "embedded.browser",
        "EmbeddedBackend": "embedded.backend",
        "OllamaBackend": "served.ollama",
        "OpenAICompatibleBackend": "served.openai",
        "Call": "scripted",
        "RecordedCall": "recording",
        "RecordingBackend": "recording",
        "ReplayBackend": "recording",
        "ScriptedBackend": "scripted",
        "load_prodlm": "model_choice",
        "load_selection": "selection",
    },
)
