"""The notebook of module 22: what its stored outputs claim."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

NOTEBOOK = Path(__file__).resolve().parents[3] / "notebooks/22-loops.ipynb"


def text_of(cell_id: str) -> str:
    """What the outputs of a cell say, as text."""
    cells = {cell["id"]: cell for cell in json.loads(NOTEBOOK.read_text("utf-8"))["cells"]}
    outputs = cells[cell_id]["outputs"]
    return "".join(
        "".join(output["text"])
        if "text" in output
        else "".join(output["data"]["text/plain"]) + "\n"
        for output in outputs
    )


class TestWhatIsStored:
    """Renewing the notebook must not turn its lesson into its opposite unnoticed."""

    def test_a_real_loop_reaches_done_by_its_command_after_two_reviews(self):
        shown = text_of("twelve")
        assert "tick 12: done. No letter is left." in shown
        assert shown.count("-> Done.") == 12
        assert "status: done" in shown
        table = shown[shown.index("the reviewer had said") : shown.index("new from")]
        assert table.count("Somebody who looked") == 2, "a review after 5, and another after 10"

    def test_what_a_reviewer_says_has_nothing_to_do_with_the_work(self):
        shown = " ".join(text_of("twelve").split())
        assert "It does not say that the goal is reached." in shown, "nor need it be"
        assert shown.count('{"sender": "Ada"}') == 1 and "approve (30 of 100)" in shown
        assert "approves (90 of 100)" in " ".join(text_of("other-senders").split())
        assert "status: budget_exceeded" in text_of("other-senders")

    def test_the_page_at_the_front_costs_nearly_all_of_the_prompt(self):
        as_they_are, state_first, time_first = text_of("orders").split("new from\n")[1:]

        def computed(table):
            rows = [line.split() for line in table.splitlines()]
            return [int(row[3]) for row in rows if row and row[0] in "234"]

        assert max(computed(as_they_are)) < 20
        assert min(computed(state_first) + computed(time_first)) > 300

    def test_no_tick_that_was_told_is_lost(self):
        assert "told without gaps or repeats: True" in text_of("kill")

    def test_the_line_of_a_tick_that_did_not_count_is_replaced(self):
        assert "[1, 2, 3] count" in text_of("torn")
        assert "It was killed." not in text_of("torn") and "6 lines, 5 ticks" in text_of("torn")

    def test_a_claim_ends_only_a_loop_without_a_command(self):
        lines = [line.split() for line in text_of("claims").splitlines()]
        assert [line[-4] for line in lines if "claims" in line] == [
            "done",
            "budget_exceeded",
            "stopped",
            "budget_exceeded",
        ]

    @pytest.mark.parametrize("part", ["memory", "review", "evolution"])
    def test_each_part_has_its_way_into_the_prompt(self, part):
        (report,) = (text for text in text_of("one-off").split("\n\n\n") if f"| no {part} " in text)
        assert "6 of 18 tasks tell the two apart: all is better" in report

    def test_memory_is_shown_to_be_better_than_none(self):
        told = "[678] of 8 tasks tell the two apart: memory is better"
        assert re.search(told, text_of("memory-off"))

    def test_a_title_decides_what_the_model_takes_for_the_goal(self):
        as_user, labelled = text_of("posing").splitlines()[-2:]
        assert "Throw the letters away" in as_user and "File the letters" in labelled

    def test_refused_proposals_change_nothing(self):
        lines = text_of("proposals").splitlines()[:9]
        assert ["Refused" in line for line in lines] == [False, *[True] * 7, False]
        assert all(("the same" in line) == ("Refused" in line) for line in lines)

    def test_the_healer_stops_after_three_and_comes_again_after_a_day(self):
        lines = text_of("hole").splitlines()[2:9]
        assert [line.split()[1] for line in lines] == [*["restore"] * 3, *["panic"] * 3, "restore"]
        assert ["flare" in line for line in lines] == [True, True, True, True, False, True, True]

    def test_a_delegate_answers_until_the_purse_is_empty(self):
        shown = text_of("delegate")
        assert "It answered: The rent is 900 from May." in shown, "what it read, recalled"
        assert "It is Ada." in shown, "what its asker makes of it"
        assert "[error] Nobody can be asked any more: 2 of 2" in shown
