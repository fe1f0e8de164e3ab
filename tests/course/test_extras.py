"""A command without its packages says what installs them."""

import runpy
import sys
from collections.abc import Callable

import pytest

import g2c.extras
from g2c.cli.app import app
from maintain.author.__main__ import app as author


@pytest.mark.parametrize(
    ("run", "cure"),
    [
        (lambda: app(["test", "-k", "Parse"]), "./prodlm.sh test --help"),
        (lambda: app(["docs"]), "./prodlm.sh docs"),
        (lambda: app(["check", "19.1"]), "./prodlm.sh doctor"),
        (lambda: app(["notebook", "19"]), "./prodlm.sh doctor"),
        (lambda: author(["check", "19.1"]), "./prodlm.sh test --help"),
        (lambda: runpy.run_module("maintain.crash", run_name="__main__"), "./prodlm.sh test"),
    ],
    ids=["test", "docs", "check", "notebook", "author", "crash"],
)
def test_a_command_without_its_extra_names_what_installs_it(
    run: Callable[[], object],
    cure: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(g2c.extras, "find_spec", lambda module: None)
    monkeypatch.setattr(sys, "argv", ["command"])
    with pytest.raises((ValueError, SystemExit)) as ended:
        run()
    assert cure in " ".join((str(ended.value) + capsys.readouterr().err).split())
