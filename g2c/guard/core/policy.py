"""A policy's view of a run when a call is about to be made."""

from dataclasses import dataclass

from g2c.guard.core.provenance import RunText


@dataclass(frozen=True)
class RunSoFar:
    """The person's task in their words, all texts that the run has read, oldest first, and how
    often the person was asked in this run."""

    task: str
    texts: tuple[RunText, ...] = ()
    asked: int = 0
