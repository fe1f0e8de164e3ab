"""The spans of a trace."""

from dataclasses import dataclass

from g2c.tracing import short

UNFINISHED = "unfinished"
"""The error of a span that never came to its end."""


@dataclass(frozen=True)
class Span:
    """A piece of work from `start` to `end`, in seconds since 1970, below `parent`.

    `parent` is the id of a span, or None. `error` is empty if it went well, and `outcome` is its
    result, such as `max_steps`. The tokens are those that it read and wrote itself; None if it is
    no call to a model, or the model did not report them. `input` and `output` are texts.
    """

    id: int
    parent: int | None
    kind: str
    name: str
    start: float
    end: float
    error: str = ""
    outcome: str = ""
    input_tokens: int | None = None
    output_tokens: int | None = None
    input: str = ""
    output: str = ""

    @property
    def seconds(self) -> float:
        return self.end - self.start

    def __repr__(self) -> str:
        return short(self, always=6)


@dataclass(frozen=True)
class Row:
    """The totals of all spans of one kind. `self_s` are their own seconds, and `critical_s` those
    of them on the critical path.
    """

    kind: str
    spans: int
    self_s: float
    critical_s: float
    input_tokens: int
    output_tokens: int
