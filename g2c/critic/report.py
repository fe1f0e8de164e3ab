"""What the reports of this package share: a table in Markdown, and an interval in words."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from g2c.critic.base import Interval


def markdown_table(columns: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """A table in Markdown, padded so that a terminal shows it as one.

    >>> print(markdown_table(["critic", "approved"], [["strict", "1 of 2"], ["a|b", 0]]))
    | critic | approved |
    |--------|----------|
    | strict | 1 of 2   |
    | a\\|b   | 0        |
    """
    cells = [[_cell(cell) for cell in row] for row in (columns, *rows)]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    head, *body = ("| " + " | ".join(map(str.ljust, row, widths)) + " |" for row in cells)
    rule = "|" + "|".join("-" * (width + 2) for width in widths) + "|"
    return "\n".join([head, rule, *body])


def percent(interval: Interval) -> str:
    """A share and its bounds in whole per cent.

    >>> percent(Interval(0.5, 0.254, 0.746))
    '50 % (25 to 75)'
    """
    return f"{interval.estimate:.0%}".replace("%", " %") + (
        f" ({100 * interval.low:.0f} to {100 * interval.high:.0f})"
    )


def points(interval: Interval) -> str:
    """A difference of shares and its bounds in percentage points, with their signs.

    >>> points(Interval(0.25, -0.1, 0.6))
    '+25 points (-10 to +60)'
    """
    low, middle, high = (
        f"{round(100 * value):+d}" for value in (interval.low, interval.estimate, interval.high)
    )
    return f"{middle} points ({low} to {high})"


def _cell(value: object) -> str:
    return " ".join(str(value).split()).replace("|", "\\|")
