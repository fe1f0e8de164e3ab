"""The success command: a program that says whether the goal is reached.

An agent that says "done" makes a claim. A program that exits with 0 is evidence. If you can write
such a program, do so before the loop begins.
"""

import re
import shlex
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path

from g2c.ending import wait_in_session
from g2c.loop.core.types import LoopError

MAX_CHARS = 4_000
"""The longest success command, in characters. The time to parse one grows faster than its
length."""

EXPANDED = re.compile(r"\$[\w{(]+|`|(?<!\S)~|\S*[*?]\S*")
"""Characters that a shell would expand in a command line without its quoted parts."""
_UNQUOTED = re.compile(r"'[^']*'|\"(?:[^\"\\]|\\.)*\"|\\.")

SHELL_WORDS = {"&&", "||", "|", "&", ";", "<", ">", ">>"}


def parse_success(line: str) -> tuple[str, ...]:
    """The program and its arguments in a command line. No shell runs them.

    Raises:
        LoopError: a quote is open, the line needs a shell, or it is longer than `MAX_CHARS`.

    >>> parse_success("grep -q 'two words' list.txt")
    ('grep', '-q', 'two words', 'list.txt')
    """
    if len(line) > MAX_CHARS:
        raise LoopError(
            f"The success command has {len(line):,} characters, and at most {MAX_CHARS:,} are "
            "read; put it into a script."
        )
    try:
        words = shlex.split(line)
    except ValueError as error:
        raise LoopError(f"The success command {line!r} cannot be read: {error}.") from None
    if expanded := EXPANDED.search(_UNQUOTED.sub(" ", line)):
        raise LoopError(
            f"The success command is run without a shell, which would expand {expanded[0]}. Write: "
            f"sh -c {shlex.quote(line)}, or put quotes around what is meant as it stands."
        )
    if strays := SHELL_WORDS.intersection(words):
        raise LoopError(
            f"The success command is one program with its arguments, and no shell reads "
            f"{' or '.join(sorted(strays))}. Write: sh -c {shlex.quote(line)}"
        )
    return tuple(words)


def check_success(command: Sequence[str], folder: Path, timeout: float) -> None:
    """Run the command once before a loop begins. A folder that is missing counts as empty.

    Raises:
        LoopError: there is no such program, or it succeeds already.
    """
    with tempfile.TemporaryDirectory() as empty:
        if succeeds(command, folder if folder.is_dir() else Path(empty), timeout):
            raise LoopError(
                f"The success command succeeds already, before anything was done: "
                f"{shlex.join(command)}. Give one that fails until the goal is reached."
            )


def succeeds(command: Sequence[str], folder: Path, timeout: float) -> bool:
    """Whether `command`, run in `folder`, exits with 0 within `timeout` seconds.

    It gets no input and its output is dropped. Processes that it started end with it, except on
    Windows.

    Raises:
        LoopError: there is no such program, or no such folder.
    """
    try:
        process = subprocess.Popen(
            command,
            cwd=folder,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
    except OSError as error:
        if not folder.is_dir():
            raise LoopError(
                f"The success command cannot be run: its folder {folder} is gone. Make it again, "
                "with what belongs there."
            ) from error
        raise LoopError(
            f"The success command cannot be run: {command[0]}: {error.strerror}. Give a program "
            "and its arguments; for a pipe, a script with it."
        ) from error
    return wait_in_session(process, timeout) == 0
