"""A server for the site on this computer, with the headers that allow a tab to use threads."""

import contextlib
import sys
import threading
from collections.abc import Iterator
from functools import partial
from http import HTTPStatus
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

ISOLATED = {
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Embedder-Policy": "require-corp",
}
"""Only a page with these headers may share memory between its workers."""


PORT = 8719
"""The usual port. A browser keeps what is written in the tab by the address, with its port."""


@contextlib.contextmanager
def serve(site: Path, port: int = 0) -> Iterator[str]:
    """Serve the folder to this computer alone, on the port or a free one, and yield the address."""
    handler = partial(_Handler, directory=str(site))
    try:
        server = _Server(("127.0.0.1", port), handler)
    except OSError:  # another program has it
        server = _Server(("127.0.0.1", 0), handler)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()


class _Server(ThreadingHTTPServer):
    def handle_error(self, request: Any, client_address: Any) -> None:
        if not isinstance(sys.exception(), ConnectionError):  # a tab was closed while it loaded
            super().handle_error(request, client_address)


class _Handler(SimpleHTTPRequestHandler):
    error_message_format = (
        "<!doctype html><html lang=en><title>g2c</title>"
        "<p>%(code)d: %(message)s. <a href=/docs/index.html>The course</a>"
    )

    def send_head(self) -> Any:
        try:
            return super().send_head()
        except ValueError:  # no file can have such a name: it has a NUL or a lone surrogate
            self.send_error(HTTPStatus.NOT_FOUND)
            return None

    def end_headers(self) -> None:
        for name, value in ISOLATED.items():
            self.send_header(name, value)
        self.send_header("Cache-Control", "no-cache")  # a site that was built anew is seen at once
        super().end_headers()

    def log_message(self, format: str, *args: Any) -> None:
        """Print nothing: the terminal has the address."""
