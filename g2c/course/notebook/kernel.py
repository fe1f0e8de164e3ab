"""A notebook's status: whose functions it runs, on which model, and what is missing. An error that
a person can fix is shown as a sentence; all others keep their traceback.
"""

import sys
import textwrap
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from types import TracebackType
from typing import Any

from g2c.broken import BrokenFile, broken_files
from g2c.course.errors import no_body
from g2c.course.manifest import Exercise, load_exercises
from g2c.inference import BackendInfo
from g2c.interrupted import OutageError, PartlyMeasuredError, StoppedEarly
from g2c.paths import check_own_course


def one_line_errors() -> None:
    """Show the error of an unwritten exercise or an unavailable model as one line, and the partial
    report of a stopped measurement, whose results are then in the variable `so_far`. This applies
    to this kernel from now on. Other errors look as usual.

    Raises:
        RuntimeError: this is not a notebook.
        ValueError: the kernel is another course's.
    """
    from IPython import get_ipython

    check_own_course(Path.cwd())

    def show(
        shell: Any,
        kind: type[BaseException],
        error: BaseException,
        trace: TracebackType,
        tb_offset: int | None = None,
    ) -> None:
        if sentence := sentence_for(error):
            # IPython asks an exception for this before it makes a traceback.
            error._render_traceback_ = lambda: [sentence]  # type: ignore[attr-defined]
        if isinstance(error, StoppedEarly | PartlyMeasuredError):
            shell.user_ns["so_far"] = error.results
        shell.showtraceback((kind, error, trace), tb_offset=tb_offset)

    shell = get_ipython()
    if shell is None:
        raise RuntimeError("one_line_errors() is for a notebook.")
    with suppress(KeyError, AttributeError):
        # It compares a file with the last text that it could parse, so nothing was reloaded where
        # somebody had taken back a typing error. Without it, autoreload reloads the whole file.
        reloader = shell.magics_manager.registry["AutoreloadMagics"]._reloader
        reloader.deduper_reloader.enabled = False
    if "" not in sys.path:
        sys.path.append("")  # a module beside the notebook can be imported, but shadows none
    shell.set_custom_exc((NotImplementedError, BrokenFile, OutageError, StoppedEarly), show)


def sentence_for(error: BaseException) -> str:
    """The sentence for an error whose traceback adds nothing; empty for any other."""
    if isinstance(error, OutageError | StoppedEarly):
        return str(error)
    found = no_body(error)
    return found.says if found else ""


def describe_exercises(module: str) -> str:
    """Whose functions run in this process for the exercises of a module, such as `"19"`."""
    groups: dict[str, list[str]] = {}
    for exercise in load_exercises():
        if exercise.module == module:
            groups.setdefault(_body_of(exercise), []).append(exercise.id)
    if len(groups) == 1:
        return f"{next(iter(groups))}: all of them."
    return " ".join(f"{body}: {', '.join(ids)}." for body, ids in groups.items())


def _body_of(exercise: Exercise) -> str:
    module = exercise.import_name
    function = getattr(import_module(module), exercise.function)
    if function.__module__ != module:
        return "The reference stands in for"
    if module in broken_files():
        return "Cannot be imported, and a cell that needs it says why"
    if function.__code__.co_names == ("NotImplementedError",):
        return "Not started, and a cell that needs it says so"
    return "Yours"


def describe_model(info: BackendInfo) -> str:
    """Which model a notebook runs on, and what to expect from it."""
    if info.name == "ollama":
        means = (
            "Expect other texts than those stored in notebooks/, and fewer mistakes of form. "
            "Ollama does not say what its cache held, so counts of cached tokens are missing."
        )
    elif info.name == "openai":
        means = (
            "Expect other texts than those stored in notebooks/. Others may use the server, too: "
            "times vary, and one prompt need not give the same text twice."
        )
    elif note := info.extra.get("note"):
        means = (
            f"{note} Expect many wrong answers: they are what the experiments are about. At "
            "temperature 0 a run repeats itself."
        )
        if "adapter" not in info.extra:
            means += " The texts stored in notebooks/ are the same model's with its adapter."
    else:
        means = (
            "Expect other texts than those stored in notebooks/. A base model knows no turns and "
            "no format: it may lose the form at once."
        )
    places = {"ollama": "from Ollama", "openai": f"from {info.extra.get('base_url')}"}
    where = places.get(info.name, "in this process")
    return f"Model: {info.model_id}, {where}.\n{textwrap.fill(means, 88)}"
