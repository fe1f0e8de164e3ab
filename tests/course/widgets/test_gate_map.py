"""Notebook 20's map of the gates."""

import pytest

from g2c.memory import GateDecision
from g2c.widgets.gate import HOURS, SESSIONS, gate_map


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

    def test_both_tables_are_there(self):
        assert gate_map(nights_only)._repr_html_().count("<table") == 2

    def test_it_is_the_same_each_time(self):
        assert gate_map(nights_only) == gate_map(nights_only)

    @pytest.mark.parametrize(
        ("position", "says"),
        [
            ((None, 3, False), "All three gates are open: dream."),
            ((None, 3, True), "No dream. Closed: lock."),
            ((-6, 3, True), "No dream. Closed: time, lock."),
        ],
    )
    def test_a_position_is_marked_and_its_answer_is_a_sentence(self, position, says):
        view = gate_map(nights_only).at(*position)
        assert says in repr(view) and says in view.html
        assert view.html.count('g2c-here"') == 1
