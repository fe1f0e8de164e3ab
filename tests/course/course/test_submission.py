"""A submission as a zip: what it holds, and what archives of strangers cannot do."""

import io
import json
import os
import stat
import zipfile
from collections.abc import Callable, Mapping
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path

import pytest
from checkout import Checkout

from g2c.course.answers import MAX_NOTEBOOK_BYTES
from g2c.course.manifest import find_exercises, load_exercises
from g2c.course.packing import pack
from g2c.course.runs import MAX_RUN_BYTES
from g2c.course.submission import (
    MANIFEST,
    MAX_FILES,
    MAX_LIST_BYTES,
    MAX_NAMES,
    as_tree,
    inspect_archive,
    is_read,
    read_archive,
)
from g2c.course.submission_names import own_names
from g2c.course.writeup import render_entry

PLANNER = "g2c/agent/extract_plan.py"


def zipped(
    files: Mapping[str, bytes | zipfile.ZipInfo],
    *,
    raw_names: bool = False,
    way: int = zipfile.ZIP_DEFLATED,
) -> io.BytesIO:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", way) as archive:
        for name, content in files.items():
            if isinstance(content, zipfile.ZipInfo):
                archive.writestr(content, b"/etc/passwd")
            elif raw_names:  # with backslashes as they are
                info = zipfile.ZipInfo("x")
                info.filename = name
                archive.writestr(info, content)
            else:
                archive.writestr(name, content)
    return made


@pytest.fixture
def student(tmp_path: Path) -> Checkout:
    return Checkout(tmp_path / "student")


@pytest.mark.slow
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


def test_a_name_that_is_not_utf8_is_handed_in_too(student: Checkout) -> None:
    (student.folder / "work").mkdir()
    Path(os.fsdecode(os.fsencode(student.folder) + b"/work/\xdcbung.ipynb")).write_text("{}")
    assert "work/Übung.ipynb" in inspect_archive(io.BytesIO(pack(student.folder))).files


@pytest.mark.slow
def test_only_an_archive_is_replaced(student: Checkout) -> None:
    notes = student.folder / "notes.md"
    notes.write_text("mine")
    refused = student.g2c("submit", "notes.md")
    assert refused.returncode == 1 and "notes.md exists and is not a zip" in refused.stderr
    assert notes.read_text() == "mine"
    report = student.folder / "report.docx"  # a zip as well
    report.write_bytes(zipped({"word/document.xml": b"mine"}).getvalue())
    before = report.read_bytes()
    assert "is not a zip of a submission" in student.g2c("submit", "report.docx").stderr
    assert report.read_bytes() == before
    assert student.g2c("submit").returncode == student.g2c("submit").returncode == 0


def test_equal_folders_make_equal_archives_and_a_change_is_seen(student: Checkout) -> None:
    first = pack(student.folder)
    assert pack(student.folder) == first
    contents = read_archive(io.BytesIO(first))
    contents[PLANNER] += b"# later"
    contents.pop("g2c/agent/parse_react_step.py")
    found = inspect_archive(zipped(contents))
    assert found.changed == (PLANNER, "g2c/agent/parse_react_step.py")
    assert found.lacks == ("g2c/agent/parse_react_step.py",)
    assert json.loads(contents[MANIFEST])["course"] == found.course


def test_an_archive_says_when_it_was_packed(student: Checkout) -> None:
    now = datetime(2026, 10, 25, 2, 30, 41, tzinfo=timezone(timedelta(hours=2)))
    packed = io.BytesIO(pack(student.folder, now=now))
    assert inspect_archive(packed).packed == "2026-10-25T00:30:41+00:00"
    assert inspect_archive(packed).changed == ()
    with zipfile.ZipFile(packed) as archive:
        dates = {member.date_time for member in archive.infolist()}
    assert dates == {(2026, 10, 25, 0, 30, 40)}, "a zip counts in twos, and this is UTC"
    for far_off in (datetime(1970, 1, 1, tzinfo=UTC), datetime(2200, 1, 1, tzinfo=UTC)):
        packed = io.BytesIO(pack(student.folder, now=far_off))
        assert inspect_archive(packed).packed.startswith(str(far_off.year)), (
            "its clock keeps nobody out"
        )


@pytest.mark.slow
def test_check_says_what_is_wrong(student: Checkout, tmp_path: Path) -> None:
    (tmp_path / "half.zip").write_bytes(zipped({PLANNER: b"x"}).getvalue())
    done = student.g2c("submit", "--check", "../half.zip")
    assert done.returncode == 1
    assert (
        "lacks g2c/agent/parse_react_step.py" in done.stdout and "no list of hashes" in done.stdout
    )
    done = student.g2c("submit", "--check", "../none.zip")
    assert (done.returncode, done.stderr.strip()) == (
        1,
        "g2c: There is no file ../none.zip. g2c submit ../none.zip makes it.",
    )


def as_windows(name: str) -> str:
    return name.replace("/", "\\")


WRAPPINGS: dict[str, Callable[[str], str]] = {
    "a folder": lambda name: f"course-main/{name}",
    "a folder with dots": lambda name: f"./{name}",
    "Windows": as_windows,
    "a folder on Windows": lambda name: as_windows(f"ada/{name}"),
    "capitals": lambda name: name.replace("g2c/", "G2C/"),
    "other capitals": lambda name: name.title(),
    "the inside of g2c": lambda name: name.removeprefix("g2c/"),
    "the inside of g2c, in a folder": lambda name: f"ada/{name.removeprefix('g2c/')}",
    "beside an archive of an update": str,
}


@pytest.mark.parametrize("wrapping", WRAPPINGS)
@pytest.mark.parametrize("is_folder", [False, True])
def test_the_course_is_found_in_the_wrappings_of_systems(
    wrapping: str, is_folder: bool, tmp_path: Path
) -> None:
    given = tmp_path / "given"
    whole = {exercise.file: b"# mine\n" for exercise in load_exercises()} | {
        "work/19-agent.ipynb": b"{}"
    }
    files = {WRAPPINGS[wrapping](name): data for name, data in whole.items()}
    more = {"archive/before-2.0/g2c/agent/parse_react_step.py": b"x", "README.md": b"y"}
    if is_folder:
        for name, data in (files | more).items():
            (given / name).parent.mkdir(parents=True, exist_ok=True)
            (given / name).write_bytes(data)
    else:
        given.write_bytes(zipped(files | more, raw_names=True).getvalue())
    with as_tree(given) as tree:
        found = {name: (tree / name).read_bytes() for name in whole if (tree / name).exists()}
    assert found.keys() - {"work/19-agent.ipynb"} == whole.keys() - {"work/19-agent.ipynb"}
    assert set(found.values()) <= {b"# mine\n", b"{}"}


def test_an_archive_in_an_archive_or_in_a_folder_is_opened_once(tmp_path: Path) -> None:
    course = zipped({PLANNER: b"x"}).getvalue()
    inner = zipped({"ada/submission.ZIP": course, "__MACOSX/._a.zip": b"y"})
    assert read_archive(inner) == {PLANNER: b"x"}
    with pytest.raises(ValueError, match="archive in the archive is not a student's course"):
        read_archive(zipped({"a.zip": inner.getvalue()}))
    with pytest.raises(ValueError, match=r"has 2 archives; leave the right one: a\.zip, b\.zip"):
        read_archive(zipped({"a.zip": course, "b.zip": course}))
    folder = tmp_path / "ada"
    folder.mkdir()
    (folder / "hand-in.zip").write_bytes(course)
    with as_tree(folder) as tree:
        assert (tree / PLANNER).read_bytes() == b"x"
    (folder / "older.zip").write_bytes(course)
    with pytest.raises(ValueError, match=r"^ada has 2 archives; leave"), as_tree(folder):
        pass


@pytest.mark.parametrize(
    "files",
    [
        {},
        {"README.md": b"mine"},
        {"pics/g2c_agent_parser.py": b"x"},
        {"g2c/agent/__init__.py": b""},
        {"g2c/exercises/e19_1_parse_react_step/solution.py": b"not the student's"},
        {"parser.py": b"x"},
        {"ada/submission.7z": b"x"},
    ],
)
@pytest.mark.parametrize("is_folder", [False, True])
def test_a_hand_in_without_an_exercise_is_reported_and_not_graded(
    files: dict[str, bytes], is_folder: bool, tmp_path: Path
) -> None:
    given = tmp_path / "given"
    if is_folder:
        (given / "g2c").mkdir(parents=True)
        for name, data in files.items():
            (given / name).parent.mkdir(parents=True, exist_ok=True)
            (given / name).write_bytes(data)
    else:
        given.write_bytes(zipped(files).getvalue())
    with (
        pytest.raises(ValueError, match="no file of an exercise, such as g2c/") as refused,
        as_tree(given),
    ):
        pass
    assert all(name in str(refused.value) for name in files)


@pytest.mark.parametrize(
    ("keeps", "says"), [(0, "it is empty"), (-5, "it has no end, as after a broken upload")]
)
def test_a_broken_archive_says_what_is_wrong_with_it(keeps: int, says: str, tmp_path: Path) -> None:
    whole = zipped({PLANNER: b"x"}).getvalue()
    (tmp_path / "ada.zip").write_bytes(whole[: keeps and keeps - 18])
    with pytest.raises(ValueError, match=says), as_tree(tmp_path / "ada.zip"):
        pass


def test_neither_of_two_courses_is_chosen(tmp_path: Path) -> None:
    (tmp_path / "x.zip").write_bytes(
        zipped({f"old/{PLANNER}": b"x", f"new/{PLANNER}": b"y"}).getvalue()
    )
    with (
        pytest.raises(ValueError, match="more than one course: new/ and old/"),
        as_tree(tmp_path / "x.zip"),
    ):
        pass
    (tmp_path / "ada/g2c").mkdir(parents=True)
    (tmp_path / "ada/g2c/agent").symlink_to("/etc")
    with pytest.raises(ValueError, match="g2c/agent is a link, and is"), as_tree(tmp_path / "ada"):
        pass


@pytest.mark.slow
def test_submit_says_what_is_as_shipped_and_takes_what_links_within_the_course_lead_to(
    student: Checkout, tmp_path: Path
) -> None:
    (student.folder / "elsewhere").mkdir()
    (student.folder / "elsewhere/19-agent.ipynb").write_text("{}")
    (student.folder / "work").symlink_to("elsewhere")
    done = student.g2c("submit", "../ada.zip")
    assert "work/19-agent.ipynb" in done.stdout
    assert "No exercise is written. As shipped: 19.1, 19.2," in done.stdout
    assert inspect_archive((tmp_path / "ada.zip").open("rb")).untouched[:2] == ("19.1", "19.2")
    assert "work/19-agent.ipynb" not in read_archive(io.BytesIO(pack(student.folder))), (
        "a stranger's links are not followed"
    )
    student.write_body("19.1", "    return None\n")
    again = student.g2c("submit", "../ada.zip").stdout
    assert "As shipped: 19.2," in again and "No exercise" not in again


def test_a_course_deep_in_the_archive_is_found() -> None:
    files = {f"a/b/{PLANNER}": b"x", "a/b/README.md": b"y", "__MACOSX/._ada": b"z"}
    assert read_archive(zipped(files)) == {PLANNER: b"x"}


@pytest.mark.parametrize("top", ["", "Ada/"])
def test_files_of_one_module_that_were_uploaded_one_by_one_are_found(top: str) -> None:
    names = {Path(exercise.file).name: exercise.file for exercise in find_exercises("19")}
    assert "run.py" in names, "a name in module 22, too"
    files = {top + name: name.encode() for name in names}
    found = {own: name.encode() for name, own in names.items()}
    assert read_archive(zipped(files | {f"{top}19.pdf": b"x"})) == found
    with pytest.raises(ValueError, match=r"g2c/agent/ and g2c/memory/ are in one folder\. Hand in"):
        read_archive(zipped(files | {f"{top}tail.py": b"x"}))


@pytest.mark.parametrize(
    "name",
    [
        "../g2c/agent/extract_plan.py",
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


def encrypted() -> io.BytesIO:
    """With the flag that says so, in the list of the members."""
    packed = bytearray(zipped({PLANNER: b"x"}).getvalue())
    packed[packed.index(b"PK\1\2") + 8] |= 1
    return io.BytesIO(packed)


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
        (lambda: zipped({f"runs/{n}.json": b"" for n in range(MAX_FILES + 1)}), "more than 2,000"),
        (lambda: zipped({PLANNER: b"x"}, way=zipfile.ZIP_BZIP2), "stored or deflated"),
        (lambda: zipped({PLANNER: b"x"}, way=zipfile.ZIP_LZMA), "stored or deflated"),
        (
            lambda: zipped({"a.zip": zipped({PLANNER: b"x"}, way=zipfile.ZIP_LZMA).getvalue()}),
            "stored or deflated",
        ),
        (lambda: zipped({"a.zip": b"x"}, way=zipfile.ZIP_BZIP2), "stored or deflated"),
        (encrypted, "without a password"),
        (lambda: zipped({"a.zip": bytes(65 * 2**20)}), "more than 64 MiB"),
        pytest.param(
            *(lambda: zipped({f"{n}.txt": b"" for n in range(MAX_NAMES + 1)}), "100,000 names"),
            marks=pytest.mark.slow,
        ),
        (lambda: io.BytesIO(b"no archive"), "cannot be read"),
        (lambda: io.BytesIO(zipped({PLANNER: b"x" * 99}).getvalue()[:60]), "cannot be read"),
    ],
)
def test_refusals(archive: object, says: str) -> None:
    assert callable(archive)
    with pytest.raises(ValueError, match=says):
        read_archive(archive())


@pytest.mark.slow
@pytest.mark.skipif("sys.platform != 'linux'", reason="RLIMIT_AS holds on Linux")
@pytest.mark.parametrize(
    "bomb",
    [
        # A list of a million names, which zipfile makes half a gibibyte of before it is counted.
        lambda: named_many_times(1_300_000),
        lambda: zipped({PLANNER: b"x" * 2**20, "runs/a.json": bytes(65 * 2**20)}).getvalue(),
        lambda: zipped({PLANNER: bytes(2**20)}, way=zipfile.ZIP_LZMA).getvalue(),
    ],
    ids=["names", "size", "lzma"],
)
def test_reading_a_hand_in_takes_no_memory_of_the_graders(
    bomb: Callable[[], bytes], tmp_path: Path
) -> None:
    (tmp_path / "x.zip").write_bytes(bomb())
    resource = pytest.importorskip("resource")
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    with (
        pytest.raises(ValueError, match=r"names|MiB|cannot be read|stored"),
        as_tree(tmp_path / "x.zip"),
    ):
        pass
    after = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    assert after - before < 64 * 2**10, "in KiB"


def named_many_times(n: int) -> bytes:
    """An archive whose list says the same name `n` times."""
    whole = zipped({"a": b""}).getvalue()
    listed, end = whole.index(b"PK\x01\x02"), whole.index(b"PK\x05\x06")
    entry = whole[listed:end]
    size = (len(entry) * n).to_bytes(4, "little")
    return whole[:listed] + entry * n + whole[end : end + 12] + size + whole[end + 16 :]


def test_a_list_of_hashes_has_a_longest(tmp_path: Path) -> None:
    deep = b'{"course": "1", "files": ' + b"[" * (MAX_LIST_BYTES + 1)
    assert inspect_archive(zipped({PLANNER: b"x", MANIFEST: deep})).course == ""


def test_a_link_is_not_packed(student: Checkout, tmp_path: Path) -> None:
    (tmp_path / "other.py").write_text("another's")
    student.file_of("19.2").unlink()
    student.file_of("19.2").symlink_to(tmp_path / "other.py")
    assert PLANNER not in read_archive(io.BytesIO(pack(student.folder)))
    (tmp_path / "elsewhere").mkdir()
    for name in ("a.ipynb", "b.ipynb"):
        (tmp_path / "elsewhere" / name).write_text("{}")
    (student.folder / "work").symlink_to(tmp_path / "elsewhere")
    (tmp_path / "ada").symlink_to(student.folder)  # the course itself may be one
    told: list[str] = []
    packed = read_archive(io.BytesIO(pack(tmp_path / "ada", follow_links=True, tell=told.append)))
    assert PLANNER not in packed and not [name for name in packed if name.startswith("work/")]
    for link, target in ((PLANNER, "other.py"), ("work", "elsewhere")):
        says = f"{link} stays out: it is a link out of the course, to {tmp_path / target}. "
        assert sum(says in sentence for sentence in told) == 1, told


@pytest.mark.parametrize("name", ["work/19-agent.ipynb", "docs/agent-failure-modes.md"])
def test_submit_reports_a_notebook_that_is_not_a_file(student: Checkout, name: str) -> None:
    file = student.folder / name
    file.parent.mkdir(exist_ok=True)
    file.unlink(missing_ok=True)
    file.symlink_to("/no/such/disk")
    told: list[str] = []
    pack(student.folder, follow_links=True, tell=told.append)
    assert told == [f"{name} stays out: it is not a file, or a link that leads nowhere."]


def _named_in(packed: bytes) -> set[str]:
    return set(inspect_archive(io.BytesIO(packed)).files)


def test_runs_beyond_the_limit_stay_out_but_for_those_that_the_catalogue_names(
    student: Checkout,
) -> None:
    runs = student.folder / "runs"
    runs.mkdir()
    for number in range(MAX_FILES + 100):
        (runs / f"20260101-{number:06}-x.json").write_text("{}")
    entry = render_entry("T", "20260101-000003-x", "x").replace(
        "Tried: ``", "Tried: `20260101-000005-x`"
    )
    (student.folder / "docs/agent-failure-modes.md").write_text(entry)
    told: list[str] = []
    names = _named_in(pack(student.folder, tell=told.append))
    assert len(names) == MAX_FILES - 1, "the list of hashes counts, too"
    assert {"runs/20260101-000003-x.json", "runs/20260101-000005-x.json"} < names
    assert f"runs/20260101-{MAX_FILES + 99:06}-x.json" in names
    assert "runs/20260101-000004-x.json" not in names
    assert len(told) == 1 and "files stay out" in told[0], told
    assert {exercise.file for exercise in load_exercises()} < names


def test_a_notebook_over_the_limit_is_packed_without_its_outputs(student: Checkout) -> None:
    (student.folder / "work").mkdir()
    notebook = json.loads((student.folder / "notebooks/19-agent.ipynb").read_text("utf-8"))
    notebook["cells"][0]["attachments"] = {"a.png": {"image/png": "x" * MAX_NOTEBOOK_BYTES}}
    copy = student.folder / "work/19-agent.ipynb"
    copy.write_text(json.dumps(notebook))
    told: list[str] = []
    packed = read_archive(io.BytesIO(pack(student.folder, tell=told.append)))
    assert len(packed["work/19-agent.ipynb"]) < MAX_NOTEBOOK_BYTES
    assert "work/19-agent.ipynb" not in inspect_archive(zipped(packed)).changed
    assert len(told) == 1 and "without outputs and pictures" in told[0]
    copy.write_text(json.dumps({**notebook, "more": "x" * MAX_NOTEBOOK_BYTES}))
    (student.folder / "runs").mkdir()
    (student.folder / "runs/large.json").write_bytes(b"x" * (MAX_RUN_BYTES + 1))
    told.clear()
    assert not {"work/19-agent.ipynb", "runs/large.json"} & _named_in(
        pack(student.folder, tell=told.append)
    )
    assert [sentence.partition(": ")[0] for sentence in told] == [
        "work/19-agent.ipynb stays out",
        "runs/large.json stays out",
    ]


def test_submit_says_which_answers_it_does_not_find(student: Checkout) -> None:
    (student.folder / "work").mkdir()
    notebook = json.loads((student.folder / "notebooks/19-agent.ipynb").read_text("utf-8"))
    cells = notebook["cells"]
    at = [i for i, cell in enumerate(cells) if "".join(cell["source"]).startswith("### Answer ")]
    cells[at[0]]["source"] = "### Answer 1\n\nIt stopped."
    cells[at[1]] |= {"cell_type": "code", "source": "stopped = True"}
    cells[at[2]]["source"] = "### Answer 3\n\n<!-- It stopped. -->"
    (student.folder / "work/19-agent.ipynb").write_text(json.dumps(notebook))
    said = student.g2c("submit").stdout
    assert "no text is written below answer 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13. Text" in said
    assert "what belongs to answer 2 is not clear: it is code" in said
    assert "is this a key" not in said, "a picture is as random as a key, and is none"


@pytest.mark.slow
def test_submit_says_which_notebooks_are_not_read(student: Checkout) -> None:
    shipped = student.folder / "notebooks/19-agent.ipynb"
    written = shipped.read_text("utf-8").replace("*Write here.*", "It stopped.")
    work = student.folder / "work"
    work.mkdir()
    (work / "19-agent-Copy1.ipynb").write_text(written, "utf-8")
    (work / "20-memory.ipynb").touch()
    (work / "trial.ipynb").write_text(json.dumps({"cells": []}))
    shipped.write_text(written, "utf-8")
    said = student.g2c("submit").stdout
    assert "work/19-agent-Copy1.ipynb has answers that the grader does not read" in said
    assert "notebooks/19-agent.ipynb has answers" in said
    assert "move them to work/19-agent.ipynb" in said
    assert "work/20-memory.ipynb is not a notebook" in said
    assert "trial.ipynb has" not in said and "notebooks/20" not in said


def test_a_renamed_file_is_handed_in_if_its_exercise_has_no_other(tmp_path: Path) -> None:
    tree = tmp_path / "ada"
    names = [PLANNER, "g2c/agent/extract_plan (1).py", "g2c/loop/run_final.py", "g2c/loop/help.py"]
    for name in names:
        (tree / name).parent.mkdir(parents=True, exist_ok=True)
        (tree / name).write_text("x = 1\n")
    told: list[str] = []
    archive = pack(tree, tell=told.append)
    assert set(inspect_archive(io.BytesIO(archive)).files) == {PLANNER, "g2c/loop/run_final.py"}
    assert [sentence.partition(" stays out")[0] for sentence in told] == [names[1], names[3]]


def test_a_file_of_before_0_3_is_the_exercises_file_of_today() -> None:
    was, today = "ada/g2c/agent/parser.py", "ada/g2c/agent/parse_react_step.py"
    assert own_names([was]) == {was: today.removeprefix("ada/")}
    assert own_names([was, today]) == {today: today.removeprefix("ada/")}


def test_a_pipe_in_the_place_of_a_hand_in_is_named_as_such(tmp_path: Path) -> None:
    pipe = tmp_path / "ada.zip"
    os.mkfifo(pipe)
    with pytest.raises(ValueError, match="not a file on a disk"), as_tree(pipe):
        pass
