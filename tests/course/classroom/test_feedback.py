"""The feedback that a student reads: their own grade, in order and in words, and nothing else."""

from __future__ import annotations

import json
import re
from html import escape
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from checkout import ROOT
from chromium import needs_chromium
from click.testing import Result
from markdown_it import MarkdownIt
from typer.testing import CliRunner

from g2c.classroom.answers.marking import HandIn, Mark, Question, id_of
from g2c.classroom.answers.store import MarkStore
from g2c.classroom.counted import Counted
from g2c.classroom.feedback import (
    MAX_MESSAGES,
    MAX_TESTS,
    Hidden,
    MarkedAnswer,
    belief,
    feedback,
    file_names,
    marked_answers,
    stop_reason,
    to_html,
    to_markdown,
)
from g2c.classroom.measurement import UNMEASURED
from g2c.classroom.policy import Worth
from g2c.cli.app import app

if TYPE_CHECKING:
    from playwright.sync_api import Browser

TEST = "tests/test_agent.py::TestExtractPlan::test_a_goal_is_read"
HOSTILE = "</pre><script>alert(1)</script>\n```\n# mine ![x](http://evil.example/x)\x1b[2J"


def exercise(id_: str, status: str, score: float, *says: str, **more: Any) -> dict[str, Any]:
    failures = [
        {"test": TEST, "says": saying, "got": "canary-71", "given": "f(71)"} for saying in says
    ]
    return {
        "id": id_,
        "title": f"Title {id_}",
        "status": status,
        "score": score,
        "max_score": 10,
        "passed": 12 - len(says),
        "tests": 12,
        "says": "",
        "failures": failures,
        "look": [],
        "uses": ["line 3: sys"],
        **more,
    }


def result(name: str, *exercises: dict[str, Any]) -> dict[str, Any]:
    return {
        "name": name,
        "tree": f"/home/instructor/{name}",
        "seed": 4711,
        "sandbox": "bwrap",
        "score": sum(exercise["score"] for exercise in exercises),
        "max_score": 10 * len(exercises),
        "exercises": list(exercises),
        "together": {"passed": 99, "tests": 99, "says": ""},
        "writeup": {"is_complete": False, "lacks": ["Two entries are missing."], "entries": []},
    }


ADA = result(
    "ada",
    exercise("19.1", "passing", 10),
    exercise(
        *("19.2", "failing", 5, "you read a goal where there is none\nassert plan.goal is None"),
        says="was stopped in /tmp/g2c-8/course/g2c/agent/extract_plan.py (seed 4711)",
    ),
    exercise("19.3", "not started", 0),
    exercise("19.4", "needs review", 0, "forged", look=["A canary passed: 71"]),
)


def test_it_goes_from_points_over_what_is_good_to_what_failed_and_why() -> None:
    answers = [
        MarkedAnswer("19", 1, "Plans", True, Mark("19", 1, "a", 2, "Well seen.", "kim", "t")),
        MarkedAnswer("19", 2, "Tasks", True, Mark("19", 2, "b", 1, "Which run?", "kim", "t")),
        MarkedAnswer("19", 3, "Loops", False),
    ]
    page = to_markdown(feedback("ada", ADA, answers))
    assert page == (
        "# Feedback for ada\n\n"
        "15 of 40 points for the exercises.\n\n"
        "3 of 6 for the written answers of module 19.\n\n"
        "## What is good\n\n"
        "- 19.1 Title 19.1: all tests pass, 10 of 10 points.\n\n"
        "- Question 1 of module 19, Plans: 2 of 2.\n\n"
        "## What to look at again\n\n"
        "### 19.2 Title 19.2: 5 of 10 points\n\n"
        "11 of 12 tests pass.\n\n"
        "```text\nwas stopped in extract_plan.py (a seed)\n```\n\n"
        "- This is not so yet: a goal is read.\n\n"
        "```text\nyou read a goal where there is none\n```\n\n"
        "### 19.3 Title 19.3: 0 of 10 points\n\n"
        "You have not started this one.\n\n"
        "### 19.4 Title 19.4: 0 of 10 points\n\n"
        "Your instructor reviews this one before it has points.\n\n"
        "## Written answers of module 19\n\n"
        "- 1\\. Plans: 2 of 2.\n\nComment: Well seen.\n\n"
        "- 2\\. Tasks: 1 of 2.\n\nComment: Which run?\n\n"
        "- 3\\. Loops: not written, 0 of 2.\n\n"
        "## The catalogue of failures\n\n"
        "- Two entries are missing.\n"
    )


@pytest.mark.parametrize("form", [to_html, to_markdown])
def test_nothing_of_the_grader_or_of_the_tests_text_is_in_it(form: Any) -> None:
    page = form(feedback("ada", ADA, []))
    for hidden in ("assert", "4711", "/tmp", "/home", "canary", "71", "bwrap", "line 3", "TestE"):
        assert hidden not in page, hidden


def test_an_answer_that_nobody_has_marked_has_no_points_yet() -> None:
    page = to_markdown(feedback("ada", {}, [MarkedAnswer("19", 1, "Plans", True)]))
    assert "The written answers of module 19 are not all marked yet." in page
    assert "Plans: not marked yet." in page and "The exercises are not graded" in page


def test_a_student_without_a_grade_reads_why() -> None:
    why = "The archive /srv/class/cleo.rar cannot be read: it is not a zip."
    page = to_markdown(feedback("cleo", {"name": "cleo", "not_graded": why}, []))
    assert "The exercises are not graded: The archive cleo.rar cannot be read" in page


def test_functions_that_fail_only_together_are_told_of() -> None:
    grade = {**ADA, "together": {"passed": 30, "tests": 48}}
    page = to_markdown(feedback("ada", grade, []))
    assert "pass 46 tests; together they pass 30" in page
    assert "calls one of these fails with it" in page and "misunderstanding" not in page
    good = {**grade, "exercises": [e for e in grade["exercises"] if e["status"] == "passing"]}
    good["together"] = {"passed": 1, "tests": 48}
    assert "share a misunderstanding" in to_markdown(feedback("ada", good, []))
    assert "together" not in to_markdown(feedback("ada", ADA, []))


def test_hostile_text_stays_text() -> None:
    grade = result(HOSTILE, exercise("19.2", "failing", 5, HOSTILE, says=HOSTILE, title=HOSTILE))
    grade["writeup"]["entries"] = [{"title": HOSTILE, "run": "", "lacks": [HOSTILE]}]
    answers = [MarkedAnswer("19", 1, "Plans", True, Mark("19", 1, "a", 1, HOSTILE, "kim", "t"))]
    blocks = feedback(HOSTILE, grade, answers)
    html = to_html(blocks)
    assert "<script>alert" not in html and "&lt;script&gt;" in html and "\x1b" not in html
    assert html.count("</pre>") == html.count("<pre>")
    page = to_markdown(blocks)
    assert "````text" in page, "a fence is longer than what stands in it"
    tokens = list(
        chain.from_iterable([token, *(token.children or [])] for token in MarkdownIt().parse(page))
    )
    kinds = {token.type for token in tokens}
    assert not kinds & {"html_block", "html_inline", "image", "link_open"}, kinds
    assert sum(token.type == "heading_open" and token.tag == "h1" for token in tokens) == 1
    for name in ("{body}", "{title}"):
        assert to_html(feedback(name, ADA, [])).count("What is good") == 1


@pytest.mark.parametrize(
    ("says", "told"),
    [
        ("assert [1] == [2]\n  +  where", ""),
        ("you stop too early\n\nassert 1 == 2", "you stop too early"),
        ("TypeError: no, in g2c/agent/extract_plan.py, line 3", None),
        ("in C:\\Users\\kim\\course\\a.py", "in a.py"),
        ("open '/tmp/pytest-of-root/x/notes.md'", "open 'notes.md'"),
        ("see https://example.org/a/b", None),
        ("made with seed=99", "made with a seed"),
    ],
)
def test_the_belief_in_a_message_is_shown(says: str, told: str | None) -> None:
    assert belief(says) == (says if told is None else told)


def test_the_error_in_a_report_of_pytest_is_shown() -> None:
    says = "tests/test_agent.py:9: in <module>\n    from x import y\nE     File 'a.py', line 3"
    assert stop_reason(says) == "File 'a.py', line 3"
    assert stop_reason("It took more than 60 seconds.") == "It took more than 60 seconds."
    assert Hidden().out_of("") == ""


def test_paths_and_seeds_in_a_students_data_stay() -> None:
    says = "permit('//etc/passwd', '/etc/', 'C:\\\\data\\\\x') and draw(seed=7), not 4711"
    grade = result("ada", exercise("25.2", "failing", 5, f"{says} in {ROOT}/g2c/a.py, seed 4711"))
    page = to_html(feedback("ada", grade, []))
    assert escape(f"{says} in a.py, a seed") in page
    grade["exercises"][0]["failures"][0]["says"] = "open /srv/class/ada/x.md, /srv/class/bob/"
    grade["tree"] = "/srv/class/ada"
    assert "open x.md, /srv/class/bob/" in to_html(feedback("ada", grade, []))


def test_a_message_that_many_tests_have_is_told_once() -> None:
    grade = result("ada", exercise("19.2", "failing", 0, "you read None", "other", "you read None"))
    page = to_markdown(feedback("ada", grade, []))
    assert "- This is not so yet: a goal is read; a goal is read.\n\n```text\nyou read None" in page
    broken = "g2c/agent/extract_plan.py, line 3: SyntaxError: invalid syntax"
    grade = result("ada", exercise("19.2", "failing", 0, *[broken] * 12, says=broken))
    page = to_markdown(feedback("ada", grade, []))
    assert page.count("SyntaxError") == 1 and "not so yet" not in page


def test_many_failures_and_long_messages_are_cut() -> None:
    says = [f"{n} {'x' * 10**5}" for n in range(100)] + ["y"] * 100
    page = to_markdown(feedback("ada", result("ada", exercise("19.2", "failing", 0, *says)), []))
    assert len(page) < 50_000 and f"And {101 - MAX_MESSAGES} other messages." in page
    grade = result("ada", exercise("19.2", "failing", 0, *says[100:]))
    page = to_markdown(feedback("ada", grade, []))
    assert f"; and {100 - MAX_TESTS} more." in page


def test_names_of_files_are_safe_and_no_two_are_one() -> None:
    names = ["ada", "Ada", "../../etc/x", "CON", "a" * 300, "", ".", "x\n", "Éve", "=1", "nul.txt"]
    files = file_names(names)
    assert len({name.casefold() for name in files.values()}) == len(names)
    for name, file in files.items():
        assert re.fullmatch(r"[\w@+ -]{1,80}", file) and file.upper() not in ("CON", "NUL"), name
    assert files["Éve"] == "Éve"
    with pytest.raises(ValueError, match="Two results"):
        file_names(["ada", "ada"])


def test_marks_are_found_by_the_answer_and_the_last_one_counts() -> None:
    marks = [Mark("19", 1, "aa", 0, "", "k", "t"), Mark("19", 1, "aa", 2, "", "k", "t")]
    marks += [Mark("19", 10, "bb", 1, "", "k", "t"), Mark("20", 1, "aa", 1, "", "k", "t")]
    own = marked_answers({"19": {"10": "bb", "1": "aa", "2": ""}}, marks, {"19": {1: "Plans"}})
    assert [(answer.number, answer.title, answer.mark and answer.mark.marks) for answer in own] == [
        *((1, "Plans", 2), (2, "", None), (10, "", 1))
    ]


@pytest.fixture
def grades(tmp_path: Path) -> Path:
    """Three results and marks; bob's answer got a comment of its own."""
    folder = tmp_path / "grades"
    folder.mkdir()
    bob = result("bob", exercise("19.1", "failing", 2, "bob believes that 7 is prime"))
    cleo = {"name": "cleo", "not_graded": "It is not a zip."}
    for grade in (ADA, bob, cleo):
        (folder / f"{grade['name']}.json").write_text(json.dumps(grade))
    (folder / "settings.json").write_text("{}")
    store, question = MarkStore(folder), Question("19", 1, "", "")
    hand_ins = (HandIn("ada", {1: "Ada's answer"}), HandIn("bob", {1: "Bob's secret answer"}))
    for hand_in, comment in zip(hand_ins, ("For her.", "For him alone."), strict=True):
        store.add(Mark("19", 1, id_of(hand_in.answers[1]), 1, comment, "kim", "t"))
    store.write_totals((question,), (*hand_ins, HandIn("dora", {})))
    return folder


def write_pages(grades: Path, out: Path) -> Result:
    return CliRunner().invoke(app, ["class", "feedback", str(grades), "--out", str(out)])


def test_the_command_writes_two_files_each_and_none_has_anothers(
    grades: Path, tmp_path: Path
) -> None:
    out = tmp_path / "feedback"
    done = write_pages(grades, out)
    assert done.exit_code == 0, done.output
    assert "Pages for 4 students" in done.output and "2 of them have no grade" in done.output
    assert sorted(file.name for file in out.iterdir()) == sorted(
        f"{name}.{ending}" for name in ("ada", "bob", "cleo", "dora") for ending in ("html", "md")
    )
    for ending in ("html", "md"):
        pages = {name: (out / f"{name}.{ending}").read_text() for name in ("ada", "bob", "cleo")}
        assert "For her" in pages["ada"] and "For him alone" in pages["bob"]
        for word in ("bob", "Bob", "him", "prime", "secret", "kim", "cleo"):
            assert word not in pages["ada"], word
        assert "It is not a zip" in pages["cleo"]
    refused = write_pages(grades, grades)
    assert refused.exit_code == 2 and "GRADES names" in " ".join(refused.output.split())


def test_a_name_that_looks_like_a_result_is_none(grades: Path, tmp_path: Path) -> None:
    MarkStore(grades).write_totals((Question("19", 1, "", ""),), (HandIn("exercises", {}),))
    done = write_pages(grades, tmp_path / "out")
    assert done.exit_code == 0, done.output
    assert (tmp_path / "out/exercises.md").is_file()


def test_pages_of_who_is_not_in_the_class_any_more_are_told(grades: Path, tmp_path: Path) -> None:
    told = []
    for _ in range(2):
        told.append(write_pages(grades, tmp_path / "out").output)
        (grades / "cleo.json").unlink(missing_ok=True)
    assert "Of nobody" not in told[0] and "any more: cleo.html" in told[1]


COUNTED = Counted((Worth("19", 12.5, 30, late=3, charged=1),), ("19.4",), ("19.2",))


def test_the_page_says_what_counts_as_the_gradebook_has_it() -> None:
    """Else a late student reads other points here than in the LMS."""
    told = to_markdown(feedback("ada", ADA, [], COUNTED))
    assert "Module 19 counts 12.5 of 30 points. It came 3 days late, and 1 of them took" in told
    assert "Your instructor gave the points of 19.4." in told
    assert "has reviewed this one" in told and "reviews this one before" not in told
    unmeasured = f"{UNMEASURED} The grader was run with --no-model."
    own = result("ada", exercise("19.2", "failing", 0, unmeasured, "you read a goal"))
    told = to_markdown(feedback("ada", own, [], COUNTED))
    assert (
        "19.2 was not measured; the rest counts for the whole." in told and "--no-model" not in told
    )
    assert "### 19.2 Title 19.2\n" in told and "you read a goal" in told


def test_the_gradebooks_sums_are_on_the_pages(grades: Path, tmp_path: Path) -> None:
    done = write_pages(grades, tmp_path / "out")
    assert "g2c class gradebook says it, so run it before" in done.output
    done = CliRunner().invoke(app, ["class", "gradebook", str(grades)])
    assert done.exit_code == 0, done.output
    done = write_pages(grades, tmp_path / "out")
    assert done.exit_code == 0 and "run it before" not in done.output, done.output
    assert "Module 19 counts " in (tmp_path / "out/ada.md").read_text()
    assert "counts" not in (tmp_path / "out/cleo.md").read_text(), "nothing was graded"
    (grades / "counted.json").write_text('{"ada": 3}')
    done = write_pages(grades, tmp_path / "out")
    assert "Run it again" in str(done.exception)


@needs_chromium
@pytest.mark.slow
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_page_can_be_read_on_a_telephone(scheme: Any, tmp_path: Path, browser: Browser) -> None:
    file = tmp_path / "ada.html"
    said = "you read " + "x" * 400
    file.write_text(
        to_html(feedback("ada", result("ada", exercise("19.2", "failing", 1, said)), []))
    )
    page = browser.new_page(viewport={"width": 400, "height": 800}, color_scheme=scheme)
    page.goto(file.as_uri())
    assert page.evaluate("document.documentElement.scrollWidth") <= 400
    colour = page.evaluate("getComputedStyle(document.body).color")
    assert colour == ("rgb(0, 0, 0)" if scheme == "light" else "rgb(255, 255, 255)")
    page.close()
