"""Critiques that outlive their loop (Shinn et al., 2023, *Reflexion*, arXiv:2303.11366).

The idea to take away: a model does not learn from its mistakes, but its next prompt can. What a
critic found goes into the transcript like anything else that was said; a dream may make a topic of
what is said again and again; and the next first draft is written by somebody who has read it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Protocol

from g2c.critic.base import Critique, RefinementState, Round
from g2c.critic.refine import run_refinement_loop

ROLE = "critic"
"""The role in which critiques stand in a transcript."""

PITFALLS = "Common pitfalls"
"""The topic that a first draft is written after, if a dream or a person wrote it."""

MOST_ISSUES = 5
"""Remembered issues that a first draft is shown: more would be a second task."""

_OF_A_CRITIC = f'"role": "{ROLE}"'  # as a line of a transcript has it
_DAYS_BACK = 365
_CANDIDATES = 20  # turns of which only those of a critic count


class _Turn(Protocol):
    @property
    def content(self) -> str: ...


class _Place(Protocol):
    @property
    def file(self) -> Path: ...
    @property
    def line(self) -> int: ...


class _Hit(_Place, Protocol):
    @property
    def turn(self) -> _Turn: ...


class _Topic(Protocol):
    @property
    def body(self) -> str: ...


class CritiqueStore(Protocol):
    """What is needed of a memory; `g2c.memory.MemoryStore` is one."""

    def log_turn(self, role: str, content: str) -> None:
        """Keep one thing that was said."""

    def read_topic(self, name: str) -> _Topic:
        """The topic of that name. Raises ValueError where there is none."""

    def grep(self, pattern: str, *, days_back: int) -> Iterator[_Hit]:
        """The turns whose line matches `pattern`, newest day first."""

    def recall(self, query: str, k: int, *, transcripts: bool) -> Sequence[_Place]:
        """Where the `k` paragraphs stand that answer `query` best."""


def remember_critique(store: CritiqueStore, critique: Critique, task: str = "") -> bool:
    """Write the critique's issues into the transcript, and say whether there were any.

    Raises:
        OSError: it could not be written.
    """
    if not critique.issues:
        return False
    # One paragraph a turn: what finds the task finds the issues with it.
    lines = [f"Found wrong with a draft for: {_one_line(task)}"]
    lines += [f"- {_one_line(issue)}" for issue in critique.issues]
    store.log_turn(ROLE, "\n".join(lines))
    return True


def recall_pitfalls(store: CritiqueStore, task: str) -> str:
    """What went wrong before, as lines to read before `task`; empty where nothing is known.

    That is the topic `PITFALLS`, whole; where there is none, the newest `MOST_ISSUES` different
    issues of remembered critiques that a search for the task finds.
    """
    try:
        return store.read_topic(PITFALLS).body.strip()
    except ValueError:
        pass
    said = {(hit.file, hit.line): hit for hit in store.grep(_OF_A_CRITIC, days_back=_DAYS_BACK)}
    places = {(at.file, at.line) for at in store.recall(task, _CANDIDATES, transcripts=True)}
    newest_first = sorted(said.keys() & places, reverse=True)  # a transcript is named by its day
    issues: dict[str, None] = {}
    for place in newest_first:
        _, *lines = said[place].turn.content.splitlines()
        issues |= dict.fromkeys(line for line in lines if line.startswith("- "))
    return "\n".join(list(issues)[:MOST_ISSUES])


def with_pitfalls(task: str, pitfalls: str) -> str:
    """The task as a generator reads it: after the pitfalls, if there are any.

    >>> print(with_pitfalls("Name the capital.", "- It did not say of which country."))
    Name the capital.
    Avoid what was wrong with drafts before:
    - It did not say of which country.
    """
    if not pitfalls:
        return task
    return f"{task}\nAvoid what was wrong with drafts before:\n{pitfalls}"


def refine_with_memory(
    task: str,
    *,
    store: CritiqueStore,
    generator: Callable[[str], str],
    critic: Callable[[str, str], Critique],
    refiner: Callable[[str, str, Critique], str],
    max_rounds: int = 3,
    on_round: Callable[[Round], None] | None = None,
) -> RefinementState:
    """`run_refinement_loop` after a look at what went wrong before, which only the generator sees.

    Each critique is remembered as soon as its round is complete, so what stops the loop loses none.

    Raises:
        ValueError: `max_rounds` is less than 1.
        OSError: the memory could not be read or written.
    """
    pitfalls = recall_pitfalls(store, task)

    def remember(round: Round) -> None:
        remember_critique(store, round.critique, task)
        if on_round:
            on_round(round)

    return run_refinement_loop(
        task,
        generator=lambda task: generator(with_pitfalls(task, pitfalls)),
        critic=critic,
        refiner=refiner,
        max_rounds=max_rounds,
        on_round=remember,
    )


def _one_line(text: str) -> str:
    return " ".join(text.split())
