"""How the student's standing and the failures of a run look on the screen."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rich.markup import escape
from rich.padding import Padding
from rich.table import Table

from g2c.course.console import out
from g2c.course.manifest import Exercise, load_exercises
from g2c.course.outcomes import Outcome, TestRun
from g2c.course.progress import Standing
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
    out.print(f"  test    g2c check {exercise.id}, or g2c watch, which does it at every save")
    out.print(f"          the same with pytest: pytest {exercise.suite} -k '{exercise.filter}'")
    out.print(f"  stuck   g2c hint {exercise.id}")
    _show_trouble(standing.run)


def show_run(standing: Standing, most: int | None) -> None:
    """How an exercise stands and why; of its different failures the first `most`, or all."""
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
    if not standing.is_started:
        out.print(f"Not started: read {exercise.lesson}, then write {exercise.name}.")
        return
    groups = _by_message(run.failures)
    for failures in groups[:most]:
        _show_failures(failures)
    if most and len(groups) > most:
        rest = sum(len(failures) for failures in groups[most:])
        out.print(f"\n... and {rest} more: g2c check {exercise.id} --all")
    _show_trouble(run)
    if run.passed and not standing.handed_back:
        out.print(f"Compare it with the reference: g2c solution {exercise.id}")


def place_of(exercise: Exercise) -> str:
    """File and line of the function, as editors and terminals open it."""
    return f"{exercise.file}:{line_of(exercise)}"


def _by_message(failures: Iterable[Outcome]) -> list[list[Outcome]]:
    """Failures that say the same, together, in the order of the first of each."""
    groups: dict[str, list[Outcome]] = {}
    for failure in failures:
        groups.setdefault(failure.says, []).append(failure)
    return list(groups.values())


def _show_failures(failures: Sequence[Outcome]) -> None:
    first, *others = failures
    also = f"  [dim]and {len(others)} more that say the same[/]" if others else ""
    out.print(f"\n[red]✗[/] [bold]{escape(first.sentence)}[/]{also}")
    grid = Table.grid(padding=(0, 2))
    grid.add_column(style="dim")
    grid.add_column(overflow="fold")
    rows = {
        "called": first.given,
        "expected": first.expected,
        "got": first.got,
        # Without words of the test's own there is only the expression, which is told above.
        "meaning": "" if first.says.startswith("assert ") and first.got else first.says,
        "printed": first.printed.rstrip(),
    }
    for name, text in rows.items():
        if text:
            grid.add_row(name, escape(text))
    out.print(Padding(grid, (0, 0, 0, 2)))


def _show_trouble(run: TestRun) -> None:
    if run.trouble:
        out.print(f"\n[red]{escape(run.trouble)}[/]")
