"""Questions to a person: a yes is a whole word, typed after the question."""

import ast
import io
import os
import select
import sys
from pathlib import Path
from typing import Any

import pytest
import typer

from g2c.cli import confirm as module
from g2c.cli.confirm import MAX_TRIES, answer_to, confirm
from g2c.cli.console import CleanConsole

ROOT = Path(module.__file__).parent.parent


def confirmed(monkeypatch: pytest.MonkeyPatch, typed: str) -> bool:
    monkeypatch.setattr(sys, "stdin", io.StringIO(typed))
    return confirm("Delete all of it?", CleanConsole(file=io.StringIO()))


@pytest.mark.parametrize(
    ("typed", "is_yes"),
    [
        ("yes\n", True),
        (" YES \n", True),
        ("y\nyes\n", True),
        ("y\nno\n", False),
        ("yyyyyy\n\n", False),
        ("\n", False),
        ("n\n", False),
    ],
)
def test_only_the_whole_word_is_a_yes(
    monkeypatch: pytest.MonkeyPatch, typed: str, is_yes: bool
) -> None:
    assert confirmed(monkeypatch, typed) == is_yes


@pytest.mark.parametrize("typed", ["", "y", "y\n" * (MAX_TRIES + 1)])
def test_a_question_without_an_answer_aborts(monkeypatch: pytest.MonkeyPatch, typed: str) -> None:
    with pytest.raises(typer.Abort):
        confirmed(monkeypatch, typed)


def test_an_empty_line_is_an_answer_only_if_it_is_offered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO("\n\nyes\n"))
    console = CleanConsole(file=io.StringIO())
    assert answer_to("Did it happen?", {"yes": True, "no": False}, console) is True


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no pseudo-terminal")
def test_text_typed_before_the_question_is_not_its_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    master, slave = os.openpty()

    class Person(CleanConsole):
        def print(self, *objects: Any, **options: Any) -> None:
            if objects == ("> ",):
                os.write(master, b"no\n")

    os.write(master, b"yes\n")
    select.select([slave], [], [], 60)  # the terminal has it
    with os.fdopen(slave, encoding="utf-8") as terminal:
        monkeypatch.setattr(sys, "stdin", terminal)
        assert not confirm("Delete all of it?", Person())
    os.close(master)


@pytest.mark.slow
def test_one_function_asks_everywhere() -> None:
    found = []
    for file in ROOT.rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            called = ast.unparse(node.func) if isinstance(node, ast.Call) else ""
            if called in ("input", "typer.confirm", "typer.prompt", "click.confirm", "tcflush"):
                found.append(file.relative_to(ROOT).as_posix())
    # A chat's own lines permit nothing.
    assert set(found) == {"cli/confirm.py", "cli/chat.py"}
