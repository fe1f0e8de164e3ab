"""The commands about the model and the installation: demo, test, model, doctor."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import TYPE_CHECKING, Annotated

import typer
from rich.markup import escape

from g2c.course.console import ModelOption, err, load, out, show_end, show_model, show_step
from g2c.exercise import REFERENCE_VARIABLE
from g2c.paths import project_root

if TYPE_CHECKING:
    from g2c.course.demo import Question

app = typer.Typer()


@app.command()
def demo(model: ModelOption = None) -> None:
    """Watch the finished agent answer a few questions with tools.

    It runs the course's reference functions, not yours, on the model that `g2c model` chose.

    Example: g2c demo --model embedded
    """
    os.environ[REFERENCE_VARIABLE] = "all"  # before anything imports the exercises
    from g2c.course.demo import QUESTIONS, run_demo

    backend = load(model)
    show_model(backend)
    with out.status("thinking"):
        right = run_demo(
            backend,
            on_question=_show_question,
            on_step=show_step,
            on_result=show_end,
        )
    out.print(f"\n[bold]{right} of {len(QUESTIONS)} answered rightly.[/]", end=" ")
    out.print("Every line above came from the model or from a tool, just now.")
    out.print("\n[bold]Next[/]")
    if sys.prefix != os.environ.get("VIRTUAL_ENV"):
        where = "Scripts\\activate" if os.name == "nt" else "bin/activate"
        out.print(f"  {'' if os.name == 'nt' else 'source '}.venv{os.sep}{where}")
    out.print("  g2c next    says what to read, what to write, and how to test it")


def _show_question(question: Question) -> None:
    out.rule(style="dim")
    out.print(f"[bold]Question[/]      {escape(question.text)}  [dim]({question.shows})[/]")


@app.command(context_settings={"allow_extra_args": True, "ignore_unknown_options": True})
def test(context: typer.Context) -> None:
    """Run all tests: the exercises against the reference, and the course's own, on two cores.

    Anything more is handed to pytest. Your own functions: pytest tests/test_agent.py

    Example: g2c test -k Parse
    """
    command = [sys.executable, "-m", "pytest", "-rfE", "--doctest-modules", "--reference=all"]
    # A file's tests stay together: they share what is slow to make, such as a loaded model.
    two_processes = ["-p", "xdist", "-n", "2", "--dist", "loadfile", "--no-loadscope-reorder"]
    raise typer.Exit(subprocess.call([*command, *two_processes, *context.args], cwd=project_root()))


@app.command()
def model(
    choice: Annotated[
        str | None, typer.Argument(metavar="[auto|embedded|embedded-plain|TAG|PATH]")
    ] = None,
    plain: Annotated[
        bool, typer.Option("--plain", help="With embedded: without its adapter.")
    ] = False,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Pull without asking.")] = False,
) -> None:
    """Show which model the course uses, or choose one and keep the choice.

    auto takes Ollama where a server answers, else the small model in the package, embedded. It has
    an adapter that was trained on the course's work; embedded-plain, or embedded --plain, is the
    same model without. TAG is one of Ollama's models, which is pulled if it is not there; PATH is a
    .gguf file.

    Example: g2c model llama3.2:3b
    """
    from g2c.inference.prodlm import (
        DEFAULT_TAG,
        Choice,
        has_tag,
        ollama_models,
        parse_choice,
        read_choice,
        settle,
        write_choice,
    )

    if plain:
        if choice not in ("embedded", "embedded-plain"):
            raise typer.BadParameter("--plain goes with one model: g2c model embedded --plain")
        choice = "embedded-plain"
    wanted = parse_choice(choice) if choice else read_choice()
    if choice and wanted.kind in ("auto", "ollama"):
        tag = wanted.model or DEFAULT_TAG
        tags = ollama_models()
        if tags is not None and not has_tag(tag, tags):
            # With auto there is another way: it is offered, and nobody who cannot answer is asked.
            may_ask = wanted.kind == "ollama" or sys.stdin.isatty()
            if yes or (may_ask and typer.confirm(f"Ollama does not have {tag}. Pull it?")):
                _pull(tag)
            elif wanted.kind == "ollama":
                raise typer.Exit(1)
    settled = settle(wanted)
    backend = load(settled)
    if choice:
        write_choice(wanted)
    found = "" if settled == wanted else f" (auto: {settled.kind})"
    out.print(f"{backend.info.model_id}, {backend.info.name}{found}")
    if note := backend.info.extra.get("note"):
        out.print(f"[dim]{escape(note)}[/]")
    if settled in (Choice("embedded"), Choice("embedded-plain")):
        out.print("A larger one: install Ollama, then g2c model llama3.2:3b")


@app.command()
def doctor() -> None:
    """Say what is there, what is missing, and how to get it.

    Example: g2c doctor
    """
    from g2c.inference.diagnosis import diagnose

    missing = 0
    for check in diagnose():
        mark = {True: "[green]ok     [/]", False: "[red]missing[/]", None: "[dim]-      [/]"}
        out.print(f"{mark[check.ok]} {check.name}: {escape(check.detail)}", soft_wrap=True)
        if check.remedy:
            out.print(f"        {escape(check.remedy)}", soft_wrap=True)
        missing += check.ok is False
    if missing:
        raise typer.Exit(1)


def _pull(tag: str) -> None:
    from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TransferSpeedColumn

    from g2c.inference.prodlm import pull

    columns = (TextColumn("{task.description}"), BarColumn(), DownloadColumn())
    with Progress(*columns, TransferSpeedColumn(), console=err) as progress:
        task = progress.add_task(f"pulling {tag}", total=None)

        def show(status: str, done: int | None, total: int | None) -> None:
            progress.update(task, description=status, completed=done or 0, total=total)

        pull(tag, show)
