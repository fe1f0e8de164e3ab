"""Recorded runs, and the commands that make and show them."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path
from subprocess import CompletedProcess
from typing import Any

import pytest
from checkout import ROOT, Checkout
from command import g2c

from g2c.agent import Action, AgentRunResult, AgentStep, Observation, Plan
from g2c.cli import chat as chat_command
from g2c.course.runs import find_run, list_runs, read_run, read_transcript, runs_dir, save_run
from g2c.inference import BackendError, ScriptedBackend

NOON = datetime(2026, 3, 1, 12, 0, 0, tzinfo=UTC)

ANSWER = " I know.\nFinal Answer: 391"
CALL = ' Work.\nAction: calculator\nAction Input: {"expression": "23 * 17"}'


Chat = Callable[..., CompletedProcess[str]]


def a_run(question: str = "What is 23 * 17?", answer: str | None = "391") -> AgentRunResult:
    call = Action("calculator", {"expression": "23 * 17"})
    return AgentRunResult(
        question,
        Plan("multiply", ("Use the calculator.",)),
        answer,
        (
            AgentStep("...", "I need it.", call, Observation("391")),
            AgentStep("...", "I can answer.", final_answer=answer),
        ),
        "final_answer" if answer else "max_steps",
        {"n_steps": 2, "backend_model_id": "tiny"},
    )


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("G2C_ROOT", str(tmp_path))
    return tmp_path


def test_a_run_is_named_for_its_time_in_utc_and_its_question() -> None:
    there = NOON.astimezone(timezone(timedelta(hours=5)))
    assert save_run(a_run("Où est ../../la gare, et quand?"), now=there) == (
        runs_dir() / "20260301-120000-o-est-la-gare.json"
    )
    assert save_run(a_run("何?"), now=NOON).stem == "20260301-120000-run"


def test_a_second_run_in_the_same_second_gets_a_name_of_its_own() -> None:
    first, second = (save_run(a_run(answer=text), now=NOON) for text in ("a", "b"))
    assert second.name == "20260301-120000-what-is-23-17-2.json"
    assert [read_run(path).final_answer for path in (first, second)] == ["a", "b"]


def test_a_run_that_cannot_be_written_leaves_no_file() -> None:
    step = AgentStep("", action=Action("echo", {"text": object()}))
    with pytest.raises(TypeError):
        save_run(AgentRunResult("?", None, None, (step,), "max_steps"), now=NOON)
    assert list(runs_dir().iterdir()) == []


def test_runs_are_listed_newest_first() -> None:
    paths = [save_run(a_run(), now=NOON + timedelta(hours=n)) for n in range(3)]
    assert list_runs() == paths[::-1]


def test_runs_of_one_second_are_listed_in_the_order_in_which_they_were_written() -> None:
    questions = [*"zebra", "ape", *["again"] * 11]
    paths = [save_run(a_run(question=text), now=NOON) for text in questions]
    for number, path in enumerate(paths):
        os.utime(path, ns=(number, number))
    assert list_runs() == paths[::-1]
    for path in paths:  # as a copy leaves them
        os.utime(path, ns=(0, 0))
    again = [path for path in list_runs() if "again" in path.stem]
    assert again == paths[: -len(again) - 1 : -1]


def test_a_run_is_found_by_name_beginning_number_path_or_last() -> None:
    old = save_run(a_run(), now=NOON - timedelta(days=1))
    new = save_run(a_run(), now=NOON)
    again = save_run(a_run(), now=NOON)
    assert find_run(new.stem) == new, "a whole name counts, also where another begins with it"
    for name in (new.name, str(new), "2"):
        assert find_run(name) == new, name
    assert find_run("20260228") == find_run("3") == old
    assert find_run("last") == find_run("1") == again


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("20260301-12", "2 runs begin with"),
        ("yesterday", "no run 'yesterday'"),
        ("", "no run ''"),
        ("9", "no run '9'"),
        ("../secret", "is not in"),
        ("runs/../../secret.json", "is not in"),
        ("/etc/passwd", "is not in"),
        ("secret", "no run 'secret'"),
    ],
)
def test_a_name_leads_nowhere_else(home: Path, name: str, says: str) -> None:
    for question in ("a", "b"):
        save_run(a_run(question), now=NOON)
    a_run().save(home / "secret.json")
    (runs_dir() / "secret.json").symlink_to(home / "secret.json")
    with pytest.raises(ValueError, match=says):
        find_run(name)


def test_without_runs_it_says_what_records_them() -> None:
    with pytest.raises(ValueError, match="g2c chat"):
        find_run("last")


@pytest.mark.parametrize("text", ["{", "[]", "5", '{"steps": 1}', "[" * 100_000, "\xff"])
def test_a_file_that_is_not_a_run_is_refused_in_a_sentence(home: Path, text: str) -> None:
    (home / "x.json").write_bytes(text.encode("latin-1"))
    with pytest.raises(ValueError, match=r"x\.json is not a"):
        read_run(home / "x.json")


def test_values_of_a_wrong_kind_are_not_a_run(home: Path) -> None:
    a_run().save(home / "x.json")
    data = json.loads((home / "x.json").read_text())
    (home / "x.json").write_text(json.dumps({**data, "user_message": 5}))
    with pytest.raises(ValueError, match="is not a recorded run"):
        read_run(home / "x.json")


def test_a_transcript_can_be_printed_whatever_the_model_wrote() -> None:
    path = save_run(a_run(answer="half a pair: \ud83d"), now=NOON)
    assert "half a pair: ?" in read_transcript(path)


@pytest.fixture
def two_runs(home: Path) -> Path:
    """A course with a run that answered, and with a file that is broken."""
    save_run(a_run(), now=NOON)
    (runs_dir() / "20260228-120000-broken.json").write_text("{")
    return home


def test_the_list_has_a_line_for_each_run_also_for_a_broken_one(two_runs: Path) -> None:
    done = g2c("runs", root=two_runs)
    lines = done.stdout.splitlines()
    assert done.returncode == 0
    for part in ("1 ", "20260301-120000-what-is-23-17", "What is 23", "final_answer", "tiny"):
        assert part in lines[1]
    assert "20260228-120000-broken" in lines[2] and "unreadable" in lines[2]


def test_a_run_is_shown_step_by_step_or_as_markdown(two_runs: Path) -> None:
    shown = g2c("runs", "show", "1", root=two_runs)
    for line in (
        "Question      What is 23 * 17?",
        "1. Use the calculator.",
        'Action        calculator {"expression": "23 * 17"}',
        "Observation   391",
        "Final answer  391",
        "stopped: final_answer",
    ):
        assert line in shown.stdout, shown.stdout
    markdown = g2c("runs", "show", "1", "--markdown", root=two_runs)
    assert markdown.stdout == a_run().to_markdown()
    broken = g2c("runs", "show", "2", root=two_runs)
    assert broken.returncode == 1 and "is not a run" in broken.stderr, broken.stderr


@pytest.fixture
def chat(home: Path, monkeypatch: pytest.MonkeyPatch) -> Chat:
    """`g2c chat` with a model that says what is given first."""

    def run(
        script: Sequence[Any], *arguments: str, typed: str = "", **chats: Any
    ) -> CompletedProcess[str]:
        backend = ScriptedBackend(script, **chats)
        monkeypatch.setattr(chat_command, "load", lambda choice, options: backend)
        return g2c("chat", *arguments, root=home, typed=typed)

    return run


def recorded_by(done: CompletedProcess[str]) -> list[Path]:
    lines = [line.split() for line in done.stdout.splitlines() if line.startswith("recorded as")]
    return [runs_dir() / f"{words[-1]}.json" for words in lines]


def test_one_question_is_answered_recorded_and_the_end(chat: Chat) -> None:
    done = chat([CALL, ANSWER], "What is 23 * 17?", "--no-remember")
    assert done.returncode == 0, done.stderr
    assert "Observation   391" in done.stdout and "Final answer  391" in done.stdout
    assert "meeting.txt" in done.stdout, "it says which files the agent may read"
    (path,) = recorded_by(done)
    assert AgentRunResult.load(path).final_answer == "391"


def test_a_question_without_an_answer_ends_with_code_1_and_the_reason(chat: Chat) -> None:
    done = chat([CALL], "What is 23 * 17?", "--max-steps", "1")
    assert done.returncode == 1 and "no answer" in done.stdout
    assert "stopped: max_steps" in done.stdout
    assert len(recorded_by(done)) == 1, "a run without an answer is worth keeping, too"


def test_the_conversation_goes_on_until_an_empty_line(chat: Chat) -> None:
    done = chat([ANSWER, ANSWER], typed="one?\ntwo?\n\nthree?\n")
    assert done.returncode == 0, done.stderr
    asked = [AgentRunResult.load(path).user_message for path in recorded_by(done)]
    assert asked == ["one?", "two?"]
    for end in ("exit\n", ""):
        assert chat([], typed=end).returncode == 0


def test_an_interrupt_stops_the_run_and_not_the_conversation(chat: Chat) -> None:
    def interrupt(prompt: str) -> str:
        raise KeyboardInterrupt

    done = chat([interrupt, ANSWER], typed="one?\ntwo?\n")
    assert done.returncode == 0 and "Traceback" not in done.stderr
    assert "stopped" in done.stderr and len(recorded_by(done)) == 1


def test_a_model_that_fails_does_not_end_the_conversation(chat: Chat) -> None:
    done = chat([BackendError("No answer from it."), ANSWER], typed="one?\ntwo?\n")
    assert "No answer from it." in done.stderr and len(recorded_by(done)) == 1


def test_files_are_those_of_the_folder_that_was_given(chat: Chat, home: Path) -> None:
    (home / "note.txt").write_text("The key is under the mat. " * 1000)
    read = ' Read.\nAction: read_file\nAction Input: {"path": "note.txt"}'
    done = chat([read, ANSWER], "Where is the key?", "--files", str(home))
    assert "under the mat" in done.stdout and "cut here" in done.stdout
    nowhere = chat([], "?", "--files", str(home / "no"))
    assert nowhere.returncode == 1 and "is not a folder" in nowhere.stderr


def test_the_structured_channel_can_be_asked_for(chat: Chat) -> None:
    done = chat([], "What is 23 * 17?", "--native", chats=["It is 391."])
    assert done.returncode == 0 and "Final answer  It is 391." in done.stdout, done.stderr


SCRIPTED = f"""
from g2c.cli.main import main
from g2c.cli import chat
from g2c.inference import ScriptedBackend

chat.load = lambda choice, options: ScriptedBackend([{ANSWER!r}])
main()
"""


def chat_of_a_students(checkout: Checkout, reference: str) -> CompletedProcess[str]:
    """A process, which has the student's functions."""
    return subprocess.run(
        [sys.executable, "-c", SCRIPTED, "chat", "?"],
        cwd=checkout.folder,
        env=checkout.environment(G2C_REFERENCE=reference),
        capture_output=True,
        text=True,
        timeout=600,
    )


@pytest.fixture(scope="module")
def own(tmp_path_factory: pytest.TempPathFactory) -> Checkout:
    return Checkout(tmp_path_factory.mktemp("own"))


@pytest.mark.slow
def test_a_stub_is_one_line(own: Checkout) -> None:
    done = chat_of_a_students(own, "")
    assert done.returncode == 1
    assert " ".join(done.stderr.split()) == (
        "g2c: 19.4 run: not started. docs/modules/19-agent/4-run-the-loop.md"
    )


@pytest.mark.slow
@pytest.mark.parametrize(
    ("body", "says"),
    [
        ("    return 1 / 0", "ZeroDivisionError"),
        ("    return 'done'", "Agent.run returned 'done'"),
        ("return 'done'", "run.py, line "),
    ],
)
def test_a_mistake_in_the_students_loop_is_told_without_the_courses_frames(
    own: Checkout, body: str, says: str
) -> None:
    shutil.copy(ROOT / own.file_of("19.4").relative_to(own.folder), own.file_of("19.4"))
    own.write_body("19.4", f"{body}\n")
    done = chat_of_a_students(own, "19.1,19.2,19.3")
    assert done.returncode == 1 and says in done.stderr
    assert "Traceback" not in done.stderr and "chat.py" not in done.stderr
