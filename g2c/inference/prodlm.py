"""Which model this machine uses, and how it gets there.

The idea to take away: a program asks for "the model" in one place, so that changing it is a
choice that a person makes once, and no change to the program.
"""

from __future__ import annotations

import json
import os
import socket
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal, get_args
from urllib.parse import urlsplit

from g2c.files import replace_text
from g2c.inference._ollama_wire import base_url_from, is_loopback
from g2c.inference.base import Backend
from g2c.inference.errors import (
    BackendError,
    BackendUnreachableError,
    BrokenStreamError,
    ModelNotFoundError,
)
from g2c.paths import state_dir

if TYPE_CHECKING:
    import ollama

DEFAULT_TAG = "llama3.2:3b"
CONNECT_TIMEOUT_S = 0.3

Kind = Literal["auto", "embedded", "embedded-plain", "ollama"]

NAMES = ("auto", "embedded", "embedded-plain")
"""What means a model without naming a file or a tag."""


@dataclass(frozen=True)
class Choice:
    """A model: `model` is Ollama's tag, a path for the embedded one, or None for its default.

    `embedded-plain` is the small model without the adapter that the course trained for it. `auto`
    is Ollama with the default tag where a server answers and has it, else embedded.
    """

    kind: Kind = "auto"
    model: str | None = None

    def __str__(self) -> str:
        return self.model or self.kind


def parse_choice(text: str) -> Choice:
    """Read `auto`, `embedded`, `embedded-plain`, an Ollama tag, or the path of a `.gguf` file.

    Raises:
        ValueError: the text is empty.
        ModelNotFoundError: the path leads nowhere.

    >>> parse_choice("embedded"), parse_choice("llama3.2:3b")
    (Choice(kind='embedded', model=None), Choice(kind='ollama', model='llama3.2:3b'))
    """
    text = text.strip()
    if not text:
        raise ValueError(
            f"Name a model: {', '.join(NAMES)}, a tag such as llama3.2:3b, or a .gguf file"
        )
    if text in NAMES:
        return Choice(text)  # type: ignore[arg-type]
    path = Path(text).expanduser()
    if path.is_file():
        return Choice("embedded", str(path.resolve()))
    if path.suffix.lower() == ".gguf":
        raise ModelNotFoundError(f"There is no file {path}; give the path of a .gguf file.")
    return Choice("ollama", text)


def read_choice() -> Choice:
    """What `G2C_BACKEND` says, else what `write_choice` kept, else auto.

    Raises:
        BackendError: the file that keeps it cannot be read; says how to mend that.
    """
    if text := os.environ.get("G2C_BACKEND"):
        return parse_choice(text)
    file = _choice_file()
    try:
        choice = Choice(**json.loads(file.read_text("utf-8")))
        if choice.kind in get_args(Kind):
            return choice
        why = f"no such kind as {choice.kind!r}"
    except FileNotFoundError:
        return Choice()
    except (OSError, ValueError, TypeError) as error:
        why = str(error)
    raise BackendError(f"{file} cannot be read ({why}); run: g2c model auto")


def write_choice(choice: Choice) -> None:
    """Keep `choice` for this and every later process."""
    replace_text(_choice_file(), json.dumps(asdict(choice)) + "\n")


def settle(choice: Choice) -> Choice:
    """Turn `auto` into what it means on this machine at this moment."""
    if choice.kind != "auto":
        return choice
    if has_tag(DEFAULT_TAG, ollama_models() or ()):
        return Choice("ollama", DEFAULT_TAG)
    return Choice("embedded")


def load_prodlm(choice: Choice | str | None = None) -> Backend:
    """This machine's model, ready to be called; None means what `read_choice` says.

    Raises:
        BackendError: the model cannot be had; says what to do.
    """
    if not isinstance(choice, Choice):
        choice = parse_choice(choice) if choice else read_choice()
    choice = settle(choice)
    if choice.kind != "ollama":
        from g2c.inference.embedded import EmbeddedBackend

        return EmbeddedBackend(choice.model, plain=choice.kind == "embedded-plain")
    from g2c.inference.ollama import OllamaBackend

    tag = choice.model or DEFAULT_TAG
    if not has_tag(tag, _list_models(None)):
        raise ModelNotFoundError(f"Ollama does not have {tag}; pull it with: g2c model {tag}")
    return OllamaBackend(tag)


def ollama_models(base_url: str | None = None) -> list[str] | None:
    """The tags that an Ollama server has, or None where none answers.

    `base_url` is read as `OLLAMA_HOST` is, and None means what that variable says.
    """
    try:
        return _list_models(base_url)
    except (BackendError, ValueError):  # ValueError: something else answers there
        return None


def _list_models(base_url: str | None) -> list[str]:
    with _ollama(base_url, silence_s=5) as client:
        return sorted(model.model for model in client.list().models if model.model)


def has_tag(tag: str, models: Collection[str]) -> bool:
    """Whether `models` has `tag`; a tag without a version means the latest.

    >>> has_tag("llama3.2", ["llama3.2:latest"]), has_tag("llama3.2:3b", ["llama3.2:latest"])
    (True, False)
    """
    return tag in models or f"{tag}:latest" in models


def pull(
    tag: str,
    on_progress: Callable[[str, int | None, int | None], object],
    base_url: str | None = None,
) -> None:
    """Have the Ollama server fetch `tag`.

    `on_progress` is called with what is being done, and the bytes of that which are there and
    which there are in all, each None where the server does not say.

    Raises:
        BackendUnreachableError: no server answers.
        ModelNotFoundError: the server finds no such model.
        BackendError: the download failed; pulling again goes on where it stopped.
    """
    status = None
    with _ollama(base_url, silence_s=600) as client:  # checking what was fetched is silent
        for step in client.pull(tag, stream=True):
            status = step.status
            on_progress(status or "", step.completed, step.total)
    if status != "success":
        raise BrokenStreamError(f"The download of {tag} broke off; run it again to go on with it.")


def _choice_file() -> Path:
    return state_dir() / "prodlm.json"


@contextmanager
def _ollama(base_url: str | None, silence_s: float) -> Iterator[ollama.Client]:
    """Lend a client whose failures are this package's errors."""
    url = base_url_from(os.environ.get("OLLAMA_HOST") if base_url is None else base_url)
    place = urlsplit(url)
    unreachable = BackendUnreachableError(
        f"No Ollama answers at {url}. Start it (ollama serve, or open the app), get it from "
        "ollama.com, or take the model that needs none: g2c model embedded"
    )
    try:  # asked first, because importing the client takes longer than the answer
        socket.create_connection((place.hostname, place.port), CONNECT_TIMEOUT_S).close()
    except OSError:
        raise unreachable from None
    import httpx
    import ollama

    timeout = httpx.Timeout(silence_s, connect=CONNECT_TIMEOUT_S)
    try:
        with ollama.Client(url, timeout=timeout, trust_env=not is_loopback(url)) as client:
            yield client
    except ollama.ResponseError as error:
        if error.status_code == 404 or "does not exist" in error.error:
            raise ModelNotFoundError(
                f"Ollama finds no such model ({error.error}); ollama.com/library lists them."
            ) from None
        raise BackendError(f"Ollama refused: {error.error}") from None
    except (ConnectionError, httpx.ConnectError):
        raise unreachable from None
    except httpx.HTTPError as error:
        raise BrokenStreamError(
            f"The connection to Ollama broke off ({error}); try again: a download goes on where it "
            "stopped."
        ) from error
