"""A process sends a bill, as a line in a real file, and is killed before it can record that.
Somebody sees the bill and reports it. A second process reads the journal and goes on."""

from __future__ import annotations

import json
from collections.abc import Collection, Sequence
from multiprocessing.connection import Connection
from pathlib import Path

from g2c.course.breaks import RESULT, WANTED, Seen, halt, kill_at_halt
from g2c.guard.core.unanswered import Began, Ended, JournalLine, Recovery, Told

QUESTION = "What does a journal look like after a call that happened, and after one that did not?"


def recover_calls(
    journal: Sequence[JournalLine], repeatable: Collection[str]
) -> tuple[Recovery, ...]:
    answered = {line.call for line in journal if isinstance(line, Ended)}
    return tuple(
        Recovery(line.call, "repeat")
        for line in journal
        if isinstance(line, Began) and line.call not in answered
    )


def work(says: Connection, folder: Path) -> None:
    """Make the two calls of a run; the process dies after the second one's effect."""
    for call, tool in (("c1", "read_file"), ("c2", "send_bill")):
        write(folder, [call, tool])
        carry_out(folder, tool)
        if tool == "send_bill":
            halt(says)
        write(folder, [call])


def show(folder: Path) -> Seen:
    bills = folder / "bills.txt"
    killed = kill_at_halt(work, folder)
    yield "process 1", f"{'killed' if killed else 'ended'}; the file has {count(bills)} bill"
    journal = read(folder)
    yield "journal", ", ".join(map(str, journal))
    told = Told("c2", happened=True)
    yield "somebody", f"looked into the file, and said {told}"
    tools = {line.call: line.tool for line in journal if isinstance(line, Began)}
    for recovery in recover_calls([*journal, told], repeatable={"read_file"}):
        yield "process 2", f"{recovery.action} {tools[recovery.call]}"
        if recovery.action == "repeat":
            carry_out(folder, tools[recovery.call])
    yield RESULT, f"bills sent: {count(bills)}"
    yield WANTED, "bills sent: 1, and the model is told that its answer was lost"


def carry_out(folder: Path, tool: str) -> None:
    if tool == "send_bill":
        with (folder / "bills.txt").open("a", encoding="utf-8") as file:
            file.write("4,711 euros\n")


def count(bills: Path) -> int:
    return len(bills.read_text("utf-8").splitlines())


def write(folder: Path, line: list[str]) -> None:
    with (folder / "journal.jsonl").open("a", encoding="utf-8") as file:
        file.write(json.dumps(line) + "\n")


def read(folder: Path) -> list[JournalLine]:
    lines = (folder / "journal.jsonl").read_text("utf-8").splitlines()
    return [Began(*line) if len(line) == 2 else Ended(*line) for line in map(json.loads, lines)]
