"""Evolution with a model that means no good, on a full disk, and under kill -9; its commands."""

import json
import os
import signal
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from checkout import ROOT, Checkout
from command import g2c
from crashing import in_child, kill_at_change
from hypothesis import given, settings
from hypothesis import strategies as st

from g2c.exercises.e22_6_check_invariants.solution import check_invariants
from g2c.inference import Backend, InferenceResult, ScriptedBackend
from g2c.inference.model_choice import load_prodlm
from g2c.loop.app.evolution import EvolutionResult, evolve, history, revert
from g2c.loop.app.lessons import sift_lessons, turns_of
from g2c.loop.app.proposal import propose
from g2c.loop.core.identity import (
    CONSTITUTION,
    WRITABLE,
    Change,
    Versions,
    ensure_config,
    read_texts,
)
from g2c.loop.core.types import LoopError, SessionSummary, Spent, TickRecord
from g2c.memory.core.types import Turn

NOW = datetime(2026, 4, 21, 12, tzinfo=UTC)
SUMMARY = SessionSummary("Count", "success", "done", 2, Spent(2), "It counted.", NOW, NOW)
CLI = ROOT / "g2c/cli"
NAMES = [CONSTITUTION, *WRITABLE]
EDITS = {"identity.md": "I count.", "knowledge.md": "There are 12.", "recovery.md": "Count again."}


def answer(texts: dict[str, str]) -> str:
    return json.dumps(
        {"edits": [{"file": file, "why": "So.", "text": text} for file, text in texts.items()]}
    )


def evolve_by(folder: Path, said: str) -> EvolutionResult:
    return evolve(folder, SUMMARY, ScriptedBackend([said]), NOW)


texts = st.text(st.sampled_from("ab \n`é") | st.characters(), max_size=60) | st.sampled_from(
    ["x" * 300, "x" * 600, "x" * 1300, "```\nls\n", "AKIAIOSFODNN7EXAMPLE", "\udc80", "\r\n"]
)
folders = st.dictionaries(st.sampled_from(NAMES), texts, min_size=1)


@given(folders)
def test_an_unchanged_draft_breaks_nothing(files: dict[str, str]) -> None:
    assert check_invariants(files, dict(files)) == ()


@given(folders, st.data())
def test_any_single_edit_outside_what_is_writable_is_caught(
    files: dict[str, str], data: st.DataObject
) -> None:
    writable = data.draw(st.lists(st.sampled_from(NAMES), unique=True))
    file = data.draw(st.sampled_from([*NAMES, "notes.md"]))
    text = data.draw(st.none() | texts)
    after = {name: old for name, old in files.items() if name != file}
    after |= {} if text is None else {file: text}
    said = check_invariants(files, after, writable=writable)
    closed = file == CONSTITUTION or file not in writable
    if after != files and (closed or file not in files or text is None):
        assert said and file in said[0], "it must be caught, and named"


@given(st.dictionaries(st.sampled_from(NAMES), texts), st.dictionaries(st.text(max_size=9), texts))
@settings(max_examples=60)
def test_whatever_the_model_says_the_constitution_stays_and_files_are_all_old_or_all_new(
    edits: dict[str, str], others: dict[str, str]
) -> None:
    with TemporaryDirectory() as name:
        folder = Path(name) / "agent"
        ensure_config(folder)
        beside, old = set(Path(name).rglob("*")), read_texts(folder)
        result = evolve_by(folder, answer({**edits, **others}))
        new = read_texts(folder)
        assert new[CONSTITUTION] == old[CONSTITUTION]
        if result.version is None:
            assert new == old
        else:
            wanted = {file: text.strip() for file, text in edits.items() if "\udc80" not in text}
            assert {file: new[file].strip() for file in wanted} == wanted
            assert check_invariants(old, new) == ()
        made = {path.relative_to(folder).parts[0] for path in set(folder.rglob("*")) - beside}
        assert made <= {"versions", "evolution.jsonl"}, "nothing lies anywhere else"
        assert {path.name for path in Path(name).iterdir()} == {"agent"}


@given(st.text(max_size=80) | st.builds(json.dumps, st.recursive(st.none(), st.lists)))
@settings(max_examples=40)
def test_any_answer_is_a_result(said: str) -> None:
    with TemporaryDirectory() as folder:
        assert evolve_by(Path(folder), said).version is None
        assert [change.kind for change in history(Path(folder))] == ["refused"]


def test_a_lenient_rule_opens_neither_constitution_nor_path(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("g2c.loop.app.evolution.check_invariants", lambda before, after: ())
    folder = tmp_path / "agent"
    ensure_config(folder)
    old = read_texts(folder)
    said = {CONSTITUTION: "Go on.", "../out.md": "Out.", "new.md": "New.", "persona.md": "Brief."}
    evolve_by(folder, answer(said))
    assert read_texts(folder) == {**old, "persona.md": "Brief.\n"}
    assert [path.name for path in tmp_path.iterdir()] == ["agent"]


def test_an_edit_while_the_model_thinks_is_not_overwritten(tmp_path: Path) -> None:
    ensure_config(tmp_path)

    def meanwhile(prompt: str) -> str:
        (tmp_path / "persona.md").write_text("By hand.\n")
        return answer({"persona.md": "By model."})

    result = evolve(tmp_path, SUMMARY, ScriptedBackend([meanwhile]), NOW)
    assert result.version is None and "Somebody changed persona.md" in result.reason
    assert read_texts(tmp_path)["persona.md"] == "By hand.\n"
    assert [change.kind for change in history(tmp_path)] == ["refused"]


def test_a_backend_that_cannot_be_held_to_a_schema_is_asked_in_words(tmp_path: Path) -> None:
    class Plain(Backend):
        info = ScriptedBackend().info

        def complete(self, prompt: str, **options: Any) -> InferenceResult:
            said = f"```json\n{answer({'persona.md': 'Brief.'})}\n```"
            return InferenceResult(prompt, said, 1, 1, 0.0, "plain")

    assert evolve(tmp_path, SUMMARY, Plain(), NOW).version == 2


def test_a_full_disk_leaves_the_files_as_they_were(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ensure_config(tmp_path)
    old = read_texts(tmp_path)
    with monkeypatch.context() as patch:
        patch.setattr("g2c.loop.core.identity.Versions._write", writes_one_and_fails())
        with pytest.raises(OSError, match="No space"):
            evolve_by(tmp_path, answer(EDITS))
    ensure_config(tmp_path)
    assert read_texts(tmp_path) == old and Versions(tmp_path).numbers() == [1]
    assert evolve_by(tmp_path, answer(EDITS)).version == 2


def writes_one_and_fails() -> Callable[..., None]:
    """`Versions._write`, whose first call fails after its first file."""
    write, calls = Versions._write, iter([True])

    def call(self: Versions, changed: dict[str, str]) -> None:
        if not next(calls, False):
            return write(self, changed)
        write(self, dict(list(changed.items())[:1]))
        raise OSError(28, "No space left on device")

    return call


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs os.fork")
@pytest.mark.parametrize("work", ["evolve", "revert"])
def test_killed_before_any_change_on_disk_it_is_all_old_or_completed(
    work: str, tmp_path: Path
) -> None:
    outcomes = set()
    for changes in range(100):
        folder = tmp_path / str(changes)
        ensure_config(folder)
        old = read_texts(folder)
        new = {**old, **{file: f"{text}\n" for file, text in EDITS.items()}}
        if work == "revert":
            evolve_by(folder, answer(EDITS))
            old, new = new, old
        status = in_child(lambda folder=folder, changes=changes: killed(changes, work, folder))
        half = read_texts(folder)
        ensure_config(folder)
        now, log = read_texts(folder), history(folder)
        assert now in (old, new), "all old or all new, once the next one has looked after it"
        assert now[CONSTITUTION] == half[CONSTITUTION] == old[CONSTITUTION]
        numbers = [change.version for change in log]
        assert numbers == Versions(folder).numbers(), "every version has its line, once"
        assert Versions(folder).read(numbers[-1]) == now if numbers else now == old
        assert not list((folder / "versions").glob(".*"))
        outcomes.add((half == old, half == new, now == new))
        if status == 0:
            break
        assert os.WTERMSIG(status) == signal.SIGKILL
    assert now == new and 10 < changes < 90, "as many kills as there are changes"
    assert (False, False, True) in outcomes, "one kill at least came in the middle"


def killed(changes: int, work: str, folder: Path) -> None:
    """Evolve or revert in this process, and kill it in place of the change after so many."""
    kill_at_change(changes, "replace", "mkdir", "fsync")  # `fsync`: between a text and its rename
    evolve_by(folder, answer(EDITS)) if work == "evolve" else revert(folder, 1, NOW)


def test_a_person_who_comes_after_the_crash_is_not_overwritten(tmp_path: Path) -> None:
    ensure_config(tmp_path)
    evolve_by(tmp_path, answer(EDITS))
    versions = Versions(tmp_path)
    lines = versions.log_file.read_text().splitlines(keepends=True)
    versions.log_file.write_text("".join(lines[:-1]))  # as if the line had not been written
    (tmp_path / "identity.md").write_text("By hand.\n")
    (tmp_path / "knowledge.md").write_text(versions.read(1)["knowledge.md"])
    ensure_config(tmp_path)
    files = read_texts(tmp_path)
    assert (files["identity.md"], files["knowledge.md"]) == ("By hand.\n", "There are 12.\n")
    assert versions.log_file.read_text().splitlines(keepends=True) == lines


def test_a_torn_line_of_the_log_is_passed_over_and_kept(tmp_path: Path) -> None:
    ensure_config(tmp_path)
    evolve_by(tmp_path, answer({"persona.md": "Brief."}))
    versions = Versions(tmp_path)
    with versions.log_file.open("a") as log:
        log.write('{"ts": "2026')
    versions.note(Change(NOW, "refused", "No."))
    assert [change.kind for change in versions.log()] == ["kept", "evolved", "refused"]
    assert '{"ts": "2026\n' in versions.log_file.read_text()


def test_a_version_that_is_not_there_is_a_sentence(tmp_path: Path) -> None:
    ensure_config(tmp_path)
    with pytest.raises(LoopError, match=r"no version 7 of .*; there are: none"):
        revert(tmp_path, 7, NOW)
    evolve_by(tmp_path, answer({"persona.md": "Brief."}))
    with pytest.raises(LoopError, match="as they were in version 2"):
        revert(tmp_path, 2, NOW)


def test_a_yes_to_a_revert_is_about_the_files_that_were_shown(tmp_path: Path) -> None:
    ensure_config(tmp_path)
    evolve_by(tmp_path, answer({"persona.md": "Brief."}))
    shown = read_texts(tmp_path)
    evolve_by(tmp_path, answer({"persona.md": "Brief.\nAnd kind."}))
    with pytest.raises(LoopError, match=r"changed persona\.md meanwhile"):
        revert(tmp_path, 1, NOW, before=shown)
    assert read_texts(tmp_path)["persona.md"] == "Brief.\nAnd kind.\n"


@pytest.mark.slow
def test_the_real_model_proposes_what_can_be_read(tmp_path: Path) -> None:
    said = (
        "list_files {} gave: prices.txt, todo.txt\n"
        "read_file {'path': 'price.txt'} gave: [error] There is no file 'price.txt'.\n"
        "read_file {'path': 'prices.txt'} gave: Milk 4"
    )
    summary = SessionSummary(
        "Find the milk's price", "success", "done", 3, Spent(3), said, NOW, NOW
    )
    ensure_config(tmp_path)
    old = read_texts(tmp_path)
    result = evolve(tmp_path, summary, load_prodlm("embedded"), NOW)
    (*_, last) = history(tmp_path)
    assert last.kind != "refused" or last.broken, f"an answer that can be read: {result}"
    assert read_texts(tmp_path)[CONSTITUTION] == old[CONSTITUTION]


@pytest.fixture(scope="module")
def course(tmp_path_factory: pytest.TempPathFactory) -> Checkout:
    return Checkout(tmp_path_factory.mktemp("course"))


@pytest.fixture
def loop(tmp_path: Path) -> Path:
    agent = tmp_path / "loop" / "agent"
    ensure_config(agent)
    evolve_by(agent, answer({"persona.md": "Brief [really]."}))
    evolve_by(agent, answer({CONSTITUTION: "Go on."}))
    return tmp_path / "loop"


@pytest.mark.slow
def test_a_person_sees_the_history_and_goes_back(course: Checkout, loop: Path) -> None:
    def g2c(*arguments: str, typed: str = "") -> tuple[int, str]:
        done = course.g2c("loop", "evolution", *arguments, "--folder", str(loop), typed=typed)
        assert "Traceback" not in done.stderr, done.stderr
        return done.returncode, done.stdout + done.stderr

    code, shown = g2c("history")
    assert code == 0 and "version 2: persona.md" in shown, shown
    assert "constitution.md may not be changed." in shown, "a refusal says which rule"
    code, shown = g2c("revert", "1", typed="n\n")
    assert code == 1 and "-Brief [really]." in shown, shown
    assert (loop / "agent/persona.md").read_text() == "Brief [really].\n"
    code, shown = g2c("revert", "1", "--yes")
    assert code == 0 and "that is version 3 now" in shown, shown
    assert (loop / "agent/persona.md").read_text() != "Brief [really].\n"
    code, shown = g2c("revert", "9", "--yes")
    assert code == 1 and "There is no version 9" in shown, shown


def test_an_accepted_change_is_shown_with_its_invisible_characters(tmp_path: Path) -> None:
    agent = tmp_path / "loop" / "agent"
    ensure_config(agent)
    before = read_texts(agent)
    text = "Pay at p\u0430ypal.example\u200b.\n\u202eexe.gnp\n"
    propose(agent, before, {**before, "knowledge.md": text}, "It is\u200b shorter.")
    shown = g2c("loop", "evolution", "pending", "--folder", str(agent.parent), root=tmp_path).stdout
    for part in ("p\\u0430ypal.example\\u200b.", "\\u202eexe.gnp", "It is\\u200b shorter."):
        assert part in shown, shown
    ways = [file.name for file in CLI.glob("*.py") if '.diff, "diff"' in file.read_text("utf-8")]
    assert ways == [], "a change that waits for a yes is shown by show_diff"


def test_without_an_agent_it_says_how_to_make_one(course: Checkout) -> None:
    done = course.g2c("loop", "evolution", "history")
    assert done.returncode == 1 and "g2c home init" in done.stderr
    assert "Traceback" not in done.stderr


GAVE = 'read_file {"path": "sales.txt"} -> There is no file sales.txt. There is sales-may.csv.'
WROTE = 'write_file {"path": "a.txt", "text": "Bread costs 3 crowns."} -> Written.'
RECALLED = 'recall {"query": "sugar"} -> Sugar costs 2 crowns. (house.md:9)'
TICKS = [
    TickRecord(1, NOW, "continue", answer="Milk is sold out.", actions=(WROTE, RECALLED)),
    TickRecord(2, NOW, "failed", error="The disk is full.", actions=(GAVE, GAVE[:30])),
]


@pytest.mark.parametrize(
    ("line", "source"),
    [
        ("There is no file sales.txt.", "tick 2"),
        ("- The disk is full.", "tick 2"),
        ("I keep the books of a shop.", None),
        ("There is: sales-june.csv.", None),
        ("Sales", None),
        ("Bread costs 3 crowns.", None),
        ("Milk is sold out.", None),
        ("Sugar costs 2 crowns.", None),
    ],
)
def test_a_lesson_is_what_a_tool_gave_or_a_person_said(line: str, source: str | None) -> None:
    before = {"knowledge.md": "There are shelves.\n"}
    found = sift_lessons(before, {"knowledge.md": line}, turns_of(TICKS))
    added = f"{line}\n" if source else ""
    assert found.texts == {"knowledge.md": f"There are shelves.\n{added}"}
    assert found.sources == ((source,) if source else ())
    assert len(found.refused) == (source is None)


def test_a_line_goes_only_for_one_that_says_as_much_and_a_persona_is_a_persons() -> None:
    before = {"knowledge.md": "Bread costs 3 crowns.\nTea costs 5 crowns.\n"}
    said = [Turn(NOW, "tick 1", "tool", "Tea costs 5 crowns at Ben's.")]
    proposed = {"knowledge.md": "Tea costs 5 crowns at Ben's.\n", "persona.md": "I am Ben."}
    found = sift_lessons(before, proposed, said)
    assert found.texts == {"knowledge.md": "Bread costs 3 crowns.\nTea costs 5 crowns at Ben's.\n"}
    assert found.refused == ("persona.md is a person's to write.",)


def test_an_unsupported_fact_changes_no_file_and_is_logged(tmp_path: Path) -> None:
    ensure_config(tmp_path)
    before = read_texts(tmp_path)
    leak = answer({"knowledge.md": "I keep the books of a shop."})
    result = evolve(tmp_path, SUMMARY, ScriptedBackend([leak]), NOW, evidence=turns_of(TICKS))
    assert result.version is None and read_texts(tmp_path) == before
    [change] = history(tmp_path)
    assert change.kind == "refused" and "keep the books" in change.broken[0]
    both = answer({"knowledge.md": "I keep the books.\nThe disk is full."})
    evidence = turns_of(TICKS)
    assert evolve(tmp_path, SUMMARY, ScriptedBackend([both]), NOW, evidence=evidence).version == 2
    assert read_texts(tmp_path)["knowledge.md"] == "The disk is full.\n"
    assert history(tmp_path)[-1].why == "So. Learned from: tick 2."
    assert "keep the books" in history(tmp_path)[-1].broken[0], "what was left out is in the log"
