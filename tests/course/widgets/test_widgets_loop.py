"""The views of module 22's notebook: ticks as a table and as bars, and the healer's map."""

import re
from datetime import UTC, datetime
from html import escape

import pytest

from g2c.inference import InferenceResult, RecordedCall
from g2c.loop.core.types import Decision, TickRecord
from g2c.widgets import tick_bars, tick_table
from g2c.widgets.heal_map import FAILURES, HOURS, heal_map

NOON = datetime(2026, 4, 21, 12, tzinfo=UTC)
EVIL = "<script>alert('x')</script> & \"quoted\" [bold]"
START = "You work in ticks.\n\n# Goal\n\nFile.\n\n"


def call(prompt, completion="", cached=None, computed=None):
    metadata = {} if cached is None else {"cache_n": cached, "prompt_n": computed}
    tokens = None if cached is None else cached + computed
    return RecordedCall(
        prompt, InferenceResult(prompt, completion, tokens, 1, 0.0, "test", metadata)
    )


def rows_of(view):
    lines = (line.strip() for line in repr(view).splitlines())
    return [line.split(maxsplit=4) for line in lines if line[:1].isdigit()]


class TestTickTable:
    def test_a_tick_that_broke_says_what_broke_and_one_that_did_nothing_says_that(self):
        shown = repr(
            tick_table(
                [
                    TickRecord(1, NOON, "continue", actions=("file Ada -> Done.",), tokens=1587),
                    TickRecord(2, NOON, "failed", error="RuntimeError: locked"),
                    TickRecord(3, NOON, "continue"),
                ]
            )
        )
        assert "1,587   file Ada -> Done." in shown
        assert "RuntimeError: locked" in shown and "nothing" in shown

    def test_a_review_is_told_once_for_the_ticks_that_it_was_shown_to(self):
        said = ["", "The work is stuck.", "The work is stuck.", "The work is drifting.", ""]
        ticks = [TickRecord(n, NOON, "continue", feedback=text) for n, text in enumerate(said, 1)]
        shown = repr(tick_table(ticks))
        assert shown.count("is stuck") == 1 and shown.count("the same") == 1

    def test_seconds_are_for_whoever_asks(self):
        ticks = [TickRecord(1, NOON, "continue", seconds=2.5)]
        assert "2.5" not in repr(tick_table(ticks))
        assert "2.5" in repr(tick_table(ticks, seconds=True))

    def test_a_models_text_is_shown_as_text(self):
        view = tick_table([TickRecord(1, NOON, "continue", actions=(EVIL,), feedback=EVIL)])
        assert "<script" not in view._repr_html_() and "<script>alert" in repr(view)


class TestTickBars:
    def test_without_calls_prompts_are_compared_in_characters(self):
        prompts = [f"{START}# Your state\n\n{name}" for name in ("Ada", "Ben")]
        first, second = rows_of(tick_bars(prompts))
        shared = len(START) + len("# Your state\n\n")
        assert first == ["1", str(shared + 3), "0", str(shared + 3), "the start"]
        assert second == ["2", str(shared + 3), str(shared), "3", "Your state"]

    @pytest.mark.parametrize(
        ("then", "new_from"),
        [
            (f"{START}# Your state\n\nBen", "Your state"),
            (f"{START}# Your state\n\nAda\n\n# Reviewer feedback\n\nGo on.", "Reviewer feedback"),
            (f"It is noon.\n\n{START}", "the start"),
            (f"{START}# Your state\n\nAda", "nothing is new"),
        ],
    )
    def test_it_names_the_part_with_the_first_new_character(self, then, new_from):
        *_, last = rows_of(tick_bars([f"{START}# Your state\n\nAda", then]))
        assert last[-1] == new_from

    def test_with_calls_the_counts_are_the_engines_and_the_rest_of_the_prompt_is_there(self):
        prompts = [f"{START}# Your state\n\n{name}" for name in ("Ada", "Ben")]
        calls = [
            call(f"Tools.\n\n# Goal\n\nAn example.\n\nQuestion: {prompt}\n\nThought:", "", *counts)
            for prompt, counts in zip(prompts, [(0, 755), (752, 17)], strict=True)
        ]
        view = tick_bars(prompts, calls)
        assert rows_of(view) == [
            ["1", "755", "0", "755", "the tools"],
            ["2", "769", "752", "17", "Your state"],
        ]
        titles = re.findall(r'title="([^"]*)"', view._repr_html_())
        assert set(titles) == {"the tools", "the start", "Goal", "Your state"}

    def test_a_bar_is_as_long_as_its_prompt_and_new_from_where_it_differs(self):
        html = tick_bars(["same", "same and more"])._repr_html_()
        widths = [float(width) for width in re.findall(r"width: ([\d.]+)%", html)]
        assert widths == pytest.approx([100 * 4 / 13, 100 * 4 / 13, 100 * 9 / 13], abs=0.01)
        kinds = re.findall(r'<span class="g2c-bar-(held|new) ', html)
        assert kinds == ["new", "held", "new"]

    def test_an_empty_prompt_is_shown(self):
        first, second = rows_of(tick_bars(["", "new"]))
        assert first[1] == "0" and second[1] == "3"

    def test_conflicting_settings_are_refused(self):
        with pytest.raises(ValueError, match="no prompts"):
            tick_bars([])
        with pytest.raises(ValueError, match="a call for each prompt: 2, and not 1"):
            tick_bars(["a", "b"], [call("a")])
        with pytest.raises(ValueError, match="first call"):
            tick_bars(["a"], [call("b")])

    def test_a_models_text_is_shown_as_text(self):
        assert "<script" not in tick_bars([f"# {EVIL}\n\n{EVIL}"])._repr_html_()


def twice_only(history, now):
    """A policy that is easily told from the course's: twice it restores the oldest snapshot."""
    if not history.ticks or history.ticks[-1].outcome != "failed":
        return Decision("none", "All is well.")
    if len(history.recoveries) < 2 and history.snapshots:
        return Decision("restore", EVIL, min(history.snapshots), flare=True)
    return Decision("panic", "Twice is enough.", flare=not history.panic_flares)


class TestHealMap:
    def test_the_students_function_is_asked_once_for_each_position(self):
        asked = []

        def decide(history, now):
            asked.append((history, now))
            return Decision("none", "No.")

        heal_map(decide)
        assert len(asked) == 2 * len(FAILURES) * len(HOURS), "two maps"
        assert all(now.tzinfo for _, now in asked)
        rows = {sum(tick.outcome == "failed" for tick in history.ticks) for history, _ in asked}
        assert rows == set(FAILURES)

    def test_the_text_shows_what_the_function_said_on_both_sides_of_the_limit(self):
        shown = repr(heal_map(twice_only))
        assert shown.count("panic*") == 2 * (len(FAILURES) - 1) * len(HOURS)
        assert "restore" not in shown, "this policy has recovered twice by then"

    def test_the_page_shows_both_maps_of_the_text(self):
        html = heal_map(twice_only)._repr_html_()
        assert html.count("<table") == 2
        assert html.count("panic\nand flare</td>") == repr(heal_map(twice_only)).count("panic*")

    def test_it_is_the_same_each_time_and_reasons_are_text(self):
        view = heal_map(twice_only)
        assert view == heal_map(twice_only)
        assert "<script>alert" not in view._repr_html_()

    @pytest.mark.parametrize(
        ("position", "title", "says"),
        [
            ((5, 3, 6, None, True), "3 recoveries; ", "Panic, and a flare to a person. Twice"),
            ((5, 1, 6, None, True), "1 recovery; ", f"tick 1, and a flare to a person. {EVIL}"),
            ((5, 1, 6, 30, False), "30 minutes ago; no snapshot", "Panic. Twice is enough."),
            ((0, 1, -1, 30, False), "30 minutes ago; no snapshot", "Nothing to do. All is well."),
        ],
    )
    def test_a_position_shows_what_the_function_said_there(self, position, title, says):
        view = heal_map(twice_only).at(*position)
        assert title in repr(view) and says in repr(view)
        assert escape(says) in view.html
