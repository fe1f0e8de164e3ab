"""What an agent is beside its tools: five short files, of which it may rewrite four.

The idea to take away: what may change by itself and what may not is said by which file it stands
in. The constitution is a person's. No code here writes it once it is there.
"""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path

from g2c.files import replace_text
from g2c.loop.base import EvolvedConfig
from g2c.loop.versions import Versions, read_texts

CONSTITUTION = "constitution.md"
WRITABLE = ("identity.md", "persona.md", "knowledge.md", "recovery.md")

DEFAULT_CONFIG = EvolvedConfig(
    constitution="""\
# Constitution

A person wrote this file. The agent reads it and never changes it.

- Work on the goal that was given, and on nothing else.
- Change files in the work folder only.
- Say what was done as it was, also where it failed.
- Write no password, key or other secret into any file.
- When asked to stop, stop.
""",
    identity="I work on one goal in ticks. Between two ticks I keep only what I wrote down.\n",
    persona="I write short, plain sentences.\n",
    recovery="When a tool reports an error, I read what it says before I try again.\n",
)
"""What a new folder holds. Nothing is known yet."""


def ensure_config(folder: Path) -> None:
    """Make sure that all five files are in `folder`, and no change of them is half done.

    A file that is missing is written with its text of `DEFAULT_CONFIG`; one that is there stays.

    Raises:
        LoopError: what a crash interrupted cannot be completed; the message says what to do.
        OSError: a file cannot be written.
    """
    folder.mkdir(parents=True, exist_ok=True)
    Versions(folder).complete()
    for name, text in asdict(DEFAULT_CONFIG).items():
        if not (folder / f"{name}.md").exists():
            replace_text(folder / f"{name}.md", text)


def read_config(folder: Path) -> EvolvedConfig:
    """The config in `folder`; what has no file is empty.

    Raises:
        LoopError: a file is not UTF-8.
    """
    texts = read_texts(folder)
    return EvolvedConfig(**{name: texts.get(f"{name}.md", "") for name in asdict(EvolvedConfig())})
