"""`g2c memory` and `g2c chat --memory`, over a real folder."""

from datetime import UTC, datetime
from pathlib import Path

import pytest
import typer
from checkout import Checkout
from command import g2c

from g2c.cli.memory import dream_memory
from g2c.memory import MemoryStore
from g2c.memory.app.dream import DreamResult


@pytest.fixture(scope="module")
def course(tmp_path_factory: pytest.TempPathFactory) -> Checkout:
    return Checkout(tmp_path_factory.mktemp("course"))


@pytest.fixture
def memory(tmp_path: Path) -> Path:
    """A memory with one topic and one turn, as its files would be."""
    topic = "---\nname: Tea\ndescription: what Ada drinks\ntype: person\nupdated: {}\n---\n\n{}\n"
    now = datetime.now(UTC)
    day = f"{now:%Y-%m-%d}"
    turn = f'{{"ts": "{now.isoformat()}", "agent_id": "a", "role": "user", "content": "Größe [x]"}}'
    for name, text in {
        "topics/tea.md": topic.format(now.isoformat(), "Ada drinks green [tea]."),
        f"transcripts/{day}.jsonl": turn + "\n",
        "MEMORY.md": "- [topics/tea.md](topics/tea.md) — what Ada drinks\n",
    }.items():
        (tmp_path / "m" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "m" / name).write_text(text, "utf-8")
    return tmp_path / "m"


def test_a_person_looks_into_a_memory(memory: Path) -> None:
    def said(*arguments: str) -> str:
        done = g2c("memory", *arguments, "--memory", str(memory), root=memory)
        assert done.returncode == 0, done.stderr
        return done.stdout

    shown = said("show")
    assert "what Ada drinks" in shown and "1 topic, 1 day of transcripts" in shown
    assert "Ada drinks green [tea]." in said("show", "tea")
    hit = said("grep", "größe", "-i")
    assert ".jsonl:1 user: Größe [x]" in hit, "the place as an editor opens it, the words as said"
    found = said("recall", "Who drinks tea?", "--lexical")
    assert "topics/tea.md:8" in found and "Ada drinks green [tea]." in found
    assert "never dreamed" in said("health")


def test_a_head_that_cannot_be_read_is_named_with_what_to_do(memory: Path) -> None:
    (memory / "topics" / "My Notes.md").write_text("---\nname: [\n---\n\nFir trees.\n")
    done = g2c("memory", "health", "--memory", str(memory), root=memory)
    said = " ".join(done.stdout.split())
    assert done.returncode == 1 and "The head of topics/My Notes.md cannot be read (line 3" in said
    assert not done.stderr, "said once"
    assert "mend it" in said


def test_nothing_found_or_due_has_exit_code_1(memory: Path) -> None:
    for arguments, says in (
        (["grep", "coffee"], ""),
        (["recall", "Who drives?", "--lexical"], "No topic has a word of that question; --transc"),
        (["recall", "Who drives?", "--lexical", "--transcripts"], "No topic and no transcript"),
        (["dream", "--model", "embedded"], "No dream now"),
    ):
        done = g2c("memory", *arguments, "--memory", str(memory), root=memory)
        assert done.returncode == 1 and says in done.stdout, (arguments, done.stdout, done.stderr)


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["show", "coffee"], "There is no topic 'coffee'; there are: tea."),
        (["grep", "("], "regular expression"),
    ],
)
def test_a_mistake_is_one_sentence(memory: Path, arguments: list[str], says: str) -> None:
    done = g2c("memory", *arguments, "--memory", str(memory), root=memory)
    assert done.returncode == 1 and says in done.stderr


def test_a_dry_run_says_that_nothing_was_changed_and_how_the_gates_stand(
    memory: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    refused = DreamResult(False, "The plan is not a JSON object.")
    monkeypatch.setattr("g2c.cli.memory.load", lambda choice: None)
    monkeypatch.setattr(MemoryStore, "maybe_dream", lambda *_, **options: refused)
    with pytest.raises(typer.Exit) as ended:
        dream_memory(memory, dry_run=True)
    said = capsys.readouterr().out
    assert ended.value.exit_code == 1
    assert "given up, and nothing was changed:\nThe plan is not a JSON object." in said, said
    assert "The gates: Well: 0 sessions of 5" in said, said


def test_a_memory_that_there_is_not_is_said_with_how_to_begin_one(tmp_path: Path) -> None:
    done = g2c("memory", "show", root=tmp_path)
    assert done.returncode == 1 and "g2c chat begins one" in done.stderr


def test_an_exercise_that_is_not_started_is_one_line(course: Checkout, memory: Path) -> None:
    done = course.g2c("memory", "grep", "tea", "--memory", str(memory))
    assert done.returncode == 1
    page = "docs/modules/20-memory/3-search-without-loading.md"
    assert f"20.3 grep: not started. {page}" in done.stderr


def test_a_chat_in_which_nothing_is_said_is_not_a_session(tmp_path: Path) -> None:
    folder = tmp_path / "m"
    for typed in ("", "\n"):
        chat = ("chat", "-m", "embedded", "--memory", str(folder))
        done = g2c(*chat, root=tmp_path, typed=typed)
        assert "session 1 since the last dream" in " ".join(done.stdout.split()), done.stderr
    assert MemoryStore(folder).expect_session() == 1


@pytest.mark.slow
@pytest.mark.usefixtures("on_a_day")
def test_facts_of_one_chat_are_known_in_the_next(tmp_path: Path) -> None:
    def chat(question: str, *options: str) -> str:
        done = g2c("chat", question, "-m", "embedded", *options, root=tmp_path)
        return done.stdout + done.stderr

    remember = ("--memory", str(tmp_path / "m"))
    chat("My dentist is called Dr. Brown.", *remember)
    assert "Brown" in chat("What is my dentist called?", *remember)
    assert "Brown" not in chat("What is my dentist called?"), "without it nobody can know"
