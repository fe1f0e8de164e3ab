"""The commands about runs: chat, runs, show, writeup."""

from __future__ import annotations

import contextlib
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.markup import escape
from rich.table import Table

from g2c.course.console import (
    ModelOption,
    err,
    load,
    open_memory,
    out,
    show,
    show_end,
    show_model,
    show_step,
)
from g2c.course.importing import import_students
from g2c.course.runs import find_run, list_runs, read_run, read_transcript, runs_dir, save_run
from g2c.inference import BackendError
from g2c.paths import project_root

if TYPE_CHECKING:
    from g2c.agent import Agent

app = typer.Typer()
writeup = typer.Typer(no_args_is_help=True)
app.add_typer(writeup, name="writeup")

RunArgument = Annotated[
    str,
    typer.Argument(
        metavar="RUN", help="A run's name or how it begins, a number of g2c runs, or last."
    ),
]


@app.command()
def chat(
    question: Annotated[
        str | None, typer.Argument(metavar="[QUESTION]", help="Answer this one, and end.")
    ] = None,
    model: ModelOption = None,
    files: Annotated[
        Path | None,
        typer.Option(metavar="FOLDER", help="The files that it may read."),
    ] = None,
    native: Annotated[bool, typer.Option("--native", help="Use NativeAgent.")] = False,
    plan: Annotated[bool, typer.Option("--plan/--no-plan", help="Begin with a plan.")] = False,
    max_steps: Annotated[int, typer.Option(min=1, metavar="N", help="Steps before it stops.")] = 8,
    memory: Annotated[
        Path | None,
        typer.Option(metavar="FOLDER", help="Where it remembers what is said, now and later."),
    ] = None,
) -> None:
    """Ask your own agent, with the functions that you wrote.

    It has a calculator, and may list and read the files of one folder. With --memory, it may recall
    what was said before, and has the others only with --files. Each run is recorded. An empty line
    ends the conversation, and Ctrl-C a run. With QUESTION, the exit code is 0 if it was answered
    and 1 if it was not.

    Example: g2c chat "What is 23 * 17?" --files notes
    """
    from g2c.course.chat import make_agent

    with contextlib.ExitStack() as stack:
        folder, names = files, str(files)
        if folder is None and memory is None:
            folder = stack.enter_context(_demo_files())
            names = "the demo's meeting.txt (--files FOLDER: your own)"
        if folder and not folder.is_dir():
            raise ValueError(f"{folder} is not a folder; --files takes one that exists.")
        backend = load(model)
        show_model(backend)
        if folder:
            out.print(f"[bold]Files:[/] {escape(names)}", soft_wrap=True)
        agent = make_agent(
            backend,
            folder,
            native=native,
            plan=plan,
            max_steps=max_steps,
            memory=open_memory(memory) if memory else None,
        )
        agent.on_step = show_step
        if question is not None:
            raise typer.Exit(0 if _answer(agent, question) else 1)
        for asked in _questions():
            try:
                _answer(agent, asked)
            except (BackendError, ValueError, OSError) as error:
                err.print(f"[red]g2c:[/] {escape(str(error))}", soft_wrap=True)
            except KeyboardInterrupt:
                err.print("stopped; this run is not recorded")


@contextlib.contextmanager
def _demo_files() -> Iterator[Path]:
    from g2c.course.demo import FILES

    with tempfile.TemporaryDirectory(prefix="g2c-chat-") as name:
        for file, text in FILES.items():
            Path(name, file).write_text(text, encoding="utf-8")
        yield Path(name)


def _questions() -> Iterator[str]:
    """What is typed, until an empty line, `exit`, or the end of the input."""
    with contextlib.suppress(ImportError):
        import readline  # noqa: F401  (it gives `input` a history, where there is one)
    with contextlib.suppress(EOFError):
        while (question := input("\n> ").strip()) not in ("", "exit"):
            yield question


def _answer(agent: Agent, question: str) -> bool:
    """Run the agent and record the run; return whether there was an answer."""
    from g2c.course.chat import ask

    with out.status("thinking"):
        result = ask(agent, question)
    path = save_run(result)
    show_end(result)
    out.print(f"[dim]recorded as {escape(path.stem)}[/]", soft_wrap=True)
    return result.final_answer is not None


@app.command("runs")
def table_of_runs() -> None:
    """List the recorded runs, newest first.

    Example: g2c runs
    """
    paths = list_runs()
    if not paths:
        out.print("No run is recorded yet; g2c chat records each run.")
        return
    table = Table(box=None, header_style="bold", pad_edge=False)
    table.add_column("", justify="right")
    table.add_column("name", overflow="fold", min_width=15)
    table.add_column("steps", justify="right", no_wrap=True)
    table.add_column("stopped", no_wrap=True)
    table.add_column("question", overflow="fold", min_width=10)
    table.add_column("model", overflow="fold")
    import_students("g2c.agent")
    for number, path in enumerate(paths, 1):
        try:
            result = read_run(path)
        except (ValueError, OSError):
            table.add_row(str(number), escape(path.stem), "[red]unreadable[/]")
            continue
        model = result.metadata.get("backend_model_id", "")
        cells = [path.stem, len(result.steps), result.stopped_reason, result.user_message, model]
        table.add_row(str(number), *(escape(" ".join(str(cell).split())) for cell in cells))
    out.print(table)


@app.command("show")
def show_run(
    run: RunArgument,
    markdown: Annotated[bool, typer.Option("--markdown", help="As a write-up quotes it.")] = False,
) -> None:
    """Show a recorded run step by step.

    Example: g2c show last
    """
    path = find_run(run)
    if markdown:
        typer.echo(read_transcript(path), nl=False)
        return
    result = read_run(path)
    show("Run", path.stem, "dim")
    show("Question", result.user_message, "bold")
    if result.plan:
        steps = [f"{number}. {step}" for number, step in enumerate(result.plan.steps, 1)]
        show("Plan", "\n".join([result.plan.goal, *steps]), "magenta")
    for number, step in enumerate(result.steps, 1):
        out.rule(f"step {number}", align="left", style="dim")
        show_step(step)
    show_end(result)


@writeup.callback()
def about_writeup() -> None:
    """Keep the catalogue of your agent's failures, docs/agent-failure-modes.md.

    Example: g2c writeup new last --title "It answered before it looked"
    """


@writeup.command("new")
def new_entry(
    run: RunArgument,
    title: Annotated[str, typer.Option(help="What went wrong, in a few words.")],
) -> None:
    """Add an entry about a recorded run; the hypothesis and the mitigation are for you to write.

    Example: g2c writeup new last --title "It answered before it looked"
    """
    from g2c.course.writeup import append_entry, render_entry, writeup_file

    path = find_run(run)
    append_entry(writeup_file(), render_entry(title, path.stem, read_transcript(path)))
    out.print(f"Added to {escape(_short(writeup_file()))}.", soft_wrap=True)
    out.print("Write its hypothesis and its mitigation there, then: g2c writeup check")


@writeup.command("check")
def check_entries() -> None:
    """Say what each entry of the catalogue lacks. The exit code is 0 where three are complete.

    Example: g2c writeup check
    """
    from g2c.course.writeup import check_writeup, writeup_file

    if not writeup_file().exists():
        raise ValueError(f"There is no {_short(writeup_file())}; g2c writeup new starts it.")
    check = check_writeup(writeup_file(), runs_dir())
    for number, one in enumerate(check.entries, 1):
        state = "[yellow]to do[/]" if one.lacks else "[green]complete[/]"
        out.print(f"{number}. {escape(one.entry.title or '(no title)')}: {state}", soft_wrap=True)
        for sentence in one.lacks:
            out.print(f"   {escape(sentence)}", soft_wrap=True)
    for sentence in check.lacks:
        out.print(escape(sentence), soft_wrap=True)
    if check.is_complete:
        out.print("The catalogue is complete. docs/rubrics/module-19.md says how it is graded.")
    raise typer.Exit(0 if check.is_complete else 1)


def _short(path: Path) -> str:
    """The path as seen from the project's folder."""
    return path.relative_to(project_root()).as_posix()
