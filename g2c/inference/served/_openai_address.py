"""The address of a server with OpenAI's API, and the key for requests to it.

The key is only in the environment, and read for each request. Nothing here stores it, and no error
contains it.
"""

import ipaddress
import os
import re
from urllib.parse import urlsplit

from g2c.inference.errors import KeyRefusedError

KEY_VARIABLE = "G2C_API_KEY"
"""Not `OPENAI_API_KEY`: a key for one company must not go to whatever server a course names."""

_REQUEST = re.compile(r"/((chat/)?completions|models)$")

MIN_SECRET_CHARS = 12
"""A shorter key, such as `EMPTY` or `lm-studio`, is not secret. It may be a word of an answer."""


def base_url_of(text: str) -> str:
    """The address in the form that requests need: without a final `/` or the path of a request, and
    with `/v1` if it has no path.

    Raises:
        ValueError: it is not http:// or https:// address of a host, or has more than host and path.
            The message does not repeat it, because it may contain a password.

    >>> base_url_of("http://127.0.0.1:8000"), base_url_of("https://models.example/llm/v1/")
    ('http://127.0.0.1:8000/v1', 'https://models.example/llm/v1')
    >>> base_url_of("http://127.0.0.1:8000/v1/chat/completions")
    'http://127.0.0.1:8000/v1'
    """
    from httpx import URL, InvalidURL

    text = text.strip()
    try:
        parts = urlsplit(text)
        host, port = parts.hostname, parts.port
        URL(text).host.encode("idna")  # as it is looked up
    except (ValueError, InvalidURL):
        host = port = None
    if not host or parts.scheme not in ("http", "https") or port == 0:
        raise ValueError(
            "the server's URL must be an http:// or https:// address, such as "
            "http://127.0.0.1:8000/v1"
        )
    if "@" in parts.netloc or parts.query or parts.fragment:
        raise ValueError(
            "the server's URL must hold no name, password, query or fragment; a key goes in "
            f"the environment variable {KEY_VARIABLE}"
        )
    if not text.isprintable() or " " in text:
        raise ValueError("the server's URL must not hold spaces or control characters")
    path = _REQUEST.sub("", parts.path.rstrip("/"))
    return f"{parts.scheme}://{parts.netloc}{path or '/v1'}"


def is_loopback(url: str) -> bool:
    """Say whether `url` is on this machine.

    >>> is_loopback("http://[::1]:11434"), is_loopback("http://models.example:80")
    (True, False)
    """
    try:
        name = urlsplit(url).hostname or ""
        return name == "localhost" or ipaddress.ip_address(name).is_loopback
    except ValueError:
        return False


def read_key(variable: str, base_url: str) -> str | None:
    """The key in the environment variable `variable`, for one request; None without one.

    Raises:
        KeyRefusedError: the key does not fit a header, or would cross a network unencrypted.
    """
    key = _key(variable)
    if not key:
        return None
    if not (key.isascii() and key.isprintable()) or " " in key:
        raise KeyRefusedError(
            f"The key in {variable} holds a space or a character that no key has; set it again."
        )
    if base_url.startswith("http://") and not is_loopback(base_url):
        raise KeyRefusedError(
            f"The key in {variable} would go to {base_url} unencrypted, where others can read it. "
            "Use an https:// address or a tunnel (ssh -L 8000:localhost:8000 HOST, then "
            f"http://127.0.0.1:8000/v1), or unset {variable} if the server needs no key."
        )
    return key


def without_key(text: str, variable: str) -> str:
    """`text` without the key, in case a server has repeated it.

    >>> os.environ["G2C_DOCTEST_KEY"] = "sk-0123456789"
    >>> without_key("Incorrect key: sk-0123456789.", "G2C_DOCTEST_KEY")
    'Incorrect key: [key].'
    >>> del os.environ["G2C_DOCTEST_KEY"]
    """
    key = _key(variable)
    return text.replace(key, "[key]") if len(key) >= MIN_SECRET_CHARS else text


def _key(variable: str) -> str:
    return os.environ.get(variable, "").strip().strip("\"'")  # cmd.exe stores quotes, too
