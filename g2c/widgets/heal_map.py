"""The healer's decisions, shown for every position of a few controls.

The healer acts by itself, so its limits should be known before it acts. Its decision is a pure
function, so it can be called for every history, even for those that nobody wants to cause.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, NamedTuple

from g2c.widgets.live import Control, LiveView
from g2c.widgets.view import Html, View, decision_grid, page, read_asset, tag, text_table

if TYPE_CHECKING:
    from g2c.loop.core.types import Decision, HealHistory, TickOutcome

FAILURES = tuple(range(8))
CORNER = "failed \\ hours"
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


_START = Position(3, None, has_snapshot=True)
_START_FAILURES = 5
_START_HOURS = 6


def heal_map(decide: Callable[[HealHistory, datetime], Decision]) -> LiveView:
    """The answers of `decide` for failures in a row, recoveries, and a panic flare of some age.

    Two maps are shown: after as many recoveries as are allowed, and after one fewer. With a kernel,
    controls call it anew for any other position.
    """
    shown = [_START._replace(recoveries=_START.recoveries - 1), _START]
    maps = {position: _decide(decide, position) for position in shown}
    html = page(
        tag("style", Html(read_asset("gate.css") + read_asset("heal_map.css"))),
        *(_table(position, rows) for position, rows in maps.items()),
    )
    text = "\n\n".join(_text(position, rows) for position, rows in maps.items())

    def at(failures: int, recoveries: int, hours: int, flare: int | None, has: bool) -> View:
        position = Position(recoveries, flare, has)
        rows = _decide(decide, position)
        said = _sentence(rows[FAILURES.index(failures)][HOURS.index(hours)])
        style = tag("style", Html(read_asset("gate.css") + read_asset("heal_map.css")))
        table = _table(position, rows, (str(failures), str(hours)))
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
        Control(
            "last panic flare", [(_flare_label(flare), flare) for flare in FLARES], _START.flare
        ),
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
        ticks=tuple(TickRecord(n, _NOON, outcome) for n, outcome in enumerate([*good, *broken], 1)),
        snapshots=tuple(range(1, _GOOD_TICKS + 1)) if position.has_snapshot else (),
        recoveries=(_NOON - timedelta(hours=hours),) * recovered,
        panic_flares=() if flared is None else (_NOON - timedelta(minutes=flared),),
        recovered_tick=1 if recovered else 0,
    )


def _table(
    position: Position, rows: list[list[Decision]], here: tuple[str, str] | None = None
) -> Html:
    cells = {
        str(failures): [(_cell(decision), f"heal-{decision.action}") for decision in row]
        for failures, row in zip(FAILURES, rows, strict=True)
    }
    return decision_grid(position.title, CORNER, [*map(str, HOURS)], cells, here)


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
        [str(failures), *(f"{decision.action}{'*' if decision.flare else ''}" for decision in row)]
        for failures, row in zip(FAILURES, rows, strict=True)
    ]
    table = text_table([CORNER, *map(str, HOURS)], cells)
    return f"{position.title} (*: with a flare)\n{table}"


def _flare_label(minutes: int | None) -> str:
    if minutes is None:
        return "never"
    return f"{minutes} minutes ago" if minutes >= 0 else f"in {-minutes} minutes"
