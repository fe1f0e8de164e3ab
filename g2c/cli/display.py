"""How the results of the student's tests look on the screen."""

import difflib
from collections.abc import Iterable, Sequence

from rich.markup import escape
from rich.padding import Padding
from rich.table import Table

from g2c.cli.console import out, say
from g2c.course.check.progress import Standing, next_standing
from g2c.course.check.results import TestResult, as_lines
from g2c.course.check.seen_failures import HOW, remember, seen_failures
from g2c.course.lesson import deliverable_of, page_of, without_links
from g2c.course.manifest import Exercise, find_exercises, modules
from g2c.course.stubs import function_in, is_stub, line_of
from g2c.paths import project_root
from g2c.text import reason_of
from g2c.written import lines_of, read_text

_STYLES = {"passing": "green", "skipped": "cyan", "not started": "dim", "not run": "dim"}

DIFFICULTY = {1: "easy", 2: "of middling difficulty", 3: "hard"}


def show_progress(standings: Sequence[Standing]) -> None:
    """All exercises as a table."""
    table = Table(box=None, pad_edge=False, header_style="dim")
    table.add_column("exercise")  # only this column may be wrapped, between words
    for title in ("function", "min", "tests", "standing"):
        is_number = title in ("min", "tests")
        table.add_column(title, justify="right" if is_number else "left", no_wrap=True)
    for standing in standings:
        exercise, run = standing.exercise, standing.run
        style = _STYLES.get(standing.words, "yellow")
        table.add_row(
            f"{exercise.id} {exercise.title}",
            exercise.function,
            str(exercise.minutes),
            f"{run.n_passed}/{len(run.collected)}" if run.collected else "",
            f"[{style}]{standing.words}[/]",
        )
    out.print(table)
    given = sum(standing.is_skipped for standing in standings)
    done = sum(standing.is_done for standing in standings) - given
    for standing in standings:
        if standing.broken:
            say(f"\n[red]{escape(standing.broken)}[/]")
    for trouble in dict.fromkeys(standing.run.trouble for standing in standings):
        _show_trouble(trouble)
    left = sum(other.exercise.minutes for other in standings if not other.is_done)
    hours = f", about {left / 60:.0f} hours of work left" if left >= 90 else ""
    back = f", {given} skipped" if given else ""
    out.print(f"\n{done} of {len(standings)} done{back}{hours}. g2c next says what to do now.")


def show_next(standings: Sequence[Standing]) -> None:
    """Show what to do now: with the module that was just finished, if any, and for the next
    exercise, with its lesson's page."""
    standing = next_standing(standings)
    if standing is None:
        out.print("[green]Every exercise passes or is skipped.[/]")
        for module in modules():
            show_module_done(module, standings)
        return
    exercise = standing.exercise
    before = [earlier.exercise for earlier in standings[: standings.index(standing)]]
    if before and before[-1].module != exercise.module:
        show_module_done(before[-1].module, standings)
        out.print()
    show_exercise(standing)


def show_exercise(standing: Standing) -> None:
    """An exercise's page, and how it stands, is read, written and tested."""
    exercise = standing.exercise
    show_markdown(page_of(exercise))
    out.rule(style="dim")
    effort = f"about {exercise.minutes} minutes, {DIFFICULTY[exercise.difficulty]}"
    out.print(f"[bold]{exercise.id} {exercise.title}[/]: {standing.words}; {effort}")
    if standing.broken:
        say(f"[red]{escape(standing.broken)}[/]")
    out.print(f"  read    {exercise.lesson}", soft_wrap=True)
    out.print(f"  write   {exercise.function} in {place_of(exercise)}", soft_wrap=True)
    out.print(f"  break   g2c break {exercise.id}", soft_wrap=True)
    out.print(f"  test    g2c check {exercise.id}", soft_wrap=True)
    if exercise.has_goal:
        out.print(f"  score   g2c score {exercise.id} --compare", soft_wrap=True)
    out.print("  or      g2c watch", soft_wrap=True)
    out.print(f"  or      pytest {exercise.suite} -k '{exercise.filter}'", soft_wrap=True)
    out.print(f"  stuck   g2c hint {exercise.id}", soft_wrap=True)
    _show_trouble(standing.run.trouble)


TRY = {
    "19": "g2c chat",
    "20": "g2c chat",
    "21": 'g2c review refine "Write a haiku about rain"',
    "22": 'g2c loop start "Write birds.txt. It is to say: robin"',
    "23": "g2c runs trace last",
    "24": "g2c swarm start --help",
    "25": "g2c attack --help",
}
"""The command that uses a module's functions."""


def show_module_done(module: str, standings: Iterable[Standing]) -> None:
    """Show what to do with a module whose exercises are done or skipped."""
    own = [standing for standing in standings if standing.exercise.module == module]
    given = [standing.exercise.id for standing in own if standing.is_skipped]
    if given:
        ids = ", ".join(given)
        out.print(
            f"[green]Module {module} runs.[/] The reference stands in for {ids}; g2c skip "
            f"{given[0]} --undo goes back to yours. What you can do with it:",
            soft_wrap=True,
        )
    else:
        out.print(f"[green]Module {module} is written.[/] It is yours now:")
    rows = {
        "use": TRY[module],
        "try": f"g2c notebook {module}",
        "note": 'g2c runs writeup new last --title "What went wrong"' if module == "19" else "",
        "grade": f"docs/rubrics/module-{module}.md, when the answers are written",
    }
    for name, text in rows.items():
        if text:
            out.print(f"  {name:7} {escape(text)}", soft_wrap=True)
    show_markdown(deliverable_of(module))


def show_markdown(text: str) -> None:
    """Markdown, laid out for a terminal; unchanged for anything else."""
    if not out.is_terminal:
        out.print(text, markup=False, soft_wrap=True)
        return
    from rich.markdown import Markdown

    out.print(Markdown(without_links(text), hyperlinks=False))


def show_standing(
    standing: Standing, before: Sequence[Standing], limit: int | None, why: bool = False
) -> None:
    """Show an exercise's state: its first `limit` different failures, or all of them.

    A failure shows its meaning if the same test was shown failing before, or with `why`. `before`
    are the exercises on which it may depend; an unfinished one is named if a failing test called
    it.
    """
    exercise, run = standing.exercise, standing.run
    colour = "green" if run.passed else "red"
    counts = f"{run.n_passed} of {len(run.collected)} tests pass" if run.collected else "not run"
    out.print(f"[bold]{exercise.id} {exercise.title}[/]  [{colour}]{counts}[/]", soft_wrap=True)
    out.print(f"{exercise.function} in {place_of(exercise)}", soft_wrap=True)
    if standing.broken:
        say(f"[red]{escape(standing.broken)}[/]")
        return
    if standing.is_skipped:
        out.print(f"The reference stands in for it; yours: g2c skip {exercise.id} --undo")
    elif not standing.is_started:
        say(f"Not started: read {exercise.lesson}, then write {exercise.function}.")
        _show_trouble(run.trouble)
        return
    used = {exercise_id for failure in run.failures for exercise_id in failure.used.split()}
    undone = [
        earlier.exercise.id
        for earlier in before
        if not earlier.is_done and earlier.exercise.id in used
    ]
    if undone:
        ids = ", ".join(undone)
        say(f"[yellow]{ids} before it does not pass, and may be why this one fails.[/]")
    groups = _by_message(exercise, run.failures)
    seen = seen_failures()
    withheld = False
    for failures in groups[:limit]:
        says_why = why or failures[0].test in seen
        _show_failures(failures, says_why)
        withheld |= failures[0].explains_itself and not says_why
    if withheld:
        out.print(f"\n[dim]{HOW}[/]")
    remember(
        [failure.test for failures in groups[:limit] for failure in failures],
        [result.test for result in run.results if result.passed],
    )
    if limit and len(groups) > limit:
        rest = sum(len(failures) for failures in groups[limit:])
        out.print(f"\n... and {rest} more: g2c check {exercise.id} --all")
    _show_trouble(run.trouble)
    if run.passed and not standing.is_skipped:
        out.print(f"Compare it with the reference: g2c solution {exercise.id}")
    if run.passed and exercise == find_exercises(exercise.module)[-1]:
        out.print(f"It is the last one of module {exercise.module}: g2c next")


def show_solution(exercise: Exercise) -> None:
    """The reference, the way from the student's function to it, and other good solutions."""
    root = project_root()
    show_code(exercise.solution_file, read_text(root / exercise.solution_file))
    if not is_stub(exercise):
        try:
            own, theirs = (
                lines_of(function_in(read_text(root / name), exercise))
                for name in (exercise.file, exercise.solution_file)
            )
        except (OSError, ValueError) as error:  # the student's function is missing
            say(f"\n{escape(reason_of(error))}")
        else:
            names = exercise.file, exercise.solution_file
            change = "".join(difflib.unified_diff(own, theirs, *names, n=len(own)))
            out.print()
            show_code("From yours (-) to the reference (+)", change or "They are equal.\n", "diff")
    for file in exercise.other_solutions(root):
        out.print()
        name = file.relative_to(root).as_posix()
        show_code(f"Another way: {name}", read_text(file))


def show_code(title: str, text: str, language: str = "python") -> None:
    """A title and code: in colours on a terminal, unchanged elsewhere."""
    out.print(f"[dim]{escape(title)}[/]", soft_wrap=True)
    if not out.is_terminal:
        out.print(text, markup=False, soft_wrap=True, end="")
        return
    from rich.syntax import Syntax

    # Wrapping a line would change the code.
    out.print(Syntax(text, language, background_color="default"), soft_wrap=True)


def place_of(exercise: Exercise) -> str:
    """File and line of the function, in the form that editors and terminals open."""
    return f"{exercise.file}:{line_of(exercise)}"


def _by_message(exercise: Exercise, failures: Iterable[TestResult]) -> list[list[TestResult]]:
    """The failures in groups with the same first line. The stub's own error and tests that were not
    run come last; the others keep their order."""
    groups: dict[str, list[TestResult]] = {}
    later = [
        other for other in failures if other.is_unwritten(exercise.id) or other.kind == "not run"
    ]
    for failure in sorted(failures, key=later.__contains__):
        groups.setdefault(failure.says.partition("\n")[0], []).append(failure)
    return list(groups.values())


def _show_failures(failures: Sequence[TestResult], why: bool) -> None:
    first, *others = failures
    plural = "say" if len(others) > 1 else "says"
    also = f"  [dim]and {len(others)} more that {plural} the same[/]" if others else ""
    out.print(f"\n[red]✗[/] [bold]{escape(first.sentence)}[/]{also}")
    if not out.is_terminal:  # a program reads it and needs unwrapped lines
        for line in as_lines(first.rows(why=why)):
            out.print(f"  {escape(line)}", soft_wrap=True)
        return
    grid = Table.grid(padding=(0, 2))
    grid.add_column(style="dim")
    grid.add_column(overflow="fold")
    for name, text in first.rows(why=why).items():
        grid.add_row(name, escape(text))
    out.print(Padding(grid, (0, 0, 0, 2)))


def _show_trouble(trouble: str) -> None:
    if trouble:
        say(f"\n[red]{escape(trouble)}[/]")
