"""The models of an Ollama server: listing them, looking one up, and downloading one."""

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from g2c.inference.errors import (
    BackendError,
    BackendUnreachableError,
    BrokenStreamError,
    ModelNotFoundError,
)
from g2c.inference.served._ollama_address import host_url, unreachable
from g2c.inference.served._ollama_wire import exchange
from g2c.inference.served._transport import Limits, Refused

CONNECT_TIMEOUT_S = 0.3
LIST_DEADLINE_S = 5.0
MAX_LIST_BYTES = 2**21
PULL_SILENCE_S = 600.0
"""Seconds of silence: the server sends nothing while it checks a download."""
PULL_DEADLINE_S = 24 * 3600.0
PULL_MAX_BYTES = 2**28
"""A line of progress takes 200 bytes, and a few come every second."""


_SIZE = re.compile(r"(\d+(?:\.\d+)?)([KMBT])", re.IGNORECASE)
_UNITS = {"K": 1e3, "M": 1e6, "B": 1e9, "T": 1e12}


def list_tags(min_parameters: float = 0) -> list[str]:
    """The tags that the server has, in order, without models that it says to be smaller.

    Raises:
        BackendError: the server cannot be asked; says what to do.
    """
    with _managing() as url:
        (listed,) = exchange(url, _limits(), lambda client: [client.list()])
    large = (
        model.model
        for model in listed.models
        if _parameters(model.details.parameter_size if model.details else None) >= min_parameters
    )
    return sorted(tag for tag in large if tag)


def _parameters(size: str | None) -> float:
    """The number that a size such as "134.52M" means; infinity if it cannot be read.

    >>> _parameters("134.52M"), _parameters("3.2B"), _parameters("")
    (134520000.0, 3200000000.0, inf)
    """
    found = _SIZE.fullmatch(size or "")
    return float(found[1]) * _UNITS[found[2].upper()] if found else float("inf")


def has_model(tag: str) -> bool:
    """Whether the server has a model that it calls `tag`; raises as `list_tags` does."""
    with _managing() as url:
        try:
            list(exchange(url, _limits(), lambda client: [client.show(tag)]))
        except Refused as refused:
            if refused.status != 404:
                raise
            return False
    return True


def pull(tag: str, on_progress: Callable[[str, int | None, int | None], object]) -> None:
    """Have the server download `tag`.

    `on_progress` is called with the current step, its bytes so far, and its bytes in all; a number
    is None if the server does not report it.

    Raises:
        BackendUnreachableError: no server answers.
        ModelNotFoundError: the server finds no such model.
        BackendError: the download failed; another pull goes on where it stopped.
    """
    limits = Limits(CONNECT_TIMEOUT_S, PULL_SILENCE_S, PULL_DEADLINE_S, PULL_MAX_BYTES)
    status = ""
    with _managing() as url:
        for step in exchange(url, limits, lambda client: client.pull(tag, stream=True)):
            status = step.status or ""
            on_progress(status, step.completed, step.total)
    if status != "success":
        raise BrokenStreamError(f"The download of {tag} broke off; run it again to go on with it.")


def _limits() -> Limits:
    return Limits(CONNECT_TIMEOUT_S, LIST_DEADLINE_S, LIST_DEADLINE_S, MAX_LIST_BYTES)


@contextmanager
def _managing() -> Iterator[str]:
    """Yield the server's address, and turn errors into messages for a person who manages models."""
    url = host_url()
    try:
        yield url
    except Refused as refused:
        if refused.status == 404 or "does not exist" in refused.message:
            raise ModelNotFoundError(
                f"Ollama finds no such model ({refused.message}); ollama.com/library lists them."
            ) from None
        raise BackendError(f"Ollama refused: {refused.message}. Its log says more.") from None
    except BackendUnreachableError:
        raise unreachable(url) from None
