"""The notebook of module 20: what its stored outputs claim, and its map of the gates."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from g2c.memory import GateDecision
from g2c.widgets.gate import HOURS, SESSIONS, gate_map

pytestmark = pytest.mark.slow

NOTEBOOK = Path(__file__).resolve().parents[3] / "notebooks/20-memory.ipynb"


def texts_of(cell_id: str) -> list[str]:
    """What the outputs of a cell say, as text, one after the other."""
    cells = {cell["id"]: cell for cell in json.loads(NOTEBOOK.read_text("utf-8"))["cells"]}
    outputs = cells[cell_id]["outputs"]
    return [
        "".join(output.get("text") or output["data"].get("text/plain", "")) for output in outputs
    ]


class TestWhatIsStored:
    """Renewing the notebook must not turn its lesson into its opposite unnoticed."""

    def test_the_model_answers_from_the_folder_and_not_without_it(self):
        answers = [text for text in texts_of("asked") if "Final answer" in text]
        same, empty, without = (text.partition("Final answer")[2] for text in answers)
        assert "Bergen" in same, "the second session does not know what the first was told"
        assert "Bergen" not in empty, "nobody told it, so the first answer proves nothing"
        assert "Bergen" not in without, "it has no memory, so the first answer proves nothing"

    def test_a_full_index_does_not_fit_into_the_model_in_the_box(self):
        assert "30,200 characters" in texts_of("full")[0]
        assert "the model's context holds 8192" in texts_of("full")[0]

    def test_refused_plans_change_nothing(self):
        lines = "".join(texts_of("bad-plans")).splitlines()
        changed = [line[31:71].strip() for line in lines]
        assert changed[:5] == ["the same"] * 5 and "door" in changed[5] and "ada" not in changed[6]
        refused = ["The code is 9999.", "Ada was to go", "Ada lost Ben's key."]
        assert [
            text for text, line in zip(refused, lines[5:], strict=True) if text in line
        ] == refused

    def test_grep_and_recall_each_find_what_the_other_does_not(self):
        lines = "".join(texts_of("search")).splitlines()
        found_by = [line[37:50].strip() for line in lines if not line.startswith(" ")]
        assert {"both", "grep alone", "recall alone", "neither"} == set(found_by)
        assert sum(line.startswith("    *") for line in lines) == 5

    def test_nothing_acknowledged_is_lost(self):
        assert "lost: set()" in "".join(texts_of("kill"))


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
