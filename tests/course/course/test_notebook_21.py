"""The notebook of module 21: what its stored outputs claim."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

NOTEBOOK = Path(__file__).resolve().parents[3] / "notebooks/21-critic.ipynb"


def text_of(cell_id: str) -> str:
    """What the outputs of a cell say, as text, one after the other."""
    cells = {cell["id"]: cell for cell in json.loads(NOTEBOOK.read_text("utf-8"))["cells"]}
    outputs = cells[cell_id]["outputs"]
    return "\n".join(
        "".join(output.get("text") or output["data"].get("text/plain", "")) for output in outputs
    )


class TestWhatIsStored:
    """Renewing the notebook must not turn its lesson into its opposite unnoticed."""

    def test_an_opinion_approves_what_a_critic_that_looks_sends_back(self):
        opinion, looked = text_of("loop").split("Stopped: approved", 1)
        assert "APPROVE, 9/10" in opinion and "It does not say tea." not in opinion
        assert looked.count("- It does not say tea.") == 3, "the refiner repeats the draft"
        assert "Stopped: max_rounds" in looked

    def test_of_the_nine_texts_three_approve(self):
        verdicts = re.findall(r"^(APPROVE|REVISE)", text_of("variants"), re.M)
        assert verdicts == ["APPROVE"] * 3 + ["REVISE"] * 6

    def test_the_model_in_the_box_does_not_tell_good_from_broken(self):
        rows = re.findall(r"\| (\w+) +\|.*\| (\d) of 2 +\| \d of 4", text_of("approvals"))
        opinions, looking = rows[:3], rows[3:]
        assert [name for name, _ in opinions] == ["strict", "gentle", "criteria"]
        report = text_of("approvals")
        gains = re.findall(r"^- From .* to good drafts (\w+) .*\((\S+) to", report, re.M)
        better = {name for name, low in gains if float(low) > 0}
        assert not better & {name for name, _ in opinions}, "it judges: the lesson says otherwise"
        shares = re.findall(r"^\| (\w+) +\| (\d) of 2: .*?\| (\d) of 2:", report, re.M)
        assert all(broken == good for _, broken, good in shares[:3]), shares
        assert [name for name, _ in looking] == ["examples", "checking"]

    def test_a_draft_gets_better_over_its_rounds_to_an_approval_that_is_true(self):
        bill, other = text_of("looking").split("Stopped: approved", 1)
        assert "REVISE, 0/10" in bill and "{+351 +}" in bill, "13 * 27"
        assert "REVISE, 3.3/10" in other and "REVISE, 6.7/10" in other and "{+88 +}" in other
        assert "APPROVE, 10/10" in other and "3 * 6 = 18" in other, "a sum that nobody asked for"

    def test_of_two_contexts_neither_is_the_strict_one(self):
        said = re.findall(r"^ +(same|fresh) +(APPROVE|REVISE)", text_of("contexts"), re.M)
        assert said[:2] == [("same", "APPROVE"), ("fresh", "REVISE")]
        assert said[2:] == [("same", "REVISE"), ("fresh", "APPROVE")]

    def test_the_three_curves_stop_for_two_reasons(self):
        rows = [line.split()[:3] for line in text_of("curves").splitlines()]
        for row in (["memo", "4", "converged"], ["paper", "7", "plateau"]):
            assert row in rows
        assert ["deck", "7", "converged"] in rows

    def test_only_the_disputed_dimensions_reach_the_reviser(self):
        prompt = text_of("dispute").partition("Revise for these points")[2].partition("Notes:")[0]
        assert "substance: a supplier gave 30, the owner gave 85" in prompt
        assert "clarity: a passer-by gave 40" in prompt and "tone" not in prompt

    def test_a_verdict_wavers_with_the_seed_and_with_nothing_else(self):
        told = re.findall(r"temperature ([\d.]+): approved (\d) of (\d)", text_of("flips"))
        (_, one_seed, n), (_, cold, runs), *warm = told
        assert one_seed in ("0", n), "the same seed drew two verdicts"
        assert cold in ("0", runs), "temperature 0 drew two verdicts"
        assert any(approved not in ("0", runs) for _, approved, _ in warm), "nothing wavered"

    def test_the_second_attempt_has_read_what_was_said_of_the_first(self):
        first, second = text_of("attempts").split("The second was told:")
        issue = re.search(r"Avoid what was wrong with drafts before:\n- (.+)", second)[1]
        assert issue not in first and f"REVISE, 2.5/10\n- {issue}" in second, "its critic said so"
        assert "APPROVE, 10/10" in second.partition("Stopped: max_rounds")[2], "and it was used"

    def test_a_verdict_does_not_follow_from_what_was_found(self):
        cats, brackets = text_of("written").partition("Write is_balanced")[::2]
        assert "The draft has dog, lawn." in cats and "REVISE" not in cats
        assert "must give False. It gives False." in brackets and "REVISE 3.0" in brackets
        assert "must give 'sun'. It gives 'sunny'." in brackets and "APPROVE 9.0" in brackets

    def test_an_opinion_changes_nothing_and_looking_does(self):
        opinion, looking = re.findall(r"^From no critic to .*", text_of("compared"), re.M)
        assert "0 of 24 tasks tell the two apart" in opinion
        assert looking.endswith(
            "one that looks is better on tasks such as these. In brackets: 95 % intervals."
        )
