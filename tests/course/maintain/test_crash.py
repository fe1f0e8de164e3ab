"""The attacks, a round of each. `python -m maintain.crash` does as many as you like."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from maintain.crash.command import KILLS, RACES, main
from maintain.crash.fuzz import CORPUS, Reader, fuzz
from maintain.crash.lives import Outcome
from maintain.crash.readers import READERS

pytestmark = pytest.mark.slow

SEED = int(os.environ.get("G2C_ATTACK_SEED", "1"))
EXAMPLES = 200

needs_fork = pytest.mark.skipif(not hasattr(os, "fork"), reason="needs os.fork")


@needs_fork
@pytest.mark.parametrize(
    ("name", "rounds"), [(name, {"writers": 5, "loops": 20}.get(name, 1)) for name in KILLS]
)
def test_acknowledged_writes_outlive_every_kill(name: str, rounds: int, tmp_path: Path) -> None:
    for seed in range(SEED, SEED + rounds):
        outcome = KILLS[name](seed, tmp_path / str(seed))
        assert not outcome.faults, f"seed {seed}: {outcome.faults}"
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


class TestTheCommand:
    def test_it_prints_figures_and_the_seed(self) -> None:
        command = [sys.executable, "-m", "maintain.crash", "kills", "--only", "loops"]
        command += ["--seed", "7"]
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
