"""The lines of a journal of calls, which a crash may leave without an answer."""

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True)
class Began:
    """Written before a call is carried out, and again before it is repeated. `call` is its id."""

    call: str
    tool: str


@dataclass(frozen=True)
class Ended:
    """Written after a call, with its result."""

    call: str


@dataclass(frozen=True)
class Told:
    """A person looked, and said whether the call had happened."""

    call: str
    happened: bool


JournalLine = Began | Ended | Told


@dataclass(frozen=True)
class Recovery:
    """The action for a call without an answer: "repeat" it, "ask" whether it happened, or "tell"
    the model that it happened and that what it gave is lost."""

    call: str
    action: Literal["repeat", "ask", "tell"]
