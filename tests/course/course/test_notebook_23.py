"""The notebook of module 23: what its stored outputs claim."""

from __future__ import annotations

import re
from functools import partial

from lessons import stored_text

text_of = partial(stored_text, "23-evaluation")


class TestWhatIsStored:
    """Renewing the notebook must not turn its lesson into its opposite unnoticed."""

    def test_the_helper_costs_more_and_answers_the_same(self) -> None:
        first, second = text_of("QUESTIONS =").splitlines()
        assert first.partition("[")[2] == second.partition("[")[2], "all answers are as before"
        tokens = [int(line.split()[3].replace(",", "")) for line in (first, second)]
        assert tokens[1] > 1.5 * tokens[0]

    def test_the_delegates_run_hangs_below_its_call(self) -> None:
        shown = text_of("_, spans = traced(make_asker().run")
        assert "\n  tool research\n    agent Agent" in shown

    def test_ten_tasks_hide_what_two_hundred_show(self) -> None:
        ten, _, all_of_them = re.findall(r"\(([+-][\d.]+) to ([+-][\d.]+)\)", text_of("best = max"))
        assert float(ten[0]) <= 0 <= float(ten[1])
        assert float(all_of_them[0]) > 0

    def test_asked_once_a_judge_of_places_looks_like_one_of_answers(self) -> None:
        rows = text_of("tallies = {").splitlines()
        first, plain = rows[0], rows[3]
        for row in (first, plain):
            assert "once: a a a a a a a a" in row
            assert row.count("split") == 8
            assert "50% for b" in row

    def test_agreement_without_kappa(self) -> None:
        nods, sees = text_of("nods =").splitlines()
        assert nods == "nods: 19 of 20 agree, kappa 0.00"
        assert sees == "sees: 18 of 20 agree, kappa 0.46"

    def test_looking_costs_and_the_test_pays(self) -> None:
        once, each, yours = map(int, re.findall(r"(\d+) of 200", text_of("def is_fooled")))
        assert each > 3 * once
        assert yours <= 10, "at most one in twenty"

    def test_the_two_rates_drift_apart(self) -> None:
        rates = re.findall(r"once ([\d.]+), every time ([\d.]+)", text_of("TRIES = 5"))
        once, every = ([float(pair[n]) for pair in rates] for n in (0, 1))
        assert once == sorted(once)
        assert every == sorted(every, reverse=True)
        assert once[-1] - every[-1] > 0.5
