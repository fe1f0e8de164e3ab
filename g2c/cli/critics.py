"""The command that measures the critics: how many broken drafts does each approve?"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer
from rich.markup import escape

from g2c.cli.asking import bar_of
from g2c.cli.console import out
from g2c.cli.options import HomeOption, JudgeModelOption, ModelOption, find_home, load, options_for
from g2c.cli.steps import going_on
from g2c.course.errors import import_students
from g2c.course.traces import leaves_trace
from g2c.files import if_possible
from g2c.inference.model_options import NO_OPTIONS

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from g2c.critic.app.measured import Measurement
    from g2c.critic.app.measurement import Approvals, CriticFunction
    from g2c.critic.core.labelled import LabelledTask
    from g2c.critic.core.prompts import CritiqueForm
    from g2c.evaluation.core.pairs import Better
    from g2c.inference import Backend

app = typer.Typer()


@app.command()
@leaves_trace("critics")
def critics(
    only: Annotated[
        str | None, typer.Option("--only", metavar="NAME,NAME", help="Measure only these critics.")
    ] = None,
    limit: Annotated[
        int | None, typer.Option("--limit", "-n", min=1, help="Use only the first N tasks.")
    ] = None,
    sequential: Annotated[
        bool,
        typer.Option(
            "--sequential", help="Stop measuring a critic once your sequential_test (23.5) decides."
        ),
    ] = False,
    as_json: Annotated[
        bool, typer.Option("--json", help="Make the critics answer in JSON, by a schema.")
    ] = False,
    home: HomeOption = None,
    model: ModelOption = None,
    judge_model: JudgeModelOption = None,
) -> None:
    """Measure the critics on the good and the broken drafts of the course.

    A task has a good and a broken draft, and every critic judges both. Three of the critics give an
    opinion. `examples` runs the task's examples and asks no model; `checking` also runs calls that
    the model invents.
    The report shows how many drafts each critic approves, with intervals, and what an approval is
    worth. It uses your paired_bootstrap (21.6). The results are stored in the home, unless --limit
    leaves tasks out. A loop trusts its reviewer, `criteria`, only if it was measured.
    With --sequential, the command stops as soon as your test decides, after eight tasks at the
    earliest.

    Example: g2c critics --only criteria --sequential

    Example: g2c critics --only strict,checking --limit 4
    """
    import_students("g2c.critic")
    from g2c.critic.app.measured import measurement_of
    from g2c.critic.app.measurement import Approvals, approvals_report
    from g2c.critic.core.labelled import load_labelled
    from g2c.critic.paired_bootstrap import paired_bootstrap
    from g2c.memory.app.store import utc_now

    if sequential:
        _named_by_bets(Approvals("none", ()))
    paired_bootstrap([0], [0])  # an unwritten exercise fails now and not after minutes
    tasks = load_labelled()[:limit]
    lives = find_home(home)
    # As a loop of this home loads its judge: a measurement belongs to the model with its options.
    options = NO_OPTIONS if judge_model else options_for(model, lives.settings().model)
    backend = load(judge_model or model, options, exact=True)
    made = _make_critics(backend, as_json=as_json)
    names = [name.strip() for name in only.split(",")] if only else list(made)
    if unknown := [name for name in names if name not in made]:
        raise ValueError(f"There is no critic {unknown[0]!r}; there are {', '.join(made)}.")
    named = _named_by_bets if sequential else lambda found: None
    with going_on(backend, "critics") as resumed:
        made = _make_critics(resumed, as_json=as_json)
        measured = _measure({name: made[name] for name in names}, tasks, named)
    out.print("\n" + approvals_report(measured), markup=False, soft_wrap=True, end="")
    settled = (
        {approvals.critic: named(approvals) == "a" for approvals in measured} if sequential else {}
    )
    for name, tells in settled.items():
        says = "tells good from broken drafts" if tells else "was not shown to tell them apart"
        out.print(f"By your sequential_test {name} {says}.", markup=False)
    if sequential:
        out.print("The intervals would hold for a fixed number of tasks; here the test decides it.")
    if limit is None:
        model_id, now = backend.info.model_id, utc_now()
        new = [
            measurement_of(
                approvals, made[approvals.critic], model_id, now, settled.get(approvals.critic)
            )
            for approvals in measured
        ]
        _keep(lives.measured, new)


def _keep(file: Path, new: Sequence[Measurement]) -> None:
    from g2c.critic.app.measured import keep_measurements

    with if_possible(str(file)):
        keep_measurements(file, new)
        out.print(f"\nKept in {escape(str(file))}.", soft_wrap=True)


def _make_critics(backend: Backend, *, as_json: bool) -> dict[str, CriticFunction]:
    from g2c.critic.app.program_critic import CheckingCritic
    from g2c.critic.app.roles import Critic
    from g2c.critic.core.prompts import CRITICS

    form: CritiqueForm = "json" if as_json else "text"
    tokens = backend.info.step_tokens(small=200)
    opinions = {
        name: Critic(backend, system, form=form, max_new_tokens=tokens)
        for name, system in CRITICS.items()
    }
    return {**opinions, "examples": CheckingCritic(), "checking": CheckingCritic(backend)}


def _named_by_bets(found: Approvals) -> Better | None:
    """The sequential test's answer: `a` if the critic prefers good drafts to broken ones, `b` for
    the opposite."""
    from g2c.evaluation.sequential_test import sequential_test

    return sequential_test([(pair.good.approved, pair.broken.approved) for pair in found.reviewed])


def _measure(
    critics: dict[str, CriticFunction],
    tasks: tuple[LabelledTask, ...],
    named: Callable[[Approvals], Better | None],
) -> tuple[Approvals, ...]:
    from g2c.critic.app.measurement import measure_approvals

    with bar_of("reviewing", 2 * len(tasks) * len(critics)) as advance:

        def show(critic: str, task: str) -> None:
            advance(f"{critic}: {task}")

        return measure_approvals(
            critics, tasks, on_review=show, is_enough=lambda found: named(found) is not None
        )
