"""Judges of pairs: what they prefer, and what a judge is found to be worth on labelled pairs."""

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from checkout import ROOT

from g2c.evaluation.app.agreement_interval import kappa_interval
from g2c.evaluation.app.judging import LabelledPair, load_pairs, measure_judge
from g2c.evaluation.app.preference import PairJudge
from g2c.evaluation.core.preferences import Judge, Pair
from g2c.evaluation.judge_pairs import judge_pairs
from g2c.inference import BackendUnreachableError, ScriptedBackend, UnusableAnswerError
from g2c.interrupted import StoppedEarly

EXAMPLE = ROOT / "docs/judging-example.jsonl"


def longer(task: str, first: str, second: str) -> str:
    if len(first) == len(second):
        return "tie"
    return "first" if len(first) > len(second) else "second"


def always(reply: str) -> Judge:
    return lambda task, first, second: reply


def labelled(*better: str) -> list[LabelledPair]:
    """Pairs whose longer answer a person found better."""
    answers = {"a": ("longer", "x"), "b": ("x", "longer"), "tie": ("x", "y")}
    return [LabelledPair(Pair("t", *answers[winner]), winner) for winner in better]  # type: ignore[arg-type]


class TestPairJudge:
    def test_the_model_reads_both_orders_and_answers_in_json(self) -> None:
        backend = ScriptedBackend(['{"better": "first"}', '{"better": "second"}'])
        (found,) = judge_pairs([Pair("t", "ANSWER A", "ANSWER B")], PairJudge(backend)).verdicts
        assert found.winner == "a"
        prompts = [call.prompt for call in backend.history]
        a_first = [said.index("ANSWER A") < said.index("ANSWER B") for said in prompts]
        assert a_first == [True, False] and backend.history[0].kind == "json"

    def test_a_call_that_failed_is_unread_and_a_model_that_is_not_there_ends_it(self) -> None:
        cut = ScriptedBackend([UnusableAnswerError("it was cut off"), '{"better": "first"}'])
        report = measure_judge(labelled("a"), PairJudge(cut))
        assert report.count("unread") == 1 and report.verdicts[0].a_first == "it was cut off"
        gone = ScriptedBackend([BackendUnreachableError("start it")])
        with pytest.raises(BackendUnreachableError):
            measure_judge(labelled("a"), PairJudge(gone))


class TestMeasureJudge:
    def test_a_judge_that_agrees(self) -> None:
        report = measure_judge(labelled("a", "b", "tie", "a"), longer)
        found = report.kappa()
        assert report.agreed == 4 and found is not None and found.estimate == 1
        assert "100 % (51 to 100): 4 of 4" in report.to_markdown()
        assert "1.00 (1.00 to 1.00)" in report.to_markdown()

    def test_a_judge_that_takes_the_first_place_agrees_on_nothing(self) -> None:
        said = measure_judge(labelled("a", "b"), always("first")).to_markdown()
        assert "0 % (0 to 66): 0 of 2" in said and "+100 points" in said and "2 of 2" in said
        assert "verdict on all pairs is split" in said

    def test_a_judge_of_one_word_has_no_kappa_to_speak_of(self) -> None:
        said = measure_judge(labelled("a", "b", "tie"), always("tie")).to_markdown()
        assert "0.00 (0.00 to 0.00)" in said and "its interval has no width" in said
        said = measure_judge(labelled("tie", "tie"), always("tie")).to_markdown()
        assert "undefined" in said and "the same on all pairs" in said

    def test_unread_verdicts_are_reported_and_in_no_figure(self) -> None:
        def mumbles(task: str, first: str, second: str) -> str:
            return "?" if "y" in (first, second) else longer(task, first, second)

        report = measure_judge(labelled("a", "tie", "b"), mumbles)
        assert report.read == (("a", "a"), ("b", "b")) and report.count("unread") == 1
        assert "2 of 2" in report.to_markdown() and "1 of 3" in report.to_markdown()

    def test_nothing_is_known_before_anything_is_read(self) -> None:
        report = measure_judge(labelled("a"), always(""))
        assert report.agreement is None and report.kappa() is None
        assert "nothing is known about this judge" in report.to_markdown()
        assert report.to_json()["agreement"] is None

    def test_an_interruption_leaves_a_report_on_what_was_judged(self) -> None:
        left = iter(["first", "second"])

        def stops(task: str, first: str, second: str) -> str:
            if reply := next(left, None):
                return reply
            raise KeyboardInterrupt

        with pytest.raises(StoppedEarly) as stopped:
            measure_judge(labelled("a", "b"), stops)
        assert "Stopped after 1 of 2." in str(stopped.value) and "1 of 1" in str(stopped.value)

    def test_a_judge_is_measured_on_something(self) -> None:
        with pytest.raises(ValueError, match="one pair or more"):
            measure_judge([], longer)


class TestKappaInterval:
    def test_more_items_make_it_narrower(self) -> None:
        few = kappa_interval(["a", "b"] * 5, ["a", "b"] * 4 + ["b", "a"])
        many = kappa_interval(["a", "b"] * 50, (["a", "b"] * 4 + ["b", "a"]) * 10)
        assert few is not None and many is not None
        assert few.estimate == pytest.approx(many.estimate) == pytest.approx(0.6)
        assert many.high - many.low < (few.high - few.low) / 2
        assert few.low < few.estimate < few.high

    def test_resamples_of_one_label_are_left_out(self) -> None:
        found = kappa_interval(["a", "b"], ["a", "b"])
        assert found is not None and (found.low, found.high) == (1, 1)
        assert kappa_interval(["a"], ["a"]) is None

    def test_it_is_the_same_each_time(self) -> None:
        one, other = [1, 2, 3, 4, 5] * 3, [1, 3, 3, 5, 4] * 3
        found = [kappa_interval(one, other, weights="quadratic") for _ in range(2)]
        assert found[0] == found[1]


class TestLoadPairs:
    def test_the_shipped_example_favours_neither_place(self) -> None:
        pairs = load_pairs(EXAMPLE)
        assert Counter(pair.better for pair in pairs) == {"a": 8, "b": 8, "tie": 4}
        assert len({pair.pair.task for pair in pairs}) == 20

    @pytest.mark.parametrize(
        ("line", "why"),
        [
            ("{", "it is not JSON"),
            ("[1]", "write an object"),
            ({"task": " "}, "'task' should be a text"),
            ({"b": None}, "'b' should be a text"),
            ({"better": "A"}, "'better' is 'A'; write a, b or tie"),
            ({"better": ["a"]}, "write a, b or tie"),
            ({"label": "a"}, "there is no key 'label'"),
        ],
    )
    def test_an_error_in_a_line_is_reported(
        self, line: str | dict[str, Any], why: str, tmp_path: Path
    ) -> None:
        good = {"task": "t", "a": "x", "b": "y", "better": "a"}
        bad = line if isinstance(line, str) else json.dumps({**good, **line})
        (tmp_path / "pairs.jsonl").write_text(f"{json.dumps(good)}\n\n{bad}\n")
        with pytest.raises(ValueError) as raised:
            load_pairs(tmp_path / "pairs.jsonl")
        assert "pairs.jsonl:3: " in str(raised.value) and why in str(raised.value)
        assert 'A line is {"task"' in str(raised.value)

    def test_a_file_without_a_pair_is_told(self, tmp_path: Path) -> None:
        (tmp_path / "empty.jsonl").write_text("\n")
        with pytest.raises(ValueError, match="has no pair"):
            load_pairs(tmp_path / "empty.jsonl")
