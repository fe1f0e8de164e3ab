"""Make the traces that the small model is trained on: `python -m maintain.training.traces --help`.

The mixture is a table of the model's skills and their shares. Everything else follows from a seed.
"""

from __future__ import annotations

import argparse
import os
import random
import sys
import zlib
from collections.abc import Iterator
from pathlib import Path
from unittest.mock import patch

# Before anything imports the exercises: traces are of the finished course.
os.environ["G2C_REFERENCE"] = "all"

from maintain.training.kinds import KINDS, Kind
from maintain.training.record import Trace
from maintain.training.vocabulary import has_held_out_number

MAX_TOKENS = 1600
"""Approximate. A longer trace costs a training step more than it teaches."""


def make_traces(count: int, seed: int) -> Iterator[Trace]:
    """`count` traces, each kind by its share, in an order that the seed decides."""
    rng = random.Random(seed)
    order = rng.choices(list(KINDS), [share for share, _ in KINDS.values()], k=count)
    for number, name in enumerate(order):
        # With its own seed, so that a kind that draws once more changes no other trace.
        yield make_one(KINDS[name][1], random.Random(zlib.crc32(f"{seed} {number}".encode())))


def make_one(kind: Kind, rng: random.Random) -> Trace:
    """A trace that fits, and has no number that is reserved for the evaluation."""
    while True:
        trace = kind(rng)
        if trace.tokens <= MAX_TOKENS and not any(map(has_held_out_number, trace.given)):
            return trace


def show(trace: Trace) -> str:
    """The trace, with marks around what is learned."""
    marks = {True: ("\033[32m", "\033[0m")} if sys.stdout.isatty() else {True: ("⟦", "⟧")}
    return "".join(
        text.join(marks.get(learned, ("", ""))) if learned else text
        for text, learned in trace.segments
    )


def table(traces: list[Trace]) -> str:
    """A row for each kind: the number of traces, and their approximate mean tokens."""
    lines = [f"{'kind':<16}{'count':>7}{'share':>8}{'tokens':>8}{'learned':>9}"]
    for name in [*KINDS, "all"]:
        rows = [trace for trace in traces if name in (trace.kind, "all")]
        if rows:
            learned = sum(
                len(t) for trace in rows for t, is_learned in trace.segments if is_learned
            )
            mean = sum(trace.tokens for trace in rows) / len(rows)
            share = len(rows) / len(traces)
            written = learned / 3.5 / len(rows)
            lines.append(f"{name:<16}{len(rows):>7}{share:>8.1%}{mean:>8.0f}{written:>9.0f}")
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=6000, help="number of traces (%(default)s)")
    parser.add_argument("--seed", type=int, default=1, help="decides all of them (%(default)s)")
    parser.add_argument("--out", type=Path, help="the file to write (JSON lines)")
    parser.add_argument("--show", choices=sorted(KINDS), help="print one trace of this kind")
    arguments = parser.parse_args()
    if arguments.show:
        kind = KINDS[arguments.show][1]
        print(show(make_one(kind, random.Random(arguments.seed))))
        return
    # All files are in folders that are deleted at once: none has to survive a power cut.
    with patch("os.fsync"):
        traces = list(make_traces(arguments.count, arguments.seed))
    if arguments.out:
        lines = (f"{trace.to_json()}\n" for trace in traces)
        arguments.out.write_text("".join(lines), encoding="utf-8")
    print(table(traces))


if __name__ == "__main__":
    main()
