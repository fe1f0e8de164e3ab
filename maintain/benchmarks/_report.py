"""Helpers of the benchmarks: measuring in turns, and a plain table.

On a busy machine only numbers measured in turns can be compared. So every round takes each
measurement once, and comparisons are made within a run.
"""

import datetime
import os
import platform
import textwrap
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from typing import TypeVar

Key = TypeVar("Key", bound=Hashable)


def print_heading(text: str) -> None:
    """Print when and where this runs, and what it measures."""
    today = datetime.date.today().isoformat()
    system = f"{platform.system()} {platform.machine()}, {os.cpu_count()} cores"
    print(f"{today}, Python {platform.python_version()}, {system}\n")
    print(textwrap.fill(text, width=98), end="\n\n")


def print_table(columns: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    """Print `rows` under `columns`; the first column is flush left, the others flush right."""
    cells = [[str(cell) for cell in row] for row in (columns, *rows)]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    for first, *others in cells:
        padded = [cell.rjust(width) for cell, width in zip(others, widths[1:], strict=True)]
        print("  ".join([first.ljust(widths[0]), *padded]).rstrip())


def in_turns(rounds: int, measures: Mapping[Key, Callable[[], float]]) -> dict[Key, list[float]]:
    """The results of each of `measures`, one a round, after one round that does not count."""
    for measure in measures.values():
        measure()
    samples: dict[Key, list[float]] = {key: [] for key in measures}
    for _ in range(rounds):
        for key, measure in measures.items():
            samples[key].append(measure())
    return samples
