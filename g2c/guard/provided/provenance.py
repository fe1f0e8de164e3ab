"""The texts that a run has read, and what each was made of."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class RunText:
    """A text that a run has read: the person's words, what a tool gave, a memory.

    `trusted`: whether whoever wrote it may tell the agent what to do. `made_of` has the names of
    the texts that it was made from: those of the notes in a summary, of the mail behind a memory.
    In one run each name stands once.
    """

    name: str
    text: str
    trusted: bool = False
    made_of: tuple[str, ...] = ()
