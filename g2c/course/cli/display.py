"""How the results of the student's tests look on the screen."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rich.markup import escape
from rich.padding import Padding
from rich.table import Table

from g2c.course.check.progress import Standing
from g2c.course.check.results import TestResult, TestRun
from g2c.course.cli.console import out
from g2c.course.errors import not_started
from g2c.course.manifest import Exercise, load_exercises
from g2c.course.stubs import line_of

_STYLES = {"passing": "green", "handed back": "cyan", "not started": "dim", "not run": "dim"}


def show_progress(standings: Sequence[Standing]) -> None:
    """All exercises as a table."""
    table = Table(box=None, pad_edge=False, header_style="dim")
    for title in ("exercise", "function", "tests", "standing"):
        table.add_column(title, justify="right" if title == "tests" else "left")
    for standing in standings:
        exercise, run = standing.exercise, standing.run
        style = _STYLES.get(standing.words, "yellow")
        table.add_row(
            f"{exercise.id} {exercise.title}",
            exercise.name,
            f"{run.n_passed}/{len(run.collected)}",
            f"[{style}]{standing.words}[/]",
        )
    out.print(table)
    done = sum(standing.is_done for standing in standings)
    out.print(f"\n{done} of {len(standings)} done. g2c next says what to do now.")
    _show_trouble(standings[0].run)


def show_next(standing: Standing | None) -> None:
    """What to do now."""
    if standing is None:
        out.print("[green]Every exercise passes or is handed back.[/]")
        modules = dict.fromkeys(exercise.module for exercise in load_exercises())
        for module in modules:
            out.print(f"  the experiments of module {module}: g2c notebook {module}")
        return
    exercise = standing.exercise
    out.print(f"[bold]{exercise.id} {exercise.title}[/]: {standing.words}")
    out.print(f"  read    {exercise.lesson}")
    out.print(f"  write   {exercise.name} in {place_of(exercise)}", soft_wrap=True)
    out.print(f"  break   g2c break {exercise.id} shows how a first version of it fails")
    out.print(f"  test    g2c check {exercise.id}, or g2c watch, which does it at every save")
    out.print(f"          the same with pytest: pytest {exercise.suite} -k '{exercise.filter}'")
    out.print(f"  stuck   g2c hint {exercise.id}")
    _show_trouble(standing.run)


def show_standing(standing: Standing, before: Sequence[Standing], limit: int | None) -> None:
    """How an exercise stands and why: its first `limit` different failures, or all of them.

    `before` are the exercises on which it may depend; one that is not done is named if a test that
    fails called it.
    """
    exercise, run = standing.exercise, standing.run
    colour = "green" if run.passed else "red"
    counts = f"{run.n_passed} of {len(run.collected)} tests pass" if run.collected else "not run"
    out.print(
        f"[bold]{exercise.id} {exercise.title}[/]  {exercise.name} in {place_of(exercise)}  "
        f"[{colour}]{counts}[/]",
        soft_wrap=True,
    )
    if standing.handed_back:
        out.print(f"The reference stands in for it; yours: g2c handback {exercise.id} --undo")
    elif not standing.is_started:
        out.print(f"Not started: read {exercise.lesson}, then write {exercise.name}.")
        _show_trouble(run)
        return
    used = {exercise_id for failure in run.failures for exercise_id in failure.used.split()}
    undone = [one.exercise.id for one in before if not one.is_done and one.exercise.id in used]
    if undone:
        ids = ", ".join(undone)
        out.print(f"[yellow]{ids} before it does not pass, and may be why this one fails.[/]")
    groups = _by_message(exercise, run.failures)
    for failures in groups[:limit]:
        _show_failures(failures)
    if limit and len(groups) > limit:
        rest = sum(len(failures) for failures in groups[limit:])
        out.print(f"\n... and {rest} more: g2c check {exercise.id} --all")
    _show_trouble(run)
    if run.passed and not standing.handed_back:
        out.print(f"Compare it with the reference: g2c solution {exercise.id}")


def place_of(exercise: Exercise) -> str:
    """File and line of the function, as editors and terminals open it."""
    return f"{exercise.file}:{line_of(exercise)}"


def _by_message(exercise: Exercise, failures: Iterable[TestResult]) -> list[list[TestResult]]:
    """The failures in groups with the same first line. The group where the stub's own line is still
    reached comes last; the others keep their order."""
    groups: dict[str, list[TestResult]] = {}
    for failure in failures:
        groups.setdefault(failure.says.partition("\n")[0], []).append(failure)
    unwritten = groups.pop(not_started(exercise), None)
    return [*groups.values(), *([unwritten] if unwritten else [])]


def _show_failures(failures: Sequence[TestResult]) -> None:
    first, *others = failures
    plural = "say" if len(others) > 1 else "says"
    also = f"  [dim]and {len(others)} more that {plural} the same[/]" if others else ""
    out.print(f"\n[red]✗[/] [bold]{escape(first.sentence)}[/]{also}")
    rows = {
        "called": first.given,
        "expected": first.expected,
        "got": first.got,
        # A test without a message has only its expression, which is told above.
        "meaning": "" if first.says.startswith("assert ") and first.got else first.says,
        "printed": first.printed.rstrip(),
    }
    if not out.is_terminal:  # a program reads it, which wants the lines as they are
        for name, text in rows.items():
            for number, line in enumerate(text.splitlines()):
                out.print(f"  {'' if number else name:8}  {escape(line)}", soft_wrap=True)
        return
    grid = Table.grid(padding=(0, 2))
    grid.add_column(style="dim")
    grid.add_column(overflow="fold")
    for name, text in rows.items():
        if text:
            grid.add_row(name, escape(text))
    out.print(Padding(grid, (0, 0, 0, 2)))


def _show_trouble(run: TestRun) -> None:
    if run.trouble:
        out.print(f"\n[red]{escape(run.trouble)}[/]")
