"""Notebook 20's map of the gates."""

from __future__ import annotations

import pytest
from chromium import needs_chromium

from g2c.memory import GateDecision
from g2c.widgets.gate import HOURS, SESSIONS, gate_map

pytestmark = pytest.mark.slow


def nights_only(state, now, held):
    """A policy that is easily told from the course's: closed unless the store never dreamed."""
    closed = [] if state.last_dream is None else ["time"]
    return GateDecision((*closed, "lock") if held else tuple(closed))


class TestGateMap:
    def test_the_students_function_is_asked_once_for_each_position(self):
        asked = []

        def should_dream(state, now, held):
            asked.append((state, now, held))
            return GateDecision()

        gate_map(should_dream)
        assert len(set(asked)) == len(asked) == 2 * len(HOURS) * len(SESSIONS)

    def test_it_shows_what_the_function_said(self):
        free, held = repr(gate_map(nights_only)).split("The lock is held")
        assert "dream" in free and "dream" not in held
        row = next(line for line in held.splitlines() if line.strip().startswith("5"))
        assert row.split() == ["5", *["TL"] * (len(HOURS) - 1), "L"]

    def test_without_scripts_both_tables_are_there_and_no_dead_slider(self):
        html = gate_map(nights_only)._repr_html_()
        assert html.count("<table") == 2
        assert 'class="g2c-controls" hidden="hidden"' in html

    def test_it_is_the_same_each_time(self):
        assert gate_map(nights_only) == gate_map(nights_only)

    @needs_chromium
    def test_the_sliders_choose_a_cell_and_say_what_it_means(self, browser):
        page = browser.new_page()
        page.set_content(gate_map(nights_only)._repr_html_())
        hours, sessions = page.locator("input[type=range]").all()
        hours.fill(str(HOURS.index(None)))
        sessions.fill("3")
        said, table = page.locator(".g2c-said"), page.locator("table:visible")
        assert said.inner_text() == "All three gates are open: dream."
        assert table.locator("caption").inner_text() == "The lock is free"
        page.get_by_label("somebody holds the lock").check()
        assert said.inner_text() == "No dream. Closed: lock."
        assert table.locator(".g2c-here").inner_text() == "lock"
        hours.fill("0")
        assert said.inner_text() == "No dream. Closed: time, lock."
