"""Module 20's files under kill -9, full disks, many processes at once, and any text."""

import itertools
import os
import random
import re
import signal
import warnings
from collections import defaultdict
from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from g2c.files import locked
from g2c.memory.app.layers import MemoryIndex, TranscriptLog
from g2c.memory.core.index import MAX_LINES, pointer_of
from g2c.memory.core.line_pattern import LinePattern
from g2c.memory.core.topics import MAX_SLUG_CHARS, Topics, slugify
from g2c.memory.core.transcripts import line_of, turn_of
from g2c.memory.core.types import GrepHit, TopicDraft, Turn

NOW = datetime(2026, 4, 21, 9, tzinfo=UTC)
MANY = 1_000_000
"""More turns than any test here writes."""

needs_fork = pytest.mark.skipif(not hasattr(os, "fork"), reason="needs os.fork")
repeatable = settings(derandomize=True, max_examples=100)


def in_child(action: Callable[[], object]) -> int:
    """The id of a forked process that does `action` and ends."""
    if child := os.fork():
        return child
    try:
        action()
        os._exit(0)
    except BaseException:
        os._exit(1)


def assert_all_end_well(children: list[int]) -> None:
    codes = [os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) for child in children]
    assert not any(codes), f"processes failed: {codes}"


def said(writer: int, number: int, size: int) -> Turn:
    return Turn(NOW, f"w{writer}", "user", f"{number} " + "ü" * size)


def numbers_by_writer(log: TranscriptLog) -> dict[str, list[int]]:
    found: dict[str, list[int]] = defaultdict(list)
    for turn in log.tail(MANY):
        found[turn.agent_id].append(int(turn.content.split()[0]))
    return found


def test_wherever_a_line_is_torn_the_next_one_stands_alone(tmp_path: Path) -> None:
    log = TranscriptLog(tmp_path)
    file = log.path_of(NOW.date())
    first, torn = (
        line_of(Turn(NOW, "a", "user", "one")),
        line_of(Turn(NOW, "a", "user", "tüo\ud800")),
    )
    for cut in range(len(torn)):
        file.write_bytes(first + torn[:cut])
        log.append(Turn(NOW, "a", "user", "three"))
        texts = [turn.content for turn in log.tail(MANY)]
        assert texts in (["one", "three"], ["one", "tüo\ud800", "three"]), f"torn after {cut} bytes"
        assert len(texts) == 2 or cut == len(torn) - 1


@needs_fork
def test_on_a_full_disk_no_acknowledged_turn_is_lost(tmp_path: Path) -> None:
    resource = pytest.importorskip("resource")
    log = TranscriptLog(tmp_path)
    chance = random.Random()

    def fill() -> None:
        acknowledged = []
        attempts = itertools.count()
        for _ in range(50):
            size = sum(file.stat().st_size for _, file in log.days())
            resource.setrlimit(resource.RLIMIT_FSIZE, (size + chance.randrange(1_000), -1))
            try:
                for number in attempts:
                    log.append(said(0, number, chance.randrange(50)))
                    acknowledged.append(number)
            except OSError:
                continue
        resource.setrlimit(resource.RLIMIT_FSIZE, (-1, -1))
        log.append(said(0, MANY, 0))
        found = numbers_by_writer(log)["w0"]
        # Where only the newline had no room, a turn is there that nobody was promised.
        assert found == sorted(set(found)) and found[-1] == MANY
        assert set(acknowledged) <= set(found)

    assert_all_end_well([in_child(fill)])


@needs_fork
def test_a_lock_is_held_by_one_at_a_time_and_let_go_of_by_the_dead(tmp_path: Path) -> None:
    count = tmp_path / "count"
    count.write_text("0")
    reader, writing = os.pipe()

    def die_with_the_lock() -> None:
        with locked(tmp_path / "lock"):
            os.write(writing, b".")
            signal.pause()

    doomed = in_child(die_with_the_lock)
    os.read(reader, 1)

    def add_hundred() -> None:
        for _ in range(100):
            with locked(tmp_path / "lock"):
                count.write_text(str(int(count.read_text()) + 1))

    children = [in_child(add_hundred) for _ in range(4)]
    os.kill(doomed, signal.SIGKILL)
    os.waitpid(doomed, 0)
    assert_all_end_well(children)
    assert count.read_text() == "400", "two had the lock at once, and one's work was lost"


@repeatable
@given(
    st.lists(
        st.sampled_from(
            [f"- [topics/{name}.md](topics/{name}.md) — {text}" for name in "ab" for text in "xy"]
            + ["- [A](topics/a.md) — x", "# What I know", ""]
        ),
        max_size=6,
    ),
    st.integers(0, MAX_LINES + 9),
)
def test_however_an_index_was_edited_it_is_right_after_an_upsert(
    tmp_path_factory: pytest.TempPathFactory, edited: list[str], more: int
) -> None:
    index = MemoryIndex(tmp_path_factory.mktemp("index") / "MEMORY.md")
    before = [*edited, *(f"- [{n}.md]({n}.md) — z" for n in range(more))]
    index.file.write_text("".join(f"{line}\n" for line in before), "utf-8")
    index.upsert("topics/a.md", "x")
    lines = index.file.read_text("utf-8").splitlines()
    assert [pointer.file for pointer in index.pointers].count("topics/a.md") == 1
    assert "- [topics/a.md](topics/a.md) — x" in lines and len(lines) <= MAX_LINES
    others = [line for line in before if "(topics/a.md)" not in line]
    kept = [line for line in lines if "(topics/a.md)" not in line]
    places = [at for at, line in enumerate(others) if pointer_of(line)]
    gone = set(places[: len(others) - len(kept)])
    stayed = [line for at, line in enumerate(others) if at not in gone]
    assert kept == stayed, "a line of somebody else's was lost or moved"
    assert len(lines) == min(MAX_LINES, len(others) + 1), "more went than had to"
    stamp = index.file.stat()
    index.upsert("topics/a.md", "x")
    assert index.file.stat().st_ino == stamp.st_ino, "a second time there is nothing to write"


any_text = st.text(st.characters(exclude_categories=()), max_size=30)
odd_text = st.text(st.sampled_from("aAsSkKiI\u0130\u0131\u017f\u212aéÉß \u2028."), max_size=6)


def as_json_has_it(text: str) -> str:
    """`text` with two surrogates that make a pair as the one character that they make in JSON."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "surrogatepass")


@repeatable
@given(any_text, any_text, any_text, st.datetimes(timezones=st.timezones()))
def test_any_turn_survives_the_way_to_a_line_and_back(
    agent_id: str, role: str, content: str, ts: datetime
) -> None:
    if not 2 < ts.year < 9999:  # beyond that, the time in UTC may not exist
        return
    line = line_of(Turn(ts, agent_id, role, content))
    assert line.endswith(b"\n") and line.count(b"\n") == 1
    turn = turn_of(line)
    assert turn == Turn(ts.astimezone(UTC), *map(as_json_has_it, (agent_id, role, content)))


@repeatable
@given(st.binary(max_size=60) | st.text(max_size=60).map(str.encode))
def test_no_line_is_an_error(line: bytes) -> None:
    assert turn_of(line) is None


stored_lines = st.lists(
    st.one_of(
        st.builds(lambda text: line_of(Turn(NOW, "a", "user", text))[:-1], odd_text | any_text),
        st.sampled_from([b"", b"{", b"null", b"a \xff \xc5"]),
        st.just(line_of(Turn(NOW, "a", "user", "long " * 30_000))[:-1]),
    ),
    max_size=8,
)
stored_days = st.dictionaries(
    st.integers(-1, 9), st.tuples(stored_lines, st.sampled_from([b"", b"\n"])), max_size=3
)


def write_days(
    folder: Path, days: dict[int, tuple[list[bytes], bytes]]
) -> list[tuple[Path, int, bytes]]:
    """Write the files, and return their lines, oldest first, each with its file and number."""
    written = []
    for ago in sorted(days, reverse=True):
        lines, end = days[ago]
        file = folder / f"{NOW.date() - timedelta(days=ago)}.jsonl"
        file.write_bytes(b"\n".join(lines) + end)
        written += [(file, number, line) for number, line in enumerate(lines, 1)]
    return written


@repeatable
@given(stored_days, st.integers(0, 20))
def test_a_tail_is_the_end_of_all_turns(
    tmp_path_factory: pytest.TempPathFactory, days: dict[int, tuple[list[bytes], bytes]], n: int
) -> None:
    log = TranscriptLog(tmp_path_factory.mktemp("log"))
    turns = [turn for *_, line in write_days(log.folder, days) if (turn := turn_of(line))]
    assert log.tail(n) == turns[len(turns) - min(n, len(turns)) :]


@repeatable
@given(
    stored_days,
    odd_text.map(re.escape)
    | odd_text
    | st.sampled_from(["", "^{.*a", "[^x]{5}$", r"\s", "long", "}"]),
    st.booleans(),
    st.integers(1, 8),
)
def test_grep_finds_what_a_loop_over_all_lines_finds(
    tmp_path_factory: pytest.TempPathFactory,
    days: dict[int, tuple[list[bytes], bytes]],
    pattern: str,
    ignore_case: bool,
    days_back: int,
) -> None:
    log = TranscriptLog(tmp_path_factory.mktemp("log"))
    written = write_days(log.folder, {ago: days[ago] for ago in days})
    regex = re.compile(pattern, re.IGNORECASE if ignore_case else 0)
    first = NOW.date() - timedelta(days=days_back - 1)
    expected = [
        GrepHit(file, number, turn)
        for file, number, line in written
        if date.fromisoformat(file.stem) >= first
        and regex.search(line.decode("utf-8", "replace"))
        and (turn := turn_of(line))
    ]
    hits = log.grep(pattern, days_back=days_back, ignore_case=ignore_case, today=NOW.date())
    assert sorted(hits, key=lambda hit: (hit.file, hit.line)) == expected


@settings(repeatable, max_examples=300)
@given(st.lists(odd_text | any_text, max_size=4), odd_text, st.booleans())
def test_a_word_is_found_where_its_regular_expression_is(
    lines: list[str], word: str, ignore_case: bool
) -> None:
    block = "\n".join(lines).encode("utf-8", "replace")
    regex = re.compile(word, re.IGNORECASE if ignore_case else 0)
    stored = block.split(b"\n")
    expected = [(n, line) for n, line in enumerate(stored) if line and regex.search(line.decode())]
    assert [*LinePattern(word, ignore_case=ignore_case).lines_in(block)] == expected


@settings(repeatable, max_examples=300)
@given(any_text | odd_text | st.text(st.sampled_from("./\\\0:-_ aA~"), max_size=60))
def test_a_slug_is_a_name_and_nothing_else(name: str) -> None:
    slug = slugify(name)
    assert slugify(slug) == slug, "a slug's slug is itself"
    assert 0 < len(slug) <= MAX_SLUG_CHARS and len(f".{slug}.md".encode()) < 200
    assert all(char.isalnum() or char == "-" for char in slug), f"{slug!r} may lead anywhere"


@repeatable
@example("Tea", "", "", "Ada takes milk.\r\nTom takes none.\r")
@given(any_text, any_text, any_text, any_text)
def test_any_topic_can_be_read_back(
    tmp_path_factory: pytest.TempPathFactory, name: str, description: str, source: str, body: str
) -> None:
    topics = Topics(tmp_path_factory.mktemp("topics"))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        written = topics.write(TopicDraft(name, description, "note", body, (source,)), NOW)
        assert topics.read(name) == written
    assert topics.list() == (written,)
