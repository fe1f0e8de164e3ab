"""The three gates of a dream, tried at every position of three controls.

A policy that is a pure function can be called for every state. Its answers make a map.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from g2c.widgets.live import Control, LiveView
from g2c.widgets.view import Html, View, page, read_asset, tag, text_table

if TYPE_CHECKING:
    from g2c.memory import DreamState, GateDecision

HOURS = (-6, 0, 6, 12, 18, 24, 30, 48, None)
"""Hours since the last dream. A negative number means a dream in the future, None no dream yet."""

SESSIONS = tuple(range(9))

_NOON = datetime(2026, 4, 21, 12, tzinfo=UTC)


def gate_map(should_dream: Callable[[DreamState, datetime, bool], GateDecision]) -> LiveView:
    """What `should_dream` decides for hours since the last dream, sessions and lock.

    It is called once for each of their combinations. With a kernel, controls call it anew. Without
    one, the sliders are a script in the page, which shows the stored decisions. If scripts do not
    run, the map is shown as two tables.
    """
    maps = {held: _decide(should_dream, held) for held in (False, True)}
    html = page(
        tag("style", Html(read_asset("gate.css"))),
        tag("div", "A cell names the gates that are closed.", class_="g2c-muted"),
        _controls(),
        *(_table(held, decisions) for held, decisions in maps.items()),
        tag("div", class_="g2c-said"),
        tag("script", Html(read_asset("gate.js"))),
    )
    texts = [_text(held, decisions) for held, decisions in maps.items()]
    text = "\n\n".join([*texts, "Closed: T time, S sessions, L lock."])

    def at(hours: int | None, sessions: int, held: bool) -> View:
        decisions = _decide(should_dream, held)
        decision = decisions[SESSIONS.index(sessions)][HOURS.index(hours)]
        said = _sentence(decision)
        table = _table(held, decisions, (sessions, hours))
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


def _controls() -> Html:
    # The script shows the controls; JupyterLab would otherwise keep the arrow keys to itself.
    def slider(name: str, positions: int) -> str:
        return (
            f'<label>{name} <input type="range" min="0" max="{positions - 1}" value="0" '
            'data-lm-suppress-shortcuts="true"> <output></output></label>'
        )

    return Html(
        '<div class="g2c-controls" hidden="hidden" style="display: none">'
        + slider("hours since the last dream", len(HOURS))
        + slider("sessions since then", len(SESSIONS))
        + '<label><input type="checkbox"> somebody holds the lock</label></div>'
    )


def _table(
    held: bool, rows: list[list[GateDecision]], here: tuple[int, int | None] | None = None
) -> Html:
    head = tag("tr", _head("sessions \\ hours"), *(_head(_hours_label(h)) for h in HOURS))
    body = [
        tag(
            "tr",
            _head(str(sessions)),
            *(
                _cell_html(decision, (sessions, hours) == here)
                for hours, decision in zip(HOURS, row, strict=True)
            ),
        )
        for sessions, row in zip(SESSIONS, rows, strict=True)
    ]
    return tag(
        "table", tag("caption", _title(held), class_="g2c-caption"), head, *body, class_="g2c-gates"
    )


def _head(text: str) -> Html:
    return tag("th", text, class_="g2c-gate")


def _cell_html(decision: GateDecision, here: bool) -> Html:
    kind = "open" if decision.is_open else "closed"
    return tag("td", _cell(decision), class_=f"g2c-gate g2c-{kind}{' g2c-here' * here}")


def _cell(decision: GateDecision) -> str:
    return "dream" if decision.is_open else "\n".join(decision.closed)


def _sentence(decision: GateDecision) -> str:
    if decision.is_open:
        return "All three gates are open: dream."
    return f"No dream. Closed: {', '.join(decision.closed)}."


def _text(held: bool, rows: list[list[GateDecision]]) -> str:
    head = ["sessions \\ hours", *map(_hours_label, HOURS)]
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
