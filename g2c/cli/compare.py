"""The command that compares two models or settings: compare."""

import os
from dataclasses import replace
from typing import Annotated

import typer

from g2c.cli.asking import (
    FamilyOption,
    FreshOption,
    LimitOption,
    OutcomesOption,
    SchedulerOption,
    SuiteOption,
    ask_all,
)
from g2c.cli.console import out
from g2c.cli.options import find_home
from g2c.course.traces import leaves_trace
from g2c.exercise import REFERENCE_VARIABLE, is_requested, requested_references
from g2c.tracing import tell_outcome

app = typer.Typer()

YOURS = ("21.6", "23.5")
"""The exercises that judge the outcomes. The reference's functions do the asking."""


@app.command()
@leaves_trace("compare")
def compare(
    a: Annotated[
        str | None, typer.Argument(metavar="A", help="A model, with or without settings.")
    ] = None,
    b: Annotated[
        str | None, typer.Argument(metavar="B", help="The model or settings to compare with A.")
    ] = None,
    family: FamilyOption = None,
    limit: LimitOption = None,
    fresh: FreshOption = None,
    suite: SuiteOption = None,
    examples: Annotated[
        bool, typer.Option(help="Put the tools' worked examples into the prompts.")
    ] = True,
    gate: Annotated[
        bool,
        typer.Option(
            "--gate",
            help="End with exit code 1 if B is shown to be worse, 2 if tasks could not be asked.",
        ),
    ] = False,
    parts: Annotated[
        bool,
        typer.Option(
            "--parts",
            help="Compare agents with more and more of the modules instead, on small days.",
        ),
    ] = False,
    scheduler: SchedulerOption = None,
    json: OutcomesOption = None,
) -> None:
    """Find out which of two is better: two models, or one model with two settings.

    Both get the same tasks, at temperature 0. The report shows what each solves and costs, what B
    gains over A, and a conclusion. It uses your paired_bootstrap (21.6) and your sequential_test
    (23.5), and the reference functions for all else.
    A and B are models as for g2c eval. Settings follow after commas: 19.3=yours or 19.3=FILE.py
    (that function in place of the reference), max_steps=N, home=DIR (what that home puts into each
    prompt: the agent's own files and the index of its memory), line=TEXT (a line before each
    prompt; only as the last setting), or FILE.toml. Such a file may have max_steps, line and
    [tools], with NAME = "DESCRIPTION". If agent.toml has prices of both models, the report also
    shows what a task costs.

    With --parts, an agent of module 19 alone lives small days with faults, then one with the memory
    of module 20 as well, and so on, each with your functions. A names the model (default: a
    scripted one that errs at a set rate), --limit the days, --fresh their seed.

    Example: g2c compare embedded embedded-plain --family arithmetic

    Example: g2c compare embedded embedded,max_steps=3 --limit 10 --json steps.json

    Example: g2c compare embedded,19.3=before.py embedded,19.3=yours --family two_files

    Example: g2c compare embedded embedded,new-words.toml --family unseen_tool --gate

    Example: g2c compare --parts
    """
    if parts:
        for name, given in (
            ("a model B", b),
            ("--family", family),
            ("--suite", suite),
            ("--no-examples", not examples),
            ("--gate", gate),
            ("--scheduler", scheduler),
        ):
            if given:
                raise ValueError(f"--parts compares agents with one model; leave {name} out.")
        from g2c.cli.parts import compare_parts

        compare_parts(a, limit, fresh, json)
        return
    if a is None or b is None:
        raise ValueError("Name the two models to compare, or give --parts.")
    _take_references()
    from g2c.course.errors import import_students
    from g2c.course.manifest import load_exercises

    for exercise in load_exercises():
        if exercise.id in YOURS:
            import_students(exercise.import_name)
    from g2c.course.sweep_workers import label_of
    from g2c.critic.paired_bootstrap import paired_bootstrap
    from g2c.evaluation.app.comparison import Paired, to_markdown
    from g2c.evaluation.sequential_test import sequential_test
    from g2c.suite.report import FIXED, about_suite, drawn_from
    from g2c.suite.suite import load_suite, without_examples
    from g2c.suite.suite_file import load_suite_file

    paired_bootstrap([0], [0])  # an unwritten exercise fails now and not after minutes
    sequential_test([])
    if fresh is not None and suite:
        raise ValueError("A file's tasks cannot be drawn anew: give --fresh or --suite, not both.")
    if suite:
        tasks, source = load_suite_file(suite, family or (), limit), f"of {suite}"
    else:
        tasks = load_suite(family or (), limit, seed=fresh)
        source = FIXED if fresh is None else drawn_from(fresh)
    if not examples:
        tasks, source = without_examples(tasks), f"without worked examples, {source}"
    outcomes, missing = ask_all(tasks, (a, b), json, scheduler)
    measured = outcomes.measured()
    first, second = label_of(a), label_of(b)
    if missing and not (measured.get(first) and measured.get(second)):
        missing.end()
    paired = Paired(first, second, measured[first], measured[second])
    prices = find_home(None).settings()
    report = to_markdown(
        paired,
        about_suite(tasks, source),
        lambda name, *tokens: prices.price_of(name.partition(",")[0], *tokens),
    )
    out.print("\n" + report, markup=False, soft_wrap=True, end="")
    if missing:
        tell_outcome("partly measured")
        if gate:
            out.print("\nThe gate cannot tell: not all tasks have an outcome.", markup=False)
            missing = replace(missing, code=2)
        missing.end()
    tell_outcome(f"{paired.better} is better" if paired.better else "no difference shown")
    if gate:
        is_worse = paired.better == "a"
        said = "closed: B is shown to be worse" if is_worse else "open: B is not shown to be worse"
        out.print(f"\nThe gate is {said}.", markup=False, soft_wrap=True)
        raise typer.Exit(int(is_worse))


def _take_references() -> None:
    """Let the references replace all exercises except those that judge, or those as well if asked
    to. Call this before anything imports the exercises."""
    from g2c.course.manifest import load_exercises

    asked_for = requested_references()
    names = [
        exercise.id
        for exercise in load_exercises()
        if exercise.id not in YOURS or is_requested(exercise.id, asked_for)
    ]
    os.environ[REFERENCE_VARIABLE] = ",".join(names)
