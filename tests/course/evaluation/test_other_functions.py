"""Two versions of one function, each in a process of its own."""

from pathlib import Path

import pytest

from g2c.course.other_functions import OtherFunctions, identity_of_functions
from g2c.suite.settings import split_name
from g2c.suite.suite import load_suite

HEAD = """\
from g2c.exercise import exercise


@exercise("19.3")
def render(pad):
"""


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The course in whose `runs/` the processes leave their traces."""
    monkeypatch.setenv("G2C_ROOT", str(tmp_path))


def version(folder: Path, body: str) -> Path:
    file = folder / "version.py"
    file.write_text(f"{HEAD}    {body}\n", "utf-8")
    return file


@pytest.mark.slow
@pytest.mark.usefixtures("root")
@pytest.mark.parametrize(
    ("body", "says"),
    [
        ("return ''", ""),  # it forgets each step, and repeats itself
        ("return pad.nothing", "AttributeError"),
    ],
)
def test_a_function_of_a_file_runs_in_place_of_the_reference(
    body: str, says: str, tmp_path: Path
) -> None:
    """On the real model, which solves this task with the reference."""
    file = version(tmp_path, body)
    name = f"embedded,19.3={file}"
    other = OtherFunctions(split_name(name)[1].functions)
    try:
        attempt = other.ask(name, *load_suite(["read_file"], 1))
    finally:
        other.close()
    assert not attempt.verdict.success
    assert says in attempt.verdict.why


def test_a_file_that_breaks_is_told_and_not_a_task_that_was_not_solved(tmp_path: Path) -> None:
    file = tmp_path / "broken.py"
    file.write_text("import nothing_of_that_name\n\n\ndef render(pad): ...\n")
    name = f"embedded,19.3={file}"
    other = OtherFunctions({"19.3": str(file)})
    try:
        with pytest.raises(RuntimeError, match="nothing_of_that_name"):
            other.ask(name, *load_suite(["read_file"], 1))
    finally:
        other.close()


@pytest.mark.usefixtures("root")
def test_a_process_that_ends_is_told(tmp_path: Path) -> None:
    file = version(tmp_path, "import os; os._exit(3)")
    other = OtherFunctions({"19.3": str(file)})
    try:
        with pytest.raises(RuntimeError, match=r"its process ended with 3\."):
            other.ask(f"embedded,19.3={file}", *load_suite(["read_file"], 1))
    finally:
        other.close()


def test_another_text_is_another_function(tmp_path: Path) -> None:
    before = identity_of_functions({"19.3": str(version(tmp_path, "return ''"))})
    after = identity_of_functions({"19.3": str(version(tmp_path, "return 'x'"))})
    assert before != after, "so outcomes of two versions never mix in one file"


@pytest.mark.parametrize(
    ("functions", "says"),
    [
        ({"29.3": "a.py"}, "There is no exercise"),
        ({"19.3": "none.py"}, "cannot be read"),
        ({"19.3": "other.py"}, "has no function render, which 19.3 is"),
        ({"19.3": "torn.py"}, "cannot be read"),
        ({"19.3": "yours"}, "is not written yet"),
    ],
)
def test_an_impossible_setting_is_refused_before_anything_is_asked(
    functions: dict[str, str], says: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("other.py").write_text("def another(): ...\n")
    Path("torn.py").write_text("def render(:\n")
    with pytest.raises(ValueError, match=says):
        identity_of_functions(functions)


@pytest.mark.parametrize("setting", ["19.3=mine", "19.3=", "19.3"])
def test_a_setting_that_is_not_a_function_is_refused(setting: str) -> None:
    with pytest.raises(ValueError, match=r"19\.3=yours"):
        split_name(f"embedded,{setting}")
