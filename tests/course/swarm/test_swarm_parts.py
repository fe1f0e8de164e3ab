"""The parts of a swarm, each alone: what they keep, refuse, and find again."""

import json
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import ClassVar

import pytest

from g2c.files import locked
from g2c.home.home import Home
from g2c.inference import ScriptedBackend
from g2c.swarm.app.crew import MAX_FAILURES, Crew
from g2c.swarm.app.folder import Found, Posted, SwarmFiles, name_of
from g2c.swarm.app.leases import Leases
from g2c.swarm.app.library import MAX_BYTES, Library
from g2c.swarm.app.reader import is_said, read_for, value_in, with_numbers
from g2c.swarm.app.record import Record
from g2c.swarm.app.supervisor import Supervisor
from g2c.swarm.app.view import look_at
from g2c.swarm.app.worker import MAX_HOLDERS, Effects, work
from g2c.swarm.core.leases import Request
from g2c.swarm.core.reading import CONTEXT, OVERHEAD, Errand, File, Reply
from g2c.swarm.core.reports import Claim
from g2c.swarm.core.tasks import Starts
from g2c.tools import ToolError

ERRAND = Errand("the code of the hut", ("a.txt",))
NAME = name_of(ERRAND, 1)


@pytest.fixture
def files(tmp_path: Path) -> SwarmFiles:
    return SwarmFiles(tmp_path / "main")


def do(files: SwarmFiles, worker: str, read: Callable[[Errand], Found], now: float = 0.0) -> None:
    """Let a worker do all that there is to do."""
    leases = Leases(files, 30.0, lambda: now)
    with Record(files.record, worker, lambda: now) as record:
        work(files, worker, leases, record, Effects(read, lambda: False))


def events(files: SwarmFiles) -> list[tuple[str, str]]:
    lines = map(json.loads, files.record.read_text().splitlines())
    return [(line["agent"], line["what"]) for line in lines]


class TestWorker:
    """A worker's word counts as long as its number is the newest."""

    def test_one_that_wakes_late_overwrites_nothing(self, files: SwarmFiles) -> None:
        files.post(Posted(NAME, ERRAND, 100))
        leases = Leases(files, 30.0, lambda: 100.0)

        def slow(errand: Errand) -> Found:  # it is stopped, and meanwhile another one does it all
            do(files, "second", lambda errand: Found("second", tokens=7), now=100.0)
            return Found("first", tokens=9)

        do(files, "first", slow, now=0.0)
        assert files.result(NAME) == Found("second", tokens=7)
        assert ("first", "refused") in events(files) and ("second", "kept") in events(files)
        lease = leases.lease_of(NAME)
        assert lease and (lease.worker, lease.number, lease.is_done) == ("second", 2, True)

    def test_a_broken_run_is_a_result_with_a_reason(self, files: SwarmFiles) -> None:
        files.post(Posted(NAME, ERRAND, 100))

        def breaks(errand: Errand) -> Found:
            raise OSError("the disk is gone")

        do(files, "first", breaks)
        assert files.result(NAME) == Found("first", error="OSError: the disk is gone")

    def test_an_errand_over_which_many_have_died_is_given_up(self, files: SwarmFiles) -> None:
        files.post(Posted(NAME, ERRAND, 100))
        for number in range(MAX_HOLDERS):
            leases = Leases(files, 30.0, lambda number=number: number * 100.0)
            assert leases.ask(NAME, Request("claim", f"dead-{number}"))
        do(files, "last", lambda errand: pytest.fail("it was read again"), now=1_000.0)
        found = files.result(NAME)
        assert found and found.error == f"{MAX_HOLDERS} workers ended over it"

    def test_a_worker_that_is_stopped_over_a_lease_holds_up_only_its_errand(
        self, files: SwarmFiles
    ) -> None:
        for name in ("first", "second"):
            files.post(Posted(name, ERRAND, 100))
        with locked(files.leases / ".first.lock"):  # as one that got SIGSTOP while it wrote
            do(files, "other", lambda errand: Found("other", tokens=7))
        assert (files.result("first"), files.result("second")) == (None, Found("other", tokens=7))

    def test_a_result_is_never_replaced(self, files: SwarmFiles) -> None:
        files.keep_result(NAME, Found("first", tokens=1))
        files.keep_result(NAME, Found("second", tokens=2))
        assert files.result(NAME) == Found("first", tokens=1)


class TestSupervisor:
    """It keeps nothing in its head."""

    def supervisor(
        self, files: SwarmFiles, wait: Callable[[], None], *, budget: int = 10_000
    ) -> Supervisor:
        readable = [File(f"{letter}.txt", 100) for letter in "abcdef"]
        return Supervisor(files, readable, at_once=2, budget=budget, wait=wait)

    def test_the_next_one_asks_again_and_gets_what_is_there(self, files: SwarmFiles) -> None:
        asked: list[Errand] = []

        def read(errand: Errand) -> Found:
            asked.append(errand)
            return Found("w", (Claim(errand.look_for, errand.files[0], errand.files),), tokens=50)

        errands = [Errand("the code", (f"{letter}.txt",)) for letter in "abcdef"]
        first = self.supervisor(files, lambda: do(files, "w", read)).ask(errands)
        again = self.supervisor(files, lambda: pytest.fail("nothing is waited for")).ask(errands)
        assert [reply.claims[0].value for reply in first] == [
            f"{letter}.txt" for letter in "abcdef"
        ]
        assert again == first and len(asked) == 6

    def test_the_same_asked_again_is_another_errand(self, files: SwarmFiles) -> None:
        supervisor = self.supervisor(files, lambda: do(files, "w", lambda errand: Found("w")))
        supervisor.ask([ERRAND, ERRAND])
        assert len(list(files.errands.glob("*.json"))) == 2

    def test_a_result_belongs_to_the_texts_and_to_who_read_them(self, files: SwarmFiles) -> None:
        made = [({"a.txt": "1"}, "m"), ({"a.txt": "2"}, "m"), ({"a.txt": "1"}, "another")]
        for digests, made_by in [*made, *made]:
            Supervisor(
                files,
                [File("a.txt", 100)],
                at_once=2,
                budget=10_000,
                wait=lambda: do(files, "w", lambda errand: Found("w")),
                digests=digests,
                made_by=made_by,
            ).ask([ERRAND])
        assert len(list(files.found.glob("*.json"))) == len(made)

    def test_an_errand_that_failed_is_asked_again(self, files: SwarmFiles) -> None:
        for times in range(2):
            supervisor = self.supervisor(
                files, lambda: do(files, "w", lambda errand: Found("w", tokens=9, error="500"))
            )
            supervisor.ask([ERRAND])
            assert [found.error for found in supervisor.results] == ["500"]
            assert supervisor.spent == 9 * (times + 1)
            files.forget_failures()
        supervisor = self.supervisor(
            files, lambda: do(files, "w", lambda errand: Found("w", tokens=1))
        )
        (reply,) = supervisor.ask([ERRAND])
        assert [found.error for found in supervisor.results] == [""]
        assert supervisor.spent == 19 and reply.left == 10_000 - 19, "what failed has cost tokens"
        assert look_at(files, 1, Leases(files, 30.0, lambda: 0.0)).tokens == 19

    def test_failed_work_leaves_less_for_the_rest(self, files: SwarmFiles) -> None:
        def fail() -> None:
            do(files, "w", lambda errand: Found("w", tokens=OVERHEAD, error="500"))

        budget = OVERHEAD + 100 + 99
        self.supervisor(files, fail, budget=budget).ask([ERRAND])
        files.forget_failures()
        supervisor = self.supervisor(files, lambda: pytest.fail("it waits"), budget=budget)
        assert supervisor.ask([ERRAND])[0].read == ()

    def test_no_more_start_than_may_and_what_has_no_room_finds_nothing(
        self, files: SwarmFiles
    ) -> None:
        at_once: list[int] = []

        def wait() -> None:
            at_once.append(len(list(files.posted())))
            do(files, "w", lambda errand: Found("w", read=errand.files, tokens=OVERHEAD))

        errands = [Errand("the code", (f"{letter}.txt",)) for letter in "abcdef"]
        budget = 3 * (OVERHEAD + 100)
        replies = self.supervisor(files, wait, budget=budget).ask(errands)
        assert max(at_once) == 2
        assert [bool(reply.read) for reply in replies] == [True] * 3 + [False] * 3
        assert replies[0].left == 300

    def test_nobody_waits_for_what_may_start_forgets(
        self, files: SwarmFiles, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("g2c.swarm.app.supervisor.may_start", lambda *arguments: Starts())
        supervisor = self.supervisor(files, lambda: pytest.fail("it waits"))
        with pytest.raises(ValueError, match="They would wait for ever"):
            supervisor.ask([ERRAND])

    def test_an_errand_over_many_files_needs_the_room_of_one_context(
        self, files: SwarmFiles
    ) -> None:
        def wait() -> None:
            do(files, "w", lambda errand: Found("w", read=errand.files[:1], tokens=100))

        readable = [File(f"{letter}.txt", CONTEXT) for letter in "abcdef"]
        budget = OVERHEAD + CONTEXT
        supervisor = Supervisor(files, readable, at_once=2, budget=budget, wait=wait)
        (reply,) = supervisor.ask([Errand("the code", tuple(file.name for file in readable))])
        assert reply.read == ("a.txt",)


class TestReader:
    """A claim has a source, or it is none."""

    TEXTS: ClassVar = {
        "a.txt": "The roof is new. The code of the hut is 1204.",
        "b.txt": "The code of the barn is 7777.",
    }

    def read(self, said: str, files: Sequence[str]) -> Found:
        def read_file(name: str) -> str:
            if name not in self.TEXTS:
                raise ToolError("no such file")
            return self.TEXTS[name]

        return read_for(
            Errand(ERRAND.look_for, tuple(files)), read_file, ScriptedBackend([said]), "w"
        )

    def test_the_source_is_where_it_is_said(self) -> None:
        found = self.read(" The code of the hut is 1204.\n", ["b.txt", "a.txt"])
        assert found.claims == (Claim("the code of the hut", "1204", ("a.txt",)),)
        assert found.read == ("b.txt", "a.txt") and found.tokens > 0

    @pytest.mark.parametrize(
        "said",
        [
            " The code of the hut is 7777.",
            " The code of the hut is 9999.",
            " The text does not say it.",
            " The text does not say: The code of the hut is 7777.",
            " 1204",
            "",
        ],
    )
    def test_an_answer_in_no_file_is_not_a_claim(self, said: str) -> None:
        assert self.read(said, ["a.txt", "b.txt"]).claims == ()

    def test_a_file_that_is_gone_is_not_read(self) -> None:
        assert self.read("x", ["gone.txt"]) == Found("w")

    def test_an_answer_whose_check_breaks_is_paid_for(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def broken(*_: object) -> bool:
            raise ZeroDivisionError("by zero")

        monkeypatch.setattr("g2c.swarm.app.reader.is_grounded", broken)
        found = self.read(" The code of the hut is 1204.", ["a.txt"])
        assert found.error == "ZeroDivisionError: by zero" and found.tokens > 0

    def test_the_value_stands_behind_what_was_looked_for(self) -> None:
        assert value_in(" the code of the hut is 1204. The roof", "the code of the hut") == "1204"
        assert is_said("the guard of the hut", "Ada", "The guard of the hut is Ada.")
        assert not is_said("the guard of the hut", "Ben", "The guard of the hut is Ada.")


class TestLibrary:
    """Files that may be read, and others."""

    def test_files_below_the_folder_with_copies_and_without_what_is_none_of_its_business(
        self, tmp_path: Path
    ) -> None:
        notes = tmp_path / "notes"
        (notes / "more").mkdir(parents=True)
        (notes / "a.txt").write_text("The hut.")
        (notes / "more" / "b.txt").write_text("The hut.")
        (notes / "long.txt").write_text("x" * (MAX_BYTES + 10))
        (notes / "raw.bin").write_bytes(b"\xff\xfe\x00")
        (notes / ".hidden").write_text("no")
        (tmp_path / "secret.txt").write_text("secret")
        (notes / "link.txt").symlink_to(tmp_path / "secret.txt")
        library = Library(notes)
        assert [(file.name, file.copy_of) for file in library.files] == [
            ("a.txt", ""),
            ("more/b.txt", "a.txt"),
        ]
        assert len(library.left_out) == 3, library.left_out
        [small, _] = Library(notes, reads_well=800).files
        assert small.tokens == 10 * library.files[0].tokens, "it counts for ten"
        with pytest.raises(ToolError):
            library.read_file("../secret.txt")


def test_the_view_says_who_does_what(files: SwarmFiles) -> None:
    leases = Leases(files, 30.0, lambda: 0.0)
    other = Errand("the key", ("b.txt", "c.txt"))
    files.post(Posted(NAME, ERRAND, 100))
    files.post(Posted(name_of(other, 1), other, 100))
    files.keep_result("done", Found("worker-1", (Claim("x", "y", ("z",)),), tokens=40))
    leases.ask(name_of(other, 1), Request("claim", "worker-2"))
    view = look_at(files, 2, leases)
    assert (view.waiting, view.ended, view.tokens) == (1, 1, 40)
    first, second = view.workers
    assert (first.name, first.looks_for, first.errands, first.claims) == ("worker-1", "", 1, 1)
    assert (second.name, second.looks_for, second.files) == ("worker-2", "the key", 2)


@pytest.mark.parametrize("name", ["..", "a/b", "A", "", "x" * 41])
def test_a_name_leads_nowhere_else(tmp_path: Path, name: str) -> None:
    with pytest.raises(ValueError, match="not a name for a swarm"):
        Home(tmp_path).swarm(name)


@pytest.mark.parametrize(
    ("value", "number"),
    [("12", "12"), ("12 hours", "12"), ("3.5", None), ("1,200", None), ("many", None), ("", None)],
)
def test_a_total_is_of_whole_numbers(value: str, number: str | None) -> None:
    """Half of a number would be another number."""
    [reply] = with_numbers([Reply((Claim("the hours", value, ("a.txt",)),), ("a.txt",), 0)])
    assert [claim.value for claim in reply.claims] == ([number] if number else [])


class TestDamage:
    """A damaged file counts as missing: the swarm goes on, and nobody waits for ever."""

    FOREIGN = ("", "[]", "{}", '{"worker": 1}', '{"claims": 7, "read": {}}', '{"files": "a"}')

    @pytest.mark.parametrize("text", FOREIGN)
    def test_a_damaged_result_is_found_again(self, files: SwarmFiles, text: str) -> None:
        files.post(Posted(NAME, ERRAND, 100))
        do(files, "first", lambda errand: Found("first", tokens=1))
        (files.found / f"{NAME}.json").write_text(text)
        assert files.result(NAME) is None
        do(files, "second", lambda errand: Found("second", tokens=2))
        assert files.result(NAME) == Found("second", tokens=2)

    @pytest.mark.parametrize("text", FOREIGN)
    def test_damaged_errands_and_leases_stop_nobody(self, files: SwarmFiles, text: str) -> None:
        files.errands.mkdir(parents=True)
        (files.errands / f"{NAME}.json").write_text(text)
        assert not files.is_posted(NAME) and not list(files.posted())
        files.post(Posted(NAME, ERRAND, 100))
        files.leases.mkdir()
        (files.leases / f"{NAME}.json").write_text(text)
        do(files, "first", lambda errand: Found("first", tokens=1))
        assert files.result(NAME) == Found("first", tokens=1)

    @pytest.mark.parametrize("kind", ["errands", "leases", "found"])
    def test_a_folder_in_the_place_of_a_file_is_moved_aside(
        self, files: SwarmFiles, kind: str
    ) -> None:
        folder = files.root / kind / f"{NAME}.json"
        (folder / "inside").mkdir(parents=True)
        assert files.result(NAME) is None and not files.is_posted(NAME)
        files.post(Posted(NAME, ERRAND, 100))
        do(files, "first", lambda errand: Found("first", tokens=1))
        assert files.result(NAME) == Found("first", tokens=1)
        assert list(files.results()) == [Found("first", tokens=1)]
        [aside] = folder.parent.glob("*.aside")
        assert (aside / "inside").is_dir()

    @pytest.mark.parametrize("text", FOREIGN)
    def test_a_view_shows_the_rest(self, files: SwarmFiles, text: str) -> None:
        files.keep_result("sound", Found("w", tokens=3))
        (files.found / "foreign.json").write_text(text)
        view = look_at(files, 1, Leases(files, 30.0, lambda: 0.0))
        assert (view.ended, view.tokens) == (1, 3)


class TestRecord:
    """A reader that waits for a line is told if nobody will write it."""

    @pytest.mark.parametrize("raises", [True, False])
    def test_a_write_behind_that_ends_too_early_lets_nobody_wait(
        self, files: SwarmFiles, monkeypatch: pytest.MonkeyPatch, raises: bool
    ) -> None:
        def broken(waiting: object, write: object) -> None:
            if raises:
                raise TypeError("a slip")

        monkeypatch.setattr("g2c.swarm.app.record.write_behind", broken)
        with Record(files.record, "w", lambda: 0.0) as record:
            says = "a slip" if raises else "ended before all was written"
            for _ in range(2):
                with pytest.raises((TypeError, ValueError), match=says):
                    record.add("found").result(timeout=10)


class TestCrew:
    """Workers that cannot work are not started for ever, and say why."""

    def test_workers_that_end_themselves_are_given_up_soon(self, files: SwarmFiles) -> None:
        says = "import sys; sys.exit('g2c: No model answers.')"
        with (
            Record(files.record, "supervisor", lambda: 0.0) as record,
            Crew(files, ["w"], [sys.executable, "-c", says], record) as crew,
            pytest.raises(ValueError, match="w said: No model answers"),
        ):
            while True:
                crew.look_after()
        assert [what for _, what in events(files)].count("died") == MAX_FAILURES

    def test_none_runs_on_where_another_cannot_start(self, files: SwarmFiles) -> None:
        files.scratch("w2").parent.mkdir(parents=True, exist_ok=True)
        files.scratch("w2").write_text("no folder")
        sleeps = [sys.executable, "-c", "import time; time.sleep(600)"]
        with Record(files.record, "supervisor", lambda: 0.0) as record:
            crew = Crew(files, ["w1", "w2"], sleeps, record)
            with pytest.raises(OSError), crew:
                pytest.fail("w2 has no folder for its output")
            (first,) = crew._running.values()
        assert first.returncode is not None, "who is started is ended"

    def test_at_a_stop_an_errand_under_way_is_ended(
        self, files: SwarmFiles, tmp_path: Path
    ) -> None:
        done = tmp_path / "done"
        works = f"import time; time.sleep(0.5); open({str(done)!r}, 'x')"
        with (
            Record(files.record, "supervisor", lambda: 0.0) as record,
            Crew(files, ["w"], [sys.executable, "-c", works], record) as crew,
        ):
            crew.join()
        assert done.exists()


def test_a_swarm_does_not_read_its_own_folder(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("The code of the hut is 1204.")
    own = SwarmFiles(tmp_path / "home/swarms/main")
    own.post(Posted(NAME, ERRAND, 100))
    library = Library(tmp_path, own.root)
    assert [file.name for file in library.files] == ["a.txt"]
    with pytest.raises(ToolError):
        library.read_file(f"home/swarms/main/errands/{NAME}.json")
