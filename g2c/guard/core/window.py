"""The parts of a run's prompt, and how much of each can be shown."""

from dataclasses import dataclass
from typing import Literal

Shown = Literal["whole", "short", "dropped"]


@dataclass(frozen=True)
class WindowPart:
    """A part of a prompt: what is always "kept" (the task, a rule), a "call", or its "output".

    `whole` and `short` are its lengths in tokens, 0 or more, `short` at most `whole`. For an
    output, `call` is the index of its call in the list, which comes before it. A call has one
    output at most. Several calls may precede the first of their outputs.
    """

    kind: Literal["kept", "call", "output"]
    whole: int
    short: int = 0
    call: int | None = None
