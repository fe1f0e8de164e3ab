"""llama.cpp in this process, one server for each loaded model.

`xllamacpp` wraps llama.cpp's own server, which queues requests and keeps the prompt cache. Here it
is loaded once, prints nothing, accepts requests only from this process, and can be stopped with
Ctrl-C.

llama.cpp has its own threads. A fork does not get them, so a process never uses its parent's model.
They must end before the interpreter does, so a running answer is aborted at exit.
"""

import atexit
import json
import os
import platform
import secrets
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Mapping
from concurrent.futures import Future, wait
from contextlib import suppress
from functools import partial
from pathlib import Path
from queue import SimpleQueue
from typing import Any

from g2c.files import keep_text, sha256_of
from g2c.inference.call_listeners import tell_piece
from g2c.inference.embedded import weights
from g2c.inference.embedded.engine import Engine, Reply, read_reply, text_of
from g2c.inference.embedded.prompt_cache import PromptCache
from g2c.inference.embedded.recorded_engine import recorded
from g2c.inference.errors import BackendError, ModelNotFoundError
from g2c.kept import key_of
from g2c.paths import cache_dir, state_dir
from g2c.text import short_reason
from g2c.wanted import check_wanted

MIN_N_CTX = 256
"""llama.cpp raises any smaller context, in tokens, to this, except 1, at which it aborts."""
EXIT_S = 1.0
"""Seconds that the interpreter waits at exit for llama.cpp to abort an answer. It does so between
two tokens, or two batches of a prompt."""

_Work = tuple["Future[object]", Callable[[], object]]


class Llama:
    """The `Engine` of a model file, with an adapter over it or none.

    With `exact`, a token's result is the same whether it is computed alone, in a batch, or in an
    earlier call. So the cache changes only the time. This is for the small model. It slows down
    long prompts, and needs an 8-bit adapter: llama.cpp has two ways to multiply by an
    adapter of floats.

    With `keep`, processes share the prompts that they have read (`prompt_cache.py`).
    """

    def __init__(
        self, path: Path, n_ctx: int, *, exact: bool, adapter: Path | None, keep: bool = False
    ) -> None:
        self._process = os.getpid()
        self._closing = threading.Event()
        # OpenMP's threads spin while they wait for each other. By default they spin so long that
        # two models on the same cores hardly progress. The variable is read when the library is
        # loaded.
        os.environ.setdefault("GOMP_SPINCOUNT", "300")
        try:
            import xllamacpp
        except ImportError as error:
            raise BackendError(
                f"llama.cpp cannot be loaded: {error}. Run: pip install xllamacpp (and on a bare "
                "Linux without libgomp: apt install libgomp1)"
            ) from error
        if _forked:
            raise BackendError(_FORKED)
        if not path.is_file():
            raise ModelNotFoundError(
                f"There is no model file {path}. Give the path of a .gguf file, or no model at "
                "all for the small one that the course comes with."
            )
        if adapter and not adapter.is_file():
            raise ModelNotFoundError(
                f"There is no adapter file {adapter}. Give the path of an adapter's .gguf file, or "
                "no adapter at all."
            )
        weights.check_model(path)
        if adapter == weights.ADAPTER:
            weights.find_adapter()
        if path.name == weights.FILE:  # llama.cpp would first allocate all that was asked for
            n_ctx = min(n_ctx, weights.N_CTX)
        params = xllamacpp.CommonParams()
        params.model.path = str(path)
        fronts = _writable(cache_dir() / "prompts") if keep else None
        if adapter:
            params.lora_adapters = [xllamacpp.CommonAdapterLoraInfo(str(adapter), 1.0)]
        params.n_ctx = max(n_ctx, MIN_N_CTX)
        params.n_batch = 64  # a long prompt can be aborted between batches
        params.cache_ram_mib = 512  # older prompts, so that two can alternate
        params.warmup = False
        params.verbosity = 0  # else it writes to this process's stderr
        params.ui = False
        # The server always listens on a local port, so a key keeps others out.
        key = secrets.token_urlsafe(32)
        params.api_keys = [key]
        if exact:
            # For an 8-bit cache, llama.cpp has one way to compute attention. For others it has two
            # or three, chosen by the batch's size, and they round differently. Without flash
            # attention it would be faster, but sometimes not exact.
            params.flash_attn_type = xllamacpp.llama_flash_attn_type.LLAMA_FLASH_ATTN_TYPE_ENABLED
            params.cache_type_k = params.cache_type_v = xllamacpp.ggml_type.GGML_TYPE_Q8_0
        if fronts:
            params.slot_save_path = f"{fronts}{os.sep}"
        _llamas.append(self)
        try:
            self._server = xllamacpp.Server(params)
        except RuntimeError:
            raise BackendError(_why_not(path, n_ctx, adapter)) from None
        self._calls: SimpleQueue[_Work | None] = SimpleQueue()
        # A daemon, because the interpreter waits for other threads before it asks us to close.
        self._thread = threading.Thread(target=_work, args=(self._calls,), daemon=True)
        self._thread.start()
        self.n_ctx, self.eos = _ask_props(self._server.listening_address, key)
        self._fronts = None
        if fronts:
            cache = "q8_0" if exact else "f16"
            version = f"{xllamacpp.__version__} {cache} {platform.machine()}"
            over = sha256_of(adapter) if adapter else "plain"
            name = key_of(weights.sha256_known(path), over, version, self.n_ctx)
            slot = partial(_move_slot, self._server, key)
            self._fronts = PromptCache(fronts, name, slot)

    def ask(self, request: Mapping[str, Any]) -> Reply:
        started = time.perf_counter()
        chunks = self._stream(request)
        return read_reply(chunks, (time.perf_counter() - started) * 1000, self.n_ctx)

    def close(self) -> None:
        """Abort the running answer, and free the model if that took no longer than `EXIT_S`."""
        self._closing.set()
        self._calls.put(None)
        self._thread.join(EXIT_S)
        if self._thread.is_alive():
            _abandon(self._server, self._thread)
        self._fronts = None
        del self._server

    def _stream(self, request: Mapping[str, Any]) -> list[dict[str, Any]]:
        # If this thread called llama.cpp, Ctrl-C would wait until the end. So another thread calls
        # it with streaming; at the next piece it learns that nobody waits any more.
        self._check_alive()
        chunks: list[dict[str, Any]] = []
        given_up = threading.Event()

        def take(chunk: dict[str, Any]) -> bool:
            chunks.append(chunk)
            if text_of(chunk):
                tell_piece()
            return given_up.is_set() or self._closing.is_set()

        # Tool output may have a lone surrogate, which cannot be sent.
        body = json.dumps(request, ensure_ascii=False).encode("utf-8", "replace")
        future: Future[object] = Future()
        self._calls.put((future, partial(self._answer, json.loads(body), take)))
        try:
            while not wait([future], timeout=0.1).done:  # Windows sees Ctrl-C only in between
                self._check_alive()
                check_wanted()
        finally:
            given_up.set()
            future.cancel()
        self._check_alive()
        try:
            future.result()
        except (RuntimeError, ValueError) as error:
            raise BackendError(f"llama.cpp refused the request: {error}") from error
        return chunks

    def _answer(self, request: dict[str, Any], take: Callable[[dict[str, Any]], bool]) -> None:
        # Only the calling thread refers to the server, so the server ends when `close` says.
        chat = "messages" in request
        call = self._server.handle_chat_completions if chat else self._server.handle_completions
        last: dict[str, Any] = {}

        def noting(chunk: dict[str, Any]) -> bool:
            last.update(chunk)
            return take(chunk)

        if self._fronts:
            self._fronts.fetch(request)
        call(request, noting)
        if self._fronts and (timings := last.get("timings")):
            self._fronts.keep(request, timings["prompt_n"])

    def _check_alive(self) -> None:
        """Raise `BackendError` in a fork, or if the program is ending."""
        if self._process != os.getpid():
            raise BackendError(_FORKED)
        if threading.main_thread().is_alive() and not self._closing.is_set():
            return
        if threading.current_thread().daemon:
            # This thread ends with the interpreter. If it wrote a traceback now, it could hold
            # stderr's lock at that moment, and Python would abort.
            threading.Event().wait()
        raise BackendError(
            "The program is ending, so its model answers no more. Join the threads that use a "
            "model before the main thread ends."
        )


def _work(calls: SimpleQueue[_Work | None]) -> None:
    """Make the queued calls, one after another, until None comes."""
    while work := calls.get():
        future, call = work
        if future.set_running_or_notify_cancel():
            try:
                future.set_result(call())
            except BaseException as error:
                future.set_exception(error)


_FORKED = (
    "This process is a fork of one that had loaded a model, and llama.cpp does not survive a fork. "
    "Load the model in the child only, or start the child with "
    "multiprocessing.get_context('spawn')."
)
_forked = False
_llamas: list[Llama] = []
_loaded: dict[tuple[Path, int, bool, Path | None, bool], Engine] = {}
_loading = threading.Lock()


def shared_llama(
    path: Path, n_ctx: int, *, exact: bool, adapter: Path | None = None, keep: bool = False
) -> Engine:
    """The model at `path` with that adapter; the first call loads it."""
    # A recording must not depend on other processes' prompts.
    keep = keep and os.environ.get("G2C_KEEP_PROMPTS") != "0" and "G2C_RECORD" not in os.environ
    key = (path, n_ctx, exact, adapter, keep)
    with _loading:
        if key not in _loaded:
            _loaded[key] = recorded(
                f"{path.name} {adapter and adapter.name} {n_ctx} {exact}",
                lambda: Llama(path, n_ctx, exact=exact, adapter=adapter, keep=keep),
            )
        return _loaded[key]


@atexit.register
def _close_all() -> None:
    # Threads of llama.cpp that outlive the interpreter can crash it, so this must not be
    # interrupted.
    with suppress(ValueError):  # the interpreter does not end in its main thread
        signal.signal(signal.SIGINT, signal.SIG_IGN)
    for llama in _loaded.values():
        llama.close()
    _loaded.clear()


def _after_fork() -> None:
    global _forked, _loading
    _loading = threading.Lock()  # another thread of the parent may have held it
    _loaded.clear()
    _forked = _forked or bool(_llamas)
    for llama in _llamas:
        if hasattr(llama, "_server"):
            _abandon(llama._server)


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)


def _abandon(server: object, thread: threading.Thread | None = None) -> None:
    """Keep `server` until the process ends, and end the process without llama.cpp's own clean-up.
    Freeing and clean-up would wait for threads, or free what they use. Stop `thread`, which calls
    `server`: an interpreter that ends would unwind its stack, and C++ aborts at that.
    """
    import ctypes

    ctypes.pythonapi.Py_IncRef(ctypes.py_object(server))
    with suppress(AttributeError):  # only on Linux: elsewhere the clean-up does not wait
        # It runs before earlier registered functions, with the process's exit status.
        libc = ctypes.CDLL(None)
        libc.on_exit(libc._exit, None)
        if thread and thread.ident:
            libc.signal(signal.SIGRTMAX, libc.pause)  # the thread waits in its signal handler
            signal.pthread_kill(thread.ident, signal.SIGRTMAX)


def _ask_props(address: str, key: str) -> tuple[int, str]:
    """The size of the context, and the token that ends a text."""
    try:
        props = _request(address, key, "GET", "/props")
    except OSError as error:
        raise BackendError(
            f"The model in the box is asked at {address}, on this computer, and that cannot be "
            f"reached ({short_reason(error)}). Is there a firewall, or a container without lo?"
        ) from None
    return int(props["default_generation_settings"]["n_ctx"]), str(props.get("eos_token", ""))


def _move_slot(server: Any, key: str, action: str, name: str) -> None:
    """A `prompt_cache.Slot` for this server.

    Raises:
        OSError, HTTPException, ValueError: it failed.
    """
    if action == "park":
        # The server sets its current prompt aside before it reads one with another beginning.
        server.handle_completions({"prompt": "-", "n_predict": 1}, lambda _: False)
        return
    address = server.listening_address
    done = _request(address, key, "POST", f"/slots/0?action={action}", {"filename": name})
    if "error" in done:
        raise ValueError(str(done["error"]))


def _request(
    address: str, key: str, method: str, path: str, body: Mapping[str, Any] | None = None
) -> dict[str, Any]:
    from http.client import HTTPConnection  # `requests` may send even this to a proxy

    connection = HTTPConnection(address.removeprefix("http://"), timeout=10)
    try:
        headers = {"Authorization": f"Bearer {key}", "Content-Type": "application/json"}
        connection.request(method, path, json.dumps(body) if body else None, headers)
        answer: dict[str, Any] = json.load(connection.getresponse())
    finally:
        connection.close()
    return answer


def _writable(folder: Path) -> Path | None:
    """`folder`, made readable only by this user; None if it cannot be written."""
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError:
        return None
    return folder if os.access(folder, os.W_OK) else None


_LOAD = """
import sys, xllamacpp
params = xllamacpp.CommonParams()
params.model.path, params.n_ctx = sys.argv[1], int(sys.argv[2])
params.lora_adapters = [xllamacpp.CommonAdapterLoraInfo(path, 1.0) for path in sys.argv[3:]]
xllamacpp.Server(params)
"""


def _why_not(path: Path, n_ctx: int, adapter: Path | None) -> str:
    """Load the model again in a separate process, where llama.cpp may print the error."""
    files = [str(path), str(n_ctx), *([str(adapter)] if adapter else [])]
    command = [sys.executable, "-P", "-c", _LOAD, *files]
    done = subprocess.run(command, stderr=subprocess.PIPE, check=False)
    said = done.stderr.decode("utf-8", "replace")
    log = state_dir() / "llama.log"
    keep_text(log, said)
    lines = said.splitlines()
    # A line is "0.00.182.216 E who: what"; the first error is the cause of those after it.
    errors = [line.partition(" E ")[2] for line in lines if " E " in line]
    reason = errors[0] if errors else "no reason given"
    named = f"{path} with the adapter {adapter}" if adapter else str(path)
    return (
        f"llama.cpp cannot load {named}: {reason}. Is it a whole .gguf file, and is there memory "
        f"for it? All that it said is in {log}."
    )
