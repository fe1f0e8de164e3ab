"""The command about the loop of generator, critic and refiner: refine."""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.markup import escape

from g2c.cli.console import err, out, show, tell_aside
from g2c.cli.options import (
    HomeOption,
    JudgeModelOption,
    ModelOption,
    find_home,
    load,
    session_memory,
)
from g2c.cli.places import Input, Store
from g2c.cli.sentences import SentenceCommand
from g2c.cli.steps import show_model
from g2c.course.errors import import_students
from g2c.course.traces import leaves_trace
from g2c.inference import BackendError
from g2c.tracing import tell_outcome
from g2c.written import read_text

if TYPE_CHECKING:
    from g2c.critic.core.types import RefinementState, Round
    from g2c.inference import Backend
    from g2c.memory import MemoryStore

app = typer.Typer()

Role = Callable[..., Any]


class CriticName(StrEnum):
    """The critics of `g2c.critic.core.prompts.CRITICS`, too slow to import for --help."""

    strict = "strict"
    gentle = "gentle"
    criteria = "criteria"


@app.command(cls=SentenceCommand)
@leaves_trace("refine")
def refine(
    task: Annotated[str, typer.Argument(help="What to write, in words.")],
    rounds: Annotated[
        int, typer.Option(min=1, metavar="N", help="The maximum number of drafts.")
    ] = 3,
    critic: Annotated[
        CriticName, typer.Option(help="The critic that judges the drafts.")
    ] = CriticName.strict,
    check: Annotated[
        bool,
        typer.Option("--check", help="Judge by results: run examples, and compute sums again."),
    ] = False,
    json: Annotated[
        bool, typer.Option("--json", help="Make the critic answer in JSON, by a schema.")
    ] = False,
    draft: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="Begin with the draft in this file, instead of one of the model's."
        ),
        Input(),
    ] = None,
    home: HomeOption = None,
    memory: Annotated[
        Path | None,
        typer.Option(
            metavar="FOLDER", help="The folder of the memory for critiques, instead of the home's."
        ),
        Store(),
    ] = None,
    remember: Annotated[
        bool,
        typer.Option(
            "--remember/--no-remember", help="Store critiques, and use those of earlier times."
        ),
    ] = True,
    model: ModelOption = None,
    judge_model: JudgeModelOption = None,
) -> None:
    """Write, judge and rewrite a text, with the functions that you wrote.

    Each round shows the draft, or what changed in it, and the critique. At the end comes the final
    draft, the last one that the critic saw.
    With --check, no critic gives an opinion. The command runs the task's examples (`>>> f(2)` and
    the result on the next line) on the draft, with calls that the model invents. It also computes
    each sum in the draft again.
    The exit code is 0 if the critic approved the draft, and 1 if not.

    Example: g2c review refine "Say in one sentence what a compiler does." --critic gentle
    """
    if not task.strip():
        raise ValueError("Say what to write.")
    given = _read(draft) if draft else None
    import_students("g2c.critic")
    store = session_memory(find_home(home), memory, remember)
    backend = load(model)
    show_model(backend)
    judge = load(judge_model) if judge_model else backend
    if judge_model:
        show_model(judge)
    judged = _checking(judge) if check else _opinion(judge, critic, json)
    roles = _roles(backend, judged, given)
    state = _run(task, roles, rounds, store)
    tell_outcome(str(state.stopped_reason))
    _show_end(state, calls=state.calls - (given is not None))
    raise typer.Exit(0 if state.converged else 1)


def _opinion(judge: Backend, critic: CriticName, as_json: bool) -> Role:
    from g2c.critic.app.roles import Critic
    from g2c.critic.core.prompts import CRITICS

    return Critic(judge, CRITICS[critic], form="json" if as_json else "text")


def _checking(judge: Backend) -> Role:
    from g2c.critic.app.program_critic import CheckingCritic

    return CheckingCritic(judge)


def _roles(backend: Backend, critique: Role, given: str | None) -> dict[str, Role]:
    from g2c.critic.app.roles import Generator, Refiner

    write = Generator(backend, on_cut=tell_aside) if given is None else lambda task: given
    return {
        "generator": _with_status("writing", write),
        "critic": _with_status("judging", critique),
        "refiner": _with_status("rewriting", Refiner(backend, on_cut=tell_aside)),
    }


def _with_status(doing: str, role: Role) -> Role:
    def ask(*arguments: Any) -> Any:
        with err.status(doing):
            return role(*arguments)

    return ask


def _run(
    task: str, roles: dict[str, Role], rounds: int, store: MemoryStore | None
) -> RefinementState:
    from g2c.critic.app.reflexion import refine_with_memory
    from g2c.critic.core.types import RefinementState
    from g2c.critic.run_refinement_loop import run_refinement_loop

    show_round = _RoundsOnScreen()
    try:
        if store:
            state = refine_with_memory(
                task, store=store, max_rounds=rounds, on_round=show_round, **roles
            )
        else:
            state = run_refinement_loop(task, max_rounds=rounds, on_round=show_round, **roles)
    except (BackendError, NotImplementedError, OSError):
        raise
    except Exception as error:
        from g2c.course.errors import in_short

        raise ValueError(f"your loop raised {in_short(error)}") from error
    if not isinstance(state, RefinementState):
        raise ValueError(f"run_refinement_loop returned {state!r:.200}, not a RefinementState.")
    return state


class _RoundsOnScreen:
    """Prints each round as it ends. From the second round on, it prints only the changes."""

    def __init__(self) -> None:
        self.before: str | None = None

    def __call__(self, round: Round) -> None:
        out.rule(f"round {round.number}", align="left", style="dim")
        if self.before is None:
            show("Draft", round.draft, "cyan")
        else:
            _show_change(self.before, round.draft)
        self.before = round.draft
        critique = round.critique
        show("Score", "none" if critique.score is None else f"{critique.score:g} of 10", "yellow")
        show("Issues", "\n".join(f"- {issue}" for issue in critique.issues) or "none", "yellow")
        if critique.parse_error:
            show("Not read", critique.parse_error, "red")
        show("Verdict", critique.recommendation, "green" if critique.approved else "red")


def _show_change(old: str, new: str) -> None:
    """Print removed lines in red with a minus, and new ones in green with a plus."""
    import difflib

    diff = difflib.unified_diff(old.splitlines(), new.splitlines(), n=1, lineterm="")
    lines = [line for line in diff if not line.startswith(("---", "+++", "@@"))]
    if not lines:
        show("Draft", "(unchanged)", "dim")
    for number, line in enumerate(lines):
        style = {"+": "green", "-": "red"}.get(line[0], "dim")
        label = "" if number else "Changes"
        out.print(f"[cyan]{label:13}[/] [{style}]{escape(line)}[/]", soft_wrap=True)


def _show_end(state: RefinementState, calls: int) -> None:
    out.rule(style="dim")
    if state.error:
        err.print(f"[red]g2c:[/] {escape(state.error)}", soft_wrap=True)
    if state.unreviewed is not None:
        show("Not judged", state.unreviewed, "dim")
    if state.final_draft is not None:
        show("Final draft", state.final_draft, "bold")
    rounds = "1 round" if len(state.rounds) == 1 else f"{len(state.rounds)} rounds"
    counts = f"{rounds}, {calls} calls, stopped: {state.stopped_reason}"
    out.print(f"[dim]{escape(counts)}[/]")


def _read(file: Path) -> str:
    text = read_text(file).strip()
    if not text:
        raise ValueError(f"{file} is empty; --draft takes a file with a draft in it.")
    return text
