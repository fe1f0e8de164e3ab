"""The small model in a browser's tab: llama.cpp in WebAssembly, which the page runs in a worker.
Python runs in another worker of the page. Requests and streamed pieces are the same as with
llama.cpp in a process. So this backend can do all that `EmbeddedBackend` can.
"""

import json
import time
from collections.abc import Callable, Mapping
from typing import Any

from g2c.inference.backend import BackendInfo
from g2c.inference.embedded.backend import EmbeddedBackend
from g2c.inference.embedded.engine import Engine, Reply, read_reply
from g2c.inference.embedded.weights import ADAPTER_NOTE, ADAPTER_SHA256, SHA256


class BrowserEngine:
    """The page's `Engine`, with a context of `n_ctx` tokens.

    `send` takes a request as JSON, waits, and returns the pieces of the answer as JSON. Python in a
    tab can wait with `run_sync` if the browser has JSPI.
    """

    def __init__(self, send: Callable[[str], str], n_ctx: int) -> None:
        self.n_ctx = n_ctx
        self.eos = ""  # the page does not tell
        self._send = send

    def ask(self, request: Mapping[str, Any]) -> Reply:
        """See `Engine`.

        Raises:
            KeyboardInterrupt: the person at the page stopped the answer.
        """
        started = time.perf_counter()
        chunks = json.loads(self._send(json.dumps(request)))
        if chunks[-1].get("stopped"):
            raise KeyboardInterrupt
        return read_reply(chunks, (time.perf_counter() - started) * 1000, self.n_ctx)

    def close(self) -> None:
        """Does nothing: the page keeps the model."""


class BrowserBackend(EmbeddedBackend):
    """The small model with the course's adapter, behind `engine`; calls and results are those of
    `EmbeddedBackend`."""

    def __init__(self, engine: Engine, *, seed: int = 0, raw: bool = True) -> None:
        self._llama = engine
        self._seed = seed
        self._raw = raw
        self._stop: tuple[str, ...] = ()

    @property
    def info(self) -> BackendInfo:
        extra = {"n_ctx": self._llama.n_ctx, "raw": self._raw, "note": ADAPTER_NOTE}
        return BackendInfo("browser", "SmolLM2-135M-Instruct+course", extra)

    def _digests(self) -> dict[str, str]:
        return {"weights": SHA256[:12], "adapter": ADAPTER_SHA256[:12]}
