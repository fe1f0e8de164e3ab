"""A kept result belongs to all that it was made from: one function names it, everywhere."""

import ast
import sys
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from types import ModuleType

import pytest

import g2c
from g2c import kept
from g2c.cli.run_swarm import _made_by
from g2c.critic.app.measured import key_of_critic
from g2c.critic.app.program_critic import CheckingCritic
from g2c.inference import ScriptedBackend
from g2c.json_files import read_object
from g2c.kept import keep, key_of, key_of_code
from g2c.swarm.app.order import Order

ROOT = Path(g2c.__file__).parent
OTHER_DIGESTS = {
    "files.py": "the content of a file",
    "kept.py": "the names of kept results",
    "processes.py": "a process of this boot",
    "text.py": "a long text's short name",
    "course/browser/build.py": "the pages' addresses, so that a browser loads what has changed",
    "course/check/progress.py": "many files by their bytes, with the tests",
    "course/cluster.py": "the course's code",
    "course/break_rows.py": "the recordings that come with the course",
    "course/folder/record.py": "the original files of a student's folder",
    "course/scored/kept.py": "scores that come with the course, by all facts of their making",
    "course/submission.py": "files that are handed in",
    "evaluation/app/comparison.py": "the order of tasks, which is nobody's",
    "suite/suite.py": "the suite's fingerprint, which pages name",
    "classroom/answers/marking.py": "equal answers",
    "classroom/batch.py": "a hand-in: its files",
    "classroom/feedback.py": "a page's file name",
    "classroom/regrade.py": "an exercise's tests, which each result names",
    "inference/embedded/recorded_engine.py": "a call, with all calls before it",
    "memory/core/stored_paragraphs.py": "a paragraph",
    "memory/core/topics.py": "a topic's file name",
    "swarm/app/library.py": "the text of a file, which an errand's name has in it",
}
"""The files that make a digest by other means than `key_of`, and of what."""


def test_a_kept_result_is_named_by_key_of_or_has_a_reason() -> None:
    found = set()
    for file in ROOT.rglob("*.py"):
        imported = (
            alias.name
            for node in ast.walk(ast.parse(file.read_text("utf-8")))
            if isinstance(node, ast.Import)
            for alias in node.names
        )
        if "hashlib" in imported:
            found.add(file.relative_to(ROOT).as_posix())
    assert found == set(OTHER_DIGESTS)


def test_another_part_makes_another_name() -> None:
    parts = ({"model": "a", "seed": 1}, "text", 3)
    others = ({"model": "b", "seed": 1}, "text", 3), (*parts, ""), ("text", 3), ()
    assert len({key_of(*parts), *(key_of(*other) for other in others)}) == 1 + len(others)
    assert key_of({"seed": 1, "model": "a"}, "text", 3) == key_of(*parts)


@pytest.mark.parametrize(
    "line",
    [
        "import helper",
        "from helper import value",
        "from package import helper",
        "import package.helper as found",
        "def f():\n    from package.helper import value",
        "from .package import helper",
        "from . import helper",
        "import between",
        "from importlib import import_module as get\nget('helper')",
        "import importlib\nfound = [importlib.import_module(f'package.{name}') for name in NAMES]",
        "import importlib\nimportlib.import_module('.helper', 'package')",
        "__import__('between')",
        "import runpy\nNAME = 'package/helper.py'\nrunpy.run_path(NAME)",
        "exec(open('helper.py').read())",
    ],
)
def test_code_has_the_name_of_all_that_it_imports(
    line: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    helpers = tmp_path / "helper.py", tmp_path / "package/helper.py"
    helpers[1].parent.mkdir()
    (tmp_path / "package/__init__.py").touch()
    (tmp_path / "between.py").write_text("import helper, mine\n")
    mine = tmp_path / "mine.py"
    mine.write_text(f"import json\nimport g2c.text\n{line}\n")
    names = set()
    for text in ("value = 1\n", "value = 2\n", "def broken(:\n"):
        for helper in helpers:
            helper.write_text(text)
        names |= {key_of_code(mine), key_of_code(mine)}
    assert len(names) == 3
    (tmp_path / "json").mkdir()
    other = tmp_path / "other.py"
    other.write_text(text)
    assert key_of_code(mine) in names, "a file that nothing imports does not count"


@pytest.mark.parametrize(
    ("code", "counts"),
    [
        ("open('data/table.csv')", True),
        ("(Path(__file__).parent / 'data/table.csv').open()", True),
        ("(Path(__file__).with_name('data') / 'table.csv').open()", False),
        ("open('/proc/self/io')", False),
        ("open('data')", False),
    ],
)
def test_a_data_file_counts_if_the_code_names_it_in_one_string(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, code: str, counts: bool
) -> None:
    mine, table = tmp_path / "tasks/mine.py", tmp_path / "tasks/data/table.csv"
    table.parent.mkdir(parents=True)
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    mine.write_text(f"from pathlib import Path\n{code}\n")
    keys = set()
    for text in ("a;1", "a;2"):
        table.write_text(text)
        keys |= {key_of_code(mine), key_of_code(mine)}
    assert len(keys) == 1 + counts


def test_exercises_count_and_the_rest_of_the_course_does_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "path", [str(tmp_path)])
    monkeypatch.setattr("g2c.kept._COURSE", tmp_path)
    mine, text = tmp_path / "mine.py", tmp_path / "text.py"
    mine.write_text("import text\n")
    text.write_text("A = 1\n")
    before = key_of_code(mine)
    text.write_text("A = 2\n")
    assert key_of_code(mine) == before
    text.write_text('@exercise("19.1")\ndef f(): ...\n')
    assert key_of_code(mine) != before


def _swarm() -> str:
    return _made_by(Order("the code", "fact", ".", 1, 9, model=None, memory="."))


@pytest.mark.parametrize(
    ("used", "key"),
    [
        ("g2c.critic.app.measured.parse_critique", lambda: key_of_critic(CheckingCritic())),
        ("g2c.critic.app.measured.paired_bootstrap", lambda: key_of_critic(CheckingCritic())),
        ("g2c.guard.quote_data.quote_data", _swarm),
        ("g2c.memory.is_grounded.is_grounded", _swarm),
        ("g2c.swarm.write_brief.write_brief", _swarm),
    ],
)
def test_findings_of_critics_and_workers_belong_to_the_exercises_that_they_run(
    used: str, key: Callable[[], str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("g2c.cli.run_swarm.load", lambda *_: ScriptedBackend())
    own = ModuleType("own")
    own.__file__ = str(tmp_path / "own.py")
    monkeypatch.setitem(sys.modules, "own", own)

    def function() -> None: ...

    function.__module__ = "own"
    module, _, name = used.rpartition(".")
    monkeypatch.setattr(import_module(module), name, function)
    names = set()
    for text in ("A = 1\n", "A = 2\n"):
        (tmp_path / "own.py").write_text(text)
        names.add(key())
    assert len(names) == 2


def test_a_damaged_file_holds_nothing_and_is_written_anew(tmp_path: Path) -> None:
    file = tmp_path / "kept.json"
    file.write_text('{"torn')
    assert read_object(file) == {}
    keep(file, "a", [1])
    assert read_object(file) == {"a": [1]}


def test_calls_that_share_what_is_known_read_a_file_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in "one", "two":
        (tmp_path / f"{name}.py").write_text("import shared\n")
    (tmp_path / "shared.py").write_text("")
    monkeypatch.chdir(tmp_path)
    keys = [key_of_code(tmp_path / f"{name}.py") for name in ("one", "two")]
    read: list[str] = []
    known: kept.Known = {}
    look = kept._looked_at

    def looked_at(file: Path) -> tuple[str, list[Path]]:
        read.append(file.name)
        return look(file)

    monkeypatch.setattr(kept, "_looked_at", looked_at)
    assert [key_of_code(tmp_path / f"{n}.py", known=known) for n in ("one", "two")] == keys
    assert sorted(read) == ["one.py", "shared.py", "two.py"]
