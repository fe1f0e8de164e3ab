"""A submission as a zip: what it holds, and what archives of strangers cannot do."""

from __future__ import annotations

import io
import json
import stat
import zipfile
from collections.abc import Mapping
from pathlib import Path

import pytest
from checkout import Checkout

from g2c.course.manifest import load_exercises
from g2c.course.submission import MANIFEST, MOST_FILES, as_tree, held, is_read, pack, read_archive

PLANNER = "g2c/agent/planner.py"


def zipped(files: Mapping[str, bytes | zipfile.ZipInfo]) -> io.BytesIO:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            if isinstance(content, zipfile.ZipInfo):
                archive.writestr(content, b"/etc/passwd")
            else:
                archive.writestr(name, content)
    return made


@pytest.fixture
def student(tmp_path: Path) -> Checkout:
    return Checkout(tmp_path / "student")


def test_the_command_makes_what_the_grader_reads(student: Checkout, tmp_path: Path) -> None:
    (student.folder / "work").mkdir()
    (student.folder / "work/19-agent.ipynb").write_text("{}")
    (student.folder / "secret.txt").write_text("mine")
    done = student.g2c("submit", "../ada.zip")
    assert done.returncode == 0, done.stderr
    file = tmp_path / "ada.zip"
    assert "work/19-agent.ipynb" in done.stdout
    assert f"{len(load_exercises())} files of exercises" in done.stdout
    with zipfile.ZipFile(file) as archive:
        names = set(archive.namelist())
    assert {MANIFEST, PLANNER, "docs/agent-failure-modes.md", "work/19-agent.ipynb"} < names
    assert all(name == MANIFEST or is_read(name) for name in names)
    assert student.g2c("submit", "--check", "../ada.zip").returncode == 0
    with as_tree(file) as tree:
        assert (tree / PLANNER).read_bytes() == student.file_of("19.2").read_bytes()
    assert not tree.exists()


def test_equal_folders_make_equal_archives_and_a_change_is_seen(student: Checkout) -> None:
    first = pack(student.folder)
    assert pack(student.folder) == first
    contents = read_archive(io.BytesIO(first))
    contents[PLANNER] += b"# later"
    contents.pop("g2c/agent/parser.py")
    found = held(zipped(contents))
    assert found.changed == ("g2c/agent/parser.py", PLANNER)
    assert found.lacks == ("g2c/agent/parser.py",)
    assert json.loads(contents[MANIFEST])["course"] == found.course


def test_check_says_what_is_wrong(student: Checkout, tmp_path: Path) -> None:
    (tmp_path / "half.zip").write_bytes(zipped({PLANNER: b"x"}).getvalue())
    done = student.g2c("submit", "--check", "../half.zip")
    assert done.returncode == 1
    assert "lacks g2c/agent/parser.py" in done.stdout and "no list of hashes" in done.stdout
    done = student.g2c("submit", "--check", "../none.zip")
    assert (done.returncode, done.stderr.strip()) == (
        1,
        "g2c: There is no file ../none.zip. g2c submit ../none.zip makes it.",
    )


@pytest.mark.parametrize("top", ["", "ada/", "a/b/"])
def test_a_course_in_a_folder_of_the_archive_is_found(top: str) -> None:
    files = {f"{top}{PLANNER}": b"x", f"{top}README.md": b"y", "__MACOSX/._ada": b"z"}
    assert read_archive(zipped(files)) == {PLANNER: b"x"}


@pytest.mark.parametrize(
    "name",
    [
        "../g2c/agent/planner.py",
        "/etc/passwd",
        "runs/../../x.json",
        "runs/..",
        "work/a/b.ipynb",
        "runs/..\\..\\x.json",
        "runs/C:x.json",
        "work/\x00.ipynb.exe",
    ],
)
def test_no_name_leaves_the_folder(name: str, tmp_path: Path) -> None:
    (tmp_path / "one.zip").write_bytes(zipped({PLANNER: b"x", name: b"y"}).getvalue())
    with as_tree(tmp_path / "one.zip") as tree:
        found = [path for path in tree.rglob("*") if path.is_file()]
        assert found == [tree / PLANNER]


def linked() -> zipfile.ZipInfo:
    info = zipfile.ZipInfo(PLANNER)
    info.external_attr = (stat.S_IFLNK | 0o777) << 16
    return info


def named_twice() -> io.BytesIO:
    made = zipped({PLANNER: b"x"})
    with pytest.warns(UserWarning), zipfile.ZipFile(made, "a") as archive:
        archive.writestr(PLANNER, b"y")
    return made


def bomb() -> io.BytesIO:
    """A file that says that it has ten bytes, and has 65 MiB."""
    packed = zipped({PLANNER: bytes(65 * 2**20)}).getvalue()
    size = (65 * 2**20).to_bytes(4, "little")
    return io.BytesIO(packed.replace(size, (10).to_bytes(4, "little")))


@pytest.mark.parametrize(
    ("archive", "says"),
    [
        (lambda: zipped({PLANNER: linked()}), "a link or no file"),
        (named_twice, "twice"),
        (lambda: zipped({PLANNER: bytes(65 * 2**20)}), "more than 64 MiB"),
        (bomb, "archive|MiB"),
        (lambda: zipped({f"runs/{n}.json": b"" for n in range(MOST_FILES + 1)}), "more than 2,000"),
        (lambda: io.BytesIO(b"no archive"), "cannot be read"),
        (lambda: io.BytesIO(zipped({PLANNER: b"x" * 99}).getvalue()[:60]), "cannot be read"),
    ],
)
def test_what_is_refused(archive: object, says: str) -> None:
    assert callable(archive)
    with pytest.raises(ValueError, match=says):
        read_archive(archive())


def test_a_link_is_not_packed(student: Checkout, tmp_path: Path) -> None:
    (tmp_path / "other.py").write_text("another's")
    student.file_of("19.2").unlink()
    student.file_of("19.2").symlink_to(tmp_path / "other.py")
    assert PLANNER not in read_archive(io.BytesIO(pack(student.folder)))
