"""The failures of a call. "It failed" is seldom "it did not happen"."""

from dataclasses import dataclass

from g2c.tools.failing import Effect, FailureKind

MAX_TRIES = 8
"""The most times that one call is made, the first included."""


@dataclass(frozen=True)
class Failure:
    """A try that failed, `after` so many seconds since the first try began. From then on the
    service wants no call for `retry_after` seconds, 0 or more; None if it named no time."""

    kind: FailureKind
    after: float
    retry_after: float | None = None


__all__ = ["MAX_TRIES", "Effect", "Failure", "FailureKind"]
