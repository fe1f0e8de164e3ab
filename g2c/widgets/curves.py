"""The round at which a review would stop, and how that moves with its weights and thresholds.

A stopping rule can be tried on stored scores. They show what it would have cost or saved, without
another call of a model.
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from g2c.critic.aggregate import aggregate
from g2c.critic.core.types import FLOOR, ROUND_PRICE, S_MIN
from g2c.critic.is_plateau import is_plateau
from g2c.widgets.charts import COLOURS, INK, PAPER
from g2c.widgets.live import Control, LiveView
from g2c.widgets.view import Html, View, html_table, page, tag, text_table

if TYPE_CHECKING:
    from g2c.critic.core.types import Aggregate, Review, ReviewStop, Rubric

BOUNDS = {"s_min": (0, 100, 1), "floor": (0, 100, 1), "price": (0.5, 20, 0.5)}
"""The lowest and the highest value of each threshold, and the step."""
BEHIND = 10
"""The longest name that fits behind the last point of a curve."""

RENORMALISED = "Each weight is divided by the sum of all, so that they come to 1."
HEAD = ["run", "stops in round", "because", "S", "lowest mean", "approvals"]


def convergence_curves(
    runs: Mapping[str, Sequence[Sequence[Review]]],
    rubric: Rubric,
    *,
    s_min: float = S_MIN,
    floor: float = FLOOR,
    price: float = ROUND_PRICE,
) -> LiveView:
    """The score curve of each run, and where it stops, with controls for the rule.

    `runs` has the reviews of each round. Curves and table show what `aggregate` and `is_plateau`
    say. With a kernel, controls call them anew, for other weights, too.

    Raises:
        ValueError: there are no runs, or one has no rounds.
    """
    if not runs or not all(runs.values()):
        raise ValueError("There is nothing to draw; give it one run or more, of a round or more.")
    rule = {"s_min": s_min, "floor": floor, "price": price}
    scores, picture, rows = _picture(runs, rubric, rule)

    def at(*values: float) -> View:
        set_to = dict(
            zip([*(dimension.name for dimension in rubric.dimensions), *rule], values, strict=True)
        )
        weights = _renormalised(rubric, set_to)
        now = {name: set_to[name] for name in rule}
        scores, picture, rows = _picture(runs, weights, now)
        shares = ", ".join(
            f"{dimension.name} {dimension.weight:.2f}" for dimension in weights.dimensions
        )
        note = tag("div", f"{RENORMALISED} Now: {shares}.", class_="g2c-muted")
        return View(page(*picture, note), _text(scores, now, rows))

    return LiveView(page(*picture), _text(scores, rule, rows), _live_controls(rubric, rule), at)


def _renormalised(rubric: Rubric, values: Mapping[str, float]) -> Rubric:
    """The same dimensions, each with its share of the sum of `values`."""
    whole = sum(values[dimension.name] for dimension in rubric.dimensions)
    shares = (
        replace(dimension, weight=values[dimension.name] / whole) for dimension in rubric.dimensions
    )
    return replace(rubric, dimensions=tuple(shares))


def _picture(
    runs: Mapping[str, Sequence[Sequence[Review]]], rubric: Rubric, rule: Mapping[str, float]
) -> tuple[dict[str, list[Aggregate]], list[Html], list[list[str]]]:
    """The aggregates of each run's rounds, the HTML of curves and table, and the table's rows."""
    s_min, price = rule["s_min"], rule["price"]
    scores = {
        label: [aggregate(reviews, rubric, s_min=s_min, floor=rule["floor"]) for reviews in rounds]
        for label, rounds in runs.items()
    }
    rows = [_row(label, scored, *stop_of(scored, price)) for label, scored in scores.items()]
    html = [
        tag("div", _chart(scores, price, s_min)),
        tag(
            "div",
            "S by round. A ring: the run stops here. Dotted: how it would have gone on.",
            class_="g2c-muted",
        ),
        html_table(HEAD, rows),
    ]
    return scores, html, rows


def _text(
    scores: Mapping[str, Sequence[Aggregate]], rule: Mapping[str, float], rows: list[list[str]]
) -> str:
    settings = ", ".join(f"{name} {value:g}" for name, value in rule.items())
    curves = [
        f"{label}: {', '.join(f'{round_score.total:.1f}' for round_score in scored)}"
        for label, scored in scores.items()
    ]
    return "\n".join([*curves, f"\nWith {settings}:\n", text_table(HEAD, rows)])


def stop_of(scored: Sequence[Aggregate], price: float) -> tuple[int, ReviewStop]:
    """The round, counted from 1, in which a review with these scores stops, and why."""
    for number, round_score in enumerate(scored, 1):
        if round_score.passes:
            return number, "converged"
        if is_plateau([past.total for past in scored[:number]], price):
            return number, "plateau"
    return len(scored), "max_rounds"


def _row(label: str, scored: Sequence[Aggregate], number: int, reason: str) -> list[str]:
    one = scored[number - 1]
    name = min(one.means, key=one.means.__getitem__)
    lowest = f"{name} {one.means[name]:.1f}"
    approvals = f"{one.approvals} of {one.reviewers}"
    return [label, str(number), reason, f"{one.total:.1f}", lowest, approvals]


def _chart(scores: Mapping[str, Sequence[Aggregate]], price: float, s_min: float) -> Html:
    """The curves, as a drawing that needs no style sheet."""
    totals = {
        label: [round_score.total for round_score in scored] for label, scored in scores.items()
    }
    most = max(map(len, totals.values()))
    low = 25 * (min(s_min, *(min(line) for line in totals.values())) // 25)
    scale = 270 / max(25, 100 - low)

    def x(number: int) -> float:
        return 40 + (number - 1) * 570 / max(1, most - 1)

    def y(score: float) -> float:
        return 290 - scale * (score - low)

    def text(words: str, left: float, top: float, anchor: str) -> Html:
        place = {"x": f"{left:g}", "y": f"{top:g}", "text-anchor": anchor}
        font = {"font-size": "12", "font-family": "sans-serif"}
        return tag("text", words, fill=INK, **font, **place)

    def line(points: Sequence[tuple[float, float]], colour: str, **more: str) -> Html:
        told = " ".join(f"{left:g},{top:g}" for left, top in points)
        return tag("polyline", points=told, fill="none", stroke=colour, **more)

    parts = [tag("rect", width="700", height="320", fill=PAPER)]
    for score in range(int(low), 101, 25):
        parts += [
            line([(x(1), y(score)), (x(most), y(score))], "#8886"),
            text(f"{score}", 32, y(score) + 4, "end"),
        ]
    parts += [text(f"{number}", x(number), 310, "middle") for number in range(1, most + 1)]
    parts.append(line([(x(1), y(s_min)), (x(most), y(s_min))], "#888", **{"stroke-dasharray": "6"}))
    parts.append(text(f"s_min {s_min:g}", 44, y(s_min) - 5, "start"))
    for index, (label, run) in enumerate(totals.items()):
        colour = COLOURS[index % len(COLOURS)]
        stop, _ = stop_of(scores[label], price)
        points = [(x(number), y(total)) for number, total in enumerate(run, 1)]
        parts += [
            line(points[stop - 1 :], colour, **{"stroke-width": "2", "stroke-dasharray": "3"}),
            line(points[:stop], colour, **{"stroke-width": "2"}),
            *(text("●■▲◆▼"[index % 5], left, top + 4, "middle") for left, top in points),
            text(label, *_place_of(label, points[-1])),
        ]
        left, top = points[stop - 1]
        ring = {"cx": f"{left:g}", "cy": f"{top:g}", "r": "11", "fill": "none"}
        parts.append(tag("circle", stroke=INK, **ring))
    size = {"viewBox": "0 0 700 320", "width": "700", "height": "320"}
    svg = tag("svg", *parts, xmlns="http://www.w3.org/2000/svg", **size)
    # As an image, since a page that does not trust a notebook removes inline SVG.
    source = f"data:image/svg+xml;base64,{b64encode(svg.encode()).decode()}"
    told = "S by round; the table below has where each run stops"
    return Html(f'<img src="{source}" alt="{told}" style="width: 100%; max-width: 44em">')


def _place_of(label: str, last: tuple[float, float]) -> tuple[float, float, str]:
    """The place of a run's name: behind its last point, or above it if it would be cut off."""
    left, top = last
    return (left + 12, top + 4, "start") if len(label) <= BEHIND else (left + 12, top - 14, "end")


def _live_controls(rubric: Rubric, rule: Mapping[str, float]) -> tuple[Control, ...]:
    def control(label: str, low: float, high: float, step: float, start: float) -> Control:
        values = sorted({start, *_steps(low, high, step)})
        return Control(label, [(f"{value:g}", value) for value in values], start)

    weights = [control(f"weight of {d.name}", 0.05, 1, 0.05, d.weight) for d in rubric.dimensions]
    bars = [control(name, *BOUNDS[name], value) for name, value in rule.items()]
    return (*weights, *bars)


def _steps(low: float, high: float, step: float) -> list[float]:
    return [round(low + number * step, 6) for number in range(round((high - low) / step) + 1)]
