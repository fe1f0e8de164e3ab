"""How many mutants of each reference its own exercise's tests kill.

The result of a mutant is stored under a digest of the mutant and of the tests. So an interrupted
run continues where it was, and after a change of the tests their mutants are tried again.
"""

import json
import subprocess
import sys
import tomllib
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from g2c.course.manifest import Exercise
from g2c.paths import project_root, state_dir
from g2c.surroundings import own_environment
from maintain.author.mutation.mutants import Mutant, mutants_of

EQUIVALENT = Path("tests/course/equivalent.toml")
"""For each exercise the mutants that do what the reference does, or what the contract leaves open,
each with the reason."""

GOAL = 0.98


@dataclass(frozen=True)
class Score:
    """The result of an exercise's mutants. The tests let those in `outlived` pass, and they are not
    known to be equivalent."""

    exercise: Exercise
    mutants: int
    equivalent: int
    outlived: tuple[Mutant, ...]

    @property
    def killed(self) -> int:
        return self.mutants - self.equivalent - len(self.outlived)

    @property
    def share(self) -> float:
        """The share of killed mutants among those that are not equivalent."""
        return self.killed / max(1, self.mutants - self.equivalent)


def mutate(exercises: Iterable[Exercise], tell: Callable[[int, int], None]) -> list[Score]:
    """Try all mutants of these exercises' references. `tell` gets the numbers of those done and of
    all.

    Raises:
        ValueError: a reference fails its own tests, or the list of equivalents names a mutant that
            does not exist or that is killed.
    """
    root = project_root()
    kept = _Results(state_dir() / "mutants.jsonl")
    mutants = {exercise: mutants_of(exercise, root) for exercise in exercises}
    texts = {exercise: _tests_of(exercise, root) for exercise in mutants}
    todo: dict[str, list[Mutant]] = {}
    for exercise, own in mutants.items():
        plain = Mutant(exercise.id, "", "", (root / exercise.solution_file).read_text("utf-8"), 0)
        new = [
            mutant for mutant in [plain, *own] if mutant.key(texts[exercise]) not in kept.killers
        ]
        todo.setdefault(exercise.suite, []).extend(new)
    n_todo = n_left = sum(map(len, todo.values()))
    by_id = {exercise.id: exercise for exercise in mutants}

    def done(mutant: Mutant, killer: str) -> None:
        nonlocal n_left
        kept.add(mutant.key(texts[by_id[mutant.exercise]]), mutant, killer)
        n_left -= 1
        tell(n_todo - n_left, n_todo)

    with ThreadPoolExecutor(max_workers=2) as pool:  # each waits for its own process
        jobs = [pool.submit(_try, suite, own, done) for suite, own in todo.items() if own]
        for job in jobs:
            job.result()
    known = read_equivalents(root)
    return [
        _score(exercise, own, texts[exercise], kept.killers, known.get(exercise.id, {}))
        for exercise, own in mutants.items()
    ]


def read_equivalents(root: Path) -> Mapping[str, Mapping[str, str]]:
    """For each exercise, the ids of the mutants that cannot be told from the reference, with the
    reasons. In the file, each reason comes once, before its mutants."""
    listed: dict[str, dict[str, list[str]]] = tomllib.loads((root / EQUIVALENT).read_text("utf-8"))
    return {
        exercise: {identifier: reason for reason, ids in reasons.items() for identifier in ids}
        for exercise, reasons in listed.items()
    }


def _score(
    exercise: Exercise,
    mutants: Sequence[Mutant],
    tests: str,
    killers: Mapping[str, str],
    equivalent: Mapping[str, str],
) -> Score:
    plain = (project_root() / exercise.solution_file).read_text("utf-8")
    if killer := killers[Mutant(exercise.id, "", "", plain, 0).key(tests)]:
        raise ValueError(f"The reference of {exercise.id} fails {killer}; mend that first.")
    alive = [mutant for mutant in mutants if not killers[mutant.key(tests)]]
    if gone := set(equivalent) - {mutant.id for mutant in alive}:
        raise ValueError(
            f"{EQUIVALENT} lists {min(gone)!r} for {exercise.id}; it is killed, or is not a mutant"
        )
    outlived = tuple(mutant for mutant in alive if mutant.id not in equivalent)
    return Score(exercise, len(mutants), len(equivalent), outlived)


def _tests_of(exercise: Exercise, root: Path) -> str:
    """The texts on which an exercise's tests depend, apart from the program."""
    return (root / exercise.suite).read_text("utf-8") + (root / "tests/cases.py").read_text("utf-8")


def _try(suite: str, mutants: Sequence[Mutant], done: Callable[[Mutant, str], None]) -> None:
    """Try these mutants in one warm process.

    Raises:
        ValueError: the process ended before it had tried all.
    """
    command = [sys.executable, "-m", "maintain.author.mutation.trials", suite]
    with subprocess.Popen(
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        cwd=project_root(),
        env=own_environment(),
        text=True,
    ) as process:
        assert process.stdin and process.stdout
        try:
            for mutant in mutants:
                trial = {"exercise": mutant.exercise, "source": mutant.source}
                process.stdin.write(json.dumps(trial) + "\n")
                process.stdin.flush()
                if not (answer := process.stdout.readline()):
                    raise ValueError(f"The process that tries {suite} ended at {mutant.name}.")
                done(mutant, answer.strip())
        finally:
            process.kill()


class _Results:
    """A file with a line for each mutant that was tried. A later line replaces an earlier one."""

    def __init__(self, file: Path) -> None:
        self._file = file
        lines = file.read_text("utf-8").splitlines() if file.exists() else []
        found = [json.loads(line) for line in lines if line.endswith("}")]  # the last may be torn
        self.killers: dict[str, str] = {line["key"]: line["killed_by"] for line in found}

    def add(self, key: str, mutant: Mutant, killer: str) -> None:
        self.killers[key] = killer
        told = {"key": key, "exercise": mutant.exercise, "id": mutant.id, "killed_by": killer}
        with self._file.open("a", encoding="utf-8") as file:
            file.write(json.dumps(told, ensure_ascii=False) + "\n")
