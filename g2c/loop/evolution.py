"""What a loop has taught, written into what the next one reads, if it may be.

The idea to take away: the model proposes once, rules decide, and a person can undo. A proposal is
checked while it is still a dict in memory, so that one which is refused has touched no file.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from g2c.files import diff_of
from g2c.inference import Backend, BackendError
from g2c.inference.json_forms import ask_json
from g2c.loop.base import LoopError, SessionSummary
from g2c.loop.config import WRITABLE, ensure_config
from g2c.loop.evolution_prompt import (
    Proposal,
    edits_schema,
    parse_edits,
    render_evolution_prompt,
)
from g2c.loop.invariants import check_invariants
from g2c.loop.versions import Change, Versions, read_texts

MAX_NEW_TOKENS = 640
"""As many edits as are asked for, each as long as it may be, have room in so many tokens."""


@dataclass(frozen=True)
class EvolutionResult:
    """How an attempt went: the version that came of it (None: no file has changed), what the model
    wanted to change as a unified diff, and a sentence that says why or why not. `broken` are the
    sentences of `check_invariants`."""

    version: int | None
    reason: str
    diff: str = ""
    broken: tuple[str, ...] = ()


def evolve(
    folder: Path, summary: SessionSummary, backend: Backend, now: datetime
) -> EvolutionResult:
    """Ask the model once how to change the agent's files in `folder`, after the loop of which
    `summary` tells, and change them if no invariant is broken. Every attempt is noted in the log.

    What the model says, or that it cannot be asked, is a result and never raises. A crash leaves
    the files as they were or a change that `ensure_config` completes.

    Raises:
        LoopError: a file cannot be read; the message says what to do.
        OSError: a file cannot be written.
    """
    ensure_config(folder)
    versions, before = Versions(folder), read_texts(folder)
    try:
        proposal = _propose(before, summary, backend)
    except (BackendError, LoopError) as error:
        versions.note(Change(now, "refused", str(error)))
        return EvolutionResult(None, str(error))
    after = {**before, **proposal.texts}
    if after == before:
        versions.note(Change(now, "unchanged", "The model proposed no change."))
        return EvolutionResult(None, "The model proposed no change.")
    diff = diff_of(before, after)
    if broken := check_invariants(before, after):
        versions.note(Change(now, "refused", proposal.why, broken=broken))
        return EvolutionResult(None, f"Refused: {' '.join(broken)}", diff, broken)
    # The rules are a student's function. Whatever it lets through, these files alone are written.
    allowed = {file: after.get(file, "") for file in WRITABLE}
    try:
        made = versions.commit(before, allowed, Change(now, "evolved", proposal.why))
    except LoopError as error:
        versions.note(Change(now, "refused", str(error)))
        return EvolutionResult(None, str(error), diff)
    return EvolutionResult(made.version, proposal.why, diff)


def history(folder: Path) -> tuple[Change, ...]:
    """Everything that was done to the agent's files in `folder` or refused, oldest first."""
    return Versions(folder).log()


def diff_to(folder: Path, number: int) -> str:
    """What `revert` to the version `number` would change, as a unified diff; empty for nothing.

    Raises:
        LoopError: there is no such version.
    """
    before = read_texts(folder)
    return diff_of(before, {**before, **_writable_of(folder, number)})


def revert(folder: Path, number: int, now: datetime) -> Change:
    """Give the writable files in `folder` the texts that they had in version `number`, as a new
    version: nothing is deleted, and a revert can be reverted. The constitution stays as it is.

    Raises:
        LoopError: there is no such version, or the files are as they were in it already.
        OSError: a file cannot be written.
    """
    ensure_config(folder)
    old, before = _writable_of(folder, number), read_texts(folder)
    if {**before, **old} == before:
        raise LoopError(f"The files are as they were in version {number}; there is nothing to do.")
    return Versions(folder).commit(before, old, Change(now, "reverted", f"To version {number}."))


def _propose(before: Mapping[str, str], summary: SessionSummary, backend: Backend) -> Proposal:
    prompt = render_evolution_prompt(before, summary)
    answer = ask_json(backend, prompt, edits_schema(), max_new_tokens=MAX_NEW_TOKENS)
    return parse_edits(answer.completion)


def _writable_of(folder: Path, number: int) -> dict[str, str]:
    texts = Versions(folder).read(number)
    return {file: texts[file] for file in WRITABLE if file in texts}
