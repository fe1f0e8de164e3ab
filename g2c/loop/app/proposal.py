"""A change of the agent's files that waits until a person accepts or refuses it."""

from collections.abc import Mapping
from contextlib import AbstractContextManager
from dataclasses import asdict, dataclass
from datetime import datetime
from pathlib import Path

from g2c.files import diff_of, locked, read_bytes
from g2c.foreign_json import load_json
from g2c.json_files import record_from, replace_json
from g2c.kept import key_of
from g2c.loop.check_invariants import check_invariants
from g2c.loop.core.identity import Change, Versions, read_texts
from g2c.loop.core.types import LoopError


@dataclass(frozen=True)
class WaitingChange:
    """The files' texts `before` and `after` the change, and `why` the model wants it."""

    before: Mapping[str, str]
    after: Mapping[str, str]
    why: str

    @property
    def id(self) -> str:
        """A digest of the change. An answer names it, so that it is about no other change."""
        return key_of(asdict(self))[:8]

    @property
    def diff(self) -> str:
        """The change as a unified diff."""
        return diff_of(self.before, {**self.before, **self.after})


def propose(folder: Path, before: Mapping[str, str], after: Mapping[str, str], why: str) -> None:
    """Let a change of the files in `folder` wait. It replaces one that waits already.

    Raises:
        OSError: it cannot be written.
    """
    change = WaitingChange(dict(before), dict(after), why)
    with _alone(folder):
        replace_json(_file(folder), asdict(change), indent=1)


def waiting(folder: Path) -> WaitingChange | None:
    """The change that waits; None if none does.

    Raises:
        LoopError: its file cannot be read; the message says what to do.
    """
    try:
        change = record_from(load_json(read_bytes(_file(folder))), WaitingChange)
    except FileNotFoundError:
        return None
    except ValueError as error:
        raise LoopError(f"{_file(folder)} cannot be read ({error}); delete it.") from error
    if change is None:
        raise LoopError(f"{_file(folder)} does not hold a change; delete it.")
    return change


def accept(folder: Path, id: str, now: datetime) -> Change:
    """Make the waiting change `id`, if the invariants still allow it.

    Raises:
        LoopError: another change waits, or none; the files have changed since, or an invariant is
            broken. Nothing was changed.
        OSError: a file cannot be written.
    """
    with _alone(folder):
        change = _must_wait(folder, id)
        before = read_texts(folder)
        if broken := check_invariants(before, {**before, **change.after}):
            raise LoopError(f"It cannot be accepted: {' '.join(broken)}")
        made = Versions(folder).commit(
            change.before, change.after, Change(now, "evolved", f"{change.why} (accepted)")
        )
        _file(folder).unlink(missing_ok=True)
    return made


def refuse(folder: Path, id: str, now: datetime) -> None:
    """Drop the waiting change `id`. The log notes it.

    Raises:
        LoopError: another change waits, or none.
    """
    with _alone(folder):
        change = _must_wait(folder, id)
        Versions(folder).note(Change(now, "refused", f"A person refused it: {change.why}"))
        _file(folder).unlink(missing_ok=True)


def _must_wait(folder: Path, id: str) -> WaitingChange:
    if (change := waiting(folder)) is None:
        raise LoopError("No change waits for you; g2c loop evolution history shows what was done.")
    if change.id != id:
        raise LoopError(
            f"{id!r:.40} does not wait for you; another change does. g2c loop evolution pending "
            "shows it, and its id."
        )
    return change


def _alone(folder: Path) -> AbstractContextManager[None]:
    return locked(folder / ".proposal.lock")


def _file(folder: Path) -> Path:
    return folder / "proposal.json"
