"""Small charts that can be read without colours.

The colours are Okabe and Ito's, which colour-blind people can distinguish. Each line also has its
own dashes and marks, because a printer may have no colours.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from textwrap import fill
from typing import TYPE_CHECKING, Any

from g2c.text import printable

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from g2c.critic.core.types import Interval

COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9")
LINES = ("-", "--", "-.", ":")
MARKS = ("o", "s", "^", "D", "v")
INK, PAPER = "#1c1e21", "#ffffff"
"""The colours of text and axes, and of the background. So a chart looks the same on a dark page."""

MAX_IN_A_LINE = 14
"""The most characters in a line of a group's name below a bar."""

HATCHES = ("", "///", "...", "xxx")


def line_chart(series: Mapping[str, Sequence[float]], *, title: str, x: str, y: str) -> Figure:
    """One line for each of `series`, over 1, 2, 3 and so on; `x` and `y` name the axes.

    Raises:
        ValueError: there is nothing to draw.
    """
    from matplotlib.ticker import MaxNLocator

    figure, axes = _new_chart(series, title, x, y)
    for index, (label, values) in enumerate(series.items()):
        axes.plot(
            range(1, len(values) + 1),
            values,
            label=_literal(label),
            color=COLOURS[index % len(COLOURS)],
            linestyle=LINES[index % len(LINES)],
            marker=MARKS[index % len(MARKS)],
        )
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    axes.set_ylim(bottom=min(0, axes.get_ylim()[0]))  # a cut axis exaggerates
    axes.legend(frameon=False, labelcolor=INK)
    return figure


def bar_chart(bars: Mapping[str, float], *, title: str, x: str, y: str) -> Figure:
    """One bar for each of `bars`, with its value; `x` and `y` name the axes.

    Raises:
        ValueError: there is nothing to draw.
    """
    from matplotlib.ticker import MaxNLocator

    figure, axes = _new_chart(bars, title, x, y)
    drawn = axes.bar(range(len(bars)), list(bars.values()), color=COLOURS[0], width=0.6)
    axes.set_xticks(range(len(bars)), [_folded(name) for name in bars])
    axes.bar_label(drawn, padding=2, color=INK)
    if all(isinstance(value, int) for value in bars.values()):
        axes.yaxis.set_major_locator(MaxNLocator(integer=True))
    axes.margins(y=0.15)
    return figure


def interval_chart(
    series: Mapping[str, Mapping[str, Interval]], *, title: str, x: str, y: str
) -> Figure:
    """Bars in groups, each with its interval: a bar for each of `series` in each of its groups.

    A bar is as high as the estimate, a line over it is the interval, and the axis goes from 0 to 1.
    A group that a series does not have is left out there.

    Raises:
        ValueError: there is nothing to draw.
    """
    figure, axes = _new_chart(series, title, x, y)
    groups = list(dict.fromkeys(group for bars in series.values() for group in bars))
    width = 0.8 / len(series)
    for index, (label, bars) in enumerate(series.items()):
        middle = [groups.index(group) + (index - (len(series) - 1) / 2) * width for group in bars]
        shown = list(bars.values())
        below = [max(0, bar.estimate - bar.low) for bar in shown]
        above = [max(0, bar.high - bar.estimate) for bar in shown]
        axes.bar(
            middle,
            [bar.estimate for bar in shown],
            width=width * 0.9,
            yerr=[below, above],
            capsize=4,
            ecolor=INK,
            label=_literal(label),
            color=COLOURS[index % len(COLOURS)],
            hatch=HATCHES[index % len(HATCHES)],
            edgecolor="white",
        )
    axes.set_xticks(range(len(groups)), [_folded(name) for name in groups])
    axes.set_ylim(0, 1)
    if len(series) > 1:
        figure.legend(loc="outside right upper", frameon=False, labelcolor=INK)
    return figure


def _folded(name: str) -> str:
    """A group's name, broken between words if it is long."""
    return fill(_literal(name), MAX_IN_A_LINE, break_long_words=False)


def _literal(text: str) -> str:
    """The text, escaped for a chart: Matplotlib would read text between two `$` as a formula."""
    return printable(str(text)).replace("$", r"\$")


def _new_chart(data: Mapping[str, object], title: str, x: str, y: str) -> tuple[Figure, Axes]:
    if not data:
        raise ValueError(f"There is nothing to draw for {title!r}; give it one series or more.")
    from matplotlib import pyplot

    inked = ("axes.edgecolor", "axes.labelcolor", "text.color", "xtick.color", "ytick.color")
    papers = ("figure.facecolor", "axes.facecolor", "savefig.facecolor")
    looks: Any = dict.fromkeys(inked, INK) | dict.fromkeys(papers, PAPER)
    with pyplot.rc_context(looks):
        figure, axes = pyplot.subplots(figsize=(6, 3), layout="constrained")
    pyplot.close(figure)  # or a notebook would show it twice
    axes.set(xlabel=_literal(x), ylabel=fill(_literal(y), 32, break_long_words=False))
    axes.set_title(fill(_literal(title), 60, break_long_words=False), color=INK)
    axes.spines[["top", "right"]].set_visible(False)
    return figure, axes
