"""Which model this machine uses, and how it gets there.

`prodlm` is short for "production language model": the course's word for the model that one really
works with, as opposed to a scripted one in a test. A program asks for it in one place,
`load_prodlm()`. So changing the model is a choice that a person makes once, with `./prodlm.sh` or
`g2c model`, and no change to the program.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Literal, get_args

from g2c.files import replace_text
from g2c.foreign_json import load_json
from g2c.inference.backend import Backend
from g2c.inference.errors import (
    BackendError,
    BackendUnreachableError,
    BrokenStreamError,
    ModelNotFoundError,
)
from g2c.inference.served._ollama_address import base_url_from
from g2c.inference.served._openai_address import base_url_of
from g2c.paths import state_dir

DEFAULT_TAG = "llama3.2:3b"
CONNECT_TIMEOUT_S = 0.3
LIST_DEADLINE_S = 5.0
PULL_SILENCE_S = 600.0
"""Checking what was fetched is silent."""
PULL_DEADLINE_S = 24 * 3600.0
PULL_MAX_BYTES = 2**28
"""A line of progress takes 200 bytes, and a few come every second."""

Kind = Literal["auto", "embedded", "embedded-plain", "embedded-guided", "ollama", "openai"]

OPENAI = "openai:"
"""What a choice of a model on a server with OpenAI's API begins with: `openai:URL#MODEL`."""

NAMES = ("auto", "embedded", "embedded-plain", "embedded-guided")
"""The choices that name neither a file nor a tag."""


@dataclass(frozen=True)
class Choice:
    """A model: `model` is Ollama's tag, a path for the embedded one, `URL#MODEL` for a server with
    OpenAI's API, or None for the kind's default.

    `embedded-plain` is the small model without the adapter that the course trained for it;
    `embedded-guided` has it, and its steps are held to the agent's form. `auto` is Ollama with the
    default tag if a server answers and has that tag, else embedded.
    """

    kind: Kind = "auto"
    model: str | None = None

    def __str__(self) -> str:
        if self.kind == "openai":
            return f"{OPENAI}{self.model}"
        return self.model or self.kind


def parse_choice(text: str) -> Choice:
    """Read `auto`, `embedded`, `embedded-plain`, `embedded-guided`, an Ollama tag, the path of a
    `.gguf` file, or `openai:URL#MODEL`.

    Raises:
        ValueError: the text is empty, or the URL is none.
        ModelNotFoundError: the path leads nowhere.

    >>> parse_choice("embedded"), parse_choice("llama3.2:3b")
    (Choice(kind='embedded', model=None), Choice(kind='ollama', model='llama3.2:3b'))
    """
    text = text.strip()
    if not text:
        raise ValueError(
            f"Name a model: {', '.join(NAMES)}, a tag such as llama3.2:3b, a .gguf file, or "
            f"{OPENAI}URL#MODEL"
        )
    if text in NAMES:
        return Choice(text)  # type: ignore[arg-type]
    if text.startswith(OPENAI):
        url, _, name = text.removeprefix(OPENAI).partition("#")
        return Choice("openai", f"{base_url_of(url)}#{name.strip()}")
    path = Path(text)
    try:
        path = path.expanduser()
        is_file = path.is_file()
    except (OSError, RuntimeError):  # longer than a path may be, or in the home of nobody
        is_file = False
    if is_file:
        return Choice("embedded", str(path.resolve()))
    if path.suffix.lower() == ".gguf":
        raise ModelNotFoundError(f"There is no file {path}; give the path of a .gguf file.")
    return Choice("ollama", text)


def read_choice() -> Choice:
    """What `G2C_BACKEND` says, else what `write_choice` kept, else auto.

    Raises:
        BackendError: the file that keeps it cannot be read; says what to do.
    """
    if text := os.environ.get("G2C_BACKEND"):
        return parse_choice(text)
    file = _choice_file()
    try:
        choice = Choice(**load_json(file.read_text("utf-8")))
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
    if choice.kind == "openai":
        return _load_openai(choice.model or "")
    if choice.kind != "ollama":
        from g2c.inference.embedded.backend import EmbeddedBackend

        kind = choice.kind
        return EmbeddedBackend(
            choice.model, plain=kind == "embedded-plain", guided=kind == "embedded-guided"
        )
    from g2c.inference.served.ollama import OllamaBackend

    tag = choice.model or DEFAULT_TAG
    if not has_tag(tag, _list_models(None)):
        raise ModelNotFoundError(f"Ollama does not have {tag}; pull it with: g2c model {tag}")
    return OllamaBackend(tag)


def _load_openai(place: str) -> Backend:
    from g2c.inference.served.openai import OpenAICompatibleBackend, list_models

    url, _, name = place.partition("#")
    if not name:
        models = list_models(url)
        first = models[0] if models else "MODEL"
        raise ModelNotFoundError(
            f"Name one of the server's models, as in {OPENAI}{url}#{first}. It has "
            f"{', '.join(models) or 'none'}."
        )
    backend = OpenAICompatibleBackend(url, name)
    backend.look_up()
    return backend


def ollama_models(base_url: str | None = None) -> list[str] | None:
    """The tags that an Ollama server has, or None if no server answers.

    `base_url` is read as `OLLAMA_HOST` is, and None means what that variable says.
    """
    try:
        return _list_models(base_url)
    except BackendError:
        return None


def _list_models(base_url: str | None) -> list[str]:
    from g2c.inference.served._bounded_http import Limits
    from g2c.inference.served._ollama_shapes import TAGS
    from g2c.inference.served._ollama_wire import MAX_LINE_BYTES, read_object

    limits = Limits(CONNECT_TIMEOUT_S, LIST_DEADLINE_S, LIST_DEADLINE_S, 2 * MAX_LINE_BYTES)
    with _managing(base_url) as url:
        models = read_object(url, "/api/tags", None, TAGS, limits)["models"]
    return sorted(model["model"] for model in models if model.get("model"))


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

    `on_progress` is called with what is being done, the bytes of it that are there, and the bytes
    in all; each number is None if the server does not say.

    Raises:
        BackendUnreachableError: no server answers.
        ModelNotFoundError: the server finds no such model.
        BackendError: the download failed; another pull goes on where it stopped.
    """
    from g2c.inference.served._bounded_http import Limits
    from g2c.inference.served._ollama_shapes import PULL_LINE
    from g2c.inference.served._ollama_wire import read_lines

    limits = Limits(CONNECT_TIMEOUT_S, PULL_SILENCE_S, PULL_DEADLINE_S, PULL_MAX_BYTES)
    step: dict[str, Any] = {}
    with _managing(base_url) as url:
        for step in read_lines(url, "/api/pull", {"model": tag}, PULL_LINE, limits):
            on_progress(step.get("status") or "", step.get("completed"), step.get("total"))
    if step.get("status") != "success":
        raise BrokenStreamError(f"The download of {tag} broke off; run it again to go on with it.")


def _choice_file() -> Path:
    return state_dir() / "prodlm.json"


@contextmanager
def _managing(base_url: str | None) -> Iterator[str]:
    """Lend the server's address; what goes wrong then is told as a person who manages models needs
    it."""
    from g2c.inference.served._ollama_wire import Refused

    url = base_url_from(os.environ.get("OLLAMA_HOST") if base_url is None else base_url)
    try:
        yield url
    except Refused as refused:
        if refused.status == 404 or "does not exist" in refused.said:
            raise ModelNotFoundError(
                f"Ollama finds no such model ({refused.said}); ollama.com/library lists them."
            ) from None
        raise BackendError(f"Ollama refused: {refused.said}. Its log says more.") from None
    except BackendUnreachableError:
        raise BackendUnreachableError(
            f"No Ollama answers at {url}. Start it (ollama serve, or open the app), get it from "
            "ollama.com, or take the model that needs none: g2c model embedded"
        ) from None
