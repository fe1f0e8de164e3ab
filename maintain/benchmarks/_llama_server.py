"""llama.cpp's own HTTP server on the small model, in a process of its own.

`python _llama_server.py SLOTS N_CTX KEY [TEMPLATE]` prints its address and serves until its
standard input ends, so it never outlives whoever started it.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

MODEL = "small"


@contextmanager
def llama_server(
    *, slots: int = 1, n_ctx: int = 2048, key: str = "", template: Path | None = None
) -> Iterator[str]:
    """Lend the address, with its /v1, of a server for so many requests at once.

    `n_ctx` is the context of each request in tokens. Without a key it answers everybody.
    """
    arguments = [str(slots), str(n_ctx), key, *([str(template)] if template else [])]
    with subprocess.Popen(
        [sys.executable, __file__, *arguments],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdin and process.stdout
        try:
            address = process.stdout.readline().strip()
            assert address, "llama.cpp's server did not start"
            yield f"{address}/v1"
        finally:
            process.stdin.close()
            try:
                process.wait(10)
            except subprocess.TimeoutExpired:
                process.kill()


def serve(slots: int, n_ctx: int, key: str, template: str | None) -> None:
    # Threads that wait for each other spin by default, and on shared cores nothing else moves.
    os.environ.setdefault("GOMP_SPINCOUNT", "300")
    import xllamacpp

    from g2c.inference.embedded.weights import find_weights

    params = xllamacpp.CommonParams()
    params.model.path = str(find_weights())
    params.model_alias = {MODEL}
    params.n_parallel = slots
    params.n_ctx = slots * n_ctx  # llama.cpp shares it out among the slots
    params.warmup = False
    params.verbosity = 0
    params.ui = False
    if key:
        params.api_keys = [key]
    if template:
        params.chat_template = Path(template).read_text("utf-8")
    server = xllamacpp.Server(params)
    print(server.listening_address, flush=True)
    sys.stdin.read()


if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parents[2]))
    serve(int(sys.argv[1]), int(sys.argv[2]), sys.argv[3], (sys.argv[4:] or [None])[0])
    os._exit(0)  # llama.cpp's own clean-up would wait for requests that nobody wants any more
