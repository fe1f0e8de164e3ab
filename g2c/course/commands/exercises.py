"""The commands around an exercise."""

from __future__ import annotations

from typing import Annotated

import typer
from rich.markup import escape

from g2c.course.console import out

app = typer.Typer()


@app.command()
def hint(
    exercise: Annotated[str, typer.Argument(metavar="EXERCISE", help="Its id, such as 19.1.")],
    everything: Annotated[bool, typer.Option("--all", help="Show all three.")] = False,
) -> None:
    """Show the next of an exercise's three hints, from a nudge to nearly there.

    Example: g2c hint 19.1
    """
    from g2c.course.hints import next_hint
    from g2c.course.manifest import find_exercise

    found = find_exercise(exercise)
    last = len(found.hints)
    for index in range(last) if everything else [next_hint(found)]:
        out.print(f"[bold]{found.id} {found.title}, hint {index + 1} of {last}[/]")
        out.print(escape(" ".join(found.hints[index].split())) + "\n")
