"""Where an Ollama server is, as Ollama itself reads `OLLAMA_HOST`."""

from __future__ import annotations


def base_url_from(host: str | None) -> str:
    """Return the URL that a value of `OLLAMA_HOST` means to Ollama's own client, without a last /.

    Follows `Host` in Ollama's `envconfig/config.go`. If the server is told to listen on every
    interface, a client on the same machine uses the loopback one.

    >>> base_url_from(None)
    'http://127.0.0.1:11434'
    >>> base_url_from("0.0.0.0:8080")
    'http://127.0.0.1:8080'
    >>> base_url_from("https://models.example/ollama/")
    'https://models.example:443/ollama'
    >>> base_url_from(" '[::1]:no-port' ")
    'http://[::1]:11434'
    """
    text = (host or "").strip().strip("\"'").strip()
    scheme, found, rest = text.partition("://")
    if not found:
        scheme, rest = "http", text
    default_port = {"http": "80", "https": "443"}.get(scheme, "11434") if found else "11434"
    place, _, path = rest.partition("/")
    name, port = _split_port(place)
    if not (len(port) <= 5 and port.isdecimal() and int(port) <= 65535):
        port = default_port
    name = {"": "127.0.0.1", "0.0.0.0": "127.0.0.1", "::": "::1"}.get(name, name)
    if ":" in name:
        name = f"[{name}]"
    return f"{scheme}://{name}:{port}/{path}".rstrip("/")


def _split_port(place: str) -> tuple[str, str]:
    if place.startswith("[") or place.count(":") > 1:  # IPv6, which needs no brackets alone
        name, _, rest = place.removeprefix("[").partition("]")
        return name, rest.removeprefix(":")
    name, _, port = place.partition(":")
    return name, port
