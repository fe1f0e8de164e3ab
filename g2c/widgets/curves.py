"""Where a review would stop, and how that moves with its weights and thresholds.

A stopping rule is a few comparisons, so it can be tried on scores that were kept. What the rule
would have cost or saved is known without another call of a model.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from g2c.critic.aggregation import aggregate
from g2c.critic.plateau import is_plateau
from g2c.critic.provided.types import EPSILON, FLOOR, S_MIN, WINDOW
from g2c.widgets.charts import COLOURS
from g2c.widgets.view import Html, View, html_table, page, read_asset, tag, text_table

if TYPE_CHECKING:
    from g2c.critic.provided.types import Aggregate, Review, ReviewStop, Rubric

HEAD = ["run", "stops in round", "because", "S", "lowest mean", "approvals"]


def convergence_curves(
    runs: Mapping[str, Sequence[Sequence[Review]]],
    rubric: Rubric,
    *,
    s_min: float = S_MIN,
    floor: float = FLOOR,
    window: int = WINDOW,
    epsilon: float = EPSILON,
) -> View:
    """The score curve of each run, and where it stops, with sliders for the rule.

    `runs` has the reviews of each round. Where the sliders stand at first, the table is what
    `aggregate` and `is_plateau` decided here, and the curves are drawn here. A script cannot call
    them, so once a slider moves it is `curves.js` that computes S anew from the means and compares,
    and it says so if it decides otherwise than they did. Where scripts do not run, table and curves
    stay as they are.

    Raises:
        ValueError: there are no runs, or one has no rounds.
    """
    if not runs or not all(runs.values()):
        raise ValueError("There is nothing to draw; give it one run or more, of a round or more.")
    rule = {"s_min": s_min, "floor": floor, "window": window, "epsilon": epsilon}
    scores = {
        label: [aggregate(reviews, rubric, s_min=s_min, floor=floor) for reviews in rounds]
        for label, rounds in runs.items()
    }
    rows = [
        _row(label, scored, *stop_of(scored, window, epsilon)) for label, scored in scores.items()
    ]
    data = {
        "runs": [[_as_json(one) for one in scored] for scored in scores.values()],
        "labels": list(runs),
        "colours": COLOURS,
    }
    html = page(
        tag("style", Html(read_asset("curves.css"))),
        _controls(rubric, rule),
        tag("div", _chart(scores, window, epsilon, s_min), class_="g2c-curves"),
        tag(
            "div",
            "S by round. A ring: the run stops here. Dotted: how it would have gone on. A box: the "
            "rounds of a plateau, epsilon high.",
            class_="g2c-muted",
        ),
        html_table(HEAD, rows),
        tag("div", class_="g2c-said"),
        tag("div", hidden="hidden", **{"data-curves": json.dumps(data)}),
        tag("script", Html(read_asset("curves.js"))),
    )
    settings = ", ".join(f"{name} {value:g}" for name, value in rule.items())
    curves = [
        f"{label}: {', '.join(f'{one.total:.1f}' for one in scored)}"
        for label, scored in scores.items()
    ]
    return View(html, "\n".join([*curves, f"\nWith {settings}:\n", text_table(HEAD, rows)]))


def stop_of(scored: Sequence[Aggregate], window: int, epsilon: float) -> tuple[int, ReviewStop]:
    """The round, counted from 1, in which a review with these scores stops, and why."""
    for number, one in enumerate(scored, 1):
        if one.passes:
            return number, "converged"
        if is_plateau([past.total for past in scored[:number]], window, epsilon):
            return number, "plateau"
    return len(scored), "max_rounds"


def _row(label: str, scored: Sequence[Aggregate], number: int, reason: str) -> list[str]:
    one = scored[number - 1]
    name = min(one.means, key=one.means.__getitem__)
    lowest = f"{name} {one.means[name]:.1f}"
    approvals = f"{one.approvals} of {one.reviewers}"
    return [label, str(number), reason, f"{one.total:.1f}", lowest, approvals]


def _chart(
    scores: Mapping[str, Sequence[Aggregate]], window: int, epsilon: float, s_min: float
) -> Html:
    """The curves as they are at first, for a page on which no script runs. It needs no style sheet
    either, and `curves.js` draws the same in its place."""
    totals = {label: [one.total for one in scored] for label, scored in scores.items()}
    most = max(map(len, totals.values()))
    low = 25 * (min(s_min, *(min(line) for line in totals.values())) // 25)
    scale = 270 / max(25, 100 - low)

    def x(number: int) -> float:
        return 40 + (number - 1) * 570 / max(1, most - 1)

    def y(score: float) -> float:
        return 290 - scale * (score - low)

    def text(words: str, left: float, top: float, anchor: str) -> Html:
        place = {"x": f"{left:g}", "y": f"{top:g}", "text-anchor": anchor}
        return tag("text", words, fill="currentColor", **{"font-size": "12"}, **place)

    def line(points: Sequence[tuple[float, float]], colour: str, **more: str) -> Html:
        told = " ".join(f"{left:g},{top:g}" for left, top in points)
        return tag("polyline", points=told, fill="none", stroke=colour, **more)

    parts = []
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
        stop, reason = stop_of(scores[label], window, epsilon)
        points = [(x(number), y(total)) for number, total in enumerate(run, 1)]
        parts += [
            line(points[stop - 1 :], colour, **{"stroke-width": "2", "stroke-dasharray": "3"}),
            line(points[:stop], colour, **{"stroke-width": "2"}),
            *(text("●■▲◆▼"[index % 5], left, top + 4, "middle") for left, top in points),
            text(label, points[-1][0] + 12, points[-1][1] + 4, "start"),
        ]
        if reason == "plateau":
            begin, height = x(stop - window + 1), scale * epsilon
            top = y(min(run[stop - window : stop]) + epsilon)
            corners = [(begin, top), (x(stop), top), (x(stop), top + height), (begin, top + height)]
            parts.append(line([*corners, corners[0]], "currentColor"))
        left, top = points[stop - 1]
        ring = {"cx": f"{left:g}", "cy": f"{top:g}", "r": "11", "fill": "none"}
        parts.append(tag("circle", stroke="currentColor", **ring))
    told = {"role": "img", "aria-label": "S by round; the table below has where each run stops"}
    return tag("svg", *parts, viewBox="0 0 700 320", style="max-width: 44em", **told)


def _as_json(one: Aggregate) -> dict[str, object]:
    return {"means": dict(one.means), "approvals": one.approvals, "reviewers": one.reviewers}


def _controls(rubric: Rubric, rule: Mapping[str, float]) -> Html:
    # The script shows the controls; JupyterLab would otherwise keep the arrow keys to itself.
    def slider(label: str, kind: str, low: float, high: float, step: float, value: float) -> str:
        return tag(
            "label",
            label,
            Html(
                f'<input type="range" data-{kind} min="{low:g}" max="{high:g}" step="{step:g}" '
                f'value="{value:g}" data-lm-suppress-shortcuts="true">'
            ),
            tag("output", f"{value:g}"),
        )

    bounds = {
        "s_min": (0, 100, 1),
        "floor": (0, 100, 1),
        "window": (2, 6, 1),
        "epsilon": (0.5, 20, 0.5),
    }
    weights = [
        slider(f"weight of {one.name}", f'weight="{one.name}"', 0.01, 1, 0.01, one.weight)
        for one in rubric.dimensions
    ]
    bars = [slider(name, f'rule="{name}"', *bounds[name], value) for name, value in rule.items()]
    return tag("div", *weights, *bars, class_="g2c-curve-controls", hidden="hidden")
