"""Which model this machine uses, and how it is loaded.

`prodlm` is short for "production language model": the course's word for the model that one really
works with, as opposed to a scripted one in a test. A program asks for it in one place,
`load_prodlm()`. So changing the model is a choice that a person makes once, with `./prodlm.sh` or
`g2c model`, and no change to the program.
"""

import os
import re
import warnings
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, Literal, get_args

from g2c.files import read_text
from g2c.foreign_json import load_json
from g2c.inference.backend import Backend
from g2c.inference.errors import BackendError, ModelChangedError, ModelNotFoundError
from g2c.inference.model_options import NO_OPTIONS, ModelOptions, read_options
from g2c.inference.served._ollama_address import VARIABLE, host_url, is_listening, unreachable
from g2c.inference.served._openai_address import base_url_of
from g2c.json_files import replace_json
from g2c.paths import state_dir
from g2c.text import short_reason

DEFAULT_TAG = "llama3.2:3b"

Kind = Literal["auto", "embedded", "embedded-plain", "embedded-guided", "ollama", "openai"]

_TAG = re.compile(r"([\w.-]+(:\d+)?/)*[\w.-]+(:[\w.-]+)?")
"""A name as Ollama reads it, perhaps with its registry's host."""

OPENAI = "openai:"
"""The prefix of a choice of a model on a server with OpenAI's API: `openai:URL#MODEL`."""

NAMES = ("auto", "embedded", "embedded-plain", "embedded-guided")
"""The choices that name neither a file nor a tag."""


@dataclass(frozen=True)
class Choice:
    """A model, and how it is used: `model` is Ollama's tag, a path for the embedded one,
    `URL#MODEL` for a server with OpenAI's API, or None for the kind's default.

    `embedded-plain` is the small model without the adapter that the course trained for it;
    `embedded-guided` has it, and its steps are constrained to the agent's form. `auto` is Ollama
    with the default tag if a server answers and has that tag, else embedded; `first_taken` is which
    of them it chose at its first use.
    """

    kind: Kind = "auto"
    model: str | None = None
    options: ModelOptions = NO_OPTIONS
    first_taken: str | None = None

    def __str__(self) -> str:
        if self.kind == "openai":
            return f"{OPENAI}{self.model}"
        return self.model or self.kind


def parse_choice(text: str) -> Choice:
    """Read `auto`, `embedded`, `embedded-plain`, `embedded-guided`, an Ollama tag, the path of a
    `.gguf` file, or `openai:URL#MODEL`.

    Raises:
        ValueError: the text can be none of these, or the URL is not valid.
        ModelNotFoundError: the path leads nowhere.

    >>> parse_choice("embedded").kind, parse_choice("llama3.2:3b").model
    ('embedded', 'llama3.2:3b')
    """
    text = text.strip()
    if text in NAMES:
        return Choice(text)  # type: ignore[arg-type]
    if text.startswith(OPENAI):
        url, _, name = text.removeprefix(OPENAI).partition("#")
        return Choice("openai", f"{base_url_of(url)}#{name.strip()}")
    path = Path(text)
    try:
        path = path.expanduser()
        is_file = path.is_file()
    except (OSError, RuntimeError):  # too long for a path, or the home of an unknown user
        is_file = False
    if is_file:
        return Choice("embedded", str(path.resolve()))
    if path.suffix.lower() == ".gguf":
        raise ModelNotFoundError(f"There is no file {path}; give the path of a .gguf file.")
    if not _TAG.fullmatch(text):
        raise ValueError(
            f"{text!r:.80} does not name a model. Name one: {', '.join(NAMES)}, a tag such as "
            f"llama3.2:3b, a .gguf file, or {OPENAI}URL#MODEL"
        )
    return Choice("ollama", text)


def read_choice() -> Choice:
    """The choice in `G2C_BACKEND`, else the one that `write_choice` stored, else auto.

    Raises:
        BackendError: the stored choice cannot be read; says what to do.
    """
    if text := os.environ.get("G2C_BACKEND"):
        return parse_choice(text)
    file = _choice_file()
    try:
        data = load_json(read_text(file))
        choice = Choice(**{**data, "options": read_options(data.get("options", {}))})
        if choice.kind in get_args(Kind):
            return choice
        why = f"no such kind as {choice.kind!r}"
    except FileNotFoundError:
        return Choice()
    except (OSError, ValueError, TypeError, AttributeError) as error:
        why = short_reason(error).removeprefix(f"{file}: ")
    raise BackendError(f"{file} cannot be read ({why}); run: g2c model auto")


def write_choice(choice: Choice) -> None:
    """Store `choice` for this and every later process."""
    replace_json(_choice_file(), asdict(choice))


def settle(choice: Choice) -> Choice:
    """Turn `auto` into what it means on this machine now.

    Raises:
        BackendUnreachableError: `OLLAMA_HOST` names a server, and none answers there.
    """
    if choice.kind != "auto":
        return choice
    url = host_url()
    if not is_listening(url):
        if os.environ.get(VARIABLE):
            raise unreachable(url)
        return replace(choice, kind="embedded")
    from g2c.inference.served._ollama_models import has_model

    try:
        has_it = has_model(DEFAULT_TAG)
    except BackendError:
        if os.environ.get(VARIABLE):
            raise
        has_it = False  # another program listens at Ollama's usual port
    if not has_it:
        return replace(choice, kind="embedded")
    return replace(choice, kind="ollama", model=DEFAULT_TAG)


def load_prodlm(
    choice: Choice | str | None = None, options: ModelOptions = NO_OPTIONS, *, exact: bool = True
) -> Backend:
    """This machine's model, ready to be called; None means the choice of `read_choice`. Options
    that `options` leaves open are the choice's own. A warning says which of them the model uses
    with another value, or not at all. `exact` is that of `EmbeddedBackend`.

    Raises:
        BackendError: the model is not available; says what to do.
    """
    if not isinstance(choice, Choice):
        choice = parse_choice(choice) if choice else _as_before(read_choice())
    choice = settle(choice)
    options = options.over(choice.options)
    seed = options.seed or 0
    if choice.kind == "openai":
        served = _load_openai(choice.model or "", seed, options.think)
        _warn_of_others(options, {"think": options.think}, str(choice))
        return served
    if choice.kind != "ollama":
        from g2c.inference.embedded.backend import DEFAULT_CONTEXT, EmbeddedBackend

        kind = choice.kind
        embedded = EmbeddedBackend(
            choice.model,
            plain=kind == "embedded-plain",
            guided=kind == "embedded-guided",
            seed=seed,
            n_ctx=options.num_ctx or DEFAULT_CONTEXT,
            exact=exact,
        )
        _warn_of_others(options, {"num_ctx": embedded.info.extra["n_ctx"]}, str(choice))
        return embedded
    from g2c.inference.served._ollama_models import has_model
    from g2c.inference.served.ollama import OllamaBackend

    tag = choice.model or DEFAULT_TAG
    if not has_model(tag):
        raise ModelNotFoundError(f"Ollama does not have {tag}; pull it with: g2c model {tag}")
    backend = OllamaBackend(
        tag,
        num_ctx=options.num_ctx,
        keep_alive=options.keep_alive,
        think=bool(options.think),
        seed=seed,
    )
    if options.num_ctx or options.think:
        _warn_of_others(options, {"keep_alive": options.keep_alive, **backend.in_use}, tag)
    return backend


def _warn_of_others(options: ModelOptions, in_use: Mapping[str, Any], model: str) -> None:
    """Warn of each option that is not `in_use` as it was chosen. Every model takes a seed and a
    temperature; one that lists no `think` does not think."""
    for name, asked in options.known().items():
        used = in_use.get(name, False if name == "think" else None)
        if name not in ("seed", "temperature") and used != asked:
            if used:
                says = f"{model} uses {name} {used} instead of {asked}."
            else:
                says = f"{name} has no effect on {model}."
            warnings.warn(says, stacklevel=3)


def _as_before(choice: Choice) -> Choice:
    """The model that `auto` took at its first use, if it would take the same now.

    Raises:
        ModelChangedError: it would not.
    """
    if choice.kind != "auto":
        return choice
    settled = settle(choice)
    if choice.first_taken not in (None, str(settled)):
        before = choice.first_taken
        raise ModelChangedError(
            f"This course works with {before}, and now auto would take {settled}. For {settled} "
            f"from now on: g2c model auto. To stay with {before}, start what serves it, or name "
            f"it: g2c model {before}",
            str(settled),
        )
    if choice.first_taken is None:
        with suppress(OSError):  # if nothing can be stored
            write_choice(replace(choice, first_taken=str(settled)))
    return settled


def _load_openai(place: str, seed: int, think: bool | None) -> Backend:
    from g2c.inference.served.openai import OpenAICompatibleBackend, list_models

    url, _, name = place.partition("#")
    if not name:
        models = list_models(url)
        first = models[0] if models else "MODEL"
        raise ModelNotFoundError(
            f"Name one of the server's models, as in {OPENAI}{url}#{first}. It has "
            f"{', '.join(models) or 'none'}."
        )
    backend = OpenAICompatibleBackend(url, name, seed=seed, think=think)
    backend.look_up()
    return backend


def _choice_file() -> Path:
    return state_dir() / "prodlm.json"
