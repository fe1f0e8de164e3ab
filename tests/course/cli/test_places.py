"""Every option of every command that names a file or a folder: what is read is never replaced."""

import ast
import errno
import json
import os
import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from inspect import signature
from itertools import permutations
from pathlib import Path
from typing import Any, get_type_hints

import pytest
import typer
from checkout import ROOT
from command import g2c
from grade_results import result
from typer.models import CommandInfo, OptionInfo, ParameterInfo

from g2c.cli.app import app
from g2c.cli.commands import commands_of
from g2c.cli.places import (
    PAGE,
    Input,
    Named,
    OutputFile,
    OutputFolder,
    Place,
    Store,
    places_of,
    trouble_with,
)
from g2c.files import PAGE_HEAD
from g2c.inference import ScriptedBackend

WORDS_FOR_PLACES = ("FILE", "FOLDER", "DIR", "PATH", "HTML", "TOML", "WHEEL", "OUT", "GRADES")
COMMANDS = [command for command in commands_of(app) if command.callback]
WRITTEN_AND_OTHER = [
    (command, written, other)
    for command in COMMANDS
    for places in [places_of(command.callback)]  # type: ignore[arg-type]
    for written, other in permutations(places, 2)
    if not isinstance(places[written][1], Input)
]


def _name(command: CommandInfo) -> str:
    return str(command.name or getattr(command.callback, "__name__", ""))


@pytest.mark.parametrize("command", COMMANDS, ids=_name)
def test_each_parameter_that_names_a_place_says_what_is_done_there(command: CommandInfo) -> None:
    assert command.callback
    places = places_of(command.callback)
    for name, hint in get_type_hints(command.callback, include_extras=True).items():
        said = getattr(hint, "__metadata__", ())
        infos = [part for part in said if isinstance(part, ParameterInfo)]
        metavar = str(infos[0].metavar) if infos else ""
        names_place = "Path" in str(getattr(hint, "__origin__", hint))
        names_place |= any(metavar.strip("[]").split(".")[0] == word for word in WORDS_FOR_PLACES)
        assert name in places or not names_place, f"{name} of {_name(command)} has no Place"


def _make(place: Place, at: Path) -> Path:
    """A file or folder as it may be at that place before the command runs."""
    if isinstance(place, OutputFolder | Store):
        at.mkdir()
        return at
    at.write_bytes(_own(place))
    return at


def _own(place: Place) -> bytes:
    """How a file begins that the command may replace."""
    return place.begins[0] if isinstance(place, OutputFile) and place.begins else b"{}"


def _same(at: Path) -> Path:
    return at


def _symlink(at: Path) -> Path:
    link = at.with_name(f"link-{at.name}")
    link.symlink_to(at)
    return link


def _hard_link(at: Path) -> Path:
    if at.is_dir():
        return at / "." / ".." / at.name
    link = at.with_name(f"hard-{at.name}")
    link.hardlink_to(at)
    return link


@pytest.mark.parametrize("other_name", [_same, _symlink, _hard_link])
@pytest.mark.parametrize(
    ("command", "written", "other"),
    WRITTEN_AND_OTHER,
    ids=lambda value: value if isinstance(value, str) else _name(value),
)
def test_no_command_begins_to_write_over_what_another_parameter_names(
    command: CommandInfo,
    written: str,
    other: str,
    other_name: Callable[[Path], Path],
    tmp_path: Path,
) -> None:
    assert command.callback
    place = places_of(command.callback)[written][1]
    at = _make(place, tmp_path / "mine")
    with pytest.raises(typer.BadParameter, match=r"names, too\."):
        command.callback(**{written: at, other: other_name(at)})
    assert at.is_dir() or at.read_bytes() == _own(place)


@pytest.mark.parametrize(
    ("command", "written", "other"),
    [
        (command, written, other)
        for command, written, other in WRITTEN_AND_OTHER
        for places in [places_of(command.callback)]  # type: ignore[arg-type]
        if isinstance(places[written][1], OutputFile)
        and not isinstance(places[other][1], OutputFile)
    ],
    ids=lambda value: value if isinstance(value, str) else _name(value),
)
def test_no_file_is_written_among_those_of_a_folder_that_is_read(
    command: CommandInfo, written: str, other: str, tmp_path: Path
) -> None:
    assert command.callback
    at = tmp_path / "folder/.ada/g2c/agent/parse_react_step.py"
    at.parent.mkdir(parents=True)
    folder = tmp_path / "link"
    folder.symlink_to(tmp_path / "folder")
    with pytest.raises(typer.BadParameter, match=r"parse_react_step\.py is in the folder that"):
        command.callback(**{written: at, other: folder})


def _trouble(place: Place, path: Path, **others: Path) -> str:
    one = Named("--out", path, place)
    return trouble_with(one, [one, *(Named(by, at, Input()) for by, at in others.items())])


def test_a_file_that_another_program_wrote_stays(tmp_path: Path) -> None:
    notes = tmp_path / "notes.md"
    notes.write_text("Fire is hot.")
    assert "g2c did not make it" in _trouble(PAGE, notes)
    notes.write_text("")
    assert not _trouble(PAGE, notes), "an empty one loses nothing"
    notes.write_text(f"{PAGE_HEAD}<title>Review</title>")
    assert not _trouble(PAGE, notes), "an older page may be replaced"


LOOK_THEMSELVES = {
    ("eval", "json"): "outcomes, which are read before the model is loaded",
    ("compare", "json"): "outcomes, which are read before the model is loaded",
    ("export", "file"): "only a new file",
    ("submit", "file"): "a zip, which has a list of hashes",
    ("gradescope", "to"): "a zip, which has a mark",
    ("github", "to"): "its first line is a mark",
}
"""The parameters of commands that look themselves at what is there, and how they know it."""


def test_no_command_replaces_what_another_program_wrote(tmp_path: Path) -> None:
    others = (
        b'{"name": "my-app", "model": "x", "suite": 1, "score": 2}\n',
        b"<!DOCTYPE html>\n<html lang='en'><title>My homepage</title>",
        b"Email,Grade\nada@x.org,1\n",
        b"Student,Mark\nAda,1\n",
        b"# Ada\n",
        b"id,name\n1,Ada\n",
    )
    themselves = set()
    for command in COMMANDS:
        assert command.callback
        for name, (_, place) in places_of(command.callback).items():
            files = {"": place} if isinstance(place, OutputFile) else {}
            if isinstance(place, Store):
                files = {at: OutputFile((start,)) for at, start in place.writes.items()}
            for at, output in files.items():
                if output.begins is None:
                    themselves.add((_name(command), name))
                    continue
                for content in others:
                    file = tmp_path / (at or "mine")
                    file.write_bytes(content)
                    said = _trouble(place, tmp_path if at else file)
                    is_told = "g2c did not make it" in said
                    assert is_told or at == "counted.json", (_name(command), name, at, content)
                    file.unlink()
    assert themselves == LOOK_THEMSELVES.keys()


def test_a_link_to_a_folder_that_cannot_be_written_is_told_before(tmp_path: Path) -> None:
    (tmp_path / "out.html").symlink_to("/proc/none/a.html")
    with pytest.raises(OSError, match="No such file"):
        _trouble(PAGE, tmp_path / "out.html")
    (tmp_path / "loop.html").symlink_to("loop.html")
    with pytest.raises(OSError, match="symbolic links"):
        _trouble(PAGE, tmp_path / "loop.html")
    (tmp_path / "new.html").symlink_to("new/deep/a.html")
    assert not _trouble(PAGE, tmp_path / "new.html")


def test_feedback_replaces_no_notes_about_a_student(tmp_path: Path) -> None:
    (tmp_path / "grades").mkdir()
    (tmp_path / "grades/ada.json").write_text('{"name": "ada", "not_graded": "no zip"}')
    for name in ("ada.md", "ada.html"):
        (tmp_path / "out").mkdir()
        (tmp_path / "out" / name).write_text("My notes on Ada.")
        done = g2c("class", "feedback", "grades", "--out", "out", root=tmp_path)
        assert done.returncode == 1 and f"{name} exists, and g2c did not" in done.stderr
        assert (tmp_path / "out" / name).read_text() == "My notes on Ada."
        (tmp_path / "out" / name).unlink()
        for _ in range(2):
            done = g2c("class", "feedback", "grades", "--out", "out", root=tmp_path)
            assert done.returncode == 0, done.stderr
        for file in (tmp_path / "out").iterdir():
            file.unlink()
        (tmp_path / "out").rmdir()


def test_a_place_that_cannot_be_written_is_told_before(tmp_path: Path) -> None:
    (tmp_path / "file").write_text(PAGE_HEAD)
    for path, says in (
        (tmp_path / "file/below.json", "Not a directory"),
        (tmp_path / ("n" * 300), "File name too long"),
        (Path("/proc/none/a.json"), "No such file"),
    ):
        with pytest.raises(OSError, match=says) as raised:
            _trouble(PAGE, path)
        assert raised.value.filename == str(path)
    for path in (tmp_path, Path(os.devnull)):
        assert "is not a file" in _trouble(PAGE, path), path
    assert not _trouble(PAGE, tmp_path / "new/deep/a.html"), "folders are made when it is written"
    assert not (tmp_path / "new").exists()
    assert "is not a folder" in _trouble(OutputFolder(()), tmp_path / "file")


def test_a_missing_file_is_compared_by_its_place(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "b").symlink_to("a")
    one = Named("--canvas", tmp_path / "a/x.csv", OutputFile(()))
    two = Named("--moodle", tmp_path / "b/X.csv", OutputFile(()))
    assert "is what --moodle names, too" in trouble_with(one, [one, two])
    one = replace(one, path=tmp_path / "a/caf\u00e9.csv")
    two = replace(two, path=tmp_path / "b/CAFE\u0301.csv")
    assert "is what --moodle names, too" in trouble_with(one, [one, two])


def test_a_folder_of_outputs_takes_no_folder_of_hand_ins(tmp_path: Path) -> None:
    grades = OutputFolder(("old",))
    for name in ("ada.md", "ada.json", ".DS_Store", "notes.docx"):
        (tmp_path / name).touch()
    for name in ("old", ".idea"):
        (tmp_path / name).mkdir()
    assert not _trouble(grades, tmp_path)
    for name in ("ada.zip", "ada.ipynb"):
        (tmp_path / name).touch()
        assert f"{tmp_path} has {name}, so it is not" in _trouble(grades, tmp_path)
        (tmp_path / name).unlink()
    (tmp_path / "ada").mkdir()
    assert f"{tmp_path} has ada, so it is not" in _trouble(grades, tmp_path)


def test_files_that_are_named_inside_of_words_are_read_too(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text("{}")
    done = g2c("compare", "m", "m,19.1=mine.py", "--json", "mine.py", root=tmp_path)
    assert done.returncode == 2 and "mine.py is what mine.py names, too" in done.stderr


def test_the_gradebook_replaces_neither_course_toml_nor_a_roster_among_the_grades(
    tmp_path: Path,
) -> None:
    (tmp_path / "grades").mkdir()
    (tmp_path / "grades/students.csv").write_text("id,name\n1,Ada\n")
    (tmp_path / "course.toml").write_text("")
    for arguments in (
        ("--roster", "grades/students.csv"),
        ("--roster", "r.csv", "--canvas", "course.toml"),
    ):
        done = g2c("class", "gradebook", "grades", *arguments, root=tmp_path)
        assert done.returncode == 2, done.stderr
    assert (tmp_path / "grades/students.csv").read_text() == "id,name\n1,Ada\n"


_SECURITY = "default-src 'none'; style-src 'unsafe-inline'"
OLD_PAGES = {
    "review": '<!doctype html><html lang="en"><meta charset="utf-8"><title>Review</title><div>',
    "trace": (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>g2c chat</title>\n'
        '<meta name="viewport" content="width=device-width">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{_SECURITY}">\n<style>\n'
        ":root { color-scheme: light dark; }\nbody { font: 15px/1.4 system-ui, sans-serif;"
    ),
    "feedback": (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>Feedback</title>\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{_SECURITY}">\n<style>\n'
        ":root { color-scheme: light dark; }\nbody { font: 16px/1.5 system-ui, sans-serif;"
    ),
}
"""How pages began before they named g2c as their generator."""


@pytest.mark.parametrize("kind", OLD_PAGES)
def test_a_page_of_an_older_g2c_is_replaced(kind: str, tmp_path: Path) -> None:
    page, old = tmp_path / "page.html", OLD_PAGES[kind]
    for text in (old, old.replace("\n", "\r\n")):
        page.write_bytes(text.encode())
        assert not _trouble(PAGE, page)
    for text in (old[:60], f"\n{old}", old.replace("<title>", "<title>My <b>"), "<!doctype html>"):
        page.write_bytes(text.encode())
        assert "g2c did not make it" in _trouble(PAGE, page)


CANVAS = """\
Student,ID,SIS User ID,SIS Login ID,Section,Essay (7),Current Score,Final Score
    Points Possible,,,,,10,(read only),(read only)
"Lovelace, Ada",1,11,ada,A,9,90,90
"""
"""The beginning of a file that Canvas exports, as its GradebookExporter writes it."""


@pytest.mark.slow
def test_the_gradebook_does_not_replace_what_canvas_exported(tmp_path: Path) -> None:
    (tmp_path / "grades").mkdir()
    (tmp_path / "grades/ada.json").write_text(json.dumps(result("ada", score=90, max_score=90)))
    (tmp_path / "r.csv").write_text("id,name\n11,ada\n")
    command = ("class", "gradebook", "grades", "--roster", "r.csv", "--canvas", "canvas.csv")
    (tmp_path / "canvas.csv").write_text(CANVAS)
    done = g2c(*command, root=tmp_path)
    assert done.returncode == 2 and "g2c did not make it" in done.stderr, done
    assert (tmp_path / "canvas.csv").read_text() == CANVAS
    (tmp_path / "canvas.csv").unlink()
    for _ in range(2):
        assert g2c(*command, root=tmp_path).returncode == 0, "its own file is replaced"


OPTIONS_WITH_TEXT = [
    (command, name)
    for command in COMMANDS
    for name, hint in get_type_hints(command.callback, include_extras=True).items()
    if any(isinstance(part, OptionInfo) for part in getattr(hint, "__metadata__", ()))
    if getattr(hint, "__origin__", None) in (str | None, str)
    if signature(command.callback).parameters[name].default != ""  # type: ignore[arg-type]
]


PLACES = [(command, name) for command in COMMANDS for name in places_of(command.callback)]  # type: ignore[arg-type]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("command", "name"),
    [*OPTIONS_WITH_TEXT, *PLACES],
    ids=lambda value: getattr(value, "name", value),
)
def test_an_empty_text_is_an_error(command: CommandInfo, name: str) -> None:
    """It was the default: `--scheduler "$ADDRESS"` ran here if the variable was not set, and
    `g2c class grade "$CLASS"` graded this folder."""
    words = next(path for path, found in _paths(app) if found is command)
    parsed: Any = typer.main.get_command(app)
    for word in words:
        parsed = parsed.commands[word]
    parameter = next(param for param in parsed.params if param.name == name)
    arguments = [param for param in parsed.params if param.param_type_name == "argument"]
    is_option = parameter.param_type_name == "option"
    before = [] if is_option else ["x"] * arguments.index(parameter)
    flags = [[flag, ""] for flag in parameter.opts] + [[f"{parameter.opts[-1]}="]]
    for given in flags if is_option else [[*before, ""], ["--", *before, ""]]:
        if given[0][:2] != "--" and given[-1].endswith("="):
            continue  # `-m=` is the text "="
        with pytest.raises(typer.BadParameter, match="it is empty"):
            parsed.make_context(words[-1], given)


def test_an_empty_text_ends_a_command_with_a_sentence(tmp_path: Path) -> None:
    for words in (
        ("class", "grade", ""),
        ("chat", "--home=", "Hello"),
        ("eval", "embedded", "--model", ""),
    ):
        done = g2c(*words, root=tmp_path)
        assert done.returncode == 2 and "Traceback" not in done.stderr, done


def _paths(app: typer.Typer, *before: str) -> Iterator[tuple[list[str], CommandInfo]]:
    """The words that call each command."""
    for command in app.registered_commands:
        assert command.callback
        yield [*before, command.name or command.callback.__name__], command
    for group in app.registered_groups:
        if group.typer_instance:
            yield from _paths(group.typer_instance, *before, *[group.name][: bool(group.name)])


@pytest.fixture
def full_disk(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    def full(path: Any, data: bytes) -> None:
        raise OSError(errno.ENOSPC, "No space left on device", str(path))

    monkeypatch.setattr("g2c.files.replace_bytes", full)
    yield


@pytest.mark.usefixtures("full_disk")
def test_figures_are_shown_before_a_full_disk_loses_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    notes = tmp_path / "notes.md"
    notes.write_text("Fire is hot.\n")
    scores = dict.fromkeys(("substance", "structure", "clarity", "tone"), 90)
    review = json.dumps({"scores": scores, "notes": "Good.", "approve": True})
    model = ScriptedBackend([review] * 3)
    monkeypatch.setattr("g2c.cli.review.load", lambda name: model)
    done = g2c("review", "notes.md", "--rounds", "1", "--page", "new/page.html", root=tmp_path)
    assert "Best draft" in done.stdout and "No space left" in done.stderr, done
    judge = ScriptedBackend(['{"better": "first"}', '{"better": "second"}'])
    monkeypatch.setattr("g2c.cli.judge.load", lambda name, exact: judge)
    example = str(ROOT / "docs/judging-example.jsonl")
    done = g2c("judge", example, "--limit", "1", "--json", "new.json", root=tmp_path)
    assert "agreement with the labels" in done.stdout and "No space left" in done.stderr, done
    (tmp_path / "grades").mkdir()
    (tmp_path / "grades/ada.json").write_text(json.dumps(result("ada", score=90, max_score=90)))
    done = g2c("class", "gradebook", "grades", root=tmp_path)
    assert "1 results, in grades" in done.stdout and "No space left" in done.stderr, done


COMMAND = re.compile(r"(?:^|[\s:(])(?:g2c|cd|source) (?:[\w.=-]+ )*(?<! in )$")
A_PATH = re.compile(r"\b(?:file|folder|home|here|path|root)\b")


def test_a_path_in_a_command_that_is_shown_is_as_a_shell_reads_it() -> None:
    bare = []
    for file in sorted((ROOT / "g2c").rglob("*.py")):
        for text in ast.walk(ast.parse(file.read_text())):
            if not isinstance(text, ast.JoinedStr):
                continue
            before = ""
            for part in text.values:
                said = ast.unparse(part)
                if isinstance(part, ast.FormattedValue) and COMMAND.search(before):
                    is_quoted = "in_shell(" in said or "quote(" in said
                    bare += [(file.name, said)] if A_PATH.search(said) and not is_quoted else []
                before += str(part.value) if isinstance(part, ast.Constant) else said
    assert not bare, f"a person copies the command, and the path may have a space: {bare}"


def test_a_place_after_an_equals_sign_may_begin_with_the_persons_own_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    own, elsewhere = tmp_path / "own", tmp_path / "elsewhere"
    own.mkdir()
    elsewhere.mkdir()
    done = g2c("home", "init", "--home=~/agent", root=elsewhere, HOME=str(own))
    assert done.returncode == 0, done.stderr
    assert (own / "agent/agent.toml").exists() and not any(elsewhere.iterdir())


def test_an_address_in_a_files_place_is_named_as_that(tmp_path: Path) -> None:
    there = "https://example.org/g2c-1.0-py3-none-any.whl"
    done = g2c("update", "course", "--from", there, root=tmp_path)
    assert done.returncode == 2 and "Download it first" in done.stderr


@pytest.mark.parametrize("command", [("tell", "hi"), ("tell",), ("evolution", "pending")])
def test_a_home_that_is_not_there_gets_no_message(tmp_path: Path, command: tuple[str, ...]) -> None:
    done = g2c("loop", *command, "--home", "no home", root=tmp_path)
    init = "g2c home init --home 'no home' makes one."
    assert init in done.stderr or "g2c loop tell --home 'no home' \"TEXT\"" in done.stdout
    assert not any(tmp_path.glob("no home"))
