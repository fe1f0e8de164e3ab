"""The `g2c` command: it runs a subcommand and turns errors into sentences.

A mistake of the user's, or a model that cannot be had, ends with one sentence and code 1. So does
an error in a student's function, with the student's own lines.
"""

import os
import re
import signal
import sys
import threading
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from difflib import get_close_matches
from pathlib import Path
from typing import Any, NoReturn

NEAR = 0.75
"""The least similarity at which a word counts as a mistyped command."""

MIN_PYTHON = (3, 11)

_LONG = 200
"""Longer words are cut off in messages: a sentence may quote all that somebody typed."""

_LONG_WORD = re.compile(rf"\S{{{_LONG + 100},}}")

ANYWHERE = ("init", "update")
"""Commands that work outside a course's folder."""

OF_ALL_TESTS = ("next", "progress")
"""Commands that run a course's tests. Without them, they would tell that nothing is done."""

OF_OTHERS = ("class",)
"""Commands about other people's courses, which work anywhere."""

MOVED = {
    **{name: ["loop", name] for name in ("supervise", "tell", "heal", "evolution")},
    **{name: ["runs", name] for name in ("show", "trace", "writeup")},
    **{n: ["class", n] for n in ("grade", "mark", "gradebook", "feedback", "autograder")},
    "refine": ["review", "refine"],
    "handback": ["skip"],
}
"""Commands of before 0.3, and what to write today. The old words go with the version after it."""


def main() -> None:
    """Run the command, if this Python can."""
    if sys.version_info < MIN_PYTHON:
        _end_as_another_python("is older than Python 3.11")
    try:
        _main()
    except ModuleNotFoundError as error:
        package = (error.name or "g2c").partition(".")[0]
        if package == "g2c" or package in sys.stdlib_module_names:
            raise
        _end_as_another_python(f"has no {package}")


def _end_as_another_python(lack: str) -> NoReturn:
    """End: the Python that runs is not that of the course's environment, or that one is half made.
    Nothing is imported that may be missing."""
    from g2c.paths import activation, checkout, course_above, in_shell

    folder = checkout() or course_above(Path.cwd())
    cure = "install g2c again, with the packages that it needs"
    if folder:
        is_its_own = Path(sys.prefix).resolve() == (folder / ".venv").resolve()
        again = f"cd {in_shell(folder)} && ./prodlm.sh doctor"
        cure = f"{again if is_its_own else activation(folder)}, and then the same again"
    sys.exit(f"g2c: {sys.executable}, which runs this, {lack}: {cure}.")


def _main() -> None:
    """Run the command. `g2c llama3.2:3b` is short for `g2c model llama3.2:3b`; so is `g2c mistral`,
    where no command has that name."""
    for stream in (sys.stdout, sys.stderr):
        # A model may write what the terminal cannot show, even a lone surrogate.
        getattr(stream, "reconfigure", lambda **_: None)(errors="replace")
    if not os.environ.get("COLUMNS", "1").strip("0"):
        del os.environ["COLUMNS"]  # 0 in a terminal without a size; rich would print nothing
    warnings.showwarning = _show_warning
    arguments = sys.argv[1:]
    if arguments and (today := MOVED.get(arguments[0])):
        _tell(f"g2c {arguments[0]} is g2c {' '.join(today)} now.")
        arguments[:1] = today
    if arguments and _names_a_model(arguments[0]):
        arguments.insert(0, "model")
    elif len(arguments) == 1 and _may_name_a_model(arguments[0]):
        _tell(f"There is no command {arguments[0]}; it is taken for the name of a model.")
        arguments.insert(0, "model")
    if threading.current_thread() is threading.main_thread():
        # An exception as with Ctrl-C: then the processes that the command started are ended.
        # SIGHUP: the terminal was closed. Under nohup it is ignored, and stays so.
        for name in ("SIGTERM", "SIGHUP"):
            ending = getattr(signal, name, None)
            if ending and signal.getsignal(ending) == signal.SIG_DFL:
                signal.signal(ending, lambda number, frame: sys.exit(128 + number))
    with errors_in_sentences():
        _run(arguments)


@contextmanager
def errors_in_sentences() -> Iterator[None]:
    """An exception in the block ends the process with a sentence and an exit code; a bug of ours
    gets a traceback."""
    try:
        yield
    except KeyboardInterrupt:
        _end("interrupted", 130)
    except Exception as error:
        if not (sentence := _sentence_for(error)):
            raise
        _end(sentence, 1)


def _run(arguments: list[str]) -> None:
    check_place(arguments)
    from g2c.cli.commands import app_for

    app_for(arguments)(arguments, prog_name="g2c")


def check_place(arguments: list[str]) -> None:
    """Refuse a command that needs a course if this g2c runs from a wheel, or is another course's,
    and any where the course cannot keep what it notes.

    Raises:
        ValueError: it does; the message says where to go, or what to do.
    """
    from g2c.paths import (
        activation,
        check_own_course,
        check_state,
        checkout,
        course_above,
        is_course,
        package_folder,
    )

    is_for_anywhere = not arguments or arguments[0] in ANYWHERE or arguments[0].startswith("-")
    if is_for_anywhere or "--help" in arguments:
        return
    check_state()
    if root := os.environ.get("G2C_ROOT"):
        if not Path(root).is_dir() or (arguments[0] in OF_ALL_TESTS and not is_course(Path(root))):
            raise ValueError(
                f"G2C_ROOT is {root}, which is not a course's folder. Name one, or: unset G2C_ROOT"
            )
        return
    if checkout():
        if arguments[0] not in OF_OTHERS:
            check_own_course(Path.cwd())
        return
    if here := course_above(Path.cwd()):
        if here.samefile(package_folder()):
            raise ValueError(
                f"The course in {here} has lost its pyproject.toml. git checkout pyproject.toml "
                "brings it, or g2c update in a folder that g2c init made."
            )
        raise ValueError(
            f"The course in {here} has a g2c of its own, which runs your functions: "
            f"{activation(here)}, and then the same again."
        )
    raise ValueError(
        f"There is no course in {Path.cwd()}. g2c init course makes a folder with one; "
        "in such a folder this command works."
    )


def _sentence_for(error: Exception) -> str:
    """The sentence about an error, as rich's markup; empty for a bug of ours."""
    from rich.markup import escape

    from g2c.course.errors import in_short, is_from_students, no_body
    from g2c.inference import BackendError
    from g2c.interrupted import PartlyMeasuredError
    from g2c.text import reason_of

    if isinstance(error, PartlyMeasuredError):
        return f"[red]g2c:[/] {escape(error.reason)}"
    if found := no_body(error):
        return escape(found.says)
    if isinstance(error, BackendError | ValueError | OSError):
        says = reason_of(error) or type(error).__name__
    elif is_from_students(error):
        says = in_short(error)
    else:
        return ""
    return f"[red]g2c:[/] {escape(_LONG_WORD.sub(_beginning, says))}"


def _beginning(word: re.Match[str]) -> str:
    return f"{word[0][:_LONG]}... ({len(word[0]):,} characters)"


def _end(sentence: str, code: int) -> None:
    _tell(sentence)
    sys.exit(code)


def _tell(sentence: str) -> None:
    from g2c.cli.console import err, say

    say(sentence, err)


def _show_warning(
    message: Warning | str, category: type[Warning], filename: str, lineno: int, *_: Any, **__: Any
) -> None:
    """Our warnings are sentences; they may quote the name of a file or of a server's model."""
    from g2c.cli.console import tell_aside

    is_ours = issubclass(category, UserWarning)
    with_place = warnings.formatwarning(message, category, filename, lineno).rstrip()
    tell_aside(str(message) if is_ours else with_place)


def _names_a_model(word: str) -> bool:
    from g2c.cli.commands import NAMES as COMMANDS

    if word.startswith("-") or word in COMMANDS:
        return False
    if ":" in word or word.endswith(".gguf"):
        return True
    from g2c.inference.model_choice import NAMES

    return word in NAMES


def _may_name_a_model(word: str) -> bool:
    """Whether a word may be a model's name without a tag, as in `ollama run mistral`: it is neither
    a command nor similar to one."""
    if not re.fullmatch(r"[A-Za-z][\w./-]+", word):
        return False
    from g2c.cli.commands import NAMES as COMMANDS

    return word not in COMMANDS and not get_close_matches(word, COMMANDS, cutoff=NEAR)
