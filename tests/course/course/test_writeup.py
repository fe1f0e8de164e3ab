"""The catalogue of failures, and the written answers of a notebook."""

import json
import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from checkout import Checkout
from growth import MAX_RATIO, growth
from hypothesis import given
from hypothesis import strategies as st

from g2c.agent import Action, AgentRunResult, AgentStep, Observation
from g2c.course.answers import read_answers
from g2c.course.runs import read_run
from g2c.course.writeup import (
    PLACEHOLDER,
    CheckedWriteup,
    Entry,
    append_entry,
    check_entries,
    check_writeup,
    first_strange_line,
    read_entries,
    render_entry,
)

HOSTILE = "I think.\n### Not a title\n#### Hypothesis\n\nIt is true.\r```\nRun: `other`"
"""A model's text that a catalogue must not take for its own structure."""


def a_run(thought: str = "I need it.") -> AgentRunResult:
    call = Action("calculator", {"expression": "1 + 1"})
    steps = (
        AgentStep("...", thought, call, Observation("2\n### no title\n> no quotation")),
        AgentStep("...", "I can answer.", final_answer="3"),
    )
    return AgentRunResult("What is 1 + 1?", None, "3", steps, "final_answer", {"n_steps": 2})


TRANSCRIPT = a_run().to_markdown()


def transcript_of(name: str) -> str:
    if not name.startswith("run"):
        raise ValueError(f"There is no run {name!r}.")
    return TRANSCRIPT


def finished(entry: str, tried: str = "run9") -> str:
    entry = entry.replace("Tried: ``", f"Tried: `{tried}`")
    return entry.replace(PLACEHOLDER, "The example was imitated too closely.")


def three(*runs: str) -> str:
    return "# Failures\n\n" + "\n".join(
        finished(render_entry(f"Failure of {run}", run, TRANSCRIPT)) for run in runs
    )


def check(text: str) -> CheckedWriteup:
    return check_entries(read_entries(text), transcript_of)


def test_a_new_entry_lacks_just_what_the_student_is_to_write() -> None:
    (one,) = check(render_entry("It  guessed", "run1", TRANSCRIPT)).entries
    assert one.entry.title == "It guessed" and one.entry.run == "run1"
    assert one.lacks == ("The hypothesis is to be written.", "The mitigation is to be written.")


def test_a_models_text_is_not_part_of_the_catalogue() -> None:
    transcript = a_run(HOSTILE).to_markdown()
    text = "# Failures\n" + finished(render_entry("It shouted", "run1", transcript))
    (entry,) = read_entries(text)
    assert (entry.title, entry.run) == ("It shouted", "run1")
    assert entry.hypothesis == "The example was imitated too closely."
    assert first_strange_line(entry.quoted, transcript) is None


def test_an_entry_needs_a_title() -> None:
    with pytest.raises(ValueError, match="needs a title"):
        render_entry(" \n", "run1", TRANSCRIPT)


@pytest.mark.parametrize("text", [None, "", "# Mine\r\n\r\nMy ünsaved\tlines  \r\nend", "a\n"])
def test_text_in_the_file_stays_as_it_is(tmp_path: Path, text: str | None) -> None:
    file = tmp_path / "docs" / "failures.md"
    file.parent.mkdir()
    if text is not None:
        file.write_bytes(text.encode())
    for title in ("One", "Two"):
        append_entry(file, render_entry(title, "run1", TRANSCRIPT))
    now = file.read_bytes()
    assert now.startswith((text or "").encode())
    assert [entry.title for entry in read_entries(now.decode())] == ["One", "Two"]


def test_a_file_in_another_encoding_is_left_alone(tmp_path: Path) -> None:
    file = tmp_path / "failures.md"
    file.write_bytes("für".encode("latin-1"))
    with pytest.raises(ValueError, match="UTF-8"):
        append_entry(file, "x")
    assert file.read_bytes() == "für".encode("latin-1")


def test_three_complete_entries_are_a_complete_catalogue() -> None:
    checked = check(three("run1", "run2", "run3"))
    assert checked.is_complete and not any(entry.lacks for entry in checked.entries), checked
    unfinished = render_entry("A fourth", "run4", TRANSCRIPT)
    assert check(three("run1", "run2", "run3") + unfinished).is_complete, (
        "three are asked for; a fourth may be under way"
    )
    assert check(three("run1", "run2")).lacks == ("2 of 3 failures are complete.",)
    assert check("# Failures\n").lacks == ("0 of 3 failures are complete.",)


def test_one_run_for_all_three_is_asked_about() -> None:
    assert check(three("run1", "run1", "run2")).is_complete, "one run can fail in two ways"
    checked = check(three("run1", "run1", "run1"))
    assert checked.lacks == ("3 entries are about the one run run1: are they different failures?",)


@pytest.mark.parametrize(
    ("old", "new", "lacks"),
    [
        ("Run: `run1`\n", "", "The line that names the run is missing: Run: `NAME`"),
        ("`run1`", "`mine`", "There is no run 'mine'."),
        ("`run1`", "`../run1`", "There is no run '../run1'."),
        ("### It guessed", "### ", "The title is missing."),
        ("#### Hypothesis", "#### Thoughts", "The hypothesis is to be written."),
        ("#### Mitigation", "", "The mitigation is to be written."),
        ("#### Hypothesis", "#### HYPOTHESIS", ""),
        ("`run9`", "", "The mitigation names no run in which you tried it: Tried: `NAME`"),
        ("`run9`", "`sun9`", "There is no run 'sun9'."),
        (
            "`run9`",
            "`run1`",
            "run1 is not later than the failure, so the mitigation was not tried in it.",
        ),
        ("answer.** 3", "answer.** 2", "The run does not say, at this place: **Final answer.** 2"),
        ("> ## Step 1\n", "", "The run does not say, at this place: **Thought.** I need it."),
    ],
)
def test_it_says_what_an_entry_lacks(old: str, new: str, lacks: str) -> None:
    entry = finished(render_entry("It guessed", "run1", TRANSCRIPT))
    (one,) = check(entry.replace(old, new)).entries
    assert one.lacks == ((lacks,) if lacks else ())


@pytest.mark.parametrize(
    "heading",
    [
        *("#### Hypothesis", "## Hypothesis", "###### hypothesis:", "#### **Hypothesis**"),
        *("**Hypothesis**", "**Hypothesis:**", "__Hypothesis__:", "<h4>Hypothesis</h4>"),
        *("Hypothesis:", "  #### Hypothesis ####"),
    ],
)
def test_a_part_of_an_entry_is_found_below_any_heading(heading: str) -> None:
    entry = finished(render_entry("T", "run1", TRANSCRIPT))
    (whole,) = read_entries(entry)
    assert read_entries(entry.replace("#### Hypothesis", heading)) == (whole,)
    inside = f"#### Why\n\n{whole.hypothesis}"
    (other,) = read_entries(entry.replace(whole.hypothesis, inside))
    assert other.hypothesis == inside, "a heading of one's own is a part of the text"


def test_a_mitigation_may_be_tried_within_the_second_of_the_failure() -> None:
    failed, tried = "20260301-120000-zebra", "20260301-120000-ape"
    entry = Entry("T", failed, ("x",), "It read too much of it.", "It reads less of it now.", tried)
    lacks = check_entries([entry], lambda name: "x").entries[0].lacks
    assert not lacks
    again = replace(entry, tried=failed)
    assert "not later" in check_entries([again], lambda name: "x").entries[0].lacks[0]


def test_a_word_or_two_is_not_a_hypothesis() -> None:
    entry = render_entry("It guessed", "run1", TRANSCRIPT).replace(PLACEHOLDER, "Too small.")
    assert "hypothesis is too short" in check(entry).entries[0].lacks[0]


@pytest.mark.parametrize("quotation", ["", "> [...]\n", ">\n>\n"])
def test_a_transcript_without_lines_is_missing(quotation: str) -> None:
    entry = f"### T\n\nRun: `run1`\n\n{quotation}\n#### Hypothesis\n\n{PLACEHOLDER}\n\n"
    (one,) = check(finished(f"{entry}#### Mitigation\n\nTried: `run9`\n\n{PLACEHOLDER}\n")).entries
    assert one.lacks == ("The transcript is missing: lines of the run, each after a >",)


def test_headings_in_code_are_code() -> None:
    text = "```sh\n### no entry\n```\n### Entry\n~~~~\n#### Hypothesis\n~~~\nx\n~~~~\n"
    assert read_entries(text) == (Entry("Entry"),)


@pytest.mark.parametrize(
    ("quoted", "strange"),
    [
        ("a b c d", None),
        ("b c", None),
        ("a [...] d", None),
        ("[...] b [...] d [...]", None),
        ("a [...] b", None),
        ("a c", "c"),
        ("b [...] a", "a"),
        ("a b [...] b", "b"),
        ("a b x", "x"),
        ("x", "x"),
        ("c d e", "e"),
    ],
)
def test_lines_may_be_left_out_if_it_says_so(quoted: str, strange: str | None) -> None:
    lines = [f"  {line} " for line in quoted.split()]
    assert first_strange_line(["", *lines, ""], "a\n\nb\nc\nd\n") == strange


@given(
    st.lists(st.sampled_from(["a", "b", "c", "[...]", ""]), max_size=8),
    st.lists(st.sampled_from("abc"), max_size=12),
)
def test_a_quotation_is_compared_as_if_every_place_were_tried(
    quoted: list[str], lines: list[str]
) -> None:
    expected, rest = None, lines
    for passage in " ".join(filter(None, quoted)).split("[...]"):
        wanted = passage.split()
        places = [rest[i : i + len(wanted)] for i in range(len(rest) + 1)]
        if wanted not in places:
            n_found = max(
                n for n in range(len(wanted)) if any(place[:n] == wanted[:n] for place in places)
            )
            expected = wanted[n_found]
            break
        rest = rest[places.index(wanted) + len(wanted) :]
    assert first_strange_line(quoted, "\n".join(lines)) == expected


@pytest.mark.parametrize(
    "make",
    [
        lambda n: f"### A\n\nRun:{' ' * n}`\n",
        lambda n: f"### A\n\nRun: {'` ' * n}\n",
        lambda n: f"### {'#' * n}a\n",
        lambda n: f"### {'# ' * n}a\n",
        lambda n: f"###{' ' * n}a\n",
        lambda n: f"{'`' * n}\n{'`' * n}a\n",
        lambda n: "### \n#### Hypothesis\n" * n,
        lambda n: "### A\nRun: run1\n" + "> a\n" * n + "> b\n",
        lambda n: "### A\nRun: run1\n" + "> a\n> [...]\n" * n,
        lambda n: "### A\nRun: run1\n" + "> a\n> a\n> b\n> [...]\n" * n,
    ],
)
def test_a_catalogue_costs_no_more_than_its_length(make: Callable[[int], str]) -> None:
    def check(text_and_transcript: tuple[str, str]) -> None:
        text, transcript = text_and_transcript
        check_entries(read_entries(text), lambda name: transcript)

    assert growth(check, lambda n: (make(n), "a\n" * 2 * n), largest=2**19) <= MAX_RATIO


@pytest.mark.parametrize("make", [lambda n: "### Answer" + " " * n, lambda n: "#\n" * n])
def test_a_notebook_costs_no_more_than_its_length(
    tmp_path: Path, make: Callable[[int], str]
) -> None:
    def write(n: int) -> Path:
        file = tmp_path / f"{n}.ipynb"
        file.write_text(notebook(*[("markdown", make(n))] * 3))
        return file

    assert growth(read_answers, write, largest=2**19) <= MAX_RATIO


def test_a_file_of_any_size_is_refused_before_it_is_read(tmp_path: Path) -> None:
    file = tmp_path / "huge.ipynb"
    file.touch()
    os.truncate(file, 40 * 2**30)
    for read in (read_answers, read_run, lambda file: check_writeup(file, tmp_path)):
        with pytest.raises(ValueError, match="larger than"):
            read(file)


@pytest.mark.slow
def test_the_commands_start_entries_and_check_them(tmp_path: Path) -> None:
    student = Checkout(tmp_path / "student")
    file = student.folder / "docs" / "agent-failure-modes.md"
    shipped = file.read_text("utf-8")
    (student.folder / "runs").mkdir()
    for number in (1, 2, 3, 9):
        a_run(f"Thought {number} \ud83d").save(student.folder / "runs" / f"2026-{number}.json")
    empty = student.g2c("runs", "writeup", "check")
    assert empty.returncode == 1 and "0 of 3 failures are complete." in empty.stdout
    for run in ("2026-1", "2026-2", "2"):
        done = student.g2c("runs", "writeup", "new", run, "--title", f"Failure {run}")
        assert done.returncode == 0 and "docs/agent-failure-modes.md" in done.stdout, done.stderr
    assert file.read_text("utf-8").startswith(shipped)
    started = student.g2c("runs", "writeup", "check")
    assert started.returncode == 1 and started.stdout.count("hypothesis is to be") == 3
    file.write_text(finished(file.read_text("utf-8"), "2026-9"), "utf-8")
    finished_now = student.g2c("runs", "writeup", "check")
    assert finished_now.returncode == 0, finished_now.stdout
    assert finished_now.stdout.count("complete") == 4
    for arguments in (["new", "2027", "--title", "x"], ["new", "last", "--title", " "]):
        refused = student.g2c("runs", "writeup", *arguments)
        assert refused.returncode == 1 and "Traceback" not in refused.stderr
    file.unlink()
    gone = student.g2c("runs", "writeup", "check")
    assert gone.returncode == 1 and "g2c runs writeup new" in gone.stderr, gone.stderr


def test_a_run_that_cannot_be_read_is_what_an_entry_lacks(tmp_path: Path) -> None:
    (tmp_path / "run1.json").write_text("{")
    file = tmp_path / "failures.md"
    file.write_text(finished(render_entry("T", "run1", TRANSCRIPT)))
    (one,) = check_writeup(file, tmp_path).entries
    assert (
        len(one.lacks) == 2 and "no run 'run9'" in one.lacks[1] and "is not a run" in one.lacks[0]
    )


def notebook(*cells: tuple[str, str | list[str]]) -> str:
    return json.dumps({"cells": [{"cell_type": kind, "source": text} for kind, text in cells]})


def test_answers_are_read_by_their_numbers(tmp_path: Path) -> None:
    file = tmp_path / "19-agent.ipynb"
    file.write_text(
        notebook(
            ("markdown", "# Agent\n### Answer 9"),
            ("markdown", f"### Answer 1\n{PLACEHOLDER}"),
            ("markdown", ["### Answer 2 \n", "\n", "It stopped.\n", "It had to."]),
            ("code", "### Answer 3\nprint()"),
            ("markdown", "### Answer 12\n\nBecause."),
            ("markdown", "### Answer 12\nAnd so."),
            ("markdown", "### Answer 4"),
            ("markdown", ""),
        )
    )
    assert read_answers(file) == {
        1: "",
        2: "It stopped.\nIt had to.",
        12: "Because.\n\nAnd so.",
        4: "",
    }


def test_an_answer_goes_on_up_to_the_next_part_of_the_notebook(tmp_path: Path) -> None:
    file = tmp_path / "19-agent.ipynb"
    file.write_text(
        notebook(
            ("markdown", f"A note.\n\n### Answer 1\n\n{PLACEHOLDER}"),
            ("markdown", "It stopped."),
            ("code", "print()"),
            ("markdown", "### Why\nIt had to."),
            ("markdown", "## 2. The next\n### Answer 9"),
            ("markdown", "No answer."),
            (
                "markdown",
                f"### Answer 2\nTwo.\n\n### Answer 3: three.\n### Answer 4\n{PLACEHOLDER}",
            ),
            ("markdown", "---\nA note."),
            ("markdown", "No answer."),
        )
    )
    assert read_answers(file) == {
        1: "It stopped.\n\n### Why\nIt had to.",
        2: "Two.",
        3: "three.",
        4: "",
    }


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"cells": [5]}', '{"cells": [{"source": "a"}]}'])
def test_a_file_that_is_not_a_notebook_is_refused_in_a_sentence(tmp_path: Path, text: str) -> None:
    (tmp_path / "x.ipynb").write_text(text)
    with pytest.raises(ValueError, match=r"x\.ipynb is not a notebook"):
        read_answers(tmp_path / "x.ipynb")


@pytest.mark.parametrize(
    ("cell", "answer"),
    [
        ("### Answer 3:\n\nIt stopped.", "It stopped."),
        ("### Answer 3.\nIt stopped.", "It stopped."),
        ("### Answer 3 -\nIt stopped.", "It stopped."),
        ("### Answer 3: It stopped.", "It stopped."),
        ("### **Answer 3:**\nIt stopped.", "It stopped."),
        ("## Answer 3\nIt stopped.", "It stopped."),
        ("###Answer 3 ###\nIt stopped.", "It stopped."),
        ("### answer 3\r\nIt stopped.", "It stopped."),
        ("\n\n### Answer 3\nIt stopped.", "It stopped."),
        ("### Answer 3:\n\n*Write here.*", ""),
        ("### Answer 31\nIt stopped.", None),
        ("Answer 3: It stopped.", None),
    ],
)
def test_the_heading_of_an_answer_may_end_as_people_end_headings(
    tmp_path: Path, cell: str, answer: str | None
) -> None:
    file = tmp_path / "x.ipynb"
    file.write_text(json.dumps({"cells": [{"cell_type": "markdown", "source": cell}]}))
    assert read_answers(file).get(3) == answer
