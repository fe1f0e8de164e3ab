"""Serves the small model over HTTP with llama.cpp's own server, for a machine without Ollama.

`python -m g2c.inference.embedded.serve` prints its address and serves until Ctrl-C, or until its
standard input ends, so it never outlives the process that started it. It listens on this machine
alone.
"""

import argparse
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from g2c.files import read_text
from g2c.inference.errors import BackendError

MODEL = "small"
KEY_VARIABLE = "G2C_SERVE_KEY"
"""The environment variable with the key that a request must have; without it, no key is needed."""


@contextmanager
def llama_server(
    *, slots: int = 1, n_ctx: int = 2048, key: str = "", template: Path | None = None
) -> Iterator[str]:
    """Start a server for so many requests at once, and yield its address, which ends with /v1.

    `n_ctx` is the context of each request in tokens. Without a key, it answers all requests.

    Raises:
        BackendError: the server did not start.
    """
    given = [f"--slots={slots}", f"--context={n_ctx}"]
    given += [f"--template={template}"] if template else []
    with subprocess.Popen(
        [sys.executable, "-m", __name__, *given],
        env=os.environ | {KEY_VARIABLE: key},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdin and process.stdout
        try:
            address = process.stdout.readline().strip()
            if not address:
                raise BackendError(
                    "llama.cpp's server did not start; g2c doctor says what is missing."
                )
            yield address
        finally:
            process.stdin.close()
            try:
                process.wait(10)
            except subprocess.TimeoutExpired:
                process.kill()


def serve(slots: int, n_ctx: int, key: str, template: Path | None) -> None:
    """Print the address, and serve until standard input ends."""
    # By default, waiting threads spin, and block everything else on shared cores.
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
        params.chat_template = read_text(template)
    server = xllamacpp.Server(params)
    print(f"{server.listening_address}/v1", flush=True)
    with suppress(KeyboardInterrupt):
        sys.stdin.read()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="python -m g2c.inference.embedded.serve")
    parser.add_argument("--slots", type=int, default=1, help="requests at once")
    parser.add_argument("--context", type=int, default=2048, help="tokens of each request")
    parser.add_argument("--template", type=Path, help="a file with another chat template")
    options = parser.parse_args()
    serve(options.slots, options.context, os.environ.get(KEY_VARIABLE, ""), options.template)
    os._exit(0)  # llama.cpp's own clean-up would wait for abandoned requests
