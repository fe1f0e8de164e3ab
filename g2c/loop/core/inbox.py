"""Messages from a person to an agent that works by itself, a file each.

A reader claims a message by renaming its file into its own folder. Only one process can do so, so a
message is read once, however many loops and chats there are. A tick records the messages that it
was shown, and they are removed only after it is committed. So a crash may show a message again, but
never loses one. How a chat reads them is in `g2c/home/inbox.py`.
"""

import secrets
from collections.abc import Collection
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from g2c.files import files_in, leftovers, locked, open_file, replace_text
from g2c.quoting import between_labels, poses_as
from g2c.text import printable

MAX_CHARS = 2_000
"""The longest message, in characters; it must fit into a prompt."""

MAX_SHOWN = 5
"""The most messages in one prompt; the others wait for the next."""

TITLE = "A message from the user:"


@dataclass(frozen=True)
class Message:
    """A message; its `id` is the name of its file, without the suffix."""

    id: str
    text: str


def leave(folder: Path, text: str, now: datetime) -> Path:
    """Leave a message in `folder`, and return its file.

    Raises:
        ValueError: the text is blank, or longer than `MAX_CHARS`.
        OSError: it cannot be written.
    """
    text = printable(text).strip()
    if not text:
        raise ValueError("Write the message for the agent.")
    if len(text) > MAX_CHARS:
        raise ValueError(
            f"The message has {len(text):,} characters, and at most {MAX_CHARS:,} are read; leave "
            "a file where the agent may read it, and tell it the name."
        )
    file = folder / f"{now.astimezone(UTC):%Y%m%d-%H%M%S-%f}-{secrets.token_hex(4)}.txt"
    for torn in leftovers(folder):  # by processes that were killed
        torn.unlink(missing_ok=True)
    replace_text(file, text + "\n")
    return file


def lock_of(folder: Path) -> Path:
    """The lock that a chat holds while it answers a prompt with messages of `folder`."""
    return folder / "lock"


def claim(shared: Path, own: Path) -> None:
    """Move the messages in `shared` to `own`, except for those that another process takes. While a
    chat holds them, they stay where they are."""
    if not files_in(shared, "[0-9]*.txt"):
        return
    with suppress(BlockingIOError), locked(lock_of(shared), wait=False):
        for file in files_in(shared, "[0-9]*.txt"):
            own.mkdir(parents=True, exist_ok=True)
            with suppress(FileNotFoundError):
                file.rename(own / file.name)


def unread(folder: Path, shown: Collection[str] = ()) -> tuple[Message, ...]:
    """The oldest messages in `folder`, at most `MAX_SHOWN`. Messages whose ids are in `shown` are
    deleted."""
    messages: list[Message] = []
    for file in files_in(folder, "[0-9]*.txt"):
        if file.stem in shown:
            file.unlink(missing_ok=True)
        elif len(messages) < MAX_SHOWN:
            with (
                suppress(OSError),
                open_file(file, encoding="utf-8-sig", errors="replace") as opened,
            ):
                messages.append(Message(file.stem, printable(opened.read(MAX_CHARS)).strip()))
    return tuple(messages)


def with_messages(prompt: str, messages: Collection[Message]) -> str:
    """The prompt with each message at its end, under a title of its own. Nothing else reads like
    that title.

    >>> print(with_messages("Goal: bake.", [Message("1", "Take oat milk.")]))
    Goal: bake.
    <BLANKLINE>
    A message from the user:
    Take oat milk.
    """
    others = [between_labels(message.text, _POSES) for message in messages]
    return "\n\n".join([between_labels(prompt, _POSES), *(f"{TITLE}\n{text}" for text in others)])


_POSES = poses_as((TITLE,))
