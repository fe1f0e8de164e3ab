"""The `g2c` command: all subcommands put together.

A subcommand is in the file of its name. Only those about an exercise (`next`, `progress`, `check`,
`watch`, `hint`, `solution`, `reset`, `handback`) are in `exercises.py`, `break` is in `break_.py`,
`show` in `runs.py`, and `tell` in `supervise.py`.
"""

from __future__ import annotations

import typer

from g2c.course.cli import (
    author,
    break_,
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
    review,
    runs,
    score,
    supervise,
    test,
    writeup,
)

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
        break_,
        score,
        chat,
        home,
        runs,
        writeup,
        memory,
        refine,
        review,
        critics,
        loop,
        supervise,
        heal,
        evolution,
    ),
    *(notebook, demo, test, model, doctor, eval, grade, docs, author),
)
"""In the order in which `g2c --help` lists them."""
for family in FAMILIES:
    app.add_typer(family.app)
