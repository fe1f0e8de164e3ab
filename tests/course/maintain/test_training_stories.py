"""Stories that people wrote: taken apart, told anew, worked out, and some kept back."""

from __future__ import annotations

import json
import random
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest
from training_traces import ROOT

from maintain.training.kinds.reasons import known_numbers, operations, reason
from maintain.training.kinds.retold import people_of, retell
from maintain.training.kinds.situations import Situation, make_situation
from maintain.training.kinds.stories import make_story_kind
from maintain.training.kinds.told import Raw, Told, make_version, read_raw, read_stories, take_apart
from maintain.training.scenario import calculate
from maintain.training.validation import Question, stories, table
from maintain.training.vocabulary import has_held_out_number

pytestmark = pytest.mark.long

PLUMS = (
    "Mira picks 15 plums. Then she picks half as many pears as plums would be with 5 more. How "
    "many pears does Mira pick?",
    "With 5 more there would be 15 + 5 = <<15+5=20>>20 plums.\n"
    "So Mira picks 20/2 = <<20/2=10>>10 pears.\n#### 10",
)
PENCILS = (
    "Otto buys 4 boxes of pencils with 25 in each. He gives away 12 of them. How many pencils does "
    "Otto have now?",
    "Otto buys 4*25 = <<4*25=100>>100 pencils.\nHe has 100 - 12 = <<100-12=88>>88 pencils left."
    "\n#### 88",
)
TAXI = (
    "A taxi costs $6 and then $2 for each mile. Lena has $30. How many miles can Lena ride?",
    "Lena has $30 - $6 = $<<30-6=24>>24 for the miles.\nShe can ride 24/2 = <<24/2=12>>12 miles."
    "\n#### 12",
)
WOOL = (
    "Ada needs 8 balls of wool for a coat and 3 for a hat. A ball costs $1.50. How much does Ada "
    "have to pay?",
    "Ada needs 8 + 3 = <<8+3=11>>11 balls of wool.\nShe pays 11*1.50 = $<<11*1.5=16.5>>16.50."
    "\n#### 16.50",
)
PERCENT = (
    "A lamp costs $60 and is sold at 25% off. What does the lamp cost now?",
    "The lamp is 60 * 25% = $<<60*25*.01=15>>15 cheaper.\nIt costs 60 - 15 = $<<60-15=45>>45 now."
    "\n#### 45",
)
TIP = (
    "A meal costs $45, and Uma leaves a tip of 20%. How much does Uma pay?",
    "The tip is 45 * .2 = $<<45*.2=9>>9.\nUma pays 45 + 9 = $<<45+9=54>>54.\n#### 54",
)
HENS = (
    "A farm has 9 hens. Each of them lays 4 eggs, and 4 eggs break. How many whole eggs are there?",
    "The hens lay 9*4 = <<9*4=36>>36 eggs.\nThere are 36-4 = <<36-4=32>>32 whole eggs.\n#### 32",
)
BUS = (
    "Twenty people are on a bus, 8 of them leave. How many people stay on the bus?",
    "There stay 20-8 = <<20-8=12>>12 people on the bus.\n#### 12",
)
UNTRACED = (
    "Ivo has 7 red fish and 2 blue fish more than his sister, who has 3. How many fish has Ivo?",
    "Ivo has 7 + 5 = <<7+5=12>>12 fish.\n#### 12",
)
UNMARKED = (
    "Ben has 6 cups and breaks 2. How many cups has Ben left, if each was worth 1?",
    "Ben has 6 - 2 = 4 cups.\nThat is 4*1 = <<4*1=4>>4 cups.\n#### 4",
)
KEPT_NUMBER = (
    "In 1990 a club had 40 members, and 24 members were new. How many were not new?",
    "In the club 40-24 = <<40-24=16>>16 members were not new.\n#### 16",
)
ALL = (PLUMS, PENCILS, TAXI, WOOL, PERCENT, TIP, HENS, BUS, UNTRACED, UNMARKED, KEPT_NUMBER)


def many(count: int = 200) -> list[tuple[str, str]]:
    """Stories of one form that differ in their numbers, so that some are kept back."""
    return [
        (
            f"Ida has {n} shells and finds {n + 4} more. How many shells does Ida have?",
            f"Ida has {n}+{n + 4} = <<{n}+{n + 4}={2 * n + 4}>>{2 * n + 4} shells.\n"
            f"#### {2 * n + 4}",
        )
        for n in range(2, count + 2)
    ]


def write(file: Path, *told: tuple[str, str]) -> Path:
    lines = (json.dumps({"question": question, "answer": answer}) for question, answer in told)
    file.write_text("\n".join(lines) + "\n", "utf-8")
    return file


@pytest.fixture
def apart(tmp_path: Path) -> dict[str, Told | None]:
    """Each story by the start of its question, taken apart."""
    return {raw.question: take_apart(raw) for raw in read_raw(write(tmp_path / "s.jsonl", *ALL))}


def parts(apart: dict[str, Told | None], story: tuple[str, str]) -> Told:
    found = apart[story[0]]
    assert found is not None, f"this story is plain: {story}"
    return found


class TestTakingApart:
    def test_sums_keep_their_numbers_and_meanings_lose_their_results(self, apart):
        version = make_version(parts(apart, PENCILS), ("4", "25", "12"))
        assert version.expressions == ("4 * 25", "100 - 12")
        assert version.results == ("100", "88")
        assert version.meanings == ("Otto buys {here} pencils.", "He has {here} pencils left.")

    @pytest.mark.parametrize(
        ("story", "composed"),
        [
            (PLUMS, "(15 + 5) / 2"),
            (PENCILS, "4 * 25 - 12"),
            (TAXI, "(30 - 6) / 2"),
            (WOOL, "(8 + 3) * 1.50"),
            (PERCENT, "60 - 60 * 25 / 100"),
            (TIP, "45 + 45 * 20 / 100"),
            (HENS, "9 * 4 - 4"),
            (BUS, "20 - 8"),
        ],
    )
    def test_sums_become_one_expression_with_the_brackets_it_needs(self, apart, story, composed):
        told = parts(apart, story)
        version = make_version(told, told.numbers)
        assert version.composed == composed
        assert calculate(composed) == version.results[-1]

    def test_a_story_with_a_sum_that_is_not_marked_is_left_out(self, apart):
        assert apart[UNMARKED[0]] is None

    def test_a_number_of_the_evaluation_that_cannot_change_leaves_a_story_out(self, apart):
        told = parts(apart, KEPT_NUMBER)
        assert told.moves and not told.stays, "24 has to change"
        fixed = KEPT_NUMBER[0].replace("1990", "1991 and 24 days later")
        assert take_apart(Raw(fixed, tuple(KEPT_NUMBER[1].split("\n")[:1]), "16", 1)) is None

    def test_a_line_that_is_no_story_is_named(self, tmp_path):
        file = tmp_path / "bad.jsonl"
        file.write_text('{"question": "How many?"}\n')
        with pytest.raises(ValueError, match="line 1"):
            read_raw(file)


class TestTellingAnew:
    @pytest.mark.parametrize("story", [PLUMS, PENCILS, TAXI, WOOL, PERCENT, TIP, BUS, KEPT_NUMBER])
    def test_other_numbers_stand_in_the_question_and_the_sums_hold(self, apart, story):
        told = parts(apart, story)
        questions = set()
        for seed in range(60):
            version = retell(told, random.Random(seed))
            if version is None:
                continue
            questions.add(version.question)
            assert calculate(version.composed) == version.results[-1]
            assert float(version.results[-1]) > 0
            assert not has_held_out_number(version.question), version.question
            if story is not WOOL:
                assert all(result.isdigit() for result in version.results), version
        assert len(questions) > 10, f"always the same: {questions}"

    def test_each_number_of_a_changed_sum_is_one_of_the_changed_question(self, apart):
        told = parts(apart, PENCILS)
        for seed in range(40):
            version = retell(told, random.Random(seed))
            boxes, each, gone = re.findall(r"\d+", version.question)
            assert version.expressions[0] == f"{boxes} * {each}"
            assert version.expressions[1] == f"{version.results[0]} - {gone}"

    def test_a_number_that_stands_twice_stays_where_it_is(self, apart):
        told = parts(apart, HENS)
        for seed in range(30):
            version = retell(told, random.Random(seed))
            assert "lays 4 eggs, and 4 eggs break" in version.question

    def test_a_story_with_a_number_from_nowhere_keeps_its_numbers(self, apart):
        told = parts(apart, UNTRACED)
        assert not told.moves
        for seed in range(20):
            version = retell(told, random.Random(seed))
            assert version.composed == "7 + 5", "5 is worked out in the head, so 3 must not change"

    def test_a_name_is_changed_everywhere(self, apart):
        for seed in range(20):
            version = retell(parts(apart, PENCILS), random.Random(seed))
            (name,) = people_of(version.question)
            assert version.question.count(name) == 2
            assert version.meanings[0].startswith(name)
            assert "Otto" not in version.question or name == "Otto"

    def test_a_seed_decides_it(self, apart):
        told = parts(apart, TAXI)
        assert retell(told, random.Random(5)) == retell(told, random.Random(5))


class TestReasons:
    def test_what_is_known_has_the_words_around_the_numbers(self):
        text = "Mira sold 12 large cups, then half as many more."
        assert known_numbers(text, "12 / 2") == ["sold 12 large cups", "half as many more"]

    def test_where_the_first_words_say_nothing_the_next_ones_are_known_too(self):
        text = "Mira has 90 cups. On Monday 21 of them break."
        assert known_numbers(text, "90 - 21") == ["90 cups", "21 of them break"]

    @pytest.mark.parametrize(
        ("expression", "said"),
        [
            ("12 + 30", "add"),
            ("12 - 2 * 3", "multiply and subtract"),
            ("(12 - 2) * 3", "subtract and multiply"),
            ("sqrt(9)", "calculate"),
        ],
    )
    def test_operations_are_named_in_the_order_of_working(self, expression, said):
        assert operations(expression) == said

    def test_a_long_thought_leaves_out_what_was_found_before(self):
        said = reason("There are 3 cups.", "3 * 4", "They cost ?.", before="x" * 200)
        assert said == "The story says: 3 cups. They cost ?. So I multiply."


class TestTraces:
    def test_a_scenario_is_one_call_or_a_call_for_each_sum_and_ends_in_the_value(self, tmp_path):
        make = make_story_kind(write(tmp_path / "s.jsonl", *ALL))
        calls, reads = set(), 0
        for seed in range(150):
            scenario = make(random.Random(seed))
            sums = [move for move in scenario.moves if move.tool == "calculator"]
            calls.add(len(sums))
            reads += "read_file" in {move.tool for move in scenario.moves}
            assert sums[-1].gives == scenario.value
            assert scenario.value in scenario.answer
            assert bool(scenario.files) == (scenario.moves[0].tool == "read_file")
            for move in sums:
                expression = move.arguments["expression"]
                assert move.thought.endswith(f"I need to calculate {expression}.")
                assert "<<" not in move.thought and "$" not in expression
        assert calls == {1, 2}
        assert 30 < reads < 75, f"about a third of 150 should be read from a file, not {reads}"

    def test_what_is_kept_back_is_in_no_trace(self, tmp_path):
        file = write(tmp_path / "s.jsonl", *many())
        raws = read_raw(file)
        kept = {raw.question for raw in raws if raw.is_kept_back}
        assert kept and len(kept) < len(raws) / 10
        used = {told.ask(told.numbers) for told in read_stories(file)}
        assert used and not used & kept
        assert {question.text for question in stories(file)} == kept

    def test_the_command_makes_the_kind_where_it_is_given_a_file(self, tmp_path):
        file = write(tmp_path / "s.jsonl", *ALL)
        out = tmp_path / "t.jsonl"
        command = [
            sys.executable,
            "-m",
            "maintain.training.traces",
            "--count",
            "30",
            "--out",
            str(out),
        ]
        for more, is_there in ((["--stories", str(file)], True), ([], False)):
            done = subprocess.run([*command, *more], cwd=ROOT, capture_output=True, text=True)
            assert done.returncode == 0, done.stderr
            assert ("needs --stories" in done.stdout) != is_there, done.stdout
            traces = [json.loads(line) for line in out.read_text("utf-8").splitlines()]
            assert any(trace["kind"] == "story" for trace in traces) == is_there
            for trace in traces:
                assert not any(map(has_held_out_number, trace["given"])), trace["question"]


class TestValidation:
    def test_the_table_counts_each_row_and_all(self):
        one, two = Question("1 sum", "?", "1"), Question("2 sums", "?", "2")
        text = table("model", [(one, True), (two, False), (two, True)])
        assert re.search(r"1 sum +1 of 1 ", text) and re.search(r"2 sums +1 of 2 ", text)
        assert re.search(r"all +2 of 3 ", text)


@pytest.fixture(scope="module")
def situations() -> list[Situation]:
    rng = random.Random(1)
    return [make_situation(rng) for _ in range(600)]


class TestSituations:
    """Stories put together from parts."""

    def test_a_story_has_the_numbers_of_its_sum_and_no_gap_that_was_not_filled(self, situations):
        for story in situations:
            told = re.findall(r"\d+", story.text)
            assert set(re.findall(r"\d+", story.expression)) <= set(told), story
            assert not re.search(r"[{}|]|\.\.|  ", story.text), story.text

    def test_a_sum_comes_to_a_whole_number_above_zero(self, situations):
        for story in situations:
            assert re.fullmatch(r"[1-9]\d*", calculate(story.expression)), story

    def test_no_operation_is_the_usual_one(self, situations):
        signs = Counter(re.findall(r" ([-+*/]) ", " ".join(one.expression for one in situations)))
        assert max(signs.values()) < 0.45 * signs.total() and min(signs.values()) > 0.07 * 600, (
            signs
        )

    def test_no_two_read_alike(self, situations):
        told = Counter(re.sub(r"\d+|[A-Z]\w+", "", story.text) for story in situations)
        assert len(told) > 0.9 * len(situations), told.most_common(3)
