"""The written answers of every notebook, however editors and students leave them."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from checkout import ROOT

from g2c.course.answers import Answer, find_answers, read_answers
from g2c.course.notebook.progress import CALLS

NOTEBOOKS = sorted((ROOT / "notebooks").glob("*-*.ipynb"))
WORDS = "The model stopped, because the parser found an answer."
Cell = dict[str, Any]


def cell(kind: str, source: str) -> Cell:
    return {"cell_type": kind, "metadata": {}, "source": source}


def changed(made: Callable[[str, Cell], list[Cell]], file: Path, to: Path) -> Path:
    """A copy of the notebook, with other cells in place of each answer's; `made` is called with
    the heading and the cell."""
    notebook = json.loads(file.read_text("utf-8"))
    cells: list[Cell] = []
    for own in notebook["cells"]:
        source = "".join(own["source"])
        is_answer = source.startswith("### Answer ")
        cells += made(source.partition("\n")[0], own) if is_answer else [own]
    copy = to / file.name
    copy.write_text(json.dumps({**notebook, "cells": cells}), "utf-8")
    return copy


FORMS: dict[str, Callable[[str, Cell], list[Cell]]] = {
    "in its cell": lambda head, own: [{**own, "source": f"{head}\n\n{WORDS}"}],
    "in another cell": lambda head, own: [own, cell("markdown", WORDS)],
    "with Windows's line ends": lambda head, own: [{**own, "source": f"{head}\r\n\r\n{WORDS}"}],
    "below a heading": lambda head, own: [own, cell("markdown", f"## My answer\n\n{WORDS}")],
    "below a title": lambda head, own: [own, cell("markdown", f"# Why\n{WORDS}")],
    "below a rule": lambda head, own: [own, cell("markdown", f"---\n{WORDS}")],
    "in a table": lambda head, own: [own, cell("markdown", f"--- | ---\n{WORDS}")],
    "in a raw cell": lambda head, own: [own, cell("raw", WORDS)],
    "as a comment": lambda head, own: [own, cell("code", f"# {WORDS}")],
    "as a string": lambda head, own: [own, cell("code", f'"""{WORDS}"""')],
    "turned into code": lambda head, own: [{**own, "cell_type": "code", "source": head + WORDS}],
    "turned into raw": lambda head, own: [cell("raw", f"{head}\n\n{WORDS}")],
    "below HTML": lambda head, own: [cell("markdown", f"<h3>{head[4:]}</h3>\n\n{WORDS}")],
    "below bold words": lambda head, own: [cell("markdown", f"**{head[4:]}**\n\n{WORDS}")],
    "below a line": lambda head, own: [cell("markdown", f"{head[4:]}\n-----\n\n{WORDS}")],
    "above the heading": lambda head, own: [{**own, "source": f"{WORDS}\n\n{head}"}],
    "without the heading": lambda head, own: [{**own, "source": WORDS}],
    "in place of its cell": lambda head, own: [cell("markdown", WORDS)],
    "with a comment in code": lambda head, own: [
        {**own, "source": f"{head}\n\n```\n# Answer 1\n```\n{WORDS}"}
    ],
    "below a wrong number": lambda head, own: [cell("markdown", f"### Answer 99\n{WORDS}")],
}


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("file", NOTEBOOKS, ids=lambda file: file.stem[:2])
def test_an_answer_is_found_wherever_it_stands(file: Path, form: str, tmp_path: Path) -> None:
    expected = read_answers(file)
    found = find_answers(changed(FORMS[form], file, tmp_path))
    assert list(found) == list(expected) and len(found) >= 8
    assert all(WORDS in answer.text for answer in found.values()), found
    assert all("Question" not in answer.text and not answer.unsure for answer in found.values())


@pytest.mark.parametrize("file", NOTEBOOKS, ids=lambda file: file.stem[:2])
def test_an_empty_answer_stays_empty_however_its_cell_is_left(file: Path, tmp_path: Path) -> None:
    for made in (
        lambda head, own: [own],
        lambda head, own: [],
        lambda head, own: [{**own, "source": head, "cell_type": "raw"}],
        lambda head, own: [{**own, "source": f"**{head[4:]}**", "cell_type": "code"}],
        lambda head, own: [own, cell("code", "")],
        lambda head, own: [{**own, "source": f"{head}\n\n_Write here._\n\n---"}],
        lambda head, own: [{**own, "source": f"{head}\n\n**write here**"}],
        lambda head, own: [{**own, "source": f"{head}\n\n\u200b\u00a0"}],
        lambda head, own: [{**own, "source": f"{head}\n\n<!-- TODO -->"}],
        lambda head, own: [{**own, "source": f"{head}\n\n**TODO**"}],
        lambda head, own: [{**own, "source": f"{head}\n\n<!-- later:\n\n1. why -->\n# todo:"}],
        lambda head, own: [own, cell("code", "# TODO")],
    ):
        assert set(find_answers(changed(made, file, tmp_path)).values()) == {Answer("")}


def test_code_where_an_answer_belongs_is_for_a_person_to_see(tmp_path: Path) -> None:
    code = "!ls\nanswer = 'It stopped.'"
    found = find_answers(
        changed(lambda head, own: [own, cell("code", code)], NOTEBOOKS[0], tmp_path)
    )
    assert set(found.values()) == {Answer("", code)}


def _edited(file: Path, to: Path, edit: Callable[[list[Cell]], None]) -> dict[int, Answer]:
    notebook = json.loads(file.read_text("utf-8"))
    edit(notebook["cells"])
    copy = to / file.name
    copy.write_text(json.dumps(notebook), "utf-8")
    return {number: found for number, found in find_answers(copy).items() if found != Answer("")}


def _place(cells: list[Cell], begins: str) -> int:
    return next(at for at, own in enumerate(cells) if "".join(own["source"]).startswith(begins))


def test_text_inside_the_question_is_the_answer(tmp_path: Path) -> None:
    def write_below(cells: list[Cell]) -> None:
        cells[_place(cells, "### Answer 2") - 1]["source"] += ["\n", "\n", WORDS]

    def merge(cells: list[Cell]) -> None:
        at = _place(cells, "### Answer 2")
        texts = ["".join(own["source"]) for own in cells[at - 1 : at + 2]]
        texts[1] = f"### Answer 2\n\n{WORDS}"
        cells[at - 1 : at + 2] = [{**cells[at - 1], "source": "\n\n".join(texts)}]

    def split(cells: list[Cell]) -> None:
        at = _place(cells, "### Answer 2")
        question = "".join(cells[at - 1]["source"])
        cells[at]["source"] = f"### Answer 2\n{WORDS}"
        cells[at - 1]["source"] = question[:60]
        cells.insert(at, cell("markdown", question[60:]))

    for edit in (write_below, merge, split):
        found = _edited(NOTEBOOKS[0], tmp_path, edit)
        assert found == {2: Answer(WORDS)}, edit


def test_text_between_two_questions_that_is_in_another_part_is_for_a_person_to_see(
    tmp_path: Path,
) -> None:
    def write(cells: list[Cell]) -> None:
        cells.insert(_place(cells, "## 3.") + 1, cell("markdown", WORDS))
        cells.insert(_place(cells, "## 3.") + 1, cell("code", "mine = 2"))

    assert _edited(NOTEBOOKS[0], tmp_path, write) == {2: Answer("", WORDS)}


def test_ids_that_an_editor_drops_are_not_needed(tmp_path: Path) -> None:
    def write(cells: list[Cell]) -> None:
        at = _place(cells, "### Answer 2")
        cells[at : at + 1] = [cell("raw", WORDS), cell("code", "plot()")]
        for own in cells:
            own.pop("id", None)
            own["metadata"] = {CALLS: ""}
            own["source"] = "".join(own["source"])

    assert _edited(NOTEBOOKS[0], tmp_path, write) == {2: Answer(WORDS, "plot()")}


NAMED = {
    "words": "Answer {}: {}",
    "questions": "Question {}.\n\n{}",
    "initials": "Q{}) {}",
    "bold words": "**Question {}:** {}",
    "headings": "### Answer {}\n{}",
    "other headings": "## Question {}:\n\n{}",
    "a list": "{}. {}",
    "bold numbers": "**{}.** {}",
    "numbers as headings": "### {}\n\n{}",
    "a dash": "{} - {}",
    "a list in an answer": "Answer {}:\n1. {}\n2. And the parser.",
}
"""How somebody says which question a part of a text answers."""


@pytest.mark.parametrize("form", NAMED)
@pytest.mark.parametrize("file", NOTEBOOKS, ids=lambda file: file.stem[:2])
def test_answers_in_one_cell_are_told_apart_by_their_numbers(
    file: Path, form: str, tmp_path: Path
) -> None:
    numbers = list(read_answers(file))
    parts = [NAMED[form].format(number, f"{WORDS} {number}") for number in numbers]

    def as_one(cells: list[Cell]) -> None:
        cells.append(cell("markdown", "# My answers\n\n" + "\n\n".join(parts)))

    def one_by_one(cells: list[Cell]) -> None:
        cells.extend(cell("markdown", part) for part in parts)

    def first(cells: list[Cell]) -> None:
        cells.insert(0, cell("raw", "\n".join(parts)))

    for edit in (as_one, one_by_one, first):
        found = _edited(file, tmp_path, edit)
        assert list(found) == numbers
        for number, answer in found.items():
            assert f"{WORDS} {number}" in answer.text and not answer.unsure
            assert answer.text.count(WORDS) == 1


def test_answers_that_say_their_questions_in_the_place_of_one_are_told_apart(
    tmp_path: Path,
) -> None:
    def write(cells: list[Cell]) -> None:
        at = _place(cells, "### Answer 1")
        cells[at]["source"] = f"### Answer 1\n\n{WORDS}\n\nQuestion 2: {WORDS}\n\n3. of three"
        cells[_place(cells, "### Answer 4")]["source"] = "### Answer 4\nQuestion 1: as above."

    assert _edited(NOTEBOOKS[0], tmp_path, write) == {
        1: Answer(WORDS),
        2: Answer(f"{WORDS}\n\n3. of three"),
        4: Answer("Question 1: as above."),
    }


@pytest.mark.parametrize(
    "text",
    [
        WORDS,
        f"{WORDS}\n\n{WORDS}",
        f"1. {WORDS}",
        f"2. {WORDS}\n1. {WORDS}",
        f"1. {WORDS}\n99. No.",
    ],
)
def test_text_at_the_end_without_numbers_is_shown_at_every_answer_that_is_missing(
    text: str, tmp_path: Path
) -> None:
    numbers = list(read_answers(NOTEBOOKS[0]))

    def write(cells: list[Cell]) -> None:
        cells[_place(cells, "### Answer 2")]["source"] = f"### Answer 2\n{WORDS}"
        cells.append(cell("markdown", text))

    missing = [number for number in numbers if number != 2]
    found = _edited(NOTEBOOKS[0], tmp_path, write)
    assert found.pop(2) == Answer(WORDS)
    assert found == dict.fromkeys(missing, Answer("", text))


def test_a_list_of_reasons_behind_all_answers_belongs_to_the_last(tmp_path: Path) -> None:
    reasons, numbers = "1. It is late.\n2. It is cold.", list(read_answers(NOTEBOOKS[0]))

    def write(cells: list[Cell]) -> None:
        for number in numbers:
            cells[_place(cells, f"### Answer {number}")]["source"] = f"### Answer {number}\n{WORDS}"
        cells.append(cell("markdown", reasons))

    found = _edited(NOTEBOOKS[0], tmp_path, write)
    last = {numbers[-1]: Answer(WORDS, reasons)}
    assert found == dict.fromkeys(numbers, Answer(WORDS)) | last


@pytest.mark.parametrize("file", NOTEBOOKS, ids=lambda file: file.stem[:2])
def test_all_answers_in_the_last_cell_without_numbers_are_shown_at_each(
    file: Path, tmp_path: Path
) -> None:
    *others, last = read_answers(file)

    def write(cells: list[Cell]) -> None:
        cells[_place(cells, f"### Answer {last}")]["source"] = f"### Answer {last}\n{WORDS}"

    expected = dict.fromkeys(others, Answer("", WORDS)) | {last: Answer(WORDS)}
    assert _edited(file, tmp_path, write) == expected


def test_a_line_of_spaces_is_read_once(tmp_path: Path) -> None:
    def write(cells: list[Cell]) -> None:
        cells.append(cell("markdown", f"a{' ' * 10**6}b"))

    assert _edited(NOTEBOOKS[0], tmp_path, write)
