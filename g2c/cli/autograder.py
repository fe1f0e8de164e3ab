"""The commands that make what grades on another machine: autograder gradescope, github."""

import secrets
from pathlib import Path
from typing import Annotated

import typer
from rich.markup import escape

from g2c.cli.console import out
from g2c.cli.places import Input, OutputFile

app = typer.Typer()
autograder = typer.Typer(no_args_is_help=True)
app.add_typer(autograder, name="autograder")

ModuleOption = Annotated[
    str | None,
    typer.Option(
        metavar="N",
        help="Grade only this module, such as 19; default: all modules.",
        show_default=False,
    ),
]
TimeOption = Annotated[
    float,
    typer.Option(
        "--time-limit", min=1, metavar="S", help="The time limit for each exercise, in seconds."
    ),
]
ModelOption = Annotated[
    bool,
    typer.Option(help="Install the small model, and use it for exercises that are measured on it."),
]


@autograder.callback()
def about_autograder() -> None:
    """For an instructor: make an autograder for Gradescope or GitHub Classroom.

    Example: g2c class autograder gradescope autograder.zip --module 19
    """


@autograder.command("gradescope")
def gradescope(
    to: Annotated[
        Path, typer.Argument(metavar="OUT.zip", help="The zip file to write."), OutputFile(None)
    ],
    module: ModuleOption = None,
    wheel: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="A wheel of the course that grades, instead of this checkout.",
            show_default=False,
        ),
        Input(),
    ] = None,
    seed: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            help="The seed of the tasks for exercises with a goal, the same for all students; "
            "default: the seed of the zip that is replaced, or a random one.",
            show_default=False,
        ),
    ] = None,
    model: ModelOption = True,
    time_limit: TimeOption = 60,
) -> None:
    """For an instructor: make the zip that Gradescope asks for as an autograder.

    It contains setup.sh, run_autograder and the course. The command replaces a zip that it made,
    and no other file.

    Example: g2c class autograder gradescope autograder.zip --module 19

    Example: g2c class autograder gradescope out.zip --wheel g2c-1.0-py3-none-any.whl --no-model
    """
    from g2c.classroom.autograder import (
        Settings,
        check_module,
        course_files,
        gradescope_zip,
        seed_of_zip,
    )
    from g2c.files import replace_bytes

    check_module(module)
    before = seed_of_zip(to)
    if seed is None:
        seed = before if before is not None else 1 + secrets.randbelow(10**6)
    packed = gradescope_zip(Settings(module, seed, model, time_limit), course_files(module, wheel))
    replace_bytes(to, packed)
    out.print(
        f"{escape(str(to))}: {len(packed) / 2**20:.1f} MiB, seed {seed}. Upload it to Gradescope "
        "as the assignment's autograder, and try it on a submission of your own.",
        soft_wrap=True,
    )


@autograder.command("github")
def github(
    to: Annotated[
        Path,
        typer.Argument(metavar="OUT.yml", help="The workflow file to write."),
        OutputFile(None),
    ],
    install: Annotated[
        str,
        typer.Option(
            metavar="SPEC",
            help="What pip installs as the course: one version, or the address of a wheel.",
        ),
    ],
    module: ModuleOption = None,
    model: ModelOption = True,
    time_limit: TimeOption = 60,
) -> None:
    """For an instructor: make the workflow with which GitHub Classroom grades each push.

    The command replaces a workflow that it made, and no other file.

    Example: g2c class autograder github classroom.yml --install g2c==0.1.0
    """
    from g2c.classroom.autograder import (
        Settings,
        check_may_write_workflow,
        check_module,
        github_workflow,
    )
    from g2c.files import replace_text

    check_module(module)
    check_may_write_workflow(to)
    settings = Settings(module, None, model, time_limit)
    replace_text(to, github_workflow(settings, install))
    out.print(
        f"{escape(str(to))}: it is read in the assignment's template as "
        ".github/workflows/classroom.yml.",
        soft_wrap=True,
    )
