"""The views of the notebooks: in a kernel, on a page without one, and in plain Python."""

import re
import subprocess
import sys
from dataclasses import replace
from html.parser import HTMLParser
from io import BytesIO
from typing import get_args

import nbformat
import pytest
from matplotlib.text import Text
from nbclient import NotebookClient

from g2c.agent import Action, AgentRunResult, AgentStep, Observation, Plan, StopReason
from g2c.critic.core.types import Interval
from g2c.inference import InferenceResult, RecordedCall
from g2c.text import printable
from g2c.widgets import (
    LiveTrace,
    bar_chart,
    interval_chart,
    line_chart,
    prompt_growth,
    runs_table,
    stop_table,
)
from g2c.widgets.growth import measure_growth
from g2c.widgets.view import Markdown

EVIL = "<script>alert('x')</script> & \"quoted\" [bold]"
READ = AgentStep(
    "...",
    thought="Read it.",
    action=Action("read_file", {"path": "todo.txt"}),
    observation=Observation("Buy cheese."),
)
FAILED = replace(READ, observation=Observation("There is no file.", is_error=True))
REPEATED = replace(READ, observation=None)
UNREAD = AgentStep("Action read_file", parse_error="Action is missing.")
ANSWER = AgentStep("...", thought="I know.", final_answer="Cheese.")


def run_of(*steps: AgentStep, stopped: StopReason = "final_answer", plan=None, **metadata):
    counts = {
        "n_steps": len(steps),
        "n_tool_calls": sum(step.observation is not None for step in steps),
        "prompt_tokens": 1534,
        "cached_tokens": 273,
        **metadata,
    }
    return AgentRunResult("What?", plan, steps[-1].final_answer, steps, stopped, counts)


def call(prompt: str, completion: str = "", **metadata) -> RecordedCall:
    tokens = len(prompt) // 4
    return RecordedCall(
        prompt, InferenceResult(prompt, completion, tokens, 1, 0.0, "test", metadata)
    )


class Page(HTMLParser):
    """The elements of some HTML, and the text that a person sees: no style and no script."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.elements: list[str] = []
        self.text = ""
        self._hidden = False
        self.feed(html)

    def handle_starttag(self, tag, attrs):
        self.elements.append(tag)
        self._hidden = tag in ("style", "script")

    def handle_endtag(self, tag):
        self._hidden = False

    def handle_data(self, data):
        self.text += "" if self._hidden else data


def page_of(view) -> Page:
    return Page(view._repr_html_())


class TestLiveTrace:
    def test_without_a_notebook_each_step_is_printed_as_it_comes(self, capsys):
        trace = LiveTrace("Shopping")
        trace(READ)
        first = capsys.readouterr().out
        assert first.splitlines() == [
            "Shopping",
            "Step 1",
            "  Thought              Read it.",
            '  Action               read_file {"path": "todo.txt"}',
            "  Observation          Buy cheese.",
        ]
        trace(ANSWER)
        assert capsys.readouterr().out.startswith("Step 2\n"), "only the new step is printed"

    @pytest.mark.parametrize(
        ("step", "words"),
        [
            (FAILED, ["Observation (error)", "There is no file."]),
            (REPEATED, ["Not carried out"]),
            (UNREAD, ["Could not read", "Action is missing.", "Model wrote", "Action read_file"]),
            (ANSWER, ["Final answer", "Cheese."]),
        ],
    )
    def test_words_say_what_the_colours_say(self, step, words):
        trace = LiveTrace()
        trace(step)
        for word in words:
            assert word in page_of(trace).text, f"the page does not say {word!r} in words"
            assert word in repr(trace), f"the text does not say {word!r}"

    def test_done_says_how_the_run_ended_and_what_it_cost(self):
        trace = LiveTrace()
        trace(READ)
        trace(ANSWER)
        trace.done(run_of(READ, ANSWER, plan=Plan("eat", ("Look.", "Buy."))))
        for text in (page_of(trace).text, repr(trace)):
            assert "final_answer" in text
            assert "steps: 2, tool calls: 1, prompt tokens: 1,534, cached: 273" in text
            assert "eat" in text
            assert "2. Buy." in text
            assert text.count("Step 2") == 1, "a step that was shown is not shown again"

    def test_a_finished_run_can_be_shown_at_once(self):
        trace = LiveTrace()
        trace.done(run_of(READ, ANSWER))
        assert "Step 2" in repr(trace), "done shows the steps that have not been shown"

    def test_the_step_after_the_end_begins_a_new_run(self):
        trace = LiveTrace()
        trace.done(run_of(READ, ANSWER))
        trace(UNREAD)
        assert repr(trace).startswith("Step 1\n  Could not read"), "the last run is still there"

    def test_texts_of_models_and_tools_are_never_markup(self):
        trace = LiveTrace(EVIL)
        step = AgentStep(EVIL, EVIL, Action(EVIL, {EVIL: EVIL}), Observation(EVIL))
        trace(step)
        trace(AgentStep(EVIL, parse_error=EVIL))
        trace.done(run_of(replace(ANSWER, final_answer=EVIL), plan=Plan(EVIL, (EVIL,))))
        assert "script" not in page_of(trace).elements
        assert page_of(trace).text.count(EVIL) >= 7, "the text itself must be readable"
        assert EVIL in repr(trace)

    def test_a_long_observation_is_folded_and_whole(self):
        long = "\n".join(f"line {n}" for n in range(500))
        trace = LiveTrace()
        trace(replace(READ, observation=Observation(long)))
        page = page_of(trace)
        assert "details" in page.elements, "500 lines push the rest of the run off the screen"
        assert long in page.text, "folded is not cut"

    def test_half_a_surrogate_pair_can_be_shown(self):
        trace = LiveTrace()
        trace(replace(READ, action=Action("say", {"text": "\ud83d"})))
        trace._repr_html_().encode()
        repr(trace).encode()

    def test_no_text_steers_a_terminal(self):
        trace = LiveTrace()
        trace(replace(READ, observation=Observation("\x1b[2J\x9b31m\u202e")))
        table = runs_table({"\x1b]0;title\x07": run_of(ANSWER)})
        for view in (trace, table, Markdown("\x1b[2J")):
            assert printable(repr(view)) == repr(view)

    def test_seconds_are_told_only_if_asked_for(self):
        result = run_of(replace(ANSWER, inference=replace(call("").result, latency_ms=1500.0)))
        plain, timed = LiveTrace(), LiveTrace(seconds=True)
        plain.done(result)
        timed.done(result)
        assert "seconds" not in repr(plain), "a stored notebook could not be compared"
        assert "seconds: 1.5" in repr(timed)


class TestPromptGrowth:
    CALLS = (
        call("Question: tea?\nThought:", " I look.", cache_n=0, prompt_n=6),
        call("Question: tea?\nThought: I look.\nObservation: no\n", cache_n=8, prompt_n=4),
        call("Question: coffee?\n", cache_n=3, prompt_n=2),
    )

    def test_the_models_own_text_counts_as_cached(self):
        _, second, _ = measure_growth(self.CALLS)
        assert second.prompt[second.shared :] == "\nObservation: no\n", (
            "a cache holds what the model wrote as well as what it read"
        )

    def test_a_prompt_that_differs_early_shares_only_what_comes_before(self):
        third = measure_growth(self.CALLS)[2]
        assert third.prompt[: third.shared] == "Question: "

    def test_all_prompts_are_there_without_a_kernel(self):
        page = page_of(prompt_growth(self.CALLS))
        assert page.elements.count("details") == len(self.CALLS)
        for call in self.CALLS:
            assert call.prompt in page.text

    def test_the_counts_are_the_engines(self):
        view = prompt_growth(self.CALLS)
        assert "12 tokens, 8 from the cache, 4 computed" in page_of(view).text
        assert "does not say" not in repr(view)

    def test_nothing_is_coloured_as_held_that_the_engine_computed_again(self):
        again = prompt_growth([call("same", cache_n=0, prompt_n=1)] * 2)._repr_html_()
        assert re.search('<span class="g2c-fresh"[^>]*>same</span>', again)
        assert not re.search('<span class="g2c-held"[^>]*>same</span>', again), "cache_n was 0"

    def test_it_says_so_where_the_engine_does_not_tell(self):
        view = prompt_growth([call("a"), call("a b", cached_tokens=None)])
        assert "does not say what its cache held" in page_of(view).text
        assert "not told" in repr(view), "an unknown count is not 0"

    def test_it_says_so_where_the_cache_was_filled_before_the_log_began(self):
        assert "Call 1 found tokens in the cache" in repr(
            prompt_growth([call("Question: tea?", cache_n=3, prompt_n=1)])
        )

    def test_prompts_are_text(self):
        page = page_of(prompt_growth([call(EVIL)]))
        assert "script" not in page.elements
        assert EVIL in page.text

    def test_no_calls_is_a_mistake_that_says_what_to_do(self):
        with pytest.raises(ValueError, match="no calls"):
            prompt_growth([])


RUNS = {
    "good": run_of(READ, ANSWER),
    EVIL: run_of(READ, REPEATED, stopped="duplicate_action", cached_tokens=None),
}


class TestTables:
    def test_every_stop_reason_has_a_row_and_a_meaning(self):
        page, text = page_of(stop_table({})), repr(stop_table({}))
        for reason in get_args(StopReason):
            assert reason in page.text
            assert reason in text
        assert page.elements.count("tr") == 1 + len(get_args(StopReason))

    def test_runs_stand_beside_the_reason_that_ended_them(self):
        view = stop_table({"good": RUNS["good"]})
        row = next(line for line in repr(view).splitlines() if "final_answer" in line)
        assert "good (after 2 steps)" in row
        assert page_of(view).text.count("none of these") == 3

    def test_a_row_has_what_a_run_cost_and_how_it_ended(self):
        lines = repr(runs_table(RUNS)).splitlines()
        good = next(line for line in lines if "good" in line).split()
        assert good == ["good", "2", "1", "1,534", "273", "final_answer", "Cheese."]

    def test_a_count_that_nobody_told_is_not_zero(self):
        assert "not told" in page_of(runs_table(RUNS)).text

    def test_labels_and_answers_are_text(self):
        runs = {EVIL: run_of(replace(ANSWER, final_answer=EVIL))}
        for view in (stop_table(runs), runs_table(runs)):
            assert "script" not in page_of(view).elements
            assert EVIL in page_of(view).text
            assert "[bold]" in repr(view), "square brackets are not markup in the text either"

    def test_seconds_only_if_asked_for(self):
        assert "seconds" not in repr(runs_table(RUNS))
        assert "seconds" in repr(runs_table(RUNS, seconds=True))


class TestCharts:
    def test_lines_differ_in_more_than_colour(self):
        chart = line_chart({name: [1, 2] for name in "abcdef"}, title="t", x="step", y="tokens")
        lines = chart.axes[0].lines
        looks = {(line.get_linestyle(), line.get_marker()) for line in lines}
        assert len(looks) == len(lines), "two lines look the same in black and white"
        assert len({line.get_color() for line in lines}) == len(lines)

    def test_an_axis_is_not_cut_off(self):
        chart = line_chart({"a": [240, 250]}, title="t", x="step", y="tokens")
        assert chart.axes[0].get_ylim()[0] == 0, "an axis from 240 on makes 250 look like much"

    def test_bars_carry_their_names_and_values(self):
        axes = bar_chart({"a": 1.5, "b": 3}, title="t", x="agent", y="tokens").axes[0]
        assert [label.get_text() for label in axes.get_xticklabels()] == ["a", "b"]
        assert [text.get_text() for text in axes.texts] == ["1.5", "3"]

    @pytest.mark.parametrize("chart", [bar_chart, interval_chart])
    def test_no_word_of_a_chart_is_cut(self, chart):
        names = ["a critic who looks at sums", "examples", "unexpectedly long names of groups"]
        if chart is interval_chart:
            data = {"all of them": {name: Interval(0.5, 0.2, 0.8) for name in names}}
        else:
            data = dict.fromkeys(names, 3)
        title = "What a very long title of a chart says about all that it shows, and more than that"
        figure = chart(data, title=title, x="critic", y="share of drafts, with its 95 % interval")
        figure.draw_without_rendering()
        words = []
        for text in figure.findobj(Text):
            if text.get_text() and text.get_visible():
                words += text.get_text().split()
                box = text.get_window_extent()
                assert figure.bbox.x0 <= box.x0 and box.x1 <= figure.bbox.x1, text
                assert figure.bbox.y0 <= box.y0 and box.y1 <= figure.bbox.y1, text
        assert set(" ".join([*names, title]).split()) <= set(words)

    @pytest.mark.parametrize("name", ["$5\\x and $6", "$", "$\\frac$", "a\x1b\ud800b", "x_1 ^ {y}"])
    def test_a_name_is_not_a_formula(self, name):
        words = {"title": name, "x": name, "y": name}
        for figure in (
            line_chart({name: [1, 2]}, **words),
            bar_chart({name: 1}, **words),
            interval_chart({name: {name: Interval(0.5, 0.4, 0.6)}, "b": {}}, **words),
        ):
            figure.savefig(BytesIO())

    def test_a_chart_is_closed_so_that_a_notebook_shows_it_once(self):
        from matplotlib import pyplot

        bar_chart({"a": 1}, title="t", x="", y="")
        assert pyplot.get_fignums() == []

    def test_nothing_to_draw_is_a_mistake_that_says_what_to_do(self):
        with pytest.raises(ValueError, match="one series or more"):
            line_chart({}, title="t", x="step", y="tokens")


@pytest.fixture(scope="module")
def cells():
    """Three cells that a real kernel has run: a trace as it grows, its value, and a chart."""
    sources = [
        "from g2c.agent import AgentStep\n"
        "from g2c.widgets import LiveTrace, bar_chart\n"
        "trace = LiveTrace('Tea')\n"
        "for n in (1, 2):\n"
        "    print('working', n)\n"
        "    trace(AgentStep('', thought=f'thought {n}'))",
        "trace",
        "bar_chart({'a': 1}, title='t', x='', y='')",
    ]
    notebook = nbformat.v4.new_notebook(
        cells=[nbformat.v4.new_code_cell(source) for source in sources]
    )
    NotebookClient(notebook, timeout=120, kernel_name="python3").execute()
    return notebook.cells


class TestInANotebook:
    def test_each_step_is_an_output_of_its_own_as_the_run_goes_on(self, cells):
        assert [out.output_type for out in cells[0].outputs] == [
            "stream",
            "display_data",
            "stream",
            "display_data",
        ], "the steps came out together, or not at all"
        shown = [out.data for out in cells[0].outputs if out.output_type == "display_data"]
        assert "thought 1" in shown[0]["text/html"]
        assert "thought 1" not in shown[1]["text/html"]
        assert "thought 2" in shown[1]["text/plain"]

    def test_the_traces_value_is_the_whole_run(self, cells):
        (out,) = cells[1].outputs
        assert "thought 1" in out.data["text/html"]
        assert "thought 2" in out.data["text/html"]

    def test_a_chart_is_shown_once(self, cells):
        assert ["image/png" in out.data for out in cells[2].outputs] == [True]


def test_the_view_is_the_same_each_time():
    def look():
        trace = LiveTrace("Tea")
        trace.done(run_of(READ, FAILED, UNREAD, ANSWER))
        views = [trace, prompt_growth(TestPromptGrowth.CALLS), runs_table(RUNS)]
        return [(view._repr_html_(), repr(view)) for view in views]

    assert look() == look(), "a stored notebook could not be compared with a new run"


def test_importing_the_widgets_loads_no_notebook_and_no_plotting():
    heavy = "{'IPython', 'ipywidgets', 'matplotlib', 'numpy', 'rich', 'g2c.agent'}"
    program = f"import sys, g2c.widgets; print(sorted({heavy} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.stdout == "[]\n", f"loaded at import: {done.stdout}{done.stderr}"
