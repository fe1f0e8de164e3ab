"""The healer's decisions, shown for every position of a few controls.

The healer acts by itself, so its limits should be known before it acts. Its decision is a pure
function, so it can be called for every history, even for those that nobody wants to cause.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta
from itertools import product
from typing import TYPE_CHECKING, NamedTuple

from g2c.widgets.live import Control, LiveView
from g2c.widgets.view import Html, View, page, read_asset, tag, text_table

if TYPE_CHECKING:
    from g2c.loop.core.types import Decision, HealHistory, TickOutcome

FAILURES = tuple(range(8))
HOURS = (-1, 0, 1, 6, 12, 18, 23, 24, 25)
"""Hours since the recoveries, which are all equally old; -1 means in the future."""

RECOVERIES = tuple(range(5))
FLARES = (None, -30, 0, 30, 60, 90)
"""Minutes since the last panic flare; None means no flare yet."""

_NOON = datetime(2026, 4, 21, 12, tzinfo=UTC)
_GOOD_TICKS = 3


class Position(NamedTuple):
    """The fixed values of a map, whose axes are the failures and the hours."""

    recoveries: int
    flare: int | None
    has_snapshot: bool

    @property
    def title(self) -> str:
        recoveries = "1 recovery" if self.recoveries == 1 else f"{self.recoveries} recoveries"
        snapshot = "a snapshot" if self.has_snapshot else "no snapshot"
        return f"{recoveries}; last panic flare: {_flare_label(self.flare)}; {snapshot}"


POSITIONS = tuple(
    Position(*combination) for combination in product(RECOVERIES, FLARES, (True, False))
)
_START = Position(3, None, has_snapshot=True)
_START_FAILURES = 5
_START_HOURS = 6


def heal_map(decide: Callable[[HealHistory, datetime], Decision]) -> LiveView:
    """The answers of `decide` for failures in a row, recoveries, and a panic flare of some age.

    It is called once for each of their combinations. With a kernel, controls call it anew. Without
    one, they are a script in the page, which shows the stored decisions. If scripts do not run,
    only the map of the first position is shown. The text has that map and its neighbour.
    """
    maps = {position: _decide(decide, position) for position in POSITIONS}
    kinds = list(dict.fromkeys(item for rows in maps.values() for row in rows for item in row))
    numbers = {kind: number for number, kind in enumerate(kinds)}
    data = {
        "kinds": [[item.action, _cell(item), _sentence(item)] for item in kinds],
        "maps": [
            [position.title, [[numbers[item] for item in row] for row in rows]]
            for position, rows in maps.items()
        ],
    }
    html = page(
        tag("style", Html(read_asset("gate.css") + read_asset("heal_map.css"))),
        _controls(),
        _table(_START, maps[_START]),
        tag("div", class_="g2c-said", **{"data-decisions": json.dumps(data)}),
        tag("script", Html(read_asset("heal_map.js"))),
    )
    shown = (_START._replace(recoveries=_START.recoveries - 1), _START)
    text = "\n\n".join(_text(position, maps[position]) for position in shown)

    def at(failures: int, recoveries: int, hours: int, flare: int | None, has: bool) -> View:
        position = Position(recoveries, flare, has)
        rows = _decide(decide, position)
        said = _sentence(rows[FAILURES.index(failures)][HOURS.index(hours)])
        style = tag("style", Html(read_asset("gate.css") + read_asset("heal_map.css")))
        table = _table(position, rows, (failures, hours))
        html = page(style, table, tag("div", said, class_="g2c-said"))
        return View(html, f"{_text(position, rows)}\n\n{said}")

    controls = (
        Control(
            "failed ticks in a row",
            [(str(failure), failure) for failure in FAILURES],
            _START_FAILURES,
        ),
        Control(
            "recoveries so far",
            [(str(recovery), recovery) for recovery in RECOVERIES],
            _START.recoveries,
        ),
        Control("hours since they took place", [(str(hour), hour) for hour in HOURS], _START_HOURS),
        Control("last panic flare", [(_flare_label(item), item) for item in FLARES], _START.flare),
        Control("a snapshot", [("there is one", True), ("there is none", False)], True),
    )
    return LiveView(html, text, controls, at)


def _decide(
    decide: Callable[[HealHistory, datetime], Decision], position: Position
) -> list[list[Decision]]:
    """A row for each number of failures, in it a decision for each number of hours."""
    return [
        [decide(_history(failures, hours, position), _NOON) for hours in HOURS]
        for failures in FAILURES
    ]


def _history(failures: int, hours: int, position: Position) -> HealHistory:
    """A few good ticks, a recovery of the loop after the first, and the failures."""
    from g2c.loop.core.types import HealHistory, TickRecord

    good: list[TickOutcome] = ["continue"] * _GOOD_TICKS
    broken: list[TickOutcome] = ["failed"] * failures
    recovered, flared = position.recoveries, position.flare
    return HealHistory(
        ticks=tuple(TickRecord(n, _NOON, one) for n, one in enumerate([*good, *broken], 1)),
        snapshots=tuple(range(1, _GOOD_TICKS + 1)) if position.has_snapshot else (),
        recoveries=(_NOON - timedelta(hours=hours),) * recovered,
        panic_flares=() if flared is None else (_NOON - timedelta(minutes=flared),),
        recovered_tick=1 if recovered else 0,
    )


def _controls() -> Html:
    # The script shows the controls; JupyterLab would otherwise keep the arrow keys to itself.
    def slider(name: str, labels: Sequence[str], start: int) -> str:
        return (
            f'<label>{name} <input type="range" min="0" max="{len(labels) - 1}" value="{start}" '
            f"data-lm-suppress-shortcuts=\"true\" data-labels='{json.dumps(labels)}'> "
            "<output></output></label>"
        )

    return Html(
        '<div class="g2c-controls" hidden="hidden" style="display: none">'
        + slider("failed ticks in a row", [*map(str, FAILURES)], _START_FAILURES)
        + slider("recoveries so far", [*map(str, RECOVERIES)], _START.recoveries)
        + slider("hours since they took place", [*map(str, HOURS)], HOURS.index(_START_HOURS))
        + slider("last panic flare", [*map(_flare_label, FLARES)], FLARES.index(_START.flare))
        + '<label><input type="checkbox" checked="checked"> there is a snapshot</label></div>'
    )


def _table(
    position: Position, rows: list[list[Decision]], here: tuple[int, int] | None = None
) -> Html:
    head = tag("tr", _head("failed \\ hours"), *(_head(str(hours)) for hours in HOURS))
    body = [
        tag(
            "tr",
            _head(str(failures)),
            *(
                _cell_html(decision, (failures, hours) == here)
                for hours, decision in zip(HOURS, row, strict=True)
            ),
        )
        for failures, row in zip(FAILURES, rows, strict=True)
    ]
    return tag(
        "table",
        tag("caption", position.title, class_="g2c-caption"),
        head,
        *body,
        class_="g2c-gates",
    )


def _head(text: str) -> Html:
    return tag("th", text, class_="g2c-gate")


def _cell_html(decision: Decision, here: bool) -> Html:
    kind = f"g2c-gate g2c-heal-{decision.action}{' g2c-here' * here}"
    return tag("td", _cell(decision), class_=kind)


def _cell(decision: Decision) -> str:
    return f"{decision.action}\nand flare" if decision.flare else decision.action


def _sentence(decision: Decision) -> str:
    what = "nothing to do" if decision.action == "none" else str(decision.action)
    if decision.snapshot is not None:
        what += f" tick {decision.snapshot}"
    if decision.flare:
        what += ", and a flare to a person"
    return f"{what.capitalize()}. {decision.reason}"


def _text(position: Position, rows: list[list[Decision]]) -> str:
    cells = [
        [str(failures), *(f"{item.action}{'*' if item.flare else ''}" for item in row)]
        for failures, row in zip(FAILURES, rows, strict=True)
    ]
    table = text_table(["failed \\ hours", *map(str, HOURS)], cells)
    return f"{position.title} (*: with a flare)\n{table}"


def _flare_label(minutes: int | None) -> str:
    if minutes is None:
        return "never"
    return f"{minutes} minutes ago" if minutes >= 0 else f"in {-minutes} minutes"
