"""The three gates of a dream, tried at every position of three controls.

A policy that is a pure function can be called for every state. Its answers make a map.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from g2c.widgets.live import Control, LiveView
from g2c.widgets.view import Html, View, decision_grid, page, read_asset, tag, text_table

if TYPE_CHECKING:
    from g2c.memory import DreamState, GateDecision

HOURS = (-6, 0, 6, 12, 18, 24, 30, 48, None)
"""Hours since the last dream. A negative number means a dream in the future, None no dream yet."""

SESSIONS = tuple(range(9))
CORNER = "sessions \\ hours"

_NOON = datetime(2026, 4, 21, 12, tzinfo=UTC)


def gate_map(should_dream: Callable[[DreamState, datetime, bool], GateDecision]) -> LiveView:
    """The decisions of `should_dream` for hours since the last dream, sessions and lock.

    It is called once for each of their combinations, and shown as two tables. With a kernel,
    controls call it anew.
    """
    maps = {held: _decide(should_dream, held) for held in (False, True)}
    html = page(
        tag("style", Html(read_asset("gate.css"))),
        tag("div", "A cell names the gates that are closed.", class_="g2c-muted"),
        *(_table(held, decisions) for held, decisions in maps.items()),
    )
    texts = [_text(held, decisions) for held, decisions in maps.items()]
    text = "\n\n".join([*texts, "Closed: T time, S sessions, L lock."])

    def at(hours: int | None, sessions: int, held: bool) -> View:
        decisions = _decide(should_dream, held)
        decision = decisions[SESSIONS.index(sessions)][HOURS.index(hours)]
        said = _sentence(decision)
        table = _table(held, decisions, (str(sessions), _hours_label(hours)))
        style = tag("style", Html(read_asset("gate.css")))
        html = page(style, table, tag("div", said, class_="g2c-said"))
        return View(html, f"{_text(held, decisions)}\n\n{said}")

    controls = (
        Control(
            "hours since the last dream", [(_hours_label(hours), hours) for hours in HOURS], 24
        ),
        Control("sessions since then", [(str(number), number) for number in SESSIONS], 4),
        Control("the lock", [("free", False), ("held", True)], False),
    )
    return LiveView(html, text, controls, at)


def _decide(
    should_dream: Callable[[DreamState, datetime, bool], GateDecision], held: bool
) -> list[list[GateDecision]]:
    """A row for each number of sessions, in it a decision for each number of hours."""
    from g2c.memory import DreamState

    last = [None if hours is None else _NOON - timedelta(hours=hours) for hours in HOURS]
    return [
        [should_dream(DreamState(moment, sessions), _NOON, held) for moment in last]
        for sessions in SESSIONS
    ]


def _table(held: bool, rows: list[list[GateDecision]], here: tuple[str, str] | None = None) -> Html:
    cells = {
        str(sessions): [(_cell(item), "open" if item.is_open else "closed") for item in row]
        for sessions, row in zip(SESSIONS, rows, strict=True)
    }
    return decision_grid(_title(held), CORNER, [*map(_hours_label, HOURS)], cells, here)


def _cell(decision: GateDecision) -> str:
    return "dream" if decision.is_open else "\n".join(decision.closed)


def _sentence(decision: GateDecision) -> str:
    if decision.is_open:
        return "All three gates are open: dream."
    return f"No dream. Closed: {', '.join(decision.closed)}."


def _text(held: bool, rows: list[list[GateDecision]]) -> str:
    head = [CORNER, *map(_hours_label, HOURS)]
    cells = [
        [
            str(sessions),
            *("".join(gate[0].upper() for gate in item.closed) or "dream" for item in row),
        ]
        for sessions, row in zip(SESSIONS, rows, strict=True)
    ]
    return f"{_title(held)}\n{text_table(head, cells)}"


def _hours_label(hours: int | None) -> str:
    return "never" if hours is None else str(hours)


def _title(held: bool) -> str:
    return "The lock is held" if held else "The lock is free"
