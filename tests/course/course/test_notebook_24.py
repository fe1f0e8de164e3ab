"""The notebook of module 24: what its stored outputs claim."""

from __future__ import annotations

import re
from functools import partial

from lessons import numbers, stored_text

text_of = partial(stored_text, "24-swarm")


class TestWhatIsStored:
    """Renewing the notebook must not turn its lesson into its opposite unnoticed."""

    def test_the_cut_gains_and_what_is_wrong_does_not_pass(self) -> None:
        text = text_of("gain = paired_bootstrap")
        whole, cut = numbers(r"(\d+) of 12 right", text)
        wrong = numbers(r"(\d+) wrong claims", text)
        assert cut > whole
        assert wrong[1] > 12 - cut, "most readers of a small pack have not got the answer"
        tokens = numbers(r"([\d,]+) tokens", text)
        assert tokens[1] < 1.5 * tokens[0], "about the same tokens"

    def test_a_vote_of_one_reader_is_not_help(self) -> None:
        cut = numbers(r"(\d+) of 12 right", text_of("gain = paired_bootstrap"))[1]
        text = text_of("for seed in range(5)")
        (votes,) = numbers(r"majority: (\d+)", text)
        (looked_up,) = numbers(r"a note has: (\d+)", text)
        assert votes < looked_up <= cut

    def test_voices_and_sources_disagree_until_the_note_is_copied(self) -> None:
        voices, first, second = text_of("READ_BY =").splitlines()
        assert "'6666': 4" in voices
        assert "7061 ('house.txt', 'keys.txt')" in first
        assert "6666 ('inbox.txt',)" in second
        _, first, _ = text_of("copies = {").splitlines()
        assert "6666" in first, "three copies are three sources"

    def test_a_sentence_alone_has_lost_what_it_points_at(self) -> None:
        sentence, brief, everything = numbers(r"(\d) of 6 right", text_of("def handed_on"))
        assert sentence == 0
        assert brief >= everything
        tokens = numbers(r"([\d,]+) tokens", text_of("def handed_on"))
        assert tokens[2] > 2 * tokens[1]
        assert text_of("for task, room_for").count("ValueError") == 2

    def test_the_number_refuses_whoever_wakes_late_and_a_look_at_the_clock_does_not(self) -> None:
        text = text_of("ann = leases.ask")
        assert "bob may write: True\nann may write: False\nkept: bob" in text
        assert text_of("may_write = clock < until").strip() == "by ann"

    def test_nothing_is_lost_under_the_lock_and_half_without(self) -> None:
        text = text_of("def remember(agent)")
        assert "40 paragraphs, {'ann.': 20, 'bob.': 20}" in text
        assert "40 turns, {'ann': 20, 'bob': 20}" in text and "own agent: True" in text
        assert text_of("def read_and_write_back").startswith("20 of 40")

    def test_to_look_is_a_better_signal_than_to_vote(self) -> None:
        votes, looked = text_of("by_votes, by_looking = [], []").splitlines()
        right, of = re.findall(r"0\.00: (\d+) of (\d+) right", looked)[0]
        assert right == of and "1.00: 0 of" in looked
        groups = re.findall(r"0\.\d\d: (\d+) of (\d+) right", votes)
        assert any(0 < int(right) < int(of) for right, of in groups)

    def test_where_a_mistake_is_dear_votes_lead_to_the_strong_one(self) -> None:
        rows = text_of("for wrong in (1, 10, 100)").splitlines()
        costs = [float(row.split()[-1]) for row in rows]
        assert "strong at once" in rows[-2] and "strong at once" not in rows[-1]
        assert all(looked < votes for votes, looked in zip(costs[::2], costs[1::2], strict=True))

    def test_a_swarms_parts_cost_no_tokens(self) -> None:
        one, four, swarm, told = numbers(r"([\d,]+) tokens", text_of("four = [Errand("))
        assert four == swarm > one > 2 * told
