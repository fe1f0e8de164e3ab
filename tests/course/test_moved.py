"""Files that a person wrote for an older course go on working."""

import importlib
import sys

import pytest

from g2c.cli.main import MOVED, main
from g2c.loop.core import types
from g2c.moved import names_of_today


def test_a_module_is_found_by_the_name_that_it_had_and_is_the_same_one() -> None:
    with pytest.deprecated_call(match=r"g2c\.loop\.provided\.types is g2c\.loop\.core\.types now"):
        old = importlib.import_module("g2c.loop.provided.types")
    assert old is types and old.__name__ == "g2c.loop.core.types"
    assert importlib.import_module("g2c.loop.provided").types is types
    from g2c.memory.assembled.store import MemoryStore  # type: ignore[import-not-found]

    assert MemoryStore is sys.modules["g2c.memory.app.store"].MemoryStore
    suite = importlib.import_module("g2c.evaluation.assembled.suite")
    assert suite is importlib.import_module("g2c.suite.suite")


def test_a_module_that_never_was_is_named_as_it_was_asked_for() -> None:
    with pytest.raises(ModuleNotFoundError, match=r"g2c\.loop\.core\.no_such"):
        importlib.import_module("g2c.loop.provided.no_such")
    assert names_of_today("g2c.tools.provided.x") == "g2c.tools.provided.x"


@pytest.mark.parametrize("old", MOVED)
def test_an_old_command_is_run_as_the_one_of_today_which_is_named(
    old: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["g2c", old, "--help"])
    with pytest.raises(SystemExit) as ended:
        main()
    told = capsys.readouterr()
    today = f"g2c {' '.join(MOVED[old])}"
    assert not ended.value.code and f"g2c {old} is {today} now." in told.err
    assert f"Usage: {today} " in " ".join(told.out.split())
