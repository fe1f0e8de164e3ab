"""The commands for somebody who changes an exercise: `python -m maintain.author --help`."""

from __future__ import annotations

import difflib
from typing import TYPE_CHECKING, Annotated

import typer

from g2c.cli.console import err, out, say
from g2c.cli.main import errors_in_sentences
from g2c.course.manifest import find_exercise, find_exercises, load_exercises
from g2c.paths import project_root

if TYPE_CHECKING:
    from maintain.author.mutation.scores import Score

app = typer.Typer(
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode="markdown",  # a docstring's lines are not the terminal's
    context_settings={"help_option_names": ["-h", "--help"]},
)


@app.callback()
def about() -> None:
    """Commands for changing the course; CONTRIBUTING.md explains when to use them.

    Example: python -m maintain.author mutate 19.1
    """


@app.command()
def new(
    exercise_id: Annotated[
        str, typer.Argument(metavar="ID", help="The next one of a module, such as 22.9.")
    ],
    function: Annotated[str, typer.Argument(help="The name of its function, such as rest_s.")],
    title: Annotated[str, typer.Option(help="A few words, such as 'Say when to rest'.")],
    question: Annotated[
        str, typer.Option(help="For the lesson's table, such as 'how long until the next try?'.")
    ],
) -> None:
    """Lay out a new exercise: stub, reference, tests, wrong answers, first version, page, picture,
    hints.

    TODO marks what you have to write; python -m maintain.author check lists it. CONTRIBUTING.md
    explains what makes a good exercise.

    Example: python -m maintain.author new 22.9 rest_s --title "Say when to rest"
    --question "how long until the next try?"
    """
    from maintain.author.new import Plan, lay_out

    plan = Plan(exercise_id, title.strip(), function, question.strip())
    written = lay_out(plan, project_root())
    for path in written:
        out.print(path, markup=False, soft_wrap=True)
    say(f"Fill in what says TODO, and then: python -m maintain.author check {exercise_id}")


@app.command()
def check(exercise: Annotated[str, typer.Argument(metavar="ID", help="Such as 22.9.")]) -> None:
    """List what an exercise still lacks, or where its places do not agree. Takes minutes.

    The exit code is 1 if something is missing or wrong.

    Example: python -m maintain.author check 22.2
    """
    from maintain.author.checks import check as check_all

    is_well = True
    with err.status("looking"):
        for finding in check_all(find_exercise(exercise), project_root()):
            mark = "[red]not yet[/]" if finding.problem else "[green]ok     [/]"
            out.print(f"{mark} {finding.about}")
            if finding.problem:
                out.print(finding.problem, markup=False, highlight=False, soft_wrap=True)
                is_well = False
    if not is_well:
        raise typer.Exit(1)


@app.command()
def mutate(
    exercise: Annotated[
        str | None,
        typer.Argument(metavar="[EXERCISE]", help="An exercise's or module's id; default: all."),
    ] = None,
    everything: Annotated[
        bool, typer.Option("--all", help="Show a diff of each mutant that the tests let pass.")
    ] = False,
) -> None:
    """Put a small mistake into a reference, thousands of times, and see whether the tests notice.

    The results are stored in .g2c/mutants.jsonl. If the tests of an exercise notice at least 98 %,
    its row is written into CONTRIBUTING.md; else the exit code is 1. A mutant that is listed in
    tests/course/equivalent.toml does not count. An exercise with a goal is left out: its tests ask
    how good it is, and a small change may be as good.

    Example: python -m maintain.author mutate 19.1
    """
    from maintain.author.mutation.scores import EQUIVALENT, GOAL
    from maintain.author.mutation.scores import mutate as try_all
    from maintain.author.mutation.table import HEAD, row_of, write_rows

    named = find_exercises(exercise) if exercise else load_exercises()
    found = [exercise for exercise in named if not exercise.has_goal]
    if not found:
        say(f"{exercise} has a goal, and no small change of it is a mistake for sure.")
        raise typer.Exit(1)
    with err.status("making mutants") as status:
        scores = try_all(found, lambda n, total: status.update(f"mutant {n} of {total}"))
    for line in (*HEAD, *map(row_of, scores)):
        out.print(line, markup=False, highlight=False, soft_wrap=True)
    write_rows(scores, project_root())
    for score in scores:
        for mutant in score.outlived:
            place = f"{score.exercise.solution_file}:{mutant.line}"
            out.print(f"\n{score.exercise.id} {place}", soft_wrap=True)
            out.print(f'"{mutant.id}"  {mutant.name}', markup=False, soft_wrap=True)
            if everything:
                out.print(_difference(score, mutant.source), markup=False, soft_wrap=True)
    if any(score.outlived for score in scores):
        out.print(f"\nEach needs a test, or its id below a reason in {EQUIVALENT}.")
    if any(score.share < GOAL for score in scores):
        raise typer.Exit(1)


@app.command()
def caught(exercise: Annotated[str, typer.Argument(metavar="ID", help="Such as 22.9.")]) -> None:
    """Record which test catches each wrong answer of an exercise, and what it says.

    What is new is shown, for you to read: would the words help the person who believes that? The
    exit code is 1 if an answer passes, or waits for ever.

    Example: python -m maintain.author caught 22.2
    """
    from maintain.author.caught import record

    with err.status("trying the wrong answers"):
        results = record(find_exercise(exercise))
    for result in results:
        if not result.test:
            say(f"not caught: {result.belief}")
        elif result.is_new:
            out.print(
                f"{result.belief}\n  {result.test}: {result.says}", markup=False, soft_wrap=True
            )
    say(f"{sum(bool(result.test) for result in results)} of {len(results)} are caught.")
    if not all(result.test for result in results):
        raise typer.Exit(1)


@app.command()
def commands() -> None:
    """Write docs/commands.md, the page of all commands, from the program.

    Example: python -m maintain.author commands
    """
    from g2c.files import replace_text
    from maintain.author.commands import page

    replace_text(project_root() / "docs/commands.md", page())


def _difference(score: Score, source: str) -> str:
    import ast

    text = (project_root() / score.exercise.solution_file).read_text("utf-8")
    plain, changed = ast.unparse(ast.parse(text)).split("\n"), source.split("\n")
    lines = list(difflib.unified_diff(plain, changed, lineterm="", n=2))
    return "\n".join(lines[2:])


if __name__ == "__main__":
    with errors_in_sentences():
        app(prog_name="python -m maintain.author")
