"""The tool that writes files, and what hostile arguments do to it: nothing."""

import os
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from g2c.files import replace_in
from g2c.tools import Tool, ToolCall, ToolError, ToolRegistry, dispatch_tool_call, make_write_file
from g2c.tools.write_file import _open_folder

posix = pytest.mark.skipif(os.name != "posix", reason="needs POSIX")


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = tmp_path / "root"
    (root / "docs").mkdir(parents=True)
    (root / "note.txt").write_text("hello\n")
    (tmp_path / "secret.txt").write_text("secret")
    return root


def write(tool: Tool, path: str, text: str) -> str:
    result = dispatch_tool_call(
        ToolRegistry([tool]), ToolCall(tool.name, {"path": path, "text": text})
    )
    assert not result.is_error, result.output
    return result.output


def misuse(root: Path, path: str, text: str = "x") -> str:
    before = contents(root.parent)
    with pytest.raises(ToolError) as caught:
        make_write_file(root, max_bytes=10).func(path=path, text=text)
    assert contents(root.parent) == before, "what is refused changes nothing"
    return str(caught.value)


def contents(folder: Path) -> dict[Path, bytes | str]:
    return {
        path: path.read_bytes() if path.is_file() else "folder"
        for path in folder.rglob("*")
        if path.exists()
    }


def test_each_example_is_what_the_tool_really_does(tmp_path: Path) -> None:
    tool = make_write_file(tmp_path)
    for example in tool.examples:
        arguments = dict(example.arguments)
        assert write(tool, **arguments) == example.observation
        assert (tmp_path / arguments["path"]).read_text() == arguments["text"]


@pytest.mark.parametrize(
    "path", ["new.txt", "note.txt", "docs/deep.md", "a/b/c.txt", "./docs/../y"]
)
def test_it_writes_and_replaces(root: Path, path: str) -> None:
    assert write(make_write_file(root), path, "déjà vu") == f"{path} is written."
    assert (root / path).read_text("utf-8") == "déjà vu"
    assert not [name for name in root.rglob(".*")], "nothing is left beside it"


@pytest.mark.parametrize("path", ["../secret.txt", "docs/../../new.txt", "/etc/motd", "../root2/x"])
def test_nothing_outside_the_root_is_written(root: Path, path: str) -> None:
    assert "outside the folder" in misuse(root, path)


def test_a_link_is_followed_inside_and_refused_outside(root: Path) -> None:
    (root / "inside").symlink_to("note.txt")
    (root / "outside").symlink_to("../secret.txt")
    (root / "dangling").symlink_to("../new.txt")
    (root / "up").symlink_to("..")
    write(make_write_file(root), "inside", "new")
    assert (root / "note.txt").read_text() == "new" and (root / "inside").is_symlink()
    for path in ("outside", "dangling", "up/new.txt"):
        assert "outside the folder" in misuse(root, path)


@posix
def test_a_link_put_there_after_the_check_is_not_followed(root: Path) -> None:
    (root / "docs").rmdir()
    (root / "docs").symlink_to("..")
    with pytest.raises(OSError):
        _open_folder(root, root / "docs")
    (root / "late.txt").symlink_to("../secret.txt")
    folder = os.open(root, os.O_RDONLY)
    replace_in(folder, "late.txt", b"new")
    os.close(folder)
    assert (root / "late.txt").read_text() == "new" and not (root / "late.txt").is_symlink()
    assert (root.parent / "secret.txt").read_text() == "secret"


@posix
@pytest.mark.parametrize("mode", [0o755, 0o600, 0o644])
def test_a_file_keeps_its_mode(root: Path, mode: int) -> None:
    (root / "note.txt").chmod(mode)
    make_write_file(root).func(path="note.txt", text="new")
    assert (root / "note.txt").stat().st_mode & 0o777 == mode


@pytest.mark.parametrize(
    ("path", "says"),
    [
        ("docs", "is a folder"),
        ("new/", "is a folder"),
        ("", "is a folder"),
        ("note.txt/x", "cannot be written"),
        ("a\nb", "not a usable path"),
        ("a\0b", "not a usable path"),
        ("x" * 300, "cannot be written: File name too long"),
    ],
)
def test_a_path_that_is_not_a_file_is_refused(root: Path, path: str, says: str) -> None:
    assert says in misuse(root, path)


def test_a_text_that_is_too_long_is_refused(root: Path) -> None:
    assert misuse(root, "a.txt", "é" * 6) == "The text has 12 bytes; write at most 10."


@posix
def test_irregular_files_are_refused(root: Path) -> None:
    os.mkfifo(root / "pipe")
    with pytest.raises(ToolError, match="not a text file"):
        make_write_file(root).func(path="pipe", text="x")


def test_half_a_surrogate_pair_becomes_a_replacement(root: Path) -> None:
    write(make_write_file(root), "a.txt", "a\ud83d")
    assert (root / "a.txt").read_text("utf-8") == "a?"


def test_a_root_that_is_not_a_folder_is_refused(root: Path) -> None:
    with pytest.raises(ToolError, match="not a folder"):
        make_write_file(root / "note.txt")


@settings(derandomize=True, max_examples=200)
@given(st.text("a./\\~\0\n é", max_size=12), st.text(max_size=5))
def test_whatever_the_path_nothing_outside_changes(path: str, text: str) -> None:
    from tempfile import TemporaryDirectory

    with TemporaryDirectory() as name:
        folder = Path(name).resolve()
        root = folder / "root"
        root.mkdir()
        tool = make_write_file(root)
        result = dispatch_tool_call(
            ToolRegistry([tool]), ToolCall(tool.name, {"path": path, "text": text})
        )
        assert [entry.name for entry in folder.iterdir()] == ["root"]
        files = [file for file in root.rglob("*") if file.is_file()]
        assert len(files) == (not result.is_error), "one file is written, or a sentence says why"
