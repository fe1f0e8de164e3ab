"""How a chat reads the messages in a home's inbox.

A message is in the prompt while the agent answers, and leaves the inbox once the answer is there.
In between, this process holds the inbox's lock, so no tick and no other chat takes the message. The
kernel frees the lock when the process dies. So a crash loses no message, and each is read once.
"""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from g2c.agent.core.conversation import Exchange
from g2c.agent.core.types import Memory
from g2c.files import locked
from g2c.loop.core.inbox import TITLE, Message, lock_of, unread

READ = "I have read it."
"""The agent's answer to a message, in the conversation."""


@contextmanager
def locked_messages(folder: Path) -> Iterator[tuple[Message, ...]]:
    """The waiting messages in `folder`, locked inside the `with`; None if another process has the
    lock."""
    with ExitStack() as stack:
        try:
            stack.enter_context(locked(lock_of(folder), wait=False))
        except BlockingIOError:
            yield ()
        else:
            yield unread(folder)


def as_exchange(message: Message) -> Exchange:
    """The message as a part of the conversation."""
    return Exchange(f"{TITLE} {message.text}", READ)


def archive_read(folder: Path, messages: tuple[Message, ...], memory: Memory | None) -> None:
    """Move messages that were read to `read/` in the inbox, and log them in the `memory`.

    Raises:
        OSError: a file cannot be moved.
    """
    for message in messages:
        if memory:
            memory.log_turn("user", f"{TITLE} {message.text}")
        read = folder / "read" / f"{message.id}.txt"
        read.parent.mkdir(exist_ok=True)
        (folder / read.name).rename(read)
