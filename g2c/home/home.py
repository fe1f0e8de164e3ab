"""An agent's home: a folder of plain files, with a name for each.

A chat, a loop, a review and a dream are different processes. They are one agent because they read
and write the same folder.
"""

import re
from dataclasses import dataclass
from pathlib import Path

from g2c.files import files_in, is_there, replace_text
from g2c.home.settings import DEFAULT_TEXT, AgentSettings, read_settings
from g2c.loop.core.folder import LoopFiles
from g2c.loop.core.identity import ensure_config

MAIN_LOOP = "main"
_NAME = re.compile(r"[a-z0-9][a-z0-9_-]{0,39}")


@dataclass(frozen=True)
class Home:
    """The home in the folder `root`. Its files need not exist: a missing one counts as empty or as
    its default."""

    root: Path

    @property
    def settings_file(self) -> Path:
        """The agent's permissions; see `AgentSettings`."""
        return self.root / "agent.toml"

    @property
    def identity(self) -> Path:
        """The folder of the constitution, of the files that evolve, and of their versions."""
        return self.root / "agent"

    @property
    def memory(self) -> Path:
        """The folder of the memory."""
        return self.root / "memory"

    @property
    def inbox(self) -> Path:
        """The folder of the messages for the agent."""
        return self.root / "inbox"

    @property
    def measured(self) -> Path:
        """How well its critics did when they were measured."""
        return self.root / "measured.json"

    @property
    def permissions(self) -> Path:
        """The questions about permissions, and a person's answers."""
        return self.root / "outbox" / "permissions.jsonl"

    @property
    def calls(self) -> Path:
        """The calls that reached beyond this home, before and after each."""
        return self.root / "calls.jsonl"

    @property
    def pinned(self) -> Path:
        """The tools of MCP servers as they were when a person began to use them."""
        return self.root / "pinned.json"

    def loop(self, name: str = MAIN_LOOP) -> LoopFiles:
        """The loop of that name. It shares the home's memory, identity and outbox.

        Raises:
            ValueError: `name` is not a valid name for a loop.

        >>> Home(Path("home")).loop("garden").memory.as_posix()
        'home/memory'
        """
        return LoopFiles(self.root / "loops" / _checked(name, "loop"))

    def swarm(self, name: str = MAIN_LOOP) -> Path:
        """The folder of the swarm of that name. Its workers share the home's memory.

        Raises:
            ValueError: `name` is not a valid name for a swarm.
        """
        return self.root / "swarms" / _checked(name, "swarm")

    def loops(self) -> list[str]:
        """The names of the loops that were begun here, sorted."""
        return sorted(file.parent.name for file in files_in(self.root / "loops", "*/state.md"))

    def settings(self) -> AgentSettings:
        """The settings in `agent.toml`; the defaults if there is none.

        Raises:
            ValueError: the file cannot be used; the message says what to change.
        """
        return read_settings(self.settings_file)

    def create(self) -> bool:
        """Make the files that a person may want to edit; existing ones stay. Return whether
        `agent.toml` is new.

        Raises:
            OSError: a file cannot be written.
        """
        ensure_config(self.identity)
        if is_new := not is_there(self.settings_file):
            replace_text(self.settings_file, DEFAULT_TEXT)
        return is_new


def _checked(name: str, what: str) -> str:
    if not _NAME.fullmatch(name):
        raise ValueError(
            f"{name!r} is not a name for a {what}; use at most 40 small letters, digits, - and _."
        )
    return name
