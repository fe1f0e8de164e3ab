"""The journal of calls that reach beyond this home, with a line before and after each. After a
crash it shows which calls have no answer."""

import os
import secrets
import socket
import time
from collections.abc import Callable, Collection, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

from g2c.files import LEFT_OVER_S, append_line
from g2c.foreign_json import dump_json
from g2c.guard.core.permission import ProposedCall
from g2c.guard.core.unanswered import Began, Ended, JournalLine, Recovery, Told
from g2c.guard.recover_calls import recover_calls
from g2c.json_files import objects_in, record_from
from g2c.processes import is_running, own_mark


class CallJournal:
    """The calls in `file`, which need not exist. Computers that share a home share it."""

    def __init__(self, file: Path, now: Callable[[], float] = time.time) -> None:
        self.file = file
        self._now = now

    def record_start(self, call: ProposedCall) -> str:
        """Write that a call is about to be made, and return its id.

        Raises:
            OSError, ValueError: it cannot be written, so the call is not to be made.
        """
        id = f"c{secrets.token_hex(6)}"
        here = {"host": socket.gethostname(), "process": os.getpid(), "mark": own_mark()}
        self._add("began", id, proposed=asdict(call), time=self._now(), **here)
        return id

    def record_end(self, id: str) -> None:
        """Write that the call has its answer."""
        self._add("ended", id)

    def record_finding(self, id: str, happened: bool) -> None:
        """Write whether a person found that the call happened."""
        self._add("told", id, happened=happened)

    def unanswered(self, repeatable: Collection[str]) -> list[tuple[Recovery, ProposedCall]]:
        """The action for each call without an answer, by your `recover_calls`. Calls that another
        process is making, or may be making elsewhere, are left out."""
        elsewhere = self.elsewhere()
        lines: list[JournalLine] = []
        calls: dict[str, ProposedCall] = {}
        for line in objects_in(self.file):
            id, what = str(line.get("id")), line.get("what")
            call = record_from(line.get("proposed"), ProposedCall)
            if what == "began":
                if call and id not in elsewhere and not _is_under_way(line):
                    calls[id] = call
                    lines.append(Began(id, call.tool))
            elif id in calls and what == "told":
                if isinstance(happened := line.get("happened"), bool):
                    lines.append(Told(id, happened))
            elif id in calls and what == "ended":
                lines.append(Ended(id))
        return [(item, calls[item.call]) for item in recover_calls(lines, repeatable)]

    def elsewhere(self) -> dict[str, str]:
        """The hosts of calls without an answer that began on another one within a day, by the
        calls' ids. Nobody here can see whether they are under way."""
        found: dict[str, str] = {}
        for line in objects_in(self.file):
            id, what, began = str(line.get("id")), line.get("what"), line.get("time")
            if what in ("ended", "told"):
                found.pop(id, None)
            elif what == "began" and isinstance(began, float):
                host, is_new = str(line.get("host")), abs(self._now() - began) <= LEFT_OVER_S
                if is_new and host != socket.gethostname():
                    found[id] = host
        return found

    def _add(self, what: str, id: str, **more: Any) -> None:
        append_line(self.file, dump_json({"what": what, "id": id, **more}))


def _is_under_way(line: Mapping[str, Any]) -> bool:
    process, mark = line.get("process"), line.get("mark")
    return isinstance(process, int) and process != os.getpid() and is_running(process, str(mark))
