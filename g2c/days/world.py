"""The world of an errand: its files and tools on the disk, and the faults that it meets.

What has an effect is on the disk before anything else can happen, so it outlives the process.
"""

import json
from dataclasses import replace
from pathlib import Path

from g2c.days.errands import Errand
from g2c.files import read_text
from g2c.json_files import append_json
from g2c.suite.tools import OWN, write_files
from g2c.tools import Tool, ToolError, tool

LOCKER_CODE = OWN["locker_code"]
BUSY = "The service is busy. Try again later."


class Killed(BaseException):
    """The process ends here. Nothing may catch this: a process that is killed catches nothing."""


class World:
    """The files of an errand in `folder`, and the two services that its agent may call."""

    def __init__(self, errand: Errand, folder: Path) -> None:
        self.work = folder / "work"
        self.work.mkdir(parents=True)
        write_files(errand.files, self.work)
        self._outbox = folder / "outbox.jsonl"
        self._killed = errand.killed
        self._busy = errand.busy

    @property
    def sent(self) -> list[tuple[str, str]]:
        """The mails that were sent, each its address and its text."""
        if not self._outbox.exists():
            return []
        lines = map(json.loads, read_text(self._outbox).splitlines())
        return [(line["to"], line["text"]) for line in lines]

    def services(self) -> list[Tool]:
        """The tools that reach beyond this machine."""

        @tool
        def send_mail(to: str, text: str) -> str:
            """Send a mail.

            Args:
                to: the address
                text: what the mail says
            """
            if self._killed == "before":
                self._kill()
            append_json(self._outbox, {"to": to, "text": text})
            if self._killed == "after":
                self._kill()
            return "The mail is sent."

        return [send_mail, replace(LOCKER_CODE, func=self._locker_code)]

    def _locker_code(self, owner: str) -> str:
        if self._busy:
            self._busy -= 1
            raise ToolError(BUSY)
        return str(LOCKER_CODE.func(owner=owner))

    def _kill(self) -> None:
        self._killed = ""
        raise Killed
