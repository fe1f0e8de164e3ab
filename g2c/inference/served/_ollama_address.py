"""The address of an Ollama server, as Ollama itself reads `OLLAMA_HOST`."""

import os
import re
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from urllib.parse import urlsplit

from g2c.inference.errors import BackendUnreachableError

VARIABLE = "OLLAMA_HOST"
DEFAULT_PORT = 11434
PROBE_S = 0.3


def host_url() -> str:
    """The URL of the server that `OLLAMA_HOST` names, or of the usual one."""
    return base_url_from(os.environ.get(VARIABLE))


_API = re.compile(r"/(v1|api)$")
_HIDDEN = re.compile(rf"{VARIABLE}|SSL_CERT_(?:FILE|DIR)|\w+_PROXY", re.IGNORECASE)


@contextmanager
def without_settings() -> Iterator[None]:
    """Meanwhile the environment names no server, no proxy and no certificates."""
    hidden = {name: value for name, value in os.environ.items() if _HIDDEN.fullmatch(name)}
    for name in hidden:
        del os.environ[name]
    try:
        yield
    finally:
        os.environ.update(hidden)


def without_password(text: str) -> str:
    """The text for a person, without what stands before an @ in an address.

    >>> without_password("http://user:pw@127.0.0.1:11434")
    'http://...@127.0.0.1:11434'
    """
    return re.sub(r"[^\s/']+@", "...@", text)


def is_listening(url: str) -> bool:
    """Whether a program listens there, found without Ollama's client, which loads slowly."""
    try:
        parts = urlsplit(url)
        with socket.create_connection((parts.hostname or "", parts.port or 0), PROBE_S):
            return True
    except (OSError, ValueError):
        return False


def unreachable(url: str) -> BackendUnreachableError:
    """The error if no server answers, for a person who chooses a model."""
    if os.environ.get(VARIABLE):
        return BackendUnreachableError(
            f"{VARIABLE} names an Ollama server at {without_password(url)}, and none answers "
            f"there. Start it, correct {VARIABLE}, or unset it. The model that needs no server: "
            "g2c model embedded"
        )
    return BackendUnreachableError(
        f"No Ollama answers at {url}. Start it (ollama serve, or open the app), get it from "
        "ollama.com, or take the model that needs none: g2c model embedded"
    )


def full_name(tag: str) -> str:
    """The server's name for `tag`: two tags with one full name are one model.

    >>> full_name("SmolLM2"), full_name("registry.ollama.ai/library/smollm2:latest")
    ('smollm2:latest', 'smollm2:latest')
    """
    name = tag.lower().removeprefix("registry.ollama.ai/").removeprefix("library/")
    return name if ":" in name.rpartition("/")[2] else f"{name}:latest"


def base_url_from(host: str | None) -> str:
    """Return the URL that a value of `OLLAMA_HOST` means to Ollama's own client, without a last /.

    Follows `Host` in Ollama's `envconfig/config.go`. If the server is told to listen on every
    interface, a client on the same machine uses the loopback one. The path of an API at the end of
    the value is left out.

    >>> base_url_from(None)
    'http://127.0.0.1:11434'
    >>> base_url_from("0.0.0.0:8080")
    'http://127.0.0.1:8080'
    >>> base_url_from("https://models.example/ollama/")
    'https://models.example:443/ollama'
    >>> base_url_from("localhost:11434/v1")
    'http://localhost:11434'
    >>> base_url_from(" '[::1]:no-port' ")
    'http://[::1]:11434'
    """
    text = (host or "").strip().strip("\"'").strip()
    scheme, found, rest = text.partition("://")
    if not found:
        scheme, rest = "http", text
    default_port = DEFAULT_PORT
    if found:
        default_port = {"http": 80, "https": 443}.get(scheme, DEFAULT_PORT)
    place, _, path = rest.partition("/")
    name, port = _split_port(place)
    if not (len(port) <= 5 and port.isdecimal() and int(port) <= 65535):
        port = str(default_port)
    name = {"": "127.0.0.1", "0.0.0.0": "127.0.0.1", "::": "::1"}.get(name, name)
    if ":" in name and "@" not in name:  # Ollama takes no password, and nothing answers there
        name = f"[{name}]"
    return _API.sub("", f"{scheme}://{name}:{port}/{path}".rstrip("/"))


def _split_port(place: str) -> tuple[str, str]:
    if place.startswith("[") or place.count(":") > 1:  # IPv6, which needs no brackets alone
        name, _, rest = place.removeprefix("[").partition("]")
        return name, rest.removeprefix(":")
    name, _, port = place.partition(":")
    return name, port
