"""Tries on somebody's own Ollama, in ten minutes, what the course relies on, for a report."""

import time
from collections.abc import Callable, Iterator

from g2c.inference.errors import (
    BackendError,
    BackendUnreachableError,
    ContextOverflowError,
    ModelNotFoundError,
    ToolsUnsupportedError,
)
from g2c.inference.served._ollama_wire import OllamaServer, server_version
from g2c.inference.served.diagnosis import Check
from g2c.inference.served.ollama import MIN_CONTEXT, OllamaBackend
from g2c.text import one_line

QUESTION = "What is 23 * 17? Use the calculator."
CALCULATOR = {
    "type": "function",
    "function": {
        "name": "calculator",
        "description": "Work out an arithmetic expression.",
        "parameters": {
            "type": "object",
            "properties": {"expression": {"type": "string"}},
            "required": ["expression"],
        },
    },
}
COLOUR = {
    "type": "object",
    "properties": {"colour": {"enum": ["red", "blue"]}},
    "required": ["colour"],
    "additionalProperties": False,
}
COUNT = "Count from 1 to 20."
STORY = (
    "The harbour opens at six. Boats leave for the island every two hours, and the last one comes "
    "back at nine in the evening. "
)
STORIES = (2, 3, 4, 8)
"""How often each prompt has the story; rounding shows in some prompts only, and in long ones."""
LOAD_MS = 500
"""The least milliseconds that loading a model takes; a loaded one takes a few."""


def try_out(model: str) -> Iterator[Check]:
    """Try `model` on the server that `OLLAMA_HOST` names, one thing at a time. The result is None
    if a model is free not to do it, False for a fault of the server or the course. Without the
    server or the model, it ends at once."""
    backend = OllamaBackend(model)
    for name, look in _LOOKS.items():
        try:
            ok, detail = look(backend)
            yield Check(name, ok, one_line(detail))
        except BackendError as error:
            yield Check(name, False, "", str(error))
            if look is _server or isinstance(error, BackendUnreachableError | ModelNotFoundError):
                return


Found = tuple[bool | None, str]


def _server(backend: OllamaBackend) -> Found:
    url = backend.info.extra["base_url"]
    return True, f"Ollama {server_version(url)} at {url}, {backend.info.model_id}"


def _abilities(backend: OllamaBackend) -> Found:
    return True, ", ".join(backend.capabilities) or "the server does not say"


def _first(backend: OllamaBackend) -> Found:
    said = backend.complete(COUNT, max_new_tokens=60, temperature=0)
    loading, rate = said.metadata["load_ms"], said.tokens_per_second
    known = [f"{rate:.1f} tokens/s"] * (rate is not None)
    known += [f"{loading / 1000:.1f} s to load"] * (loading is not None)
    speed = ", ".join(known) or "the server does not say how fast"
    return bool(said.completion.strip()), f"{speed}: {said.completion[:60]!r}"


def _stays_loaded(backend: OllamaBackend) -> Found:
    said = backend.complete("Hi", max_new_tokens=4, temperature=0)
    loading = said.metadata["load_ms"]
    if loading is None:
        return None, "the server does not say how long it loads"
    took = f"{loading:.0f} ms to load the second time"
    if loading >= LOAD_MS and _wire(backend).loaded_context() is None:
        why = "OLLAMA_KEEP_ALIVE is short, or memory is"
        return None, f"{took}; the server unloads the model after an answer: {why}"
    return loading < LOAD_MS, took


def _wire(backend: OllamaBackend) -> OllamaServer:
    return OllamaServer(backend.info.extra["base_url"], backend.info.model_id, 5, 5)


def _repeats(backend: OllamaBackend) -> Found:
    same = 0
    for times in STORIES:
        # The number makes the prompt a new one for the server's cache.
        ask = f"{time.time_ns()}. {STORY * times}What follows from that for a traveller?"
        first, again = (backend.complete(ask, max_new_tokens=48, temperature=0) for _ in range(2))
        same += first.completion == again.completion
    said = f"{same} of {len(STORIES)} prompts give the same text again at temperature 0"
    if same == len(STORIES):
        return True, said
    return None, f"{said}: a prompt from the server's cache is rounded differently from a new one"


def _stops(backend: OllamaBackend) -> Found:
    whole = backend.complete(COUNT, max_new_tokens=60, temperature=0).completion
    words = whole.split()
    if not words:
        return None, "the model wrote nothing that could be stopped"
    stop = max(words[len(words) // 2 :], key=len)
    cut = backend.stopping_at(stop).complete(COUNT, max_new_tokens=60, temperature=0).completion
    if stop in cut:
        return False, f"not stopped before {stop!r}: {cut[-30:]!r}"
    if cut.strip() != whole.partition(stop)[0].strip():
        return None, f"the model wrote another text, without {stop!r}: {cut[-30:]!r}"
    return True, f"stopped before {stop!r}: {cut[-30:]!r}"


def _json(backend: OllamaBackend) -> Found:
    return True, backend.complete_json("What colour is a clear sky? As JSON.", COLOUR).completion


def _calls(backend: OllamaBackend) -> Found:
    asked = [{"role": "user", "content": QUESTION}]
    try:
        said = backend.chat_with_tools(asked, [CALCULATOR], temperature=0)
    except ToolsUnsupportedError as error:
        return None, str(error)
    if said.tool_calls:
        return True, f"{said.tool_calls[0]['name']} {said.tool_calls[0]['arguments']}"
    return None, f"no call, but {said.content[:80]!r}"


def _thinks(backend: OllamaBackend) -> Found:
    if "thinking" not in backend.capabilities:
        return None, "it is not a model that thinks"
    quiet = backend.complete("What is 6 * 7?", max_new_tokens=60, temperature=0)
    thinking = OllamaBackend(backend.info.model_id, think=True)
    loud = thinking.complete("What is 6 * 7?", temperature=0)
    said = (
        f"{len(loud.metadata['thinking'] or '')} characters of thinking, then {loud.completion!r}"
    )
    return not quiet.metadata["thinking"] and bool(loud.metadata["thinking"]), said


def _overflow(backend: OllamaBackend) -> Found:
    window = _wire(backend).loaded_context() or MIN_CONTEXT
    narrow = OllamaBackend(backend.info.model_id, num_ctx=MIN_CONTEXT)
    try:
        narrow.complete("one two three four " * (window // 2), max_new_tokens=1)
    except ContextOverflowError as error:
        return True, f"refused: {error}"
    return False, "a prompt that does not fit was taken, and so it was cut"


_LOOKS: dict[str, Callable[[OllamaBackend], Found]] = {
    "server": _server,
    "abilities": _abilities,
    "first answer": _first,
    "stays loaded": _stays_loaded,
    "repeats itself": _repeats,
    "stop string": _stops,
    "JSON": _json,
    "call of a tool": _calls,
    "thinking": _thinks,
    "too long a prompt": _overflow,
}
