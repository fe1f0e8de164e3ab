"""The record of how a test called a student's function."""

import pytest

import g2c.exercise
from g2c.agent import Action
from g2c.course.check.call_recorder import MAX_NOTED, CallRecorder
from g2c.course.check.values import describe_call


def test_the_last_call_is_named_unless_there_were_thousands(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(g2c.exercise, "exercise", lambda exercise_id: lambda function: function)
    recorder = CallRecorder()
    parse = g2c.exercise.exercise("19.1")(lambda text: text)
    recorder.begin("TestParseReactStep")
    for number in range(MAX_NOTED):
        parse(number)
    assert recorder.given == f"parse_react_step({MAX_NOTED - 1})"
    parse("one more")
    assert recorder.given == "", "an older call would be the wrong one"
    recorder.begin("TestParseReactStep")
    parse("the next test")
    assert recorder.given == "parse_react_step('the next test')"
    assert recorder.used == {"19.1"}


def test_a_recursion_is_named_by_the_call_of_the_test(monkeypatch: pytest.MonkeyPatch) -> None:
    """Describing each call of a recursion took longer than the recursion, for a long argument."""
    monkeypatch.setattr(g2c.exercise, "exercise", lambda exercise_id: lambda function: function)
    recorder = CallRecorder()

    @g2c.exercise.exercise("19.1")
    def parse(text: str) -> str:
        return parse(text[1:]) if text else text

    recorder.begin("TestParseReactStep")
    parse("abc")
    assert recorder.given == "parse_react_step('abc')"
    with pytest.raises(TypeError):
        parse(3)  # type: ignore[arg-type]
    parse("after an error")
    assert recorder.given == "parse_react_step('after an error')"


def test_a_list_of_a_thousand_is_not_shown_whole() -> None:
    calls = [Action("look", {"at": number}) for number in range(1_000)]
    shown = describe_call("run", (calls,), {})
    assert shown.startswith("run([Action(tool='look', arguments={'at': 0}), ")
    assert shown.endswith("arguments={'at': 999}), 1,000 in all])") and len(shown) < 3_000


def test_the_sign_of_a_comparison_stands_behind_the_attributes_name() -> None:
    recorder = CallRecorder()
    for op, expected in (("==", ".until = 3"), (">=", ".until >= 3"), ("!=", ".until != 3")):
        recorder.pytest_assertrepr_compare(op, 2, 3)
        recorder.name_attribute(AssertionError(f"assert 2 {op} 3\n +  where 2 = Lease(2).until"))
        assert (recorder.expected, recorder.got) == (expected, ".until = 2")
