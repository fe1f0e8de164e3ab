"""Where everything of a loop lies: one folder, plain files, a name for each.

The idea to take away: a loop is its folder. Whoever has the folder has the loop: the process that
runs it, the person who reads it, and the healer that mends it from outside meet nowhere else.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class LoopFiles:
    """The files of the loop in the folder `root`. Naming one makes nothing on disk."""

    root: Path

    @property
    def state(self) -> Path:
        """The state that one tick hands to the next; replacing it is what commits a tick."""
        return self.root / "state.md"

    @property
    def ticks(self) -> Path:
        """The log of the ticks, a line each; of lines with one number the last counts."""
        return self.root / "ticks.jsonl"

    @property
    def conversation(self) -> Path:
        """The prompts and answers of the latest ticks."""
        return self.root / "conversation.json"

    @property
    def snapshots(self) -> Path:
        """The folder of the snapshots."""
        return self.root / "snapshots"

    def snapshot(self, tick: int) -> Path:
        """The folder with state and conversation as they were after a tick that ended well.

        >>> LoopFiles(Path("loop")).snapshot(12).as_posix()
        'loop/snapshots/000012'
        """
        return self.snapshots / f"{tick:06}"

    @property
    def closed(self) -> Path:
        """Which of the steps that follow a loop were taken, and for which end of it."""
        return self.root / "closed.json"

    @property
    def stop(self) -> Path:
        """The stop file: that it exists asks the loop to stop."""
        return self.root / "stop"

    @property
    def lock(self) -> Path:
        """What a running loop holds, so that no second one runs beside it."""
        return self.root / "loop.lock"

    @property
    def agent(self) -> Path:
        """The folder of the agent's configuration, of its versions and of their log."""
        return self.root / "agent"

    @property
    def healer_note(self) -> Path:
        """The healer's note for the next tick."""
        return self.root / "healer_note.json"

    @property
    def healer_log(self) -> Path:
        """The healer's recoveries and panics, a line each."""
        return self.root / "healer.jsonl"

    @property
    def flares(self) -> Path:
        """What a person should read, a line each."""
        return self.root / "outbox" / "flares.jsonl"

    @property
    def memory(self) -> Path:
        """The folder of the agent's memory."""
        return self.root / "memory"

    @property
    def work(self) -> Path:
        """The folder that the agent's tools see."""
        return self.root / "work"
