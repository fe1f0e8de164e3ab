"""Two models on the same tasks: what is said of them, and what a setting changes."""

import re
from dataclasses import replace
from pathlib import Path

import pytest
from suite_scripts import scripted

from g2c.evaluation.app.comparison import Paired, to_markdown, verdict
from g2c.evaluation.core.pairs import tasks_needed
from g2c.home.home import Home
from g2c.loop.core.identity import ensure_config
from g2c.memory import MemoryStore
from g2c.suite.runner import Attempt, run_task
from g2c.suite.settings import Settings, split_name, tools_of
from g2c.suite.suite import load_suite
from g2c.suite.tasks import AgentTask
from g2c.suite.verdicts import Verdict


def outcomes(solved: str) -> list[Attempt]:
    """Outcomes of as many tasks as there are letters; `+` is solved."""
    return [
        Attempt("sums", f"sums-{n}", Verdict(mark == "+", True), 2, 40, 1.5, "")
        for n, mark in enumerate(solved)
    ]


def paired(a: str, b: str) -> Paired:
    return Paired("old", "new", outcomes(a), outcomes(b))


class TestVerdict:
    """The sentence is no more certain than the outcomes are."""

    def test_a_large_difference_has_a_name(self) -> None:
        better, worse = paired("-" * 20, "+" * 20), paired("+" * 20, "-" * 20)
        assert (better.better, worse.better) == ("b", "a")
        assert verdict(better).startswith("B (new) is better: B - A is +100 points")
        assert verdict(worse).startswith("A (old) is better: B - A is -100 points")

    def test_no_difference_says_what_it_would_take(self) -> None:
        found = paired("+" * 40 + "-" * 8 + "+-" * 16, "+" * 40 + "-" * 8 + "-+" * 16)
        assert found.better is None
        needed = tasks_needed(0.05, 32 / 80)
        assert verdict(found).startswith("No difference shown: +0 points (")
        assert f"about {needed:,} at this noise" in verdict(found)

    def test_two_that_do_the_same_are_said_to(self) -> None:
        assert "both did the same on each of 12 tasks" in verdict(paired("+-" * 6, "+-" * 6))

    def test_an_interval_of_one_look_is_only_a_hint(self) -> None:
        found = paired("-" * 7 + "+" * 40, "+" * 7 + "+" * 40)
        assert found.gain.low > 0 and found.better is None
        assert verdict(found).startswith("Not shown, and worth more tasks: +15 points")

    def test_a_task_has_a_price_where_both_models_have_one(self) -> None:
        prices = {"old": (1.0, 2.0), "new": (10.0, 20.0)}

        def price(model: str, read: int, written: int) -> float | None:
            known = prices.get(model)
            return known and known[0] * read + known[1] * written

        found = paired("+" * 4, "+" * 4)
        assert "| price | " not in to_markdown(found, "."), "nobody knows the prices"
        found = replace(found, of_a=[replace(attempt, read=100) for attempt in found.of_a])
        assert "| price | " not in to_markdown(found, ".", price), "b has counted no reading"
        found = replace(found, of_b=[replace(attempt, read=10) for attempt in found.of_b])
        row = "| price | 180 | 900 |"  # 100 read and 40 written; 10 and 40 at ten times as much
        assert row in re.sub(" +", " ", to_markdown(found, ".", price))
        uncounted = replace(found, of_b=[*found.of_b[:3], replace(found.of_b[3], tokens=None)])
        report = re.sub(" +", " ", to_markdown(uncounted, ".", price))
        assert "| tokens | 40.0 | ? |" in report and "| price | " not in report
        del prices["new"]
        assert "| price | " not in to_markdown(found, ".", price)

    def test_a_few_tasks_that_differ_are_said_to_be_few(self) -> None:
        assert "They differ on 2 tasks only." in verdict(paired("++" + "+" * 30, "--" + "+" * 30))

    def test_the_better_model_of_the_first_family_is_not_named_for_it(self) -> None:
        better_first = paired("-" * 15 + "+" * 15, "+" * 15 + "-" * 15)
        assert better_first.better is None, "the order of the suite is not that of the looks"

    def test_other_tasks_are_not_pairs(self) -> None:
        with pytest.raises(ValueError, match="the same tasks"):
            Paired("old", "new", outcomes("++"), outcomes("+"))
        with pytest.raises(ValueError, match="one or more"):
            Paired("old", "new", [], [])

    def test_the_report_has_both_beside_each_other(self) -> None:
        found = paired("+" * 10, "-" * 10)
        found = replace(found, of_b=[replace(attempt, calls=5) for attempt in found.of_b])
        rows = to_markdown(found, "Suite x.").splitlines()
        table = [[cell.strip() for cell in row.split("|")[1:4]] for row in rows if "|" in row]
        assert rows[0] == "Suite x."
        assert table[0] == ["a task", "A: old", "B: new"]
        assert ["solved", "100 % (72 to 100)", "0 % (0 to 28)"] in table
        assert ["calls", "2.0", "5.0"] in table
        assert "Only A solved 10, only B 0, and on 0 both did the same." in rows


class TestSettings:
    """The settings after a model's name."""

    def test_a_file_has_what_a_comma_could_not(self, tmp_path: Path) -> None:
        file = tmp_path / "words.toml"
        file.write_text('max_steps = 2\n[tools]\ncalculator = "Adds, multiplies, divides."\n')
        model, settings = split_name(f"llama3.2:3b,{file},max_steps=4")
        assert model == "llama3.2:3b"
        assert settings == Settings(4, "", {"calculator": "Adds, multiplies, divides."})
        assert set(settings.identity) == {"max_steps", "tools"}
        assert not Settings().identity

    def test_a_home_is_what_it_puts_into_a_prompt(self, tmp_path: Path) -> None:
        home = Home(tmp_path / "home")
        ensure_config(home.identity)
        assert split_name(f"embedded,home={home.root}")[1] == Settings(), "it says nothing yet"
        (home.identity / "knowledge.md").write_text("Bread costs 3 crowns.\n")
        MemoryStore(home.memory).write_topic("Sister", "where she lives", "In Oslo.")
        _, settings = split_name(f"embedded,home={home.root},line=Be brief.")
        assert "Bread costs 3 crowns." in settings.line and "where she lives" in settings.line
        assert settings.line.endswith("\n\nBe brief.")
        with pytest.raises(ValueError, match="nowhere is not a home; g2c home init makes one"):
            split_name("embedded,home=nowhere")

    @pytest.mark.parametrize(
        ("name", "says"),
        [
            (
                "embedded,steps=3",
                "'steps=3' behind embedded is not a setting; there are max_steps=N",
            ),
            ("embedded,max_steps=0", "a whole number of 1 or more, not 0"),
            ("embedded,max_steps=many", "not 'many'"),
            ("embedded,", "'' behind embedded is not a setting"),
        ],
    )
    def test_an_unknown_setting_is_refused(self, name: str, says: str) -> None:
        with pytest.raises(ValueError, match=re.escape(says)):
            split_name(name)

    @pytest.mark.parametrize(
        ("text", "says"),
        [
            ("max_steps =", "is not TOML"),
            ("steps = 3", "there is no setting 'steps'"),
            ("max_steps = true", "not True"),
            ("line = 3", "line is a text"),
            ('tools = "all"', "has a description, NAME = TEXT"),
            ('[tools]\ncalculator = ""', "has a description, NAME = TEXT"),
        ],
    )
    def test_a_file_of_anything_else_is_refused(self, text: str, says: str, tmp_path: Path) -> None:
        file = tmp_path / "words.toml"
        file.write_text(text)
        with pytest.raises(ValueError, match=re.escape(says)):
            split_name(f"embedded,{file}")

    def test_an_agent_has_so_many_steps(self) -> None:
        (task,) = load_suite(["arithmetic"], 1)
        usual = run_task(scripted(task), task)
        short = run_task(scripted(task), task, Settings(max_steps=1))
        assert usual.verdict.success and usual.calls == 2
        assert not short.verdict.success and short.calls == 1
        (tick,) = load_suite(["ticks"], 1)
        assert run_task(scripted(tick), tick, Settings(max_steps=1)).calls == 1

    def test_a_tool_is_described_as_told(self) -> None:
        for family in ("arithmetic", "calls", "ticks"):
            task = load_suite([family], 1, channels=("text",))[0]
            name = task.tools[0] if isinstance(task, AgentTask) else sorted(tools_of([task]))[0]
            model = scripted(task)
            run_task(model, task, Settings(tools={name: "Does a thing with xylophones."}))
            assert "Does a thing with xylophones." in model.history[0].prompt

    def test_a_line_stands_before_each_prompt_and_first_in_a_chat(self) -> None:
        (task,) = load_suite(["arithmetic"], 1)
        model = scripted(task)
        run_task(model, task, Settings(line="Be careful."))
        prompts = [call.prompt for call in model.history]
        assert prompts and all(prompt.startswith("Be careful.\n\n") for prompt in prompts)
        (native,) = load_suite(["calls"], 1, channels=("native",))
        model = scripted(native)
        run_task(model, native, Settings(line="Be careful."))
        first = model.history[0].messages[0]
        assert first["role"] == "system" and first["content"].startswith("Be careful.")
