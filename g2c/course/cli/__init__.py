"""The `g2c` command: it puts the subcommands together and turns their errors into sentences.

A subcommand is in the file of its name. Only those about an exercise (`next`, `progress`, `check`,
`watch`, `hint`, `solution`, `reset`, `handback`) are in `exercises.py`, `show` is in `runs.py`, and
`tell` in `supervise.py`.
A mistake of the user's, or a model that cannot be had, ends with one sentence and code 1.
"""

from __future__ import annotations

import sys

import typer
from rich.markup import escape

from g2c.course.cli import (
    chat,
    critics,
    demo,
    docs,
    doctor,
    eval,
    evolution,
    exercises,
    grade,
    heal,
    home,
    loop,
    memory,
    model,
    notebook,
    refine,
    runs,
    supervise,
    test,
    writeup,
)
from g2c.course.cli.console import err
from g2c.course.errors import not_started, stub_that_raised
from g2c.inference import BackendError

app = typer.Typer(
    help="Understand LLM agents by building one.\n\nStart with: g2c demo, then g2c next",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode="markdown",  # a docstring's lines are not the terminal's
)
FAMILIES = (
    *(
        exercises,
        chat,
        home,
        runs,
        writeup,
        memory,
        refine,
        critics,
        loop,
        supervise,
        heal,
        evolution,
    ),
    *(notebook, demo, test, model, doctor, eval, grade, docs),
)
"""In the order in which `g2c --help` lists them."""
for family in FAMILIES:
    app.add_typer(family.app)


def main() -> None:
    """Run the command. `g2c llama3.2:3b` is short for `g2c model llama3.2:3b`."""
    for stream in (sys.stdout, sys.stderr):
        # A model may write what the terminal cannot show, even half a surrogate pair.
        getattr(stream, "reconfigure", lambda **_: None)(errors="replace")
    arguments = sys.argv[1:]
    if arguments and _names_a_model(arguments[0]):
        arguments.insert(0, "model")
    try:
        app(arguments, prog_name="g2c")
    except (BackendError, ValueError, OSError) as error:
        err.print(f"[red]g2c:[/] {escape(str(error))}")
        sys.exit(1)
    except NotImplementedError as error:
        if (exercise := stub_that_raised(error)) is None:
            raise
        err.print(not_started(exercise), soft_wrap=True)
        sys.exit(1)
    except KeyboardInterrupt:
        err.print("interrupted")
        sys.exit(130)


def _names_a_model(word: str) -> bool:
    from g2c.inference.prodlm import NAMES

    return word in NAMES or (not word.startswith("-") and (":" in word or word.endswith(".gguf")))
