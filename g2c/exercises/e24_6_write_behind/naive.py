"""Write the lines of three agents to a file. The disk is full for a moment, at the second line."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import Future, wait
from pathlib import Path
from queue import Queue
from threading import Thread

from g2c.course.breaks import RESULT, WANTED, Seen
from g2c.swarm.core.entries import Entry

QUESTION = "Who is still waiting, and for what, when the thread that could tell them is gone?"


def write_behind(waiting: Queue[Entry | None], write: Callable[[Sequence[str]], None]) -> None:
    while True:
        item = waiting.get()
        if item is None:
            return
        item.written.set_result(None)
        write([item.line])


def show(folder: Path) -> Seen:
    log, calls = folder / "record.jsonl", 0
    log.touch()

    def write(lines: Sequence[str]) -> None:
        nonlocal calls
        calls += 1
        if calls == 2:
            raise OSError("no space left on device")
        with log.open("a", encoding="utf-8") as file:
            file.writelines(f"{line}\n" for line in lines)

    entries = [Entry(f"agent {n} is done", Future()) for n in (1, 2, 3)]
    waiting: Queue[Entry | None] = Queue()
    for entry in entries:
        waiting.put(entry)
    waiting.put(None)
    said: list[str] = []

    def run() -> None:
        try:
            write_behind(waiting, write)
        except Exception as error:  # it would end the thread, and print a traceback
            said.append(f"it ends with {type(error).__name__}: {error}")

    thread = Thread(target=run)
    thread.start()
    thread.join()
    told, untold = wait([entry.written for entry in entries], timeout=0)
    kept = log.read_text("utf-8").splitlines()
    yield "the writer", said[0] if said else "it ends as it should"
    yield "on the disk", ", ".join(kept)
    yield "it wrote", f"{calls} times, a line each time"
    yield RESULT, f"{len(told)} lines acknowledged, {len(kept)} there, {len(untold)} waits for ever"
    yield WANTED, "an acknowledgement for what is there, and an error for what is not"
