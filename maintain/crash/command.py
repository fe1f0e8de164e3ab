"""The command: `python -m maintain.crash kills --minutes 5`, and likewise `races` and `fuzz`.

It prints what was tried and which promises were broken, and exits with 1 if there are any. It
prints the seeds, so that a failure can be repeated.
"""

import argparse
import datetime
import os
import platform
import random
import tempfile
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from maintain.crash import kills, races, swarms
from maintain.crash.fuzz import SLOWEST, Reader, fuzz
from maintain.crash.lives import Attack, Outcome
from maintain.crash.readers import READERS

KILLS: dict[str, Attack] = {
    "writers": kills.kill_writers,
    "dreams": kills.kill_dreams,
    "loops": kills.kill_loops,
    "supervisors": kills.kill_supervisors,
    "swarms": swarms.kill_swarms,
}
RACES: dict[str, Attack] = {
    "writers": races.race_writers,
    "index": races.race_index,
    "topics": races.race_topics,
    "sessions": races.race_sessions,
    "a dream": races.race_dreams,
    "many dreams": races.race_many_dreams,
    "a loop": races.race_loops,
    "a swarm": swarms.race_swarms,
}


def _fuzzing(reader: Reader) -> Attack:
    def attack(seed: int, folder: Path) -> Outcome:
        return fuzz(reader, seed)

    return attack


FUZZ = {reader.name: _fuzzing(reader) for reader in READERS}
EXAMPLE = """\
example:
  python -m maintain.crash kills --minutes 5
  python -m maintain.crash kills --only dreams --seed 17 --rounds 1
  python -m maintain.crash fuzz --minutes 60

A round's seed is one more than that of the round before it. The exit code is 0 if everything held,
and 1 if not.
"""


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        "python -m maintain.crash",
        description="Attack the course's own code, and print what held.",
        epilog=EXAMPLE,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument(
        "attack",
        choices=["kills", "races", "fuzz"],
        help="kills: processes killed by SIGKILL. races: 16 processes at once. fuzz: random texts "
        "for everything that reads a text.",
    )
    length = parser.add_mutually_exclusive_group()
    length.add_argument("--rounds", type=int, default=1, help="rounds of each attack; 1 by default")
    length.add_argument("--minutes", type=float, help="the time for all attacks together")
    parser.add_argument("--seed", type=int, help="the first round's seed; a random one by default")
    parser.add_argument("--only", action="append", help="only this row of the table; repeatable")
    options = parser.parse_args(arguments)
    attacks = {"kills": KILLS, "races": RACES, "fuzz": FUZZ}[options.attack]
    if unknown := set(options.only or ()) - attacks.keys():
        parser.error(f"there is no {', '.join(unknown)}; choose from: {', '.join(attacks)}")
    chosen = {name: attacks[name] for name in options.only or attacks}
    seed = random.randrange(1_000_000) if options.seed is None else options.seed
    system = f"{platform.system()} {platform.machine()}, {os.cpu_count()} cores"
    print(f"{datetime.date.today()}, Python {platform.python_version()}, {system}, seed {seed}\n")
    seconds = None if options.minutes is None else 60 * options.minutes / len(chosen)
    rows, faults = [], []
    for name, attack in chosen.items():
        row, found = repeat(attack, seed, options.rounds, seconds)
        rows.append({"": name, **row})
        faults += [
            f"{fault}\n  Again: python -m maintain.crash {options.attack} "
            f'--only "{name}" --seed {at} --rounds 1'
            for at, fault in found
        ]
    print_table(rows)
    for fault in faults:
        print(f"\n{fault}")
    return 1 if faults else 0


def repeat(
    attack: Attack, seed: int, rounds: int, seconds: float | None
) -> tuple[dict[str, int], list[tuple[int, str]]]:
    """Repeat the attack a number of times, or for a time. Return the sums of its counts, and each
    fault with the seed of its round."""
    total: Counter[str] = Counter()
    faults: list[tuple[int, str]] = []
    begun = time.monotonic()
    for at in _seeds(seed, rounds, None if seconds is None else begun + seconds):
        with tempfile.TemporaryDirectory() as folder:
            outcome = attack(at, Path(folder))
        total["rounds"] += 1
        for name, count in outcome.counts.items():
            total[name] = max(total[name], count) if name == SLOWEST else total[name] + count
        faults += [(at, fault) for fault in outcome.faults]
    total["failures"] = len(faults)
    total["seconds"] = round(time.monotonic() - begun)
    return dict(total), faults


def _seeds(seed: int, rounds: int, end: float | None) -> Iterator[int]:
    at = seed
    while at < seed + rounds if end is None else time.monotonic() < end:
        yield at
        at += 1


def print_table(rows: Iterable[Mapping[str, object]]) -> None:
    """Print each row on a line below the names of all columns; `-` where a row has no value."""
    rows = list(rows)
    columns = list(dict.fromkeys(name for row in rows for name in row))
    # The columns of every row come first, and the time comes last.
    columns.sort(key=lambda name: (name in ("failures", "seconds"), name == "seconds"))
    cells = [columns, *([_cell(row.get(name)) for name in columns] for row in rows)]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    for first, *others in cells:
        padded = [cell.rjust(width) for cell, width in zip(others, widths[1:], strict=True)]
        print("  ".join([first.ljust(widths[0]), *padded]).rstrip())


def _cell(value: object) -> str:
    return "-" if value is None else f"{value:,}" if isinstance(value, int) else str(value)
