"""The commands that make what grades on another machine: autograder gradescope, github."""

from __future__ import annotations

import secrets
from pathlib import Path
from typing import Annotated

import typer
from rich.markup import escape

from g2c.cli.console import out

app = typer.Typer()
autograder = typer.Typer(no_args_is_help=True)
app.add_typer(autograder, name="autograder")

ModuleOption = Annotated[
    str | None, typer.Option(metavar="N", help="Only this module, such as 19.", show_default=False)
]
TimeOption = Annotated[
    float, typer.Option("--time-limit", min=1, metavar="S", help="Seconds for each exercise.")
]
ModelOption = Annotated[
    bool,
    typer.Option(help="Install and ask the small model, where an exercise is measured on it."),
]


@autograder.callback()
def about_autograder() -> None:
    """For an instructor: an autograder for Gradescope or GitHub Classroom.

    Example: g2c autograder gradescope autograder.zip --module 19
    """


@autograder.command("gradescope")
def gradescope(
    to: Annotated[Path, typer.Argument(metavar="OUT.zip", help="Where the zip is written.")],
    module: ModuleOption = None,
    wheel: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="A wheel of the course, which grades in place of this checkout.",
            show_default=False,
        ),
    ] = None,
    seed: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            help="Of the tasks on which an exercise with a goal is measured, the same for all. If "
            "left out, it is that of the zip that is replaced, or drawn.",
            show_default=False,
        ),
    ] = None,
    model: ModelOption = True,
    time_limit: TimeOption = 60,
) -> None:
    """For an instructor: the zip that Gradescope asks for as an autograder.

    It holds setup.sh, run_autograder and the course. A zip that this command made is replaced, and
    nothing else.

    Example: g2c autograder gradescope autograder.zip --module 19

    Example: g2c autograder gradescope autograder.zip --wheel g2c-1.0-py3-none-any.whl --no-model
    """
    from g2c.files import replace_bytes
    from g2c.grade.autograder import (
        Settings,
        check_module,
        course_files,
        gradescope_zip,
        seed_of_zip,
    )

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
    to: Annotated[Path, typer.Argument(metavar="OUT.yml", help="Where the workflow is written.")],
    install: Annotated[
        str,
        typer.Option(
            metavar="SPEC",
            help="What pip installs the course by: one version, or the address of a wheel.",
        ),
    ],
    module: ModuleOption = None,
    model: ModelOption = True,
    time_limit: TimeOption = 60,
) -> None:
    """For an instructor: the workflow with which GitHub Classroom grades each push.

    A workflow that this command made is replaced, and nothing else.

    Example: g2c autograder github classroom.yml --install g2c==0.1.0
    """
    from g2c.files import replace_text
    from g2c.grade.autograder import (
        Settings,
        check_may_write_workflow,
        check_module,
        github_workflow,
    )

    check_module(module)
    check_may_write_workflow(to)
    settings = Settings(module, None, model, time_limit)
    replace_text(to, github_workflow(settings, install))
    out.print(
        f"{escape(str(to))}: it is read in the assignment's template as "
        ".github/workflows/classroom.yml.",
        soft_wrap=True,
    )
