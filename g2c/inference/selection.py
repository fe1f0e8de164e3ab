"""Which model a notebook runs on: the machine's, a named one, or the student's own.

A model with more training stages is preferred. Its file's name shows the stages: `mymodel.gguf`,
`mymodel-SFT.gguf`, `mymodel-DPO.gguf`.
"""

from collections.abc import Iterable
from typing import Any

from g2c.inference.backend import Backend
from g2c.inference.errors import BackendError, ModelNotFoundError
from g2c.inference.model_choice import NAMES, Choice, load_prodlm, parse_choice
from g2c.inference.model_options import read_options
from g2c.paths import project_root

STAGES = ("-dpo", "-sft", "")
"""The ending of a model file's name after each stage of training, the last stage first."""


def load_selection(selection: str = "prodlm", **options: Any) -> Backend:
    """The model that a notebook's `MODEL_SELECTION` names.

    - `prodlm`: what `g2c model` chose for this machine
    - `course`: the strongest `.gguf` file in `artifacts/models`
    - a name such as `mymodel`: the strongest of that name there; a file's whole name: that file
    - anything else: as `g2c model` takes it, that is `auto`, `embedded`, `embedded-plain`,
      `embedded-guided`, a tag of Ollama's, the path of a `.gguf` file, or `openai:URL#MODEL`

    A name that is both a file there and a model of Ollama's means the file. `options` are those of
    `ModelOptions`, such as `think=True`.

    Raises:
        ValueError: the text is empty, or an option is not valid.
        BackendError: there is no such model, or it cannot be loaded; says what to do.
    """
    selection, given = selection.strip(), read_options(options)
    if selection == "prodlm":
        return load_prodlm(options=given)
    folder = project_root() / "artifacts" / "models"
    own = sorted(path.name for path in folder.glob("*") if _is_gguf(path.name) and path.is_file())
    base = None if selection == "course" else selection
    if name := selection if selection in own else strongest(own, base):
        return load_prodlm(Choice("embedded", str(folder / name)), given)
    there = f"{folder} has {', '.join(own) or 'no .gguf file'}"
    if selection == "course":
        raise ModelNotFoundError(
            f'{there}; put your model there, or select "prodlm" for this machine\'s.'
        )
    try:
        return load_prodlm(parse_choice(selection), given)
    except BackendError as error:
        if _is_name(selection):
            raise ModelNotFoundError(
                f"There is no model of your own called {selection!r}: {there}. It was not found "
                f"elsewhere, either: {error}"
            ) from None
        raise


def strongest(names: Iterable[str], base: str | None = None) -> str | None:
    """The file of `names` with the most stages of training, or None.

    With `base`, only `base-DPO.gguf`, `base-SFT.gguf` and `base.gguf` are looked at. Upper and
    lower case are the same, except in `base`. Among equals, the first by name is taken.

    >>> strongest(["b.gguf", "b-SFT.gguf", "a.gguf"]), strongest(["b-SFT.gguf", "a.gguf"], "a")
    ('b-SFT.gguf', 'a.gguf')
    """
    models = sorted(name for name in names if _is_gguf(name))
    for stage in STAGES:
        for name in models:
            stem = name[: -len(".gguf")]
            if stem.lower().endswith(stage) and base in (None, stem[: len(stem) - len(stage)]):
                return name
    return None


def _is_gguf(name: str) -> bool:
    return name.lower().endswith(".gguf")


def _is_name(text: str) -> bool:
    """Whether the text may be a model's bare name: neither a tag with a version nor a path."""
    return text not in NAMES and not set(text) & set(":/\\")
