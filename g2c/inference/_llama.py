"""llama.cpp in this process, one server of it for each model that is loaded.

`xllamacpp` wraps llama.cpp's own server, which queues requests and keeps the prompt cache; here it
is loaded once, kept quiet and to itself, and asked in a way that Ctrl-C can end.
"""

from __future__ import annotations

import atexit
import json
import os
import secrets
import subprocess
import sys
import threading
import time
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor, wait
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from g2c.inference.errors import BackendError, ContextOverflowError, ModelNotFoundError
from g2c.paths import state_dir


@dataclass(frozen=True)
class Reply:
    """What the model said to one request; `metadata` as `EmbeddedBackend` describes it."""

    text: str
    prompt_tokens: int
    completion_tokens: int
    latency_ms: float
    metadata: dict[str, Any]


class Llama:
    """A loaded model, with an adapter over it or none.

    `n_ctx` is the context that it has, which may be less than was asked for.

    `exact` computes a token in the same way whether it comes alone, among others, or came in an
    earlier call, so that what is in the cache changes nothing but the time. It slows down long
    prompts, and takes an adapter in 8 bits: by one of floats llama.cpp multiplies in two ways, too.
    """

    def __init__(self, path: Path, n_ctx: int, *, exact: bool, adapter: Path | None) -> None:
        # OpenMP's threads spin while they wait for each other, and by default so long that two
        # models that share the cores hardly move. This is read when the library is loaded.
        os.environ.setdefault("GOMP_SPINCOUNT", "300")
        try:
            import xllamacpp
        except ImportError as error:
            raise BackendError(
                f"llama.cpp cannot be loaded: {error}. Run: pip install xllamacpp (and on a bare "
                "Linux without libgomp: apt install libgomp1)"
            ) from error
        if not path.is_file():
            raise ModelNotFoundError(
                f"There is no model file {path}. Give the path of a .gguf file, or no model at "
                "all for the small one that the course comes with."
            )
        if adapter and not adapter.is_file():
            raise ModelNotFoundError(
                f"There is no adapter file {adapter}. Give the path of a .gguf file that "
                "training/convert.py wrote, or no adapter at all."
            )
        params = xllamacpp.CommonParams()
        params.model.path = str(path)
        if adapter:
            params.lora_adapters = [xllamacpp.CommonAdapterLoraInfo(str(adapter), 1.0)]
        params.n_ctx = n_ctx
        params.n_batch = 256  # a long prompt can be given up between batches
        params.cache_ram_mib = 512  # prompts other than the last, so that two can take turns
        params.warmup = False
        params.verbosity = 0  # else it writes to this process's stderr
        params.ui = False
        # The server listens on a local port whether or not anybody wants it to: lock the door.
        key = secrets.token_urlsafe(32)
        params.api_keys = [key]
        if exact:
            # Over an 8-bit cache llama.cpp has one way to compute attention; over others it has
            # two or three, by how many tokens come at once, and they round differently.
            params.flash_attn_type = xllamacpp.llama_flash_attn_type.LLAMA_FLASH_ATTN_TYPE_ENABLED
            params.cache_type_k = params.cache_type_v = xllamacpp.ggml_type.GGML_TYPE_Q8_0
        try:
            self._server = xllamacpp.Server(params)
        except RuntimeError:
            raise BackendError(_why_not(path, n_ctx, adapter)) from None
        self._calls = ThreadPoolExecutor(1, "llama.cpp")
        self.n_ctx = _ask_n_ctx(self._server.listening_address, key)

    def ask(self, request: Mapping[str, Any]) -> Reply:
        """Send a completion request, or a chat where it has `messages`, and gather the answer.

        Raises:
            ContextOverflowError: the prompt is longer than the context.
            BackendError: llama.cpp refuses the request.
        """
        started = time.perf_counter()
        chunks = self._stream(request)
        latency_ms = (time.perf_counter() - started) * 1000
        last = chunks[-1]
        if error := last.get("error"):
            if error["type"] == "exceed_context_size_error":
                raise ContextOverflowError(
                    f"The prompt is {error['n_prompt_tokens']} tokens long and the model's context "
                    f"holds {self.n_ctx}, the answer included; send less, or load the model with a "
                    "larger n_ctx if it was trained for one."
                )
            raise BackendError(f"llama.cpp refused the request: {error['message']}")
        choices = [choice for chunk in chunks for choice in chunk["choices"]]
        parts = [choice.get("delta", choice) for choice in choices]
        timings = last["timings"]
        return Reply(
            text="".join(part.get("content") or part.get("text") or "" for part in parts),
            prompt_tokens=timings["cache_n"] + timings["prompt_n"],
            completion_tokens=timings["predicted_n"],
            latency_ms=latency_ms,
            metadata={
                "finish_reason": choices[-1]["finish_reason"],
                "cache_n": timings["cache_n"],
                "prompt_n": timings["prompt_n"],
                "prompt_ms": timings["prompt_ms"],
                "generate_ms": timings["predicted_ms"],
            },
        )

    def close(self) -> None:
        self._calls.shutdown()
        del self._server

    def _stream(self, request: Mapping[str, Any]) -> list[dict[str, Any]]:
        # Called from here, llama.cpp would answer Ctrl-C when it is done. So it is called from a
        # thread, streams, and is told at the next piece that nobody waits any more.
        chunks: list[dict[str, Any]] = []
        given_up = threading.Event()

        def take(chunk: dict[str, Any]) -> bool:
            chunks.append(chunk)
            return given_up.is_set()

        chat = "messages" in request
        call = self._server.handle_chat_completions if chat else self._server.handle_completions
        # Tool output may hold half a surrogate pair, which is no text that can be sent.
        body = json.dumps(request, ensure_ascii=False).encode("utf-8", "replace")
        future = self._calls.submit(call, json.loads(body), take)
        try:
            while not wait([future], timeout=0.1).done:  # Windows hears Ctrl-C only in between
                pass
        finally:
            given_up.set()
            future.cancel()
        try:
            future.result()
        except (RuntimeError, ValueError) as error:
            raise BackendError(f"llama.cpp refused the request: {error}") from error
        return chunks


_loaded: dict[tuple[Path, int, bool, Path | None], Llama] = {}
_loading = threading.Lock()


def shared_llama(path: Path, n_ctx: int, *, exact: bool, adapter: Path | None = None) -> Llama:
    """The model at `path` with that adapter, loaded by whoever asks first."""
    key = (path, n_ctx, exact, adapter)
    with _loading:
        if key not in _loaded:
            _loaded[key] = Llama(path, n_ctx, exact=exact, adapter=adapter)
        return _loaded[key]


@atexit.register
def _close_all() -> None:
    # Threads of llama.cpp that outlive the interpreter can crash it.
    for llama in _loaded.values():
        llama.close()
    _loaded.clear()


def _ask_n_ctx(address: str, key: str) -> int:
    from http.client import HTTPConnection  # `requests` may send even this to a proxy

    connection = HTTPConnection(address.removeprefix("http://"), timeout=10)
    try:
        connection.request("GET", "/props", headers={"Authorization": f"Bearer {key}"})
        props = json.load(connection.getresponse())
    finally:
        connection.close()
    return int(props["default_generation_settings"]["n_ctx"])


_LOAD = """
import sys, xllamacpp
params = xllamacpp.CommonParams()
params.model.path, params.n_ctx = sys.argv[1], int(sys.argv[2])
params.lora_adapters = [xllamacpp.CommonAdapterLoraInfo(path, 1.0) for path in sys.argv[3:]]
xllamacpp.Server(params)
"""


def _why_not(path: Path, n_ctx: int, adapter: Path | None) -> str:
    """Load again in a process of its own, where llama.cpp may write what is wrong."""
    log = state_dir() / "llama.log"
    files = [str(path), str(n_ctx), *([str(adapter)] if adapter else [])]
    with log.open("wb") as file:
        subprocess.run([sys.executable, "-c", _LOAD, *files], stderr=file, check=False)
    lines = log.read_text("utf-8", "replace").splitlines()
    # A line is "0.00.182.216 E who: what"; the first error is the cause of those after it.
    errors = [line.partition(" E ")[2] for line in lines if " E " in line]
    reason = errors[0] if errors else "no reason given"
    named = f"{path} with the adapter {adapter}" if adapter else str(path)
    return (
        f"llama.cpp cannot load {named}: {reason}. Is it a whole .gguf file, and is there memory "
        f"for it? All that it said is in {log}."
    )
