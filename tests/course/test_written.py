"""A person's file, whatever editor saved it: read, named where it cannot be, and never damaged."""

import ast
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from g2c.broken import trouble_of
from g2c.cli.refine import _read
from g2c.course.answers import read_answers
from g2c.course.folder.merge import heads_of, merge, without_function
from g2c.course.manifest import find_exercise
from g2c.course.notebook.copies import working_copy
from g2c.course.stubs import is_stub, line_of, reset, stub_of, undo_reset
from g2c.course.writeup import append_entry, check_writeup
from g2c.exercise import requested_references
from g2c.home.settings import read_settings
from g2c.loop.core.identity import read_texts
from g2c.suite.suite_file import load_suite_file
from g2c.written import lines_of, toml_of, written

PARSER = find_exercise("19.1")
NOW = datetime(2026, 11, 25, tzinfo=UTC)
BODY = "    first = text.strip()\n    rest = first.split()\n    return ParsedStep(' '.join(rest))\n"
MARK = '@exercise("19.1")'
STUB = "    raise NotImplementedError\n"


SHIPPED = stub_of(PARSER)


def own(above: str = "", body: str = BODY) -> str:
    text = SHIPPED.replace(STUB, body)
    return text.replace(MARK, f"{above}{MARK}", 1)


CHARACTERS = {
    "form feed": "\x0c\nLIMIT = 3\n\n\n",
    "form feed before a comment": "\x0c# a page\n",
    "vertical tab": "# a\x0bb\n",
    "file separators": "# a\x1cb\x1dc\x1ed\n",
    "next line": "# a\x85b\n",
    "U+2028": 'BREAKS = "\u2028"\n',
    "U+2029 twice": 'BREAKS = "\u2029\u2029"\n',
}
TEXTS = {
    **{f"{name} above": own(above) for name, above in CHARACTERS.items()},
    "form feed in the body": own(body=BODY.replace("strip()", 'strip("\x0c\u2028\x85")')),
    "form feed between the lines": own(body=BODY.replace("    rest", "\x0c\n    rest")),
    "form feed below": own() + "\x0c# a page\nLIMIT = 3\n",
    "a body that is torn": own("\x0c\nLIMIT = '\u2028'\n", "    return (\n"),
}
FILES = {
    **{name: text.encode() for name, text in TEXTS.items()},
    "CRLF": own("# a\x85b\n").replace("\n", "\r\n").encode(),
    "CR": own("# a\x0cb\n").replace("\n", "\r").encode(),
    "CRLF only above": own("# one\r\n# two\x0c\r\n").encode(),
    "byte order mark": own().encode("utf-8-sig"),
    "Latin-1 that says so": ("# coding: latin-1\n" + own("# für\n")).encode("latin-1"),
    "Latin-1 in the body alone": (
        "# coding: latin-1\n" + own(body=BODY.replace("strip()", "strip('é')"))
    ).encode("latin-1"),
}
UNREADABLE = {
    "UTF-16": own("# für\n").encode("utf-16"),
    "UTF-16, big end first": b"\xfe\xff" + own("# für\n").encode("utf-16-be"),
    "UTF-16 without a mark": own().encode("utf-16-le"),
    "UTF-16 without a mark, big end first": own().encode("utf-16-be"),
    "UTF-32": own().encode("utf-32"),
    "Latin-1": own("# für\n").encode("latin-1"),
    "zero bytes of a crash": own().encode() + bytes(4096),
    "a zero byte": own("# a\0b\n").encode(),
    "Windows": own("# “für”\n").encode("cp1252"),
    "UTF-16 with CRLF": own().replace("\n", "\r\n").encode("utf-16"),
}


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The student's file of 19.1, in a folder of a student's."""
    monkeypatch.setenv("G2C_ROOT", str(tmp_path))
    place = tmp_path / PARSER.file
    place.parent.mkdir(parents=True)
    return place


def text_of(data: bytes) -> str:
    """As it is read by Python, which knows a mark and what a file says of its encoding."""
    return written(data).text.replace("\r\n", "\n").replace("\r", "\n")


@pytest.mark.parametrize("name", FILES)
def test_the_line_of_an_exercise_is_that_of_its_mark(file: Path, name: str) -> None:
    file.write_bytes(FILES[name])
    assert text_of(FILES[name]).split("\n")[line_of(PARSER) - 1] == MARK


@pytest.mark.parametrize("name", FILES | UNREADABLE)
def test_reset_puts_the_stub_back_and_undo_gives_the_file_back(file: Path, name: str) -> None:
    data = (FILES | UNREADABLE)[name]
    file.write_bytes(data)
    assert reset(PARSER, NOW).read_bytes() == data, "the copy is as it was, byte for byte"
    assert is_stub(PARSER) and text_of(file.read_bytes()) == SHIPPED
    undo_reset(PARSER, NOW + timedelta(1))
    assert file.read_bytes() == data


def test_undo_brings_back_what_was_reset_last_whatever_the_clock_said(file: Path) -> None:
    for days, word in ((400, "a"), (0, "b"), (-9, "c")):
        file.write_bytes(own().replace("first", word).encode())
        reset(PARSER, NOW + timedelta(days))
        undo_reset(PARSER, NOW)
        assert file.read_text() == own().replace("first", word)


def test_undo_keeps_what_was_written_since_around_the_stub(file: Path) -> None:
    file.write_text(own())
    reset(PARSER, NOW)
    since = f"{SHIPPED}\n\ndef helper() -> None:\n    pass\n"
    file.write_text(since)
    undo_reset(PARSER, NOW + timedelta(1))
    assert file.read_text() == own()
    kept = [copy.read_text() for copy in (file.parents[2] / "archive").iterdir()]
    assert since in kept


def test_a_links_target_is_written(file: Path) -> None:
    elsewhere = file.parent.parent / "kept/parser.py"
    elsewhere.parent.mkdir()
    elsewhere.write_text(own())
    file.symlink_to(elsewhere)
    reset(PARSER, NOW)
    assert file.is_symlink() and elsewhere.read_text() == SHIPPED
    undo_reset(PARSER, NOW + timedelta(1))
    assert file.is_symlink() and elsewhere.read_text() == own()
    catalogue = file.with_name("failures.md")
    catalogue.symlink_to("mine.md")
    append_entry(catalogue, "x")
    assert catalogue.is_symlink() and file.with_name("mine.md").read_text().endswith("x")


TRIED = (
    'print(parse_react_step("x"))\n',
    'if __name__ == "__main__":\n    text = "Thought: x"\n    print(parse_react_step(text))\n',
    'if "__main__" == __name__:\n    print(text)\n',
    'assert parse_react_step("") is None\nparse = parse_react_step\n',
)


@pytest.mark.parametrize("below", TRIED)
def test_code_that_tries_the_function_is_not_part_of_it(file: Path, below: str) -> None:
    file.write_text(f"{SHIPPED}\n\n{below}")
    assert is_stub(PARSER), "nobody has written it"


def test_a_stub_of_another_encoding_is_not_a_stub_to_leave_alone(file: Path) -> None:
    file.write_bytes(own(body=STUB).encode("utf-16"))
    assert not is_stub(PARSER)
    reset(PARSER, NOW)
    assert is_stub(PARSER)


@pytest.mark.parametrize("name", UNREADABLE)
def test_an_import_says_which_file_and_what_to_do(file: Path, name: str) -> None:
    file.write_bytes(UNREADABLE[name])
    said = trouble_of(SyntaxError("source code string cannot contain null bytes"), str(file))
    assert said.startswith(f"{PARSER.file}: the file ") and "Save it as UTF-8" in said


def test_a_question_outside_the_function_is_told_as_one_in_it(file: Path) -> None:
    file.write_bytes(b"x = input()\n")
    said = trouble_of(OSError("pytest: reading from stdin while output is captured!"), str(file))
    assert said == f"{PARSER.file}: input() finds nobody to ask in a test."


@pytest.mark.parametrize("name", [name for name in TEXTS if "torn" not in name])
def test_an_update_puts_the_body_into_the_newer_stub(name: str) -> None:
    text = TEXTS[name]
    newer = SHIPPED.replace("Read one ReAct completion", "Read one completion")
    was = [without_function(SHIPPED, PARSER), *heads_of(SHIPPED, PARSER)]
    merged = merge(text, newer, PARSER, was.__contains__)
    assert merged is not None
    ast.parse(merged.text)
    expected = text.replace("Read one ReAct completion", "Read one completion")
    assert merged.text == expected


def test_the_lines_are_those_that_python_counts() -> None:
    for text in TEXTS.values():
        if "return (\n" not in text:
            end = ast.parse(text + "end = 1\n").body[-1]
            assert end.lineno == len(lines_of(text)) + 1


def read_home(folder: Path) -> object:
    return read_texts(folder.parent)


def read_catalogue(file: Path) -> object:
    return check_writeup(file, file.parent / "runs")


def write_catalogue(file: Path) -> object:
    return append_entry(file, "x")


def read_skipped(file: Path) -> object:
    return requested_references()


READERS: dict[str, tuple[str, str, Callable[[Path], object]]] = {
    "agent.toml": ("agent.toml", '# für\ntools = ["recall"]\n', read_settings),
    "the constitution": ("constitution.md", "für\n", read_home),
    "a catalogue": ("failures.md", "# für\n", read_catalogue),
    "a catalogue that gets an entry": ("failures.md", "# für\n", write_catalogue),
    "a notebook": ("work/19.ipynb", '{"cells": [], "x": "für"}', read_answers),
    "a suite": ("suite.jsonl", '{"kind": "für"}', load_suite_file),
    "a draft": ("draft.txt", "für\n", _read),
    "what was skipped": (".g2c/handed-back", "19.1 # für", read_skipped),
}


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-be", "latin-1", "cp1252"])
@pytest.mark.parametrize("what", READERS)
def test_readers_of_a_persons_file_name_it_and_say_what_to_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, what: str, encoding: str
) -> None:
    monkeypatch.setenv("G2C_ROOT", str(tmp_path))
    monkeypatch.delenv("G2C_REFERENCE", raising=False)
    name, text, read = READERS[what]
    file = tmp_path / name
    file.parent.mkdir(exist_ok=True)
    file.write_bytes(text.encode(encoding))
    with pytest.raises(ValueError, match=r"Save it as UTF-8") as refused:
        read(file)
    assert file.name in str(refused.value)
    assert file.read_bytes() == text.encode(encoding)


def test_a_working_copy_of_another_encoding_is_kept_and_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("G2C_ROOT", str(tmp_path))
    for folder in ("notebooks", "work"):
        (tmp_path / folder).mkdir()
    (tmp_path / "notebooks/19-agent.ipynb").write_text("{}")
    copy = tmp_path / "work/19-agent.ipynb"
    copy.write_bytes('{"für": 1}'.encode("utf-16"))
    with pytest.raises(ValueError, match=r"19-agent\.ipynb is not a notebook .*Save it as UTF-8"):
        working_copy("19")
    assert copy.read_bytes() == '{"für": 1}'.encode("utf-16")


@pytest.mark.parametrize("what", ["agent.toml", "a catalogue", "a notebook", "a draft"])
def test_a_byte_order_mark_is_not_a_hindrance(tmp_path: Path, what: str) -> None:
    name, text, read = READERS[what]
    file = tmp_path / name
    file.parent.mkdir(exist_ok=True)
    file.write_bytes(text.encode("utf-8-sig"))
    read(file)


@pytest.mark.parametrize(
    "text",
    ["a." * 20_000 + "a = 1", "[" + '"a" . ' * 20_000 + "a]", "a = {" + "'a'." * 20_000 + "a = 1}"],
    ids=["a key", "a table", "a value"],
)
def test_a_key_of_too_many_parts_is_refused_before_it_is_taken_apart(text: str) -> None:
    with pytest.raises(ValueError, match=r"agent\.toml cannot be read: it is nested more than 50"):
        toml_of(text, "agent.toml")
    long = "https://" + "a." * 60
    assert toml_of(f'a.b."c.d" = ["{long}", "x"]', "agent.toml")["a"]["b"]["c.d"][0] == long
