"""A turn as one line of a transcript, and back.

The idea to take away: a line that was torn by a crash, or that somebody else wrote, is no error of
the reader's. It holds no turn, and that is an answer.
"""

from __future__ import annotations

import json
from datetime import UTC, datetime

from g2c.memory.base import MemoryStoreError, Turn


def line_of(turn: Turn) -> bytes:
    r"""The turn as JSON in UTF-8, its time in UTC, with the newline that ends it and no other.

    Raises:
        MemoryStoreError: the turn's time has no time zone.

    >>> line = line_of(Turn(datetime(2026, 4, 21, 9, tzinfo=UTC), "a1", "user", "Größe?\nYes."))
    >>> print(line.decode(), end="")
    {"ts": "2026-04-21T09:00:00+00:00", "agent_id": "a1", "role": "user", "content": "Größe?\nYes."}
    """
    if turn.ts.utcoffset() is None:
        raise MemoryStoreError(f"A turn's time needs a time zone, such as UTC; got {turn.ts}.")
    fields = {
        "ts": turn.ts.astimezone(UTC).isoformat(),
        "agent_id": turn.agent_id,
        "role": turn.role,
        "content": turn.content,
    }
    # Letters stay readable, to a person and to grep. What UTF-8 cannot say, a lone surrogate,
    # becomes \udc80, which is how JSON says it.
    return json.dumps(fields, ensure_ascii=False).encode("utf-8", "backslashreplace") + b"\n"


def turn_of(line: bytes) -> Turn | None:
    """The turn that `line` holds; None where it is torn, blank, or not a turn.

    >>> turn_of(b'{"ts": "2026-04-21T09:00:00+00:00", "agent_id": "a1", "ro') is None
    True
    """
    try:
        fields = json.loads(line)
        ts = datetime.fromisoformat(fields["ts"])
        texts = [fields["agent_id"], fields["role"], fields["content"]]
    except (ValueError, TypeError, KeyError, RecursionError):
        return None
    if ts.utcoffset() is None or not all(isinstance(text, str) for text in texts):
        return None
    return Turn(ts, *texts)
