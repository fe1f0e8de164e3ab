"""The index of recall on the disk: it answers as a search of everything, whatever happens."""

import math
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from crashing import in_child
from hypothesis import given, settings
from hypothesis import strategies as st

from g2c.memory.app import followed
from g2c.memory.app.corpus import Corpus
from g2c.memory.app.followed import Search
from g2c.memory.app.layers import TranscriptLog
from g2c.memory.app.recall import Recall
from g2c.memory.core import recall_cache
from g2c.memory.core.paragraphs import Paragraph, topic_paragraphs, turn_paragraphs
from g2c.memory.core.terms import extract_terms
from g2c.memory.core.topics import Topics
from g2c.memory.core.transcripts import line_of, turn_of
from g2c.memory.core.types import TopicDraft, Turn
from g2c.processes import process_is_alive

pytestmark = pytest.mark.slow

NOW = datetime(2026, 4, 21, 9, tzinfo=UTC)
Hit = tuple[str, str, int, float]


class Disk:
    """A memory's files, and a recall that keeps what it reads beside them."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.topics = Topics(root / "topics")
        self.log = TranscriptLog(root / "transcripts")
        self.log.folder.mkdir(parents=True, exist_ok=True)
        self.cache = root / ".recall-cache" / "all.sqlite"
        self.start()

    def start(self) -> None:
        """As a new process does."""
        self.recall = Recall(self.topics, self.log, self.cache)
        self.search = Search(self.topics, self.log, self.cache)

    def say(self, *contents: str, day: int = 0, role: str = "user") -> Path:
        ts = NOW + timedelta(days=day)
        file = self.log.path_of(ts.date())
        with file.open("ab") as lines:
            for content in contents:
                lines.write(line_of(Turn(ts, "a1", role, content)))
        return file

    def note(self, name: str, body: str, hours: int = 0) -> None:
        now = NOW + timedelta(hours=hours)
        self.topics.write(TopicDraft(name, "a topic", "fact", body), now)

    def ask(self, query: str, k: int = 9) -> list[Hit]:
        return hits(self.recall, query, k)

    def ask_in_memory(self, query: str, k: int = 9) -> list[Hit]:
        return hits(Recall(self.topics, self.log), query, k)


def hits(recall: Recall, query: str, k: int) -> list[Hit]:
    return [(hit.excerpt, hit.file.name, hit.line, hit.score) for hit in recall(query, k)]


@pytest.fixture
def disk(tmp_path: Path) -> Disk:
    return Disk(tmp_path / "memory")


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The lines of transcripts that were read."""
    lines: list[int] = []

    def counted(turn: Turn, file: Path, line: int) -> list[Paragraph]:
        lines.append(line)
        return turn_paragraphs(turn, file, line)

    monkeypatch.setattr(followed, "turn_paragraphs", counted)
    return lines


class Plain:
    """The same search without an index: it looks at every paragraph for every question."""

    def __init__(self, disk: Disk) -> None:
        self.disk = disk
        self.paragraphs: list[Paragraph] = []
        self.read: dict[Path, bytes] = {}

    def search(self, query: str, k: int) -> list[tuple[Paragraph, float]]:
        self._catch_up()
        everything = list(enumerate(self.paragraphs))
        own = {number: self._own(query, paragraph) for number, paragraph in everything}
        weights = self._weights(query)
        total = {}
        for number, paragraph in everything:
            numbers = [n for n, other in everything if other.file == paragraph.file]
            place = numbers.index(number)
            points = 0.0
            for term, weight in weights.items():
                steps = [
                    abs(place - other)
                    for other, neighbour in enumerate(numbers)
                    if term in extract_terms(self.paragraphs[neighbour].searched)
                    if other <= place or not self._asks(neighbour, query)
                ]
                if min(steps, default=9) <= 3:
                    points += weight * 0.7 ** min(steps)
            if paragraph.text.rstrip().endswith("?"):
                points *= 0.8
            if points and not paragraph.is_question:
                total[number] = points
        found: dict[str, tuple[int, float]] = {}
        for number in sorted(total, key=lambda n: (round(total[n], 9), n), reverse=True):
            found.setdefault(self._text(number), (number, total[number]))
        return [
            (self.paragraphs[self._original(number, own)], points)
            for number, points in [*found.values()][:k]
        ]

    def _own(self, query: str, paragraph: Paragraph) -> float:
        weights = self._weights(query)
        return sum(weights.get(term, 0.0) for term in set(extract_terms(paragraph.searched)))

    def _weights(self, query: str) -> dict[str, float]:
        having = [set(extract_terms(other.searched)) for other in self.paragraphs]
        dfs = {term: sum(term in other for other in having) for term in extract_terms(query)}
        return {term: math.log(1 + len(having) / df) for term, df in dfs.items() if df}

    def _asks(self, number: int, query: str) -> bool:
        is_query = self._text(number) == " ".join(query.split()).casefold()
        return is_query and self.paragraphs[number].is_question

    def _text(self, number: int) -> str:
        return " ".join(self.paragraphs[number].text.split()).casefold()

    def _original(self, number: int, own: dict[int, float]) -> int:
        if not own[number]:
            return number
        equal = [
            other
            for other, paragraph in enumerate(self.paragraphs)
            if self._text(other) == self._text(number) and not paragraph.is_question
        ]
        return min(equal, key=lambda n: (-round(own[n], 9), self.paragraphs[n].is_answer, n))

    def _catch_up(self) -> None:
        days = [file for _, file in reversed(self.disk.log.days())]
        topics = {self.disk.topics.path_of(topic.slug): topic for topic in self.disk.topics.list()}
        for file in self.read.keys() - set(days) - topics.keys():
            self._forget(file)
        for file in days:
            text, known = file.read_bytes(), self.read.get(file, b"")
            if not text.startswith(known):
                self._forget(file)
                known = b""
            above = known.count(b"\n")
            for line, stored in enumerate(text[len(known) :].splitlines(), above + 1):
                turn = turn_of(stored)
                assert turn
                self.paragraphs += turn_paragraphs(turn, file, line)
            self.read[file] = text
        changed = [
            entry for entry in topics.items() if self.read.get(entry[0]) != entry[0].read_bytes()
        ]
        for file, topic in sorted(changed, key=lambda entry: entry[1].updated):
            self._forget(file)
            self.paragraphs += topic_paragraphs(topic, file, file.read_text())
            self.read[file] = file.read_bytes()

    def _forget(self, file: Path) -> None:
        self.paragraphs = [paragraph for paragraph in self.paragraphs if paragraph.file != file]
        self.read.pop(file, None)


WORDS = ("tea", "teas", "Milk", "painted", "sugar", "the", "tea (house.md:9)", "café", "\n\n")
texts = st.lists(st.sampled_from(WORDS), min_size=1, max_size=3).map(" ".join)
says = st.tuples(
    st.just("say"),
    texts | texts | texts.map(lambda text: text + "?"),
    st.integers(0, 2),
    st.sampled_from(["user", "assistant", "assistant", "tool"]),
)
changes = st.one_of(
    says,
    says,
    says,
    st.tuples(st.just("note"), st.sampled_from(["Tea", "Boat"]), texts, st.integers(0, 9)),
    st.tuples(st.just("delete"), st.sampled_from(["Tea", "Boat"])),
    st.tuples(st.just("edit"), st.integers(0, 2)),
    st.tuples(st.just("remove"), st.integers(0, 2)),
    st.tuples(st.just("start")),
    st.tuples(st.just("ask"), texts, st.integers(1, 12)),
    st.tuples(st.just("ask"), texts.map(lambda text: text + "?"), st.integers(1, 12)),
    st.tuples(st.just("ask"), texts.map(lambda text: f"{text} 22 user"), st.integers(1, 12)),
)


def make(disk: Disk, change: tuple[Any, ...]) -> None:
    kind, *rest = change
    if kind == "say":
        disk.say(rest[0], day=rest[1], role=rest[2])
    elif kind == "note":
        disk.note(*rest)
    elif kind == "delete":
        disk.topics.delete(rest[0])
    elif kind == "start":
        disk.start()
    else:
        file = disk.log.path_of((NOW + timedelta(days=rest[0])).date())
        if file.exists() and kind == "remove":
            file.unlink()
        elif file.exists():
            file.write_bytes(file.read_bytes().replace(b"tea", b"ink"))


@settings(derandomize=True, max_examples=80, deadline=None)
@given(st.lists(says, min_size=10, max_size=60), st.lists(changes, max_size=15), texts)
def test_it_answers_as_a_search_that_reads_everything(
    said: list[tuple[Any, ...]], made: list[tuple[Any, ...]], query: str
) -> None:
    with TemporaryDirectory() as folder:
        disk = Disk(Path(folder))
        plain = Plain(disk)
        for change in [*said, ("ask", query, 3), *made, ("ask", query, 9)]:
            if change[0] == "ask":
                expected = plain.search(*change[1:])
                found = disk.search(*change[1:])
                assert [hit[1] for hit in found] == pytest.approx([hit[1] for hit in expected])
                assert [hit[0] for hit in found] == [hit[0] for hit in expected]
            else:
                make(disk, change)


letters = st.lists(st.sampled_from(["red", "tea", "cup", "oil", "ink", "sun"]), max_size=5)


@settings(derandomize=True, max_examples=300, deadline=None)
@given(st.lists(letters.map(" ".join), max_size=60), letters.map(" ".join), st.integers(1, 5))
def test_the_best_few_are_the_first_of_all(said: list[str], query: str, limit: int) -> None:
    corpus = Corpus()
    corpus.add(
        Paragraph(text, Path(f"{number % 2}.md"), number, is_question=number % 5 == 0)
        for number, text in enumerate(said)
    )
    assert corpus.search(query, limit) == corpus.search(query, 99)[:limit]


def test_a_new_process_reads_only_what_is_new(disk: Disk, made: list[int]) -> None:
    disk.say("I like tea.", "And milk.")
    disk.note("Boat", "It is red.")
    disk.ask("tea")
    made.clear()
    disk.start()
    assert [hit[0] for hit in disk.ask("tea, boat")] == ["It is red.", "I like tea.", "And milk."]
    assert made == []
    disk.say("Green tea.")
    disk.start()
    assert disk.ask("green tea")[0][:3] == ("Green tea.", "2026-04-21.jsonl", 3)
    assert made == [3]


def test_a_file_edited_in_place_is_read_anew(disk: Disk) -> None:
    file = disk.say("I like tea.", "And milk.")
    disk.ask("tea")
    file.write_bytes(file.read_bytes().replace(b"tea", b"ink"))
    disk.say("What a day.")
    disk.start()
    assert disk.ask("tea") == [], "the same length, and a turn more: a checksum tells"
    assert disk.ask("ink")[0][0] == "I like ink."


@pytest.mark.skipif(os.name != "posix", reason="Windows keeps no time of a change of state")
def test_an_edit_that_puts_the_files_time_back_is_seen(disk: Disk) -> None:
    file = disk.say("I like tea.")
    assert disk.ask("tea")
    times = file.stat()
    file.write_bytes(file.read_bytes().replace(b"tea", b"ink"))
    os.utime(file, ns=(times.st_atime_ns, times.st_mtime_ns))
    disk.start()
    assert disk.ask("tea") == [] and disk.ask("ink")[0][0] == "I like ink."


def test_a_folder_that_was_copied_is_not_read_again(
    disk: Disk, made: list[int], tmp_path: Path
) -> None:
    disk.say("I like tea.", "And milk.")
    disk.ask("tea")
    made.clear()
    shutil.copytree(disk.root, tmp_path / "copy")
    shutil.rmtree(disk.root)
    copy = Disk(tmp_path / "copy")
    [first, *_] = copy.recall("tea")
    assert first.file == copy.root / "transcripts" / "2026-04-21.jsonl" and made == []


def cut(size: int) -> Callable[[Path], None]:
    return lambda cache: os.truncate(cache, size)


def overwrite(start: int) -> Callable[[Path], None]:
    def change(cache: Path) -> None:
        stored = bytearray(cache.read_bytes())
        stored[start : start + 4096] = b"\x5a" * len(stored[start : start + 4096])
        cache.write_bytes(stored)

    return change


def of_another_version(cache: Path) -> None:
    with sqlite3.connect(cache) as database:
        database.execute("PRAGMA user_version = 7")
    database.close()


def without_a_table(cache: Path) -> None:
    with sqlite3.connect(cache) as database:
        database.execute("DROP TABLE places")
    database.close()


@pytest.mark.parametrize(
    "damage",
    [
        *map(cut, (0, 1, 100, 4096, 8192, 20_000)),
        *map(overwrite, range(0, 40_000, 4096)),
        of_another_version,
        without_a_table,
        Path.unlink,
        lambda cache: shutil.rmtree(cache.parent),
        lambda cache: cache.write_text("no database"),
    ],
)
@pytest.mark.parametrize("is_open", [False, True])
def test_a_torn_index_is_made_anew(
    disk: Disk, damage: Callable[[Path], None], is_open: bool, made: list[int]
) -> None:
    disk.say(*(f"tea {n}" for n in range(50)))
    disk.note("Boat", "It is red, as tea is.")
    expected = disk.ask("red tea 7")
    if not is_open:
        del disk.recall  # closes the database, and so all of it is in one file
        damage(disk.cache)
        disk.start()
    else:
        damage(disk.cache)
        disk.start()  # while the other has it open
    assert disk.ask("red tea 7") == expected
    made.clear()
    disk.start()
    assert disk.ask("red tea 7") == expected and made == [], "and it is kept again"


def test_a_cache_that_is_deleted_meanwhile_is_made_anew(disk: Disk) -> None:
    disk.say("I like tea.")
    disk.ask("tea")
    shutil.rmtree(disk.cache.parent)
    disk.say("Green tea.")
    assert len(disk.ask("tea")) == 2 and disk.cache.exists()


def test_another_version_of_the_code_makes_it_anew(
    disk: Disk, made: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    disk.say("I like tea.")
    disk.ask("tea")
    made.clear()
    monkeypatch.setattr(recall_cache, "_version", lambda: 7)
    disk.start()
    assert len(disk.ask("tea")) == 1 and made == [1]


def test_recall_works_in_memory_on_a_readonly_disk(disk: Disk) -> None:
    disk.cache.parent.write_text("a file where the folder would be")
    disk.say("I like tea.")
    assert len(disk.ask("tea")) == 1
    disk.say("Green tea.")
    assert len(disk.ask("tea")) == 2


def test_a_full_disk_does_not_stop_an_answer(disk: Disk, monkeypatch: pytest.MonkeyPatch) -> None:
    class Full(sqlite3.Connection):
        def execute(self, sql: str, *arguments: Any) -> sqlite3.Cursor:
            if sql == "COMMIT" and not self.in_memory:
                raise sqlite3.OperationalError("database or disk is full")
            return super().execute(sql, *arguments)

    connect = sqlite3.connect

    def connected(file: Any, **options: Any) -> sqlite3.Connection:
        database = connect(file, factory=Full, **options)
        database.in_memory = file == ":memory:"  # type: ignore[attr-defined]
        return database

    monkeypatch.setattr(sqlite3, "connect", connected)
    disk.say("I like tea.")
    assert [hit[0] for hit in disk.ask("tea")] == ["I like tea."]


def test_a_folder_that_is_not_there_is_not_made(tmp_path: Path) -> None:
    root = tmp_path / "memory"
    recall = Recall(Topics(root / "topics"), cache=root / ".recall-cache" / "topics.sqlite")
    assert recall("tea") == [] and not root.exists()


def test_a_process_that_dies_at_any_statement_leaves_what_the_next_can_use(
    disk: Disk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(followed, "WAITING", 3)  # several commits in one reading
    disk.say("I like tea.", "And milk.", day=-1)
    disk.note("Boat", "It is red.")
    disk.ask("tea")
    disk.say("A cup of tea.", "It was cold.", "So was the milk.", "And the boat.", "Not tea.")
    disk.note("Boat", "It is blue.\n\nIt has tea in it.")
    del disk.recall
    expected = disk.ask_in_memory("tea boat milk")
    died, statement = True, 0
    while died:
        statement += 1
        copy = Disk(tmp_path / f"copy-{statement}")
        shutil.copytree(disk.root, copy.root, dirs_exist_ok=True)
        status = in_child(lambda n=statement, copy=copy: dying_at(n, copy))  # type: ignore[misc]
        died = os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGKILL
        assert died or status == 0
        assert sorted(copy.ask("tea boat milk")) == sorted(expected), f"at {statement}"
        shutil.rmtree(copy.root)
    assert statement > 50, "it died at each of its statements, in turn"


def dying_at(statement: int, disk: Disk) -> None:
    """Ask `disk`, and be killed at a statement to its database."""

    class Dying(sqlite3.Connection):
        left = statement

        def execute(self, sql: str, *arguments: Any) -> sqlite3.Cursor:
            Dying.left -= 1
            if not Dying.left:
                os.kill(os.getpid(), signal.SIGKILL)
            return super().execute(sql, *arguments)

    connect = sqlite3.connect
    sqlite3.connect = lambda *args, **options: connect(  # type: ignore[assignment, misc]
        *args, factory=Dying, **options
    )
    disk.start()
    disk.ask("tea boat milk")


SPEAKER = """
import sys
from g2c.memory import MemoryStore
root, name, count = sys.argv[1:]
store = MemoryStore(root, agent_id=name)
for number in range(int(count)):
    store.log_turn("user", f"{name} said word{number}.")
    found = [hit.excerpt for hit in store.recall(f"{name} word{number}", 9, transcripts=True)]
    assert f"{name} said word{number}." in found, found
    print(number, flush=True)
"""


def speaker(root: Path, name: str, count: int) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", SPEAKER, str(root), name, str(count)],
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "G2C_REFERENCE": "all"},
    )


def test_processes_that_speak_at_once_and_are_killed_lose_no_turn(disk: Disk) -> None:
    said = []
    for round_ in range(4):
        running = [speaker(disk.root, f"{name}{round_}", 1000) for name in ("ada", "ben")]
        for process, most in zip(running, (5, 9 + 3 * round_), strict=True):
            assert process.stdout
            name = process.args[4]  # type: ignore[index]
            said += [f"{name} said word{next(process.stdout).strip()}." for _ in range(most)]
        for process in running:
            process.kill()
            process.communicate()
            assert process.returncode == -signal.SIGKILL and not process_is_alive(process.pid)
    assert {hit[0] for hit in disk.ask("said", 999)} >= set(said)
    assert sorted(disk.ask("said", 999)) == sorted(disk.ask_in_memory("said", 999))


def test_equal_texts_are_shown_once_with_the_place_of_the_original(disk: Disk) -> None:
    disk.say("I like  TEA.", role="assistant")
    disk.say("I like tea.")
    disk.say("I like tea. (2026-04-21.jsonl:2)", role="assistant")
    disk.say("I like tea. (2026-04-21.jsonl:2) (2026-04-22.jsonl:1)", day=1, role="assistant")
    assert [hit[:3] for hit in disk.ask("tea")] == [("I like tea.", "2026-04-21.jsonl", 2)]


def test_the_better_match_of_equal_texts_is_shown(disk: Disk) -> None:
    disk.say("I like tea.")
    disk.say("I like tea.", day=1)
    assert [hit[1] for hit in disk.ask("tea")] == ["2026-04-21.jsonl"]
    assert [hit[1] for hit in disk.ask("tea on the 22")] == ["2026-04-22.jsonl"]


def test_an_answer_that_meets_the_question_only_by_its_neighbour_stays_where_it_is(
    disk: Disk,
) -> None:
    disk.say("Do you drink milk?", "Yes.")
    disk.say("Do you drink tea?", "Yes.", day=1)
    assert [hit[1] for hit in disk.ask("milk")] == ["2026-04-21.jsonl"]
    assert [hit[1] for hit in disk.ask("tea")] == ["2026-04-22.jsonl"]
