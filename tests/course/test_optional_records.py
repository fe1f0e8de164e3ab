"""Records that the work can do without: where they cannot be written, it goes on, and says so."""

import ast
import hashlib
import warnings
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest
from command import g2c as command

import g2c
from g2c.cli import chat as chat_command
from g2c.cli.critics import _keep as _keep_critics
from g2c.cli.exercises import _next_hint
from g2c.cli.run_swarm import _remember
from g2c.course.break_rows import kept_file, write_rows
from g2c.course.check import progress, worker
from g2c.course.check.seen_failures import remember
from g2c.course.manifest import load_exercises
from g2c.course.scored import Score
from g2c.course.scored.kept import keep_score
from g2c.course.traces import CHILD_VARIABLE, tracing_to_file
from g2c.exercises.e25_1_quote_data import naive as quoting
from g2c.home.session import HomeMemory
from g2c.inference import ScriptedBackend
from g2c.inference.embedded.weights import check_weights
from g2c.inference.resuming import resuming
from g2c.memory import MemoryStore
from g2c.tracing import environment_of_child, traced

PACKAGE = Path(g2c.__file__).parent
WRITERS = ("keep_text", "keep_json", "keep", "if_possible")
NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)


def hint(root: Path) -> None:
    assert _next_hint(load_exercises()[0]) == 0


def failures(root: Path) -> None:
    remember(["tests/test_agent.py::a"], [])


def score(root: Path) -> None:
    keep_score("facts", Score(1, 2))


def shown(root: Path) -> None:
    write_rows(kept_file(), quoting, (("result", "it fails"),))


def results(root: Path) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(progress, "is_requested", lambda *_: False)
        patch.setattr(worker, "run_each", lambda tests: [progress.TestRun() for _ in tests])
        assert len(progress.current_runs(load_exercises()[:1])) == 1


def weights(root: Path) -> None:
    (root / "weights").write_bytes(b"w")
    digest = hashlib.sha256(b"w").hexdigest()
    check_weights(root / "weights", digest, root / ".g2c" / "weights.json", "get it")


def answers(root: Path) -> None:
    with resuming(ScriptedBackend(["4"]), root / ".g2c" / "unfinished", "judge") as backend:
        assert backend.complete("2 + 2 =").completion == "4"


def trace(root: Path) -> None:
    with tracing_to_file("chat"), traced("tool", "a"), traced("tool", "b"):
        assert environment_of_child() == {}


def trace_of_a_child(root: Path) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(CHILD_VARIABLE, f"1 0.0 {root / 'runs' / 'chat.events.jsonl'}")
        with tracing_to_file("dream"), traced("tool", "a"):
            pass


def days(root: Path) -> None:
    store = MemoryStore(root / "memory", now=lambda: NOON)
    store.transcripts.folder.mkdir(parents=True)
    store.transcripts.path_of(NOON.date().replace(year=2027)).write_text("")
    (store.transcripts.folder / ".first-seen.json").mkdir()
    assert len(store.transcripts.days()) == 1


def pointer(root: Path) -> None:
    store = MemoryStore(root / "memory", now=lambda: NOON)
    store.index.file.mkdir(parents=True)
    store.log_turn("user", "Tea.")
    assert [turn.content for turn in store.transcripts.tail(1)] == ["Tea."]


def critics(root: Path) -> None:
    _keep_critics(root / "runs" / "critics.json", [])


def said(root: Path) -> None:
    memory = HomeMemory(MemoryStore(root / "runs" / "memory", now=lambda: NOON), root)
    for role in ("user", "assistant"):
        memory.log_turn(role, "Tea.")


def said_by_a_swarm(root: Path) -> None:
    _remember(MemoryStore(root / "runs" / "memory", now=lambda: NOON), "user", "Tea?")


RECORDS: dict[str, list[Callable[[Path], None]]] = {
    "cli/chat.py": [],  # below
    "cli/critics.py": [critics],
    "cli/exercises.py": [hint],
    "cli/run_swarm.py": [said_by_a_swarm],
    "course/check/progress.py": [results],
    "course/check/seen_failures.py": [failures],
    "course/break_rows.py": [shown],
    "course/scored/kept.py": [score],
    "course/traces.py": [trace, trace_of_a_child],
    "home/session.py": [said],
    "inference/embedded/_llama.py": [],  # only why a model cannot be loaded
    "inference/embedded/weights.py": [weights],
    "inference/resuming.py": [answers],
    "memory/app/store.py": [pointer],
    "memory/core/transcripts.py": [days],
}


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A course in which neither of the folders can be made."""
    monkeypatch.setenv("G2C_ROOT", str(tmp_path))
    for name in (".g2c", "runs"):
        (tmp_path / name).write_text("")
    return tmp_path


@pytest.mark.parametrize("write", [write for all in RECORDS.values() for write in all])
def test_work_goes_on_without_its_record_and_says_so_once(
    root: Path, write: Callable[[Path], None]
) -> None:
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("default")
        write(root)
    assert len(told) == 1 and str(told[0].message).startswith("Not kept: "), told


def test_a_chat_goes_on_where_runs_cannot_be_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "runs").write_text("")
    backend = ScriptedBackend([" I know.\nFinal Answer: 4", " I know.\nFinal Answer: 5"])
    monkeypatch.setattr(chat_command, "load", lambda choice, options: backend)
    done = command("chat", root=tmp_path, typed="one?\ntwo?\n")
    assert done.returncode == 0, done.stderr
    assert "Final answer  4" in done.stdout and "Final answer  5" in done.stdout
    assert "recorded as" not in done.stdout
    assert done.stderr.count("Not kept: the record of this run (") == 1, done.stderr


def test_each_optional_record_is_tried_here() -> None:
    found = set()
    for file in PACKAGE.rglob("*.py"):
        own = file.relative_to(PACKAGE).as_posix()
        source = file.read_text("utf-8")
        from_here = [
            name.name
            for node in ast.walk(ast.parse(source))
            if isinstance(node, ast.ImportFrom)
            and node.module in ("g2c.files", "g2c.json_files", "g2c.kept")
            for name in node.names
        ]
        if set(from_here) & set(WRITERS) and own not in ("json_files.py", "kept.py"):
            found.add(own)
    assert found == set(RECORDS)
