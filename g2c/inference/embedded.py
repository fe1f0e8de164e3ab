"""A model inside this process: llama.cpp through `xllamacpp`, no service, no network.

What to take away: the model keeps what it computed for the last prompts, so a prompt that begins
like an earlier one costs only its new end. `metadata` says how much: `cache_n` and `prompt_n`.
"""

from __future__ import annotations

import atexit
import copy
import json
import secrets
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from pathlib import Path
from typing import Any

from g2c.inference.base import (
    Backend,
    BackendInfo,
    InferenceResult,
    check_sampling,
)
from g2c.inference.errors import BackendError, ContextOverflowError, ModelNotFoundError
from g2c.inference.weights import NOTE, find_weights
from g2c.paths import state_dir


class EmbeddedBackend(Backend):
    """A `.gguf` model, loaded once a process and shared by every backend that names it.

    `model` is a path, or None for the small model that comes with the course. `n_ctx` is the
    context in tokens, at most what the model was trained on (`info.extra["n_ctx"]` tells). With
    `raw=True` the model continues the prompt as it stands; with `raw=False` the prompt is one
    user turn in the model's own chat template. The same prompt, arguments and `seed` give the
    same text. Any thread may call; the calls take turns.

    Raises:
        ModelNotFoundError: no weights there; the message says how to get them.
        BackendError: llama.cpp cannot load the file; the message says why.
    """

    def __init__(
        self,
        model: str | Path | None = None,
        *,
        n_ctx: int = 8192,
        seed: int = 0,
        raw: bool = True,
    ) -> None:
        if n_ctx < 1:
            raise ValueError(f"n_ctx must be at least 1 token, got {n_ctx}")
        self._path = find_weights() if model is None else Path(model).expanduser().resolve()
        self._note = NOTE if model is None else ""
        self._engine = _engine(self._path, n_ctx)
        self._seed = seed
        self._raw = raw
        self._stop: tuple[str, ...] = ()

    @property
    def info(self) -> BackendInfo:
        extra = {"path": str(self._path), "n_ctx": self._engine.n_ctx}
        if self._note:
            extra["note"] = self._note
        return BackendInfo("embedded", self._path.stem, extra)

    def stopping_at(self, *strings: str) -> EmbeddedBackend:
        view = copy.copy(self)
        view._stop = strings
        return view

    def complete(
        self,
        prompt: str,
        *,
        max_new_tokens: int = 128,
        temperature: float = 1.0,
        top_k: int | None = None,
        top_p: float | None = None,
    ) -> InferenceResult:
        return self._complete(prompt, check_sampling(max_new_tokens, temperature, top_k, top_p))

    def _complete(self, prompt, sampling, **more):
        request = {"stop": list(self._stop), **_sampling(sampling), "seed": self._seed, **more}
        if self._raw:
            request["prompt"] = prompt
        else:
            request["messages"] = [{"role": "user", "content": prompt}]
        text, metadata, ms = self._engine.run(request)
        return InferenceResult(
            prompt,
            text,
            metadata["cache_n"] + metadata["prompt_n"],
            metadata.pop("completion_tokens"),
            ms,
            "embedded",
            metadata,
        )


def _sampling(sampling):
    r = {"n_predict": sampling["max_new_tokens"], "temperature": sampling["temperature"]}
    for k in ("top_k", "top_p"):
        if sampling[k] is not None:
            r[k] = sampling[k]
    return r


class _Engine:
    def __init__(self, path: Path, n_ctx: int) -> None:
        import xllamacpp

        params = xllamacpp.CommonParams()
        params.model.path = str(path)
        params.n_ctx = n_ctx
        params.n_parallel = 1
        params.n_batch = 256
        params.warmup = False
        params.verbosity = 0
        params.ui = False
        params.cache_ram_mib = 512
        params.api_keys = [secrets.token_urlsafe(32)]
        self._server = xllamacpp.Server(params)
        self._pool = ThreadPoolExecutor(1, "llama.cpp")
        self.n_ctx = n_ctx

    def run(self, request):
        cancelled = threading.Event()
        chunks = []

        def keep(chunk):
            chunks.append(chunk)
            return cancelled.is_set()

        chat = "messages" in request
        call = self._server.handle_chat_completions if chat else self._server.handle_completions
        t = time.perf_counter()
        future = self._pool.submit(
            call, {**request, "stream": True, "return_progress": True, "cache_prompt": True}, keep
        )
        try:
            while not wait([future], timeout=0.1).done:
                pass
        finally:
            cancelled.set()
            future.cancel()
        future.result()
        ms = (time.perf_counter() - t) * 1000
        if e := chunks[-1].get("error"):
            raise (
                ContextOverflowError if e.get("type") == "exceed_context_size_error" else BackendError
            )(e["message"])
        if chat:
            text = "".join(c["choices"][0]["delta"].get("content") or "" for c in chunks)
        else:
            text = "".join(c["choices"][0]["text"] for c in chunks)
        tm = chunks[-1]["timings"]
        return (
            text,
            {
                "finish_reason": chunks[-1]["choices"][0]["finish_reason"],
                "cache_n": tm["cache_n"],
                "prompt_n": tm["prompt_n"],
                "prompt_ms": tm["prompt_ms"],
                "generate_ms": tm["predicted_ms"],
                "completion_tokens": tm["predicted_n"],
            },
            ms,
        )


_engines: dict[tuple[Path, int], _Engine] = {}
_loading = threading.Lock()


def _engine(path: Path, n_ctx: int) -> _Engine:
    with _loading:
        key = (path, n_ctx)
        if key not in _engines:
            _engines[key] = _Engine(path, n_ctx)
        return _engines[key]
