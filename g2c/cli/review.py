"""The command about several reviewers and a rubric: review."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.markup import escape
from typer.core import TyperGroup

from g2c.cli.console import err, out, show, tell_aside
from g2c.cli.options import JudgeModelOption, ModelOption, load
from g2c.cli.places import PAGE, Input
from g2c.cli.steps import show_model
from g2c.course.errors import import_students
from g2c.course.traces import leaves_trace
from g2c.tracing import tell_outcome
from g2c.written import read_text, toml_of

if TYPE_CHECKING:
    from g2c.critic.app.panel import ReviewRound, ReviewState
    from g2c.critic.core.types import Rubric


class TextsGroup(TyperGroup):
    """`g2c review FILE` is short for `g2c review text FILE`."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        if args and args[0] not in {*self.commands, *ctx.help_option_names}:
            args = ["text", *args]
        return super().parse_args(ctx, args)


app = typer.Typer()
texts = typer.Typer(cls=TextsGroup, no_args_is_help=True)
app.add_typer(texts, name="review")


@texts.callback()
def about_texts() -> None:
    """Review and revise a text, round after round: g2c review FILE.

    Example: g2c review notes.md
    """


DEFAULT_REVIEWERS = """\
task = "Write this text so that its readers understand it and can use it."
rubric = "writing"  # or "code"

[[reviewers]]
name = "Newcomer"
persona = "You know nothing of the subject, and say where you are lost."

[[reviewers]]
name = "Expert"
persona = "You know the subject well, and say what is false or left out."

[[reviewers]]
name = "Editor"
persona = "You cut what is said twice or says nothing."
"""


@dataclass(frozen=True)
class Panel:
    """A reviewers' file: the task, the rubric's name, and each reviewer's persona."""

    task: str
    rubric: str
    personas: dict[str, str]


@texts.command("text")
@leaves_trace("review")
def review(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The text to review."), Input()],
    reviewers: Annotated[
        Path | None,
        typer.Option(
            metavar="TOML",
            help="The file with task, rubric and personas, see above; default: the built-in ones.",
        ),
        Input(),
    ] = None,
    rounds: Annotated[
        int, typer.Option(min=1, metavar="N", help="The maximum number of rounds.")
    ] = 4,
    page: Annotated[
        Path | None,
        typer.Option(metavar="HTML", help="Write the curves and the disputes to this HTML page."),
        PAGE,
    ] = None,
    model: ModelOption = None,
    judge_model: JudgeModelOption = None,
) -> None:
    """Let several reviewers score a text by a rubric, and revise it, round after round.

    Your aggregate (21.3) and is_plateau (21.4) decide when it ends. At the end you see the disputes
    between reviewers, the curve of the scores, and the best draft. FILE does not change.
    The exit code is 0 if the reviews converged, and 1 if not.

    docs/modules/21-critic/several-reviewers.md shows how to write your own reviewers.

    Example: g2c review notes.md --reviewers personas.toml --page review.html
    """
    text = read_text(file).strip()
    if not text:
        raise ValueError(f"{file} is empty; give a file with a text in it.")
    source = read_text(reviewers) if reviewers else DEFAULT_REVIEWERS
    panel = read_panel(source, str(reviewers or "the default reviewers"))
    import_students("g2c.critic")
    from g2c.critic.app.panel import Reviewer, Reviser, review_until_converged
    from g2c.critic.core.rubrics import CODE, WRITING

    rubric = {"writing": WRITING, "code": CODE}[panel.rubric]
    backend = load(model)
    show_model(backend)
    judge = load(judge_model) if judge_model else backend
    with err.status("beginning") as status:
        state = review_until_converged(
            panel.task,
            generator=lambda task: text,
            reviewers=[
                _telling(status, f"{name} reads", Reviewer(judge, name, rubric, persona))
                for name, persona in panel.personas.items()
            ],
            reviser=_telling(status, "revising", Reviser(backend, on_cut=tell_aside)),
            rubric=rubric,
            max_rounds=rounds,
            on_round=_show_round,
        )
    _show_end(state, rubric, page)
    tell_outcome(str(state.stopped_reason))
    raise typer.Exit(0 if state.stopped_reason == "converged" else 1)


def read_panel(text: str, name: str) -> Panel:
    """The panel in a TOML text; `name` is the file's name for errors.

    Raises:
        ValueError: it cannot be used; the message says what to change.
    """
    data = toml_of(text, name)
    rubric, task, given = data.get("rubric", "writing"), data.get("task"), data.get("reviewers")
    if rubric not in ("writing", "code"):
        raise ValueError(f'{name}: rubric is "writing" or "code"; got {rubric!r}.')
    if not isinstance(task, str) or not task.strip():
        raise ValueError(f"{name}: task says in words what the text is to do; there is none.")
    if not isinstance(given, list) or not given:
        raise ValueError(f"{name}: there is no [[reviewers]] with a name and a persona.")
    personas: dict[str, str] = {}
    for entry in given:
        who = entry.get("name") if isinstance(entry, dict) else None
        if not isinstance(who, str) or not who.strip() or who in personas:
            raise ValueError(f"{name}: each reviewer has a name of its own; got {who!r}.")
        personas[who] = str(entry.get("persona", ""))
    return Panel(task, rubric, personas)


def _telling(status: Any, doing: str, role: Any) -> Any:
    def ask(*arguments: Any) -> Any:
        status.update(escape(doing))
        return role(*arguments)

    return ask


def _show_round(round: ReviewRound) -> None:
    scored = round.scored
    means = ", ".join(f"{name} {mean:.0f}" for name, mean in scored.means.items())
    approvals = f"{scored.approvals} of {scored.reviewers} approve"
    line = f"[cyan]round {round.number}[/] S {scored.total:.1f}; {escape(means)}; {approvals}"
    out.print(line, soft_wrap=True)
    for review in round.reviews:
        if review.notes:
            show(f"  {review.reviewer}"[:13], review.notes, "dim")


def _show_end(state: ReviewState, rubric: Rubric, page: Path | None) -> None:
    from g2c.critic.disputed import disputed
    from g2c.files import replace_text
    from g2c.page import whole_page
    from g2c.widgets.curves import convergence_curves
    from g2c.widgets.heat import disagreement_map

    if state.error:
        err.print(f"[red]g2c:[/] {escape(state.error)}", soft_wrap=True)
    if state.rounds:
        reviews = state.rounds[-1].reviews
        views = [
            disagreement_map(reviews, disputed(reviews)),
            convergence_curves({"this text": [round.reviews for round in state.rounds]}, rubric),
        ]
        for view in views:
            out.print("\n" + view.text, markup=False, soft_wrap=True)
    out.rule(style="dim")
    if state.final_draft is not None:
        show("Best draft", state.final_draft, "bold")
    counts = f"rounds: {len(state.rounds)}, calls: {state.calls}, stopped: {state.stopped_reason}"
    out.print(f"[dim]{counts}[/]")
    if state.rounds and page:  # last, so that a full disk costs only the page
        body = "".join(view.html for view in views)
        replace_text(page, whole_page("Review", body, ".g2c table { width: auto; }\n"))
        out.print(f"\nThe page is {escape(str(page))}.", soft_wrap=True)
