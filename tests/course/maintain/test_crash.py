"""The attacks, a round of each. `python -m maintain.crash` does as many as you like."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from references import references

from g2c.memory import DreamLock, TranscriptLog, Turn
from maintain.crash.command import KILLS, RACES, main
from maintain.crash.fuzz import CORPUS, Reader, fuzz
from maintain.crash.kills import kill_dreams, kill_loops, kill_writers
from maintain.crash.lives import Outcome
from maintain.crash.races import race_dreams
from maintain.crash.readers import READERS
from maintain.crash.texts import pieces

pytestmark = pytest.mark.slow

SEED = int(os.environ.get("G2C_ATTACK_SEED", "1"))
EXAMPLES = 200

needs_fork = pytest.mark.skipif(not hasattr(os, "fork"), reason="needs os.fork")


@pytest.fixture(scope="module", autouse=True)
def reference() -> Iterator[None]:
    with references(fsync=False):
        yield


@needs_fork
@pytest.mark.parametrize("name", KILLS)
def test_what_was_acknowledged_outlives_every_kill(name: str, tmp_path: Path) -> None:
    outcome = KILLS[name](SEED, tmp_path)
    assert not outcome.faults, f"seed {SEED}: {outcome.faults}"
    assert outcome.counts["kills"] and outcome.counts["acknowledged"]


@needs_fork
@pytest.mark.parametrize("name", RACES)
def test_sixteen_processes_at_once_lose_nothing(name: str, tmp_path: Path) -> None:
    outcome = RACES[name](SEED, tmp_path)
    assert not outcome.faults, f"seed {SEED}: {outcome.faults}"
    assert outcome.counts["processes"] == 16


@pytest.mark.parametrize("reader", READERS, ids=lambda reader: reader.name)
def test_no_text_gives_another_error_than_promised(reader: Reader) -> None:
    outcome = fuzz(reader, None, EXAMPLES)
    assert not outcome.faults, outcome.faults
    assert outcome.counts["inputs"] >= 10


def test_each_folder_of_the_corpus_is_a_readers() -> None:
    folders = {reader.folder.name for reader in READERS}
    assert {folder.name for folder in CORPUS.iterdir()} <= folders


class TestTheAttacksThemselves:
    """They find what is wrong."""

    @needs_fork
    def test_a_turn_that_is_not_written_is_lost(
        self, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
    ) -> None:
        def append(log: TranscriptLog, turn: Turn) -> None:
            if not turn.agent_id.endswith("1"):
                original(log, turn)

        original = TranscriptLog.append
        monkeypatch.setattr(TranscriptLog, "append", append)
        outcome = kill_writers(SEED, tmp_path)
        assert outcome.counts["lost"] and outcome.faults

    @needs_fork
    def test_a_turn_that_is_written_again_is_doubled(
        self, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
    ) -> None:
        def append(log: TranscriptLog, turn: Turn) -> None:
            original(log, turn)
            original(log, turn)

        original = TranscriptLog.append
        monkeypatch.setattr(TranscriptLog, "append", append)
        assert kill_writers(SEED, tmp_path).counts["doubled"]

    @needs_fork
    def test_a_lock_that_lets_nobody_in_after_a_death_is_told(
        self, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
    ) -> None:
        monkeypatch.setattr(DreamLock, "acquire", DreamLock.create)
        assert kill_dreams(SEED, tmp_path).faults

    @needs_fork
    def test_a_lock_that_lets_all_in_has_many_winners(
        self, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
    ) -> None:
        monkeypatch.setattr(DreamLock, "acquire", lambda lock: True)
        monkeypatch.setattr("maintain.crash.races.Start.hold", lambda start: None)
        outcome = race_dreams(SEED, tmp_path)
        assert any("dreamed at once" in fault for fault in outcome.faults)

    @needs_fork
    def test_a_tick_that_is_not_committed_is_lost(
        self, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
    ) -> None:
        monkeypatch.setattr("g2c.loop.app.runner.append_tick", lambda file, record: None)
        outcome = kill_loops(SEED, tmp_path)
        assert outcome.counts["lost"] and outcome.faults

    def test_the_smallest_text_that_fails_is_kept_and_tried_again(
        self, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
    ) -> None:
        def read(text: str) -> None:
            if "x" in text:
                raise KeyError("x")

        monkeypatch.setattr("maintain.crash.fuzz.CORPUS", tmp_path)
        reader = Reader("a reader", read, pieces("x"))
        (fault,) = fuzz(reader, SEED).faults
        assert fault == "a reader: 'x' gives KeyError: 'x'"
        (kept,) = tmp_path.rglob("*-*/*")
        assert kept.read_bytes() == b"x"
        assert len(fuzz(reader, SEED).faults) == 2, "one from the corpus, and one found again"

    @pytest.mark.parametrize(("message", "fault"), [("Mend it.", ""), (" ", "without a sentence")])
    def test_a_promised_error_has_a_sentence(self, message: str, fault: str) -> None:
        def read(text: str) -> None:
            raise ValueError(message)

        assert fault in Reader("a reader", read, pieces("x"), (ValueError,)).fault("x")


class TestTheCommand:
    def test_it_prints_figures_and_the_seed(self) -> None:
        command = [
            sys.executable,
            "-m",
            "maintain.crash",
            "kills",
            "--only",
            "loops",
            "--seed",
            "7",
        ]
        done = subprocess.run(command, capture_output=True, text=True, cwd=CORPUS.parents[2])
        assert done.returncode == 0, done.stdout + done.stderr
        heading, _, columns, row = done.stdout.splitlines()
        assert heading.endswith("seed 7")
        assert {"kills", "acknowledged", "lost", "doubled", "failures"} <= set(columns.split())
        assert row.startswith("loops")

    def test_a_failure_can_be_had_again(
        self, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
    ) -> None:
        def attack(seed: int, folder: Path) -> Outcome:
            outcome = Outcome()
            outcome.expect(seed != 8, "the eighth fails")
            return outcome

        monkeypatch.setitem(RACES, "a loop", attack)
        arguments = ["races", "--only", "a loop", "--rounds", "3"]
        assert main([*arguments, "--seed", "7"]) == 1
        again = 'python -m maintain.crash races --only "a loop" --seed 8 --rounds 1'
        assert f"the eighth fails\n  Again: {again}" in capsys.readouterr().out
        assert main([*arguments, "--seed", "9"]) == 0
