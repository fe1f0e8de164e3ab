"""The layers of a memory with your functions in them: transcripts, index, and the dream's lock."""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from pathlib import Path

from g2c.files import files_in, leftovers, read_text
from g2c.memory.acquire import acquire as acquire_lock
from g2c.memory.append import append as append_turn
from g2c.memory.core.index import BaseIndex
from g2c.memory.core.lock import BaseDreamLock
from g2c.memory.core.topics import Topics
from g2c.memory.core.transcripts import BaseTranscriptLog
from g2c.memory.core.types import Turn
from g2c.memory.grep import grep as grep_turns
from g2c.memory.tail import tail as tail_turns
from g2c.memory.upsert import upsert as upsert_pointer


class TranscriptLog(BaseTranscriptLog):
    """The episodic memory: every turn, word for word, as one line of JSON in the day's file."""

    append = append_turn
    tail = tail_turns
    grep = grep_turns

    async def append_async(self, turn: Turn) -> None:
        """`append` in a thread, so that the caller's event loop goes on meanwhile."""
        import asyncio  # slow to import, and most callers have no loop

        await asyncio.to_thread(self.append, turn)


class MemoryIndex(BaseIndex):
    """The archival memory: an index of one pointer a line, which is in every prompt."""

    upsert = upsert_pointer


class DreamLock(BaseDreamLock):
    """The lock that lets one dream in at a time, even if the last one died."""

    acquire = acquire_lock


@dataclass(frozen=True)
class Layers:
    """The files that a dream reads and changes."""

    transcripts: TranscriptLog
    topics: Topics
    index: MemoryIndex
    state_file: Path

    def copied_to(self, folder: Path) -> Layers:
        """The same layers with topics, index and state copied to `folder`."""
        topics, index, state = folder / "topics", folder / "MEMORY.md", folder / "state.json"
        topics.mkdir()
        for file in self._topic_files():
            shutil.copy2(file, topics)
        for source, copy in ((self.index.file, index), (self.state_file, state)):
            if source.exists():
                shutil.copy2(source, copy)
        return Layers(self.transcripts, Topics(topics), MemoryIndex(index), state)

    def texts(self) -> dict[str, str]:
        """The texts of topics and index, by the file's name in a store."""
        files = {f"topics/{file.name}": file for file in self._topic_files()}
        if self.index.file.exists():
            files["MEMORY.md"] = self.index.file
        return {name: read_text(file, "utf-8", "replace") for name, file in files.items()}

    def leftovers(self) -> list[Path]:
        """Unfinished files of processes that died while they wrote."""
        return [*leftovers(self.state_file.parent), *leftovers(self.topics.folder)]

    def _topic_files(self) -> list[Path]:
        return files_in(self.topics.folder, "*.md")
