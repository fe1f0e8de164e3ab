"""The reports of workers, and what is found in them together."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Claim:
    """A worker's claim that something has a value, and the places where it read so."""

    about: str
    value: str
    sources: tuple[str, ...] = ()


@dataclass(frozen=True)
class Report:
    """The findings of one worker."""

    worker: str
    claims: tuple[Claim, ...] = ()


@dataclass(frozen=True)
class Reading:
    """One value, and all the places that say so, each once."""

    value: str
    sources: tuple[str, ...]


@dataclass(frozen=True)
class Finding:
    """All that was read about one thing. Several readings contradict each other."""

    about: str
    readings: tuple[Reading, ...]

    @property
    def is_disputed(self) -> bool:
        """Whether the sources say different things."""
        return len(self.readings) > 1
